import { beforeEach, describe, expect, it } from 'vitest';
import { changesOf } from '../../support/world/changes.ts';
import { CloudUser } from '../../support/world/cloud-user.ts';
import { connectedWorld } from '../../support/world/connected-world.ts';
import type { World } from '../../support/world/world.ts';

/** The rounds read every part within it. */
const round = 400_000;
const soon = 5000;
let world: World;
let colleague: CloudUser;
beforeEach(async () => {
  ({ world } = await connectedWorld());
  colleague = new CloudUser(world);
});
const synced = (kind: string, name: string) => world.condition(kind, name, 'Synced');
/** Runs until the operator has sent the next change. */
async function nextChange(): Promise<void> {
  const before = changesOf(world).length;
  await world.clock.runUntil(() => changesOf(world).length > before, round);
}

describe('what status shows of a part once it was put right', () => {
  const at = '/object-storage/buckets/eu-central-1/shop-assets/access';
  it('is how the account has it by then', async () => {
    await world.apply('CloudBucket', 'assets', { cluster: 'eu-central-1', label: 'shop-assets', acl: 'private' });
    await world.ready('CloudBucket', 'assets');
    await world.clock.advance(round);
    await colleague.post(at, { acl: 'public-read', cors_enabled: true });
    await nextChange();
    await world.clock.advance(soon);
    expect(await colleague.get(at)).toMatchObject({ acl: 'private' });
    expect(await synced('CloudBucket', 'assets')).toMatchObject({ status: 'True' });
    expect((await world.get('CloudBucket', 'assets')).status).toMatchObject({ acl: 'private' });
  });

  it('is not said to be as wanted while a look that was asked for cannot read it', async () => {
    await world.apply('CloudBucket', 'assets', { cluster: 'eu-central-1', label: 'shop-assets', acl: 'private' });
    await world.ready('CloudBucket', 'assets');
    await colleague.post(at, { acl: 'public-read', cors_enabled: true });
    const fault = world.emulator.control.addFault({
      match: { method: 'GET', path: at },
      effect: { kind: 'answer', status: 500, body: '{}' },
    });
    await world.patch('CloudBucket', 'assets', { metadata: { annotations: { 'cloudhosting.dev/reconcile-at': 'now' } } });
    await world.clock.advance(20_000);
    expect(await synced('CloudBucket', 'assets')).not.toMatchObject({ status: 'True' });
    world.emulator.control.removeFault(fault);
    await world.clock.advance(60_000);
    expect(await synced('CloudBucket', 'assets')).toMatchObject({ status: 'True' });
    expect(await colleague.get(at)).toMatchObject({ acl: 'private' });
  });
});

it('several pools of a cluster that somebody resized are put right one after the other, without a round between', async () => {
  const names = ['a', 'b', 'c', 'd'];
  const nodePools = names.map((name) => ({ name, type: 'g6-standard-2', count: 3 }));
  await world.apply('CloudKubernetesCluster', 'prod', { region: 'eu-central', k8sVersion: '1.24', label: 'prod', nodePools });
  const pools = `${String((await world.ready('CloudKubernetesCluster', 'prod')).status?.['path'])}/pools`;
  await world.clock.advance(round);
  for (const { id } of await colleague.list(pools)) await colleague.put(`${pools}/${String(id)}`, { count: 2 });
  await nextChange();
  await world.clock.advance(60_000);
  expect((await colleague.list(pools)).map(({ count }) => count)).toEqual(names.map(() => 3));
  expect((await world.get('CloudKubernetesCluster', 'prod')).status?.['corrections']).toMatchObject([{ at: { length: 1 } }]);
});
