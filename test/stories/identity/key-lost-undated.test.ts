import { describe, expect, it } from 'vitest';
import { changesSince, exported, lastRequest, restore } from '../../support/world/gitops.ts';
import type { Named } from '../../support/samples/pairs.ts';
import { World } from '../../support/world/world.ts';

// Rows that do not show when something was made: an access key, a credential of Managed, a node pool.
const minute = 60_000;
const login = { usernameSecretRef: { name: 'ops-login', key: 'username' }, passwordSecretRef: { name: 'ops-login', key: 'password' } };
const undated: readonly Named[] = [
  ['CloudObjectKey', 'data', { unlimited: true }],
  ['CloudManagedCredential', 'data', login],
];
/** Something that bears the installation's tag and shows when it was made. */
const volume: Named = ['CloudVolume', 'data', { region: 'eu-central' }];
const pool = { clusterRef: { name: 'prod' }, type: 'g6-standard-4', count: 1 };
const cluster: Named = [
  'CloudKubernetesCluster',
  'prod',
  { label: 'prod', region: 'eu-central', k8sVersion: '1.24', nodePools: [{ name: 'base', type: 'g6-standard-2', count: 1 }] },
];

async function prepared(world: World, account: object): Promise<World> {
  await world.account({ installation: 'prod', ...account });
  await world.secret('ops-login', { username: 'support', password: 'correct-horse-Battery-9-staple' });
  return world;
}
/** What one cluster made, and another one that is built from its Git alone, without its key. */
async function rebuilt(objects: readonly Named[], account: object = {}): Promise<World> {
  const old = await prepared(await World.create(), {});
  const operator = await old.start();
  for (const [kind, name, spec] of objects) await old.apply(kind, name, spec);
  for (const [kind, name] of objects) await old.ready(kind, name);
  operator.kill();
  const world = await prepared(await World.create({ beside: old }), account);
  await restore(world, exported(old));
  return world;
}
const recover = (world: World, on: boolean): Promise<unknown> => world.patch('CloudAccount', 'default', { spec: { recover: on } });
const synced = async (world: World, kind: string, name: string) => world.condition(kind, name, 'Synced');

describe('a cluster that lost its key', () => {
  it.each(undated)('makes no second %s beside one of its name, of which nothing tells when it was made', async (...one) => {
    const [kind, name] = one;
    const world = await rebuilt([volume, one]);
    const seq = lastRequest(world);
    const operator = await world.start();
    const { message } = await world.reason(kind, name, 'AlreadyExists');
    expect(message).toContain("may be older than the operator's key");
    expect(message).toContain('set spec.recover: true');
    operator.kill();
    await world.start();
    await world.clock.advance(40 * minute);
    expect((await synced(world, kind, name))?.reason).toBe('AlreadyExists');
    expect(changesSince(world, seq)).toEqual([]);
    await recover(world, true);
    await world.reason(kind, name, 'Available');
    expect(changesSince(world, seq)).toEqual([]);
  });

  it.each(undated)('makes a %s where a person says that what is there is not wanted', async (...one) => {
    const [kind, name] = one;
    const world = await rebuilt([volume, one]);
    await world.start();
    await world.reason(kind, name, 'AlreadyExists');
    await world.patch(kind, name, { metadata: { annotations: { 'cloudhosting.dev/recreate': 'today' } } });
    await world.ready(kind, name);
  });

  it.each(undated)('of another installation of the same names makes its %s at once', async (...one) => {
    const [kind, name] = one;
    const world = await rebuilt([volume, one], { installation: 'staging' });
    await world.start();
    await world.ready(kind, name);
  });
});

describe('a pool of a cluster that was adopted after the key was lost, as its message says,', () => {
  const pools: readonly Named[] = ['batch', 'night'].map((name) => ['CloudNodePool', name, pool]);
  async function adopted(): Promise<{ readonly world: World; readonly seq: number; readonly paths: ReadonlySet<string> }> {
    const world = await rebuilt([cluster, ...pools]);
    const seq = lastRequest(world);
    await world.start();
    const { message } = await world.reason('CloudKubernetesCluster', 'prod', 'AlreadyExists');
    const id = /spec\.adopt: \{id: (\d+)\}/.exec(message)?.[1];
    await world.patch('CloudKubernetesCluster', 'prod', { spec: { adopt: { id: Number(id) } } });
    await world.reason('CloudKubernetesCluster', 'prod', 'Available');
    const paths = new Set((world.emulator.control.rows('pools') as unknown as { id: number }[]).map(({ id: of }) => String(of)));
    return { world, seq, paths };
  }

  it('is not made a second time, and says so', async () => {
    const { world, seq } = await adopted();
    for (const [kind, name] of pools) {
      const { message } = await world.reason(kind, name, 'AlreadyExists');
      expect(message).toContain('set spec.recover: true');
    }
    await world.clock.advance(40 * minute);
    expect(changesSince(world, seq)).toEqual([]);
  });

  it('is found while the account recovers, and stays its object’s when that is over', async () => {
    const { world, seq } = await adopted();
    await recover(world, true);
    for (const [kind, name] of pools) await world.ready(kind, name);
    expect(changesSince(world, seq)).toEqual([]);
    const before = await Promise.all(pools.map(async ([kind, name]) => (await world.get(kind, name)).status?.['path']));
    await recover(world, false);
    await world.clock.advance(40 * minute);
    for (const [kind, name] of pools) await world.ready(kind, name, minute);
    expect(changesSince(world, seq).filter((call) => call.startsWith('POST') || call.startsWith('DELETE'))).toEqual([]);
    await world.patch('CloudNodePool', 'batch', { spec: { count: 2 } });
    await world.ready('CloudNodePool', 'batch');
    expect(changesSince(world, seq).filter((call) => /^(POST|DELETE)/.test(call))).toEqual([]);
    await world.delete('CloudNodePool', 'night');
    await world.gone('CloudNodePool', 'night');
    expect(changesSince(world, seq).filter((call) => call.startsWith('DELETE'))).toEqual([`DELETE ${String(before[1])} 200 `]);
  });
});
