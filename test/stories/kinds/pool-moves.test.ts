import { beforeEach, describe, expect, it } from 'vitest';
import { CloudUser } from '../../support/world/cloud-user.ts';
import { changesSince, exported, lastRequest } from '../../support/world/gitops.ts';
import { type RunningOperator, World } from '../../support/world/world.ts';

const minute = 60_000;
const base = { name: 'base', type: 'g6-standard-2', count: 2 };
const batch = { name: 'batch', type: 'g6-standard-1', count: 1 };
const approve = ['InPlace', 'Reboot', 'Rebuild'];
const cluster = { label: 'prod', region: 'us-east', k8sVersion: '1.24', nodePools: [base, batch] };
const installation = 'prod';

let world: World;
let operator: RunningOperator;
beforeEach(async () => {
  world = await World.create();
  await world.namespace('team-b');
  await world.account({ installation, access: [{ namespaces: ['team-b'] }] });
  operator = await world.start();
});

interface Pool {
  readonly id: number;
  readonly type: string;
  readonly tags: readonly string[];
}
const pools = (): readonly Pool[] => world.emulator.control.rows('pools') as never;
const poolOf = (type: string): number => pools().find((pool) => pool.type === type)?.id ?? 0;
const clusterId = (): number => (world.emulator.control.rows('clusters') as unknown as readonly { readonly id: number }[])[0]?.id ?? 0;
const pathOf = (id: number): string => `/lke/clusters/${clusterId()}/pools/${id}`;

async function made(lifecycle: object = { approve }): Promise<number> {
  await world.apply('CloudKubernetesCluster', 'prod', { ...cluster, lifecycle });
  await world.ready('CloudKubernetesCluster', 'prod');
  return poolOf(batch.type);
}
/** The operator's next look at the pools takes so long that much may happen before what it decides then is sent. */
const delayNextLook = (): number =>
  world.emulator.control.addFault({
    match: { method: 'GET', template: '/lke/clusters/{clusterId}/pools', username: 'admin' },
    times: 1,
    effect: { kind: 'delay', seconds: 20 },
  });
const takeOut = (): Promise<unknown> => world.patch('CloudKubernetesCluster', 'prod', { spec: { nodePools: [base] } });
const ofItsOwn = (id: number) => ({ clusterRef: { name: 'prod' }, type: batch.type, count: 1, adopt: { id } });
const untag = (id: number): Promise<unknown> => new CloudUser(world).put(pathOf(id), { tags: [] });
const told = async (kind = 'CloudKubernetesCluster', name = 'prod'): Promise<string> =>
  (await world.condition(kind, name, 'Ready'))?.message ?? '';
/** The pool is there, the only one of its kind, and the CloudNodePool is as wanted with it. */
async function movedTo(id: number): Promise<void> {
  const object = await world.ready('CloudNodePool', 'batch', 90 * minute);
  expect(object.status).toMatchObject({ path: pathOf(id), origin: 'Adopted' });
  expect(pools().map((pool) => pool.id)).toEqual([poolOf(base.type), id]);
  await world.ready('CloudKubernetesCluster', 'prod', minute);
}

