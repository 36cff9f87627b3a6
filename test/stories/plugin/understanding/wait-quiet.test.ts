import { beforeEach, describe, expect, it } from 'vitest';
import { cloud } from '../../../support/plugin/cloud-cli.ts';
import { CloudUser } from '../../../support/world/cloud-user.ts';
import { connectedWorld } from '../../../support/world/connected-world.ts';
import type { World } from '../../../support/world/world.ts';

const minute = 60_000;
const volume = { region: 'us-east', sizeGiB: 20 };
let world: World;
beforeEach(async () => {
  ({ world } = await connectedWorld());
});
const below = (name: string, source: string) => world.apply('CloudVolume', name, { ...volume, volumeRef: { name: source } });

/** `kubectl cloud wait --for=Quiet`, and how long it took. */
async function waited(words = 'cvol') {
  const before = world.clock.now();
  const ran = await cloud(world, `wait ${words} --for=Quiet --timeout 60m`, { limit: 61 * minute });
  return { ...ran, took: world.clock.now() - before };
}
async function lost(): Promise<void> {
  await world.apply('CloudVolume', 'data', { ...volume, lifecycle: { onMissing: 'Stall' } });
  await world.ready('CloudVolume', 'data');
  const user = new CloudUser(world);
  const [row] = (await user.list('/volumes')) as readonly { readonly id: number }[];
  await user.delete(`/volumes/${row?.id}`);
  await world.reason('CloudVolume', 'data', 'RemoteMissing', 90 * minute);
}

describe('wait --for=Quiet ends once nothing is left but what needs a person', () => {
  it('of what waits for something that is gone, with whom that needs', async () => {
    await lost();
    await below('copy', 'data');
    await below('more', 'copy');
    await world.apply('CloudVolume', 'fine', volume);
    const { exit, out, took } = await waited();
    expect([exit, out]).toEqual([
      1,
      expect.stringMatching(
        /^2 objects wait for CloudVolume team-a\/data, which needs a person: RemoteMissing: .*\n {2}CloudVolume team-a\/copy, .*more\n {2}kubectl cloud why -n team-a cvol\/copy\n2 of 4 objects are at rest after \d+ s; nothing more was waited for\.\nCloudVolume team-a\/data {2}RemoteMissing\n$/,
      ),
    ]);
    expect(took).toBeGreaterThanOrEqual(30_000);
    expect(took).toBeLessThan(2 * minute);
  });
  it('of what awaits approval, but not where that is waited for', async () => {
    await world.apply('CloudInstance', 'web', { region: 'eu-central', type: 'g6-nanode-1' });
    await world.ready('CloudInstance', 'web');
    await world.patch('CloudInstance', 'web', { spec: { type: 'g6-standard-1' } });
    await world.reason('CloudInstance', 'web', 'ApprovalRequired', 10 * minute);
    const { exit, out, took } = await waited('cinst');
    expect([exit, out]).toEqual([1, expect.stringMatching(/^CloudInstance team-a\/web needs a person: ApprovalRequired: /)]);
    expect(took).toBeLessThan(minute);
    expect(await cloud(world, 'wait cinst --for=Quiet --on-approval=wait --timeout 5m', { limit: 6 * minute })).toMatchObject({ exit: 6 });
  });
  it('and looks at all of hundreds', async () => {
    await lost();
    for (let at = 0; at < 130; at++) await below(`copy-${at}`, 'data');
    await world.clock.advance(5 * minute);
    const { exit, took } = await waited();
    expect(exit).toBe(1);
    expect(took).toBeLessThan(2 * minute);
  });
  it('and not as long as something else is on its way', async () => {
    await lost();
    await below('copy', 'data');
    await world.apply('CloudInstance', 'web', { region: 'eu-central', type: 'g6-nanode-1' });
    const { exit, out } = await waited('cvol,cinst');
    expect([exit, out]).toEqual([1, expect.stringContaining('2 of 3 objects are at rest')]);
    expect((await world.get('CloudInstance', 'web')).status?.['id']).toBeDefined();
  });
});

it('wait --for=Quiet tells nothing of what rested from the first', async () => {
  for (const name of ['a', 'b', 'c']) await world.apply('CloudVolume', name, volume);
  for (const name of ['a', 'b', 'c']) await world.ready('CloudVolume', name);
  const { exit, out, err } = await waited();
  expect([exit, out, err]).toEqual([0, expect.stringMatching(/^3 objects are at rest after 30 s\.\n$/), '']);
});
