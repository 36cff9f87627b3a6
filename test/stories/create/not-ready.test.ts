import { beforeEach, describe, expect, it } from 'vitest';
import { CloudUser } from '../../support/world/cloud-user.ts';
import { World } from '../../support/world/world.ts';

const minute = 60_000;
const wall = (label: string) => ({ label, inboundPolicy: 'DROP', outboundPolicy: 'ACCEPT' });

describe('an object whose remote is proven gone is not Ready', () => {
  let world: World;
  let user: CloudUser;
  beforeEach(async () => {
    world = await World.create();
    await world.account();
    await world.start();
    user = new CloudUser(world);
  });
  const made = async (kind: string, name: string, spec: Record<string, unknown>): Promise<string> => {
    await world.apply(kind, name, spec);
    return String((await world.ready(kind, name)).status?.['path']);
  };
  const refused = (path: string, reason: string): unknown =>
    world.emulator.control.addFault({
      match: { method: 'POST', path },
      times: 1000,
      effect: { kind: 'answer', status: 400, body: JSON.stringify({ errors: [{ reason }] }) },
    });
  const ready = async (kind: string, name: string): Promise<string | undefined> => (await world.condition(kind, name, 'Ready'))?.status;

  it('while somebody else has its name', async () => {
    const path = await made('CloudFirewall', 'wall', wall('wall'));
    await world.clock.advance(10 * minute);
    await user.delete(path);
    await user.post('/networking/firewalls', {
      label: 'wall',
      rules: { inbound_policy: 'DROP', outbound_policy: 'ACCEPT', inbound: [], outbound: [] },
    });
    await world.reason('CloudFirewall', 'wall', 'AlreadyExists');
    expect(await ready('CloudFirewall', 'wall')).toBe('False');
  });
  it('while a new one is refused', async () => {
    const path = await made('CloudFirewall', 'wall', wall('wall'));
    await world.clock.advance(10 * minute);
    refused('/networking/firewalls', 'Firewall limit reached');
    await user.delete(path);
    await world.reason('CloudFirewall', 'wall', 'QuotaExceeded');
    expect(await ready('CloudFirewall', 'wall')).toBe('False');
  });
  it('while its replacement is refused, the old one deleted', async () => {
    const lifecycle = { replace: 'Allow', approve: ['InPlace', 'Replace'], onDelete: 'Delete' };
    await made('CloudVolume', 'data', { region: 'eu-central', sizeGiB: 20, lifecycle });
    refused('/volumes', 'Volume limit reached');
    await world.patch('CloudVolume', 'data', { spec: { region: 'eu-west' } });
    await world.reason('CloudVolume', 'data', 'QuotaExceeded');
    expect(await ready('CloudVolume', 'data')).toBe('False');
  });
  it('while the loss of many is held', async () => {
    const paths: string[] = [];
    for (let n = 0; n < 8; n += 1) paths.push(await made('CloudFirewall', `wall-${n}`, wall(`wall-${n}`)));
    await world.clock.advance(10 * minute);
    for (const path of paths) await user.delete(path);
    await world.clock.advance(10 * minute);
    const said = await Promise.all(
      paths.map(
        async (_, n) =>
          `${(await world.condition('CloudFirewall', `wall-${n}`, 'Synced'))?.reason} ${await ready('CloudFirewall', `wall-${n}`)}`,
      ),
    );
    expect(said.filter((one) => one === 'DeletionHeld False').length).toBeGreaterThanOrEqual(7);
  });
});