describe('a pool moves from nodePools of its cluster to a CloudNodePool', () => {
  it.each([0, 1000, 10 * minute])('that adopts it, %d ms before the cluster names it no more', async (between) => {
    const id = await made();
    const since = lastRequest(world);
    await world.apply('CloudNodePool', 'batch', ofItsOwn(id));
    if (between > 0) await world.clock.advance(between);
    await takeOut();
    await movedTo(id);
    expect(changesSince(world, since)).toEqual([expect.stringMatching(new RegExp(`^PUT ${pathOf(id)} 200 .*"tags":\\[\\]`))]);
    const { status } = await world.get('CloudKubernetesCluster', 'prod');
    expect(status?.['otherPools']).toEqual([id]);
  });

  it('that waits to adopt it, and is not looked at yet', async () => {
    const id = await made();
    await world.admin('POST', world.path('CloudNodePool'), {
      apiVersion: 'cloudhosting.dev/v1alpha1',
      kind: 'CloudNodePool',
      metadata: { name: 'batch', namespace: 'team-a', annotations: { 'cloudhosting.dev/pause': 'true' } },
      spec: ofItsOwn(id),
    });
    await takeOut();
    await world.clock.advance(20 * minute);
    await world.patch('CloudNodePool', 'batch', { metadata: { annotations: { 'cloudhosting.dev/pause': null } } });
    await movedTo(id);
  });

  it('without a question, as nothing of it is lost', async () => {
    const id = await made({});
    await world.apply('CloudNodePool', 'batch', ofItsOwn(id));
    await takeOut();
    await movedTo(id);
  });

  it('and no other one is made meanwhile: the cluster says what to do, also after a restart', async () => {
    const id = await made();
    await world.apply('CloudNodePool', 'batch', ofItsOwn(id));
    await world.clock.advance(minute);
    await untag(id);
    const since = lastRequest(world);
    await world.patch('CloudKubernetesCluster', 'prod', { metadata: { annotations: { 'cloudhosting.dev/reconcile-at': '1' } } });
    await world.clock.advance(20 * minute);
    operator.kill();
    await world.start();
    await world.clock.advance(20 * minute);
    expect(changesSince(world, since)).toEqual([]);
    expect(await told()).toContain(`pool ${id} is that of nodePools[batch], and of CloudNodePool team-a/batch`);
    await takeOut();
    await movedTo(id);
    expect(changesSince(world, since)).toEqual([]);
  });

  it('and stays with the cluster where the CloudNodePool is taken back', async () => {
    const id = await made();
    const since = lastRequest(world);
    await world.apply('CloudNodePool', 'batch', { ...ofItsOwn(id), lifecycle: { onDelete: 'Retain' } });
    await world.clock.advance(10 * minute);
    await world.patch('CloudKubernetesCluster', 'prod', { spec: { nodePools: [base, { ...batch, count: 2 }] } });
    await world.clock.advance(10 * minute);
    expect(changesSince(world, since)).toEqual([]);
    await world.delete('CloudNodePool', 'batch');
    await world.gone('CloudNodePool', 'batch', 60 * minute);
    await world.ready('CloudKubernetesCluster', 'prod', 60 * minute);
    expect(changesSince(world, since)).toEqual([expect.stringMatching(new RegExp(`^PUT ${pathOf(id)} 200 .*"count":2`))]);
  });

  it('while the cluster is paused', async () => {
    const id = await made();
    const pause = (value: string | null) =>
      world.patch('CloudKubernetesCluster', 'prod', { metadata: { annotations: { 'cloudhosting.dev/pause': value } } });
    await pause('true');
    await world.clock.advance(minute);
    await untag(id);
    await world.apply('CloudNodePool', 'batch', ofItsOwn(id));
    await world.ready('CloudNodePool', 'batch', 20 * minute);
    const since = lastRequest(world);
    await takeOut();
    await pause(null);
    await world.clock.advance(15 * minute);
    await movedTo(id);
    expect(changesSince(world, since)).toEqual([]);
  });

  it('while no operator runs', async () => {
    const id = await made();
    operator.kill();
    const since = lastRequest(world);
    await takeOut();
    await world.apply('CloudNodePool', 'batch', ofItsOwn(id));
    await world.start();
    await movedTo(id);
    expect(changesSince(world, since).filter((call) => !call.startsWith('PUT'))).toEqual([]);
  });

  it('which took it while the question whether it may go was open: the answer deletes nothing', async () => {
    const id = await made({});
    await takeOut();
    await world.clock.advance(minute);
    const { status } = await world.get('CloudKubernetesCluster', 'prod');
    const plan = status?.['plan'] as { readonly hash: string; readonly effect: string };
    expect(plan.effect).toBe('Rebuild');
    await world.apply('CloudNodePool', 'batch', ofItsOwn(id));
    await world.patch('CloudKubernetesCluster', 'prod', { metadata: { annotations: { 'cloudhosting.dev/approve': plan.hash } } });
    await movedTo(id);
  });

  it('which took it while its removal was on its way: looked at, and not sent yet', async () => {
    const id = await made();
    await world.clock.advance(10 * minute);
    const since = lastRequest(world);
    delayNextLook();
    await takeOut();
    await world.clock.advance(10_000);
    expect(pools().map((pool) => pool.id)).toContain(id);
    await world.apply('CloudNodePool', 'batch', ofItsOwn(id));
    await movedTo(id);
    expect(changesSince(world, since)).toEqual([expect.stringMatching(new RegExp(`^PUT ${pathOf(id)} 200 .*"tags":\\[\\]`))]);
  });

  it('which took it while the removal of the whole cluster was on its way', async () => {
    const id = await made({ approve, onDelete: 'Delete' });
    await world.clock.advance(10 * minute);
    const since = lastRequest(world);
    delayNextLook();
    await world.delete('CloudKubernetesCluster', 'prod');
    await world.clock.advance(10_000);
    await world.apply('CloudNodePool', 'batch', ofItsOwn(id));
    await world.clock.advance(10 * minute);
    expect(changesSince(world, since)).toEqual([]);
    expect(await told()).toContain(`has pools that are not of this object and would go with it: ${id}`);
    await world.delete('CloudNodePool', 'batch');
    await world.gone('CloudKubernetesCluster', 'prod', 60 * minute);
  });

  it.each([
    ['with the key', true],
    ['without it, with recover', false],
  ])('in a cluster that is rebuilt from Git, in the middle of it, %s', async (_, withKey) => {
    const id = await made();
    await world.apply('CloudNodePool', 'batch', ofItsOwn(id));
    await world.clock.advance(minute);
    operator.kill();
    const since = lastRequest(world);
    const key = world.server.objects('/secrets').find(({ metadata }) => metadata.name === 'cloud-operator-key');
    const kept = exported(world, { annotations: false });
    world = await World.create({ beside: world });
    await world.namespace('team-b');
    if (withKey) {
      const { data } = key as unknown as { readonly data: Record<string, string> };
      const metadata = { name: 'cloud-operator-key', namespace: 'cloud-operator' };
      await world.admin('POST', '/api/v1/namespaces/cloud-operator/secrets', { apiVersion: 'v1', kind: 'Secret', metadata, data });
    }
    await world.account({ installation, access: [{ namespaces: ['team-b'] }], ...(!withKey && { recover: true }) });
    for (const { kind, metadata, spec } of kept) await world.apply(kind, metadata.name, spec);
    await world.start();
    await world.clock.advance(60 * minute);
    expect(changesSince(world, since)).toEqual([]);
    await takeOut();
    await world.clock.advance(60 * minute);
    expect(changesSince(world, since).filter((call) => call.startsWith('DELETE') || call.startsWith('POST'))).toEqual([]);
    expect(pools().map((pool) => pool.id)).toContain(id);
  });
});

