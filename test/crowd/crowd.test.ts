import { beforeAll, describe, expect, it } from 'vitest';
import { World } from '../support/world/world.ts';

/** More than there are turns at once; the window of their creates is 100 a minute, of which 80 are ours. */
const volumes = 1500;
const minute = 60_000;
const volume = { region: 'eu-central', sizeGiB: 10 };
const publicKey = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIB4nUkBFu2vyy1uUCWKkPKVtQUP8QuwnxJqQxSr1EmZ5 alice@laptop';

describe('while a thousand creates wait for their window', { timeout: 120_000 }, () => {
  let world: World;
  const made = (name: string): unknown[] =>
    (world.emulator.control.rows('volumes') as { label: string }[]).filter(({ label }) => label.startsWith(name));
  const taken = async (work: () => Promise<unknown>): Promise<number> => {
    const begun = world.clock.monotonic();
    await work();
    return world.clock.monotonic() - begun;
  };
  beforeAll(async () => {
    world = await World.create();
    await world.namespace('team-b');
    for (const namespace of ['team-a', 'team-b']) await world.account({}, namespace);
    await world.start();
    await world.apply('CloudSSHKey', 'door', { label: 'door', publicKey }, 'team-b');
    await world.ready('CloudSSHKey', 'door', minute, 'team-b');
    for (let n = 0; n < volumes; n += 1) await world.apply('CloudVolume', `v${n}`, { ...volume, label: `a${n}` });
    await world.clock.advance(5 * minute + 30_000);
  });

  it('an edit goes out at once', async () => {
    const took = await taken(async () => {
      await world.patch('CloudSSHKey', 'door', { spec: { label: 'gate' } }, 'team-b');
      await world.ready('CloudSSHKey', 'door', 2 * minute, 'team-b');
    });
    expect(took).toBeLessThanOrEqual(2000);
  });
  it('something of another window is made at once', async () => {
    const took = await taken(async () => {
      await world.apply('CloudSSHKey', 'late', { label: 'late', publicKey: publicKey.replace('IB4n', 'IB5n') });
      await world.ready('CloudSSHKey', 'late', 2 * minute);
    });
    expect(took).toBeLessThanOrEqual(3000);
  });
  it('one of them can be deleted, and nothing was made for it', async () => {
    const took = await taken(async () => {
      await world.delete('CloudVolume', `v${volumes - 1}`);
      await world.gone('CloudVolume', `v${volumes - 1}`, 2 * minute);
    });
    expect(took).toBeLessThanOrEqual(2000);
    expect(made(`a${volumes - 1}`)).toEqual([]);
  });
  it('one of them can be edited, and is made as it is wanted by then', async () => {
    await world.patch('CloudVolume', `v${volumes - 2}`, { spec: { label: 'edited', sizeGiB: 40 } });
    await world.ready('CloudVolume', `v${volumes - 2}`, 20 * minute);
    expect(made('edited')).toMatchObject([{ size: 40 }]);
    expect(made(`a${volumes - 2}`)).toEqual([]);
  });
  it('ten of another team are served in their turn', async () => {
    for (let n = 0; n < 10; n += 1) await world.apply('CloudVolume', `b${n}`, { ...volume, label: `b${n}` }, 'team-b');
    const took = await taken(async () => {
      for (let n = 0; n < 10; n += 1) await world.ready('CloudVolume', `b${n}`, 10 * minute, 'team-b');
    });
    expect(took).toBeLessThanOrEqual(minute + 12_000);
  });
  it('all are made once, as fast as the windows let them, and no call is refused', async () => {
    await world.ready('CloudVolume', `v${volumes - 3}`, 30 * minute);
    await world.clock.advance(minute);
    const requests = world.emulator.control.requests();
    expect(requests.filter(({ status }) => status === 429)).toEqual([]);
    expect(requests.filter(({ method, path }) => method === 'POST' && path === '/volumes')).toHaveLength(volumes - 1 + 10);
    expect(world.emulator.control.rows('volumes')).toHaveLength(volumes - 1 + 10);
    expect(world.panics).toEqual([]);
  });
});
