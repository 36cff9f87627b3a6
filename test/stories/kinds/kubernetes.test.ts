import { describe, expect, it } from 'vitest';
import type { Row } from '../../../src/resource/index.ts';
import { CloudUser } from '../../support/world/cloud-user.ts';
import { type KubeObject, type RunningOperator, World } from '../../support/world/world.ts';

const base = { name: 'base', type: 'g6-standard-2', count: 3 };
const lifecycle = { onDelete: 'Delete', approve: ['InPlace', 'Reboot', 'Rebuild'] };
const cluster = { region: 'eu-central', k8sVersion: '1.24', label: 'prod', nodePools: [base], lifecycle };

interface Setting {
  readonly world: World;
  readonly operator: RunningOperator;
  readonly colleague: CloudUser;
  readonly at: string;
  /** As they were: the pool of a CloudNodePool, one made by hand, and one with a copy of the mark of `base`. */
  readonly others: Readonly<Record<'batch' | 'hand' | 'forged', Row>>;
  readonly base: Row;
}

const poolsOf = (colleague: CloudUser, at: string): Promise<readonly Row[]> => colleague.list(`${at}/pools`);
const byId = async ({ colleague, at }: Pick<Setting, 'colleague' | 'at'>, id: unknown): Promise<Row | undefined> =>
  (await poolsOf(colleague, at)).find((pool) => pool['id'] === id);

async function begin(): Promise<Setting> {
  const world = await World.create();
  await world.account();
  const operator = await world.start();
  await world.apply('CloudKubernetesCluster', 'prod', cluster);
  await world.ready('CloudKubernetesCluster', 'prod');
  await world.apply('CloudNodePool', 'batch', { clusterRef: { name: 'prod' }, type: 'g6-standard-4', count: 1 });
  await world.ready('CloudNodePool', 'batch');
  const colleague = new CloudUser(world);
  const at = String((await world.get('CloudKubernetesCluster', 'prod')).status?.['path']);
  const [own, batch] = await poolsOf(colleague, at);
  if (own === undefined || batch === undefined) throw new Error('the cluster lacks its pools');
  const hand = await colleague.post(`${at}/pools`, { type: 'g6-standard-4', count: 2 });
  const forged = await colleague.post(`${at}/pools`, { type: base.type, count: base.count, tags: own['tags'] });
  await world.clock.advance(300_000);
  const now = async (pool: Row): Promise<Row> => (await byId({ colleague, at }, pool['id'])) ?? {};
  return {
    world,
    operator,
    colleague,
    at,
    base: own,
    others: { batch: await now(batch), hand: await now(hand), forged: await now(forged) },
  };
}

/** What the operator sent to one of these pools that would change it. */
const touched = ({ world, at }: Setting, pools: readonly Row[]): readonly string[] =>
  world.emulator.control
    .requests()
    .filter(({ username, method }) => username === 'admin' && method !== 'GET')
    .map(({ method, path }) => `${method} ${path}`)
    .filter((call) => pools.some(({ id }) => call.endsWith(`${at}/pools/${String(id)}`)));

const made = ({ world, at }: Setting): number =>
  world.emulator.control
    .requests()
    .filter(({ username, method, path }) => username === 'admin' && method === 'POST' && path === `${at}/pools`).length;