describe('a pool that nobody may take', () => {
  it.each([
    ['its namespace may not adopt', 'team-b', 'team-a', () => ({ external: clusterId() })],
    ['its namespace may not adopt through another CloudAccount', 'team-b', 'platform', () => ({ external: clusterId() })],
    ['it is of another cluster', 'team-a', 'team-a', () => ({ name: 'stage' })],
  ])('goes with its member: the CloudNodePool names it, and %s', async (_, namespace, through, clusterRef) => {
    const id = await made();
    await world.namespace('platform');
    await world.account({ installation, access: [{ namespaces: ['team-b'] }] }, 'platform');
    await world.ready('CloudAccount', 'default', minute, 'platform');
    const accountRef = { name: 'default', namespace: through };
    await world.apply('CloudNodePool', 'batch', { ...ofItsOwn(id), clusterRef: clusterRef(), accountRef }, namespace);
    await world.clock.advance(minute);
    await takeOut();
    await world.clock.advance(10 * minute);
    expect(pools().map((pool) => pool.id)).toEqual([poolOf(base.type)]);
  });

  it('goes with its member, where the CloudNodePool that names it has another one already', async () => {
    const id = await made();
    await world.apply('CloudNodePool', 'gpu', { clusterRef: { name: 'prod' }, type: 'g6-standard-4', count: 1 });
    await world.ready('CloudNodePool', 'gpu');
    await world.patch('CloudNodePool', 'gpu', { spec: { adopt: { id } } });
    await world.clock.advance(minute);
    await takeOut();
    await world.clock.advance(10 * minute);
    expect(pools().map((pool) => pool.id)).not.toContain(id);
  });
});
