import { beforeEach, describe, expect, it } from 'vitest';
import { CloudUser } from '../../support/world/cloud-user.ts';
import { type KubeObject, World } from '../../support/world/world.ts';

interface Pool {
  readonly id: number;
  readonly type: string;
  readonly count: number;
  readonly tags: readonly string[];
  readonly cluster_id: number;
}
const cluster = {
  lifecycle: { approve: ['InPlace', 'Reboot', 'Rebuild'] },
  label: 'prod',
  region: 'us-east',
  k8sVersion: '1.24',
  nodePools: [
    { name: 'base', type: 'g6-standard-2', count: 2 },
    { name: 'batch', type: 'g6-standard-1', count: 1 },
  ],
};
const installation = 'tests';

let world: World;
let operator: Awaited<ReturnType<World['start']>>;
let foreign: readonly number[];
const pools = (): readonly Pool[] => world.emulator.control.rows('pools') as never;
const clusterId = (): number => (world.emulator.control.rows('clusters') as unknown as readonly { readonly id: number }[])[0]?.id ?? 0;
const lastRequest = (): number => Math.max(0, ...world.emulator.control.requests().map(({ seq }) => seq));
/** What the operator sent that changes anything, since then. */
const sent = (since = 0): readonly string[] =>
  world.emulator.control
    .requests(since)
    .filter(({ method, username }) => method !== 'GET' && username === 'admin')
    .map(({ method, path }) => `${method} ${path}`);

/** A cluster with two pools of its own, one of a CloudNodePool, and three that somebody made: without, with a forged and with a copied mark. */
beforeEach(async () => {
  world = await World.create();
  await world.account({ installation });
  operator = await world.start();
  await world.apply('CloudKubernetesCluster', 'prod', cluster);
  await world.ready('CloudKubernetesCluster', 'prod');
  await world.apply('CloudNodePool', 'gpu', { clusterRef: { name: 'prod' }, type: 'g6-standard-4', count: 1 });
  await world.ready('CloudNodePool', 'gpu');
  const own = pools();
  const colleague = new CloudUser(world);
  const markOf = (type: string): readonly string[] => own.find((pool) => pool.type === type)?.tags ?? [];
  const at = `/lke/clusters/${clusterId()}/pools`;
  foreign = [];
  for (const body of [
    { type: 'g6-standard-2', count: 2 },
    { type: 'g6-standard-1', count: 1, tags: ['pool=batch-aaaaaaaa'] },
    { type: 'g6-standard-2', count: 2, tags: markOf('g6-standard-2') },
    { type: 'g6-standard-6', count: 1, tags: markOf('g6-standard-1') },
  ]) {
    const { id } = (await colleague.post(at, body)) as { readonly id: number };
    foreign = [...foreign, id];
  }
  await world.clock.advance(600_000);
});

const foreignRows = (): readonly Pool[] => pools().filter(({ id }) => foreign.includes(id));
const touched = (since = 0): readonly string[] => sent(since).filter((call) => foreign.some((id) => call.includes(`/pools/${id}`)));

describe('pools that are not its own', () => {
  it('are shown as others, and nothing of them is changed, whatever is applied', async () => {
    const before = foreignRows();
    const { status } = await world.get('CloudKubernetesCluster', 'prod');
    expect(status?.['otherPools']).toEqual(expect.arrayContaining([...foreign]));
    const [base, batch] = cluster.nodePools;
    for (const nodePools of [
      [{ ...base, count: 3 }, batch],
      [
        { ...base, count: 3 },
        { ...batch, count: 2 },
      ],
      [{ ...base, count: 3 }, batch, { name: 'late', type: 'g6-standard-6', count: 1 }],
      [{ ...base, count: 1 }, batch],
      [base],
      [{ ...base, name: 'renamed' }, batch],
    ]) {
      await world.apply('CloudKubernetesCluster', 'prod', { ...cluster, nodePools });
      await world.clock.advance(900_000);
    }
    await world.delete('CloudNodePool', 'gpu');
    await world.clock.advance(600_000);
    expect(foreignRows()).toEqual(before);
    expect(touched()).toEqual([]);
  });

  it('keep a cluster that is to be deleted, and go with nothing of it', async () => {
    await world.patch('CloudKubernetesCluster', 'prod', { spec: { lifecycle: { ...cluster.lifecycle, onDelete: 'Delete' } } });
    await world.delete('CloudNodePool', 'gpu');
    await world.gone('CloudNodePool', 'gpu');
    const before = pools();
    const since = lastRequest();
    await world.delete('CloudKubernetesCluster', 'prod');
    await world.clock.advance(3_600_000);
    expect(pools()).toEqual(before);
    expect(sent(since)).toEqual([]);
    const told = await world.condition('CloudKubernetesCluster', 'prod', 'Synced');
    for (const id of foreign) expect(told?.message).toContain(String(id));
    for (const id of foreign) await new CloudUser(world).delete(`/lke/clusters/${clusterId()}/pools/${id}`);
    await world.gone('CloudKubernetesCluster', 'prod', 3_600_000);
    expect(pools()).toEqual([]);
  });

  it.each([
    ["with the operator's key", true, { installation }],
    ['without key, as from Git, with recover', false, { installation, recover: true }],
  ])('are neither taken nor changed by a cluster that is restored without status, %s', async (_, withKey, account) => {
    const before = pools();
    const kept = ['cloudkubernetesclusters', 'cloudnodepools'].flatMap(
      (plural) => world.server.objects(`cloudhosting.dev/${plural}`) as unknown as KubeObject[],
    );
    const key = world.server.objects('/secrets').find(({ metadata }) => metadata.name === 'cloud-operator-key');
    operator.kill();
    const since = lastRequest();
    world = await World.create({ beside: world });
    if (withKey) {
      const { data } = key as unknown as { readonly data: Record<string, string> };
      const metadata = { name: 'cloud-operator-key', namespace: 'cloud-operator' };
      await world.admin('POST', '/api/v1/namespaces/cloud-operator/secrets', { apiVersion: 'v1', kind: 'Secret', metadata, data });
    }
    await world.account(account);
    for (const { kind, metadata, spec } of kept) await world.apply(kind, metadata.name, spec);
    await world.start();
    await world.clock.advance(3_600_000);
    expect(sent(since)).toEqual([]);
    expect(pools()).toEqual(before);
  });
});