describe('pools of a cluster that are not of its object', () => {
  it('are never touched by what is applied', async () => {
    const setting = await begin();
    const { world, others } = setting;
    const apply = async (nodePools: readonly object[], more: object = {}): Promise<void> => {
      await world.apply('CloudKubernetesCluster', 'prod', { ...cluster, ...more, nodePools });
      await world.ready('CloudKubernetesCluster', 'prod');
      await world.clock.advance(300_000);
    };
    await apply([{ ...base, count: 4 }]);
    await apply([{ ...base, count: 2, tags: ['web-nodes'] }], { label: 'production' });
    await apply([base, { name: 'batch', type: 'g6-standard-4', count: 1 }]);
    await apply([{ name: 'batch', type: 'g6-standard-4', count: 1 }], { k8sVersion: '1.25' });
    expect(await byId(setting, setting.base['id'])).toBeUndefined();
    // The one of that name in the spec is another than that of the CloudNodePool.
    expect(touched(setting, Object.values(others))).toEqual([]);
    for (const pool of Object.values(others)) expect(await byId(setting, pool['id'])).toEqual(pool);
    const { status } = await world.get('CloudKubernetesCluster', 'prod');
    expect(status?.['otherPools']).toEqual(expect.arrayContaining(Object.values(others).map(({ id }) => id)));
    expect(world.panics).toEqual([]);
  });

  it('do not go with the cluster, and a CloudNodePool takes away its own alone', async () => {
    const setting = await begin();
    const { world, others, colleague, at } = setting;
    await world.delete('CloudKubernetesCluster', 'prod');
    await world.clock.advance(3_600_000);
    expect(await byId(setting, setting.base['id'])).toBeDefined();
    await world.delete('CloudNodePool', 'batch');
    await world.gone('CloudNodePool', 'batch');
    expect(await byId(setting, others.batch['id'])).toBeUndefined();
    await world.clock.advance(3_600_000);
    const told = await world.condition('CloudKubernetesCluster', 'prod', 'Synced');
    expect(told?.message).toContain(`would go with it: ${String(others.hand['id'])}, ${String(others.forged['id'])}`);
    expect(touched(setting, [others.hand, others.forged])).toEqual([]);
    for (const pool of [others.hand, others.forged]) await colleague.delete(`${at}/pools/${String(pool['id'])}`);
    await world.gone('CloudKubernetesCluster', 'prod', 3_600_000);
    expect(await colleague.list('/lke/clusters')).toEqual([]);
    expect(world.panics).toEqual([]);
  });

  it('are not touched, and none is made, where status was lost and a copied mark hides whose they are', async () => {
    const setting = await begin();
    const { world, operator, others, colleague, at } = setting;
    operator.kill();
    const { metadata, spec } = await world.get('CloudKubernetesCluster', 'prod');
    const after = await rebuilt(setting, { metadata, spec });
    const before = made(setting);
    await after.start();
    await after.clock.advance(600_000);
    const told = await after.condition('CloudKubernetesCluster', 'prod', 'Ready');
    expect(told).toMatchObject({ status: 'False', reason: 'RemoteFailed' });
    expect(told?.message).toContain(`pools ${String(setting.base['id'])} and ${String(others.forged['id'])} both bear the mark`);
    await after.clock.advance(3_600_000);
    expect(touched(setting, [setting.base, ...Object.values(others)])).toEqual([]);
    expect(made(setting)).toBe(before);
    await colleague.put(`${at}/pools/${String(others.forged['id'])}`, { tags: [] });
    await after.ready('CloudKubernetesCluster', 'prod', 3_600_000);
    expect(made(setting)).toBe(before);
    const { status } = await after.get('CloudKubernetesCluster', 'prod');
    expect(status?.['nodePools']).toMatchObject([{ name: 'base', id: setting.base['id'] }]);
    expect(touched(setting, Object.values(others))).toEqual([]);
    expect(after.panics).toEqual([]);
  });

  it("cannot be had by naming another object's in a CloudNodePool", async () => {
    const setting = await begin();
    const { world } = setting;
    const { id } = setting.base;
    await world.apply('CloudNodePool', 'thief', {
      clusterRef: { name: 'prod' },
      type: base.type,
      count: 1,
      tags: ['mine'],
      adopt: { id: Number(id) },
      lifecycle: { onDelete: 'Delete' },
    });
    await world.clock.advance(3_600_000);
    expect((await world.condition('CloudNodePool', 'thief', 'Ready'))?.status).toBe('False');
    await world.delete('CloudNodePool', 'thief');
    await world.clock.advance(3_600_000);
    expect(touched(setting, [setting.base])).toEqual([]);
    expect(await byId(setting, id)).toMatchObject({ count: 3, tags: setting.base['tags'] });
    expect(world.panics).toEqual([]);
  });
});

/** The old cluster burns down; in a new one on the same account there is what a backup without status holds. */
async function rebuilt({ world: old }: Setting, { metadata, spec }: Pick<KubeObject, 'metadata' | 'spec'>): Promise<World> {
  const world = await World.create({ beside: old });
  const key = old.server.objects('/secrets').find((one) => one.metadata.name === 'cloud-operator-key') as unknown as { data: object };
  await world.admin('POST', '/api/v1/namespaces/cloud-operator/secrets', {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'cloud-operator-key', namespace: 'cloud-operator' },
    data: key.data,
  });
  await world.account();
  await world.admin('POST', world.path('CloudKubernetesCluster'), {
    apiVersion: 'cloudhosting.dev/v1alpha1',
    kind: 'CloudKubernetesCluster',
    metadata: { name: metadata.name, namespace: metadata.namespace, annotations: metadata.annotations },
    spec,
  });
  return world;
}

const specOf = (type: string): Row => ({ region: 'eu-central', k8sVersion: '1.24', nodePools: [{ name: 'base', type, count: 1 }] });
const madeAnew = async (): Promise<{ readonly world: World; readonly colleague: CloudUser; readonly at: string }> => {
  const world = await World.create();
  await world.account();
  await world.start();
  await world.apply('CloudKubernetesCluster', 'k', specOf('g6-standard-2'));
  const at = String((await world.ready('CloudKubernetesCluster', 'k')).status?.['path']);
  await world.delete('CloudKubernetesCluster', 'k');
  await world.gone('CloudKubernetesCluster', 'k', 1_200_000);
  await world.apply('CloudKubernetesCluster', 'k', specOf('g6-standard-4'));
  await world.clock.advance(1_800_000);
  return { world, colleague: new CloudUser(world), at };
};
describe('a cluster whose object is deleted and made anew with another type of a pool (force of a GitOps tool)', () => {
  it('makes no second pool beside the first, and says what to do', async () => {
    const { world, colleague, at } = await madeAnew();
    expect((await poolsOf(colleague, at)).map(({ type }) => type)).toEqual(['g6-standard-2']);
    const ready = await world.condition('CloudKubernetesCluster', 'k', 'Ready');
    expect(ready).toMatchObject({ status: 'False', reason: 'RemoteFailed' });
    expect(ready?.message).toMatch(
      /^pool \d+ bears the mark of nodePools\[base\], and is of type g6-standard-2, where the spec asks for type g6-standard-4/,
    );
    expect(world.panics).toEqual([]);
  });
  it('has the new one once the mark is taken off', async () => {
    const { world, colleague, at } = await madeAnew();
    const [pool] = await poolsOf(colleague, at);
    await colleague.put(`${at}/pools/${String(pool?.['id'])}`, { tags: [] });
    await world.ready('CloudKubernetesCluster', 'k', 3_600_000);
    expect((await poolsOf(colleague, at)).map(({ type }) => type)).toEqual(['g6-standard-2', 'g6-standard-4']);
  });
});
