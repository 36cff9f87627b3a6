import { beforeEach, describe, expect, it } from 'vitest';
import { changesSince, lastRequest } from '../../support/world/gitops.ts';
import { CloudUser } from '../../support/world/cloud-user.ts';
import { cloud, endpoint } from '../../support/plugin/cloud-cli.ts';
import type { RunningOperator } from '../../support/world/world.ts';
import { World } from '../../support/world/world.ts';

const minute = 60_000;
const cluster = { label: 'k-x', region: 'eu-central', k8sVersion: '1.24', nodePools: [{ name: 'base', type: 'g6-standard-2', count: 1 }] };
const { label: _, ...unlabelled } = cluster;
const pool = { type: 'g6-standard-4', count: 1, lifecycle: { onDelete: 'Retain' } };
let world: World;
let operator: RunningOperator;
let since: number;

const rows = () => world.emulator.control.rows('pools') as unknown as { id: number; tags: string[] }[];
const tagsOf = (id: number): readonly string[] => rows().find((row) => row.id === id)?.tags ?? [];
const put = (id: number, tags: string) =>
  expect.stringMatching(new RegExp(`^PUT /lke/clusters/1000/pools/${id} 200 \\{"tags":\\["pool=${tags}-[a-z2-7]{8}"\\]\\}$`));

async function made(name: string, spec: Record<string, unknown> = cluster, poolName = name): Promise<void> {
  await world.apply('CloudKubernetesCluster', name, spec);
  await world.ready('CloudKubernetesCluster', name);
  await world.apply('CloudNodePool', poolName, { clusterRef: { name }, ...pool });
  await world.ready('CloudNodePool', poolName);
  await world.clock.advance(5 * minute);
  since = lastRequest(world);
}
async function pruned(name: string, poolName = name): Promise<void> {
  await world.delete('CloudNodePool', poolName);
  await world.delete('CloudKubernetesCluster', name);
  await world.gone('CloudNodePool', poolName);
  await world.gone('CloudKubernetesCluster', name);
}
async function adopted(name: string, spec: object = cluster): Promise<void> {
  await world.apply('CloudKubernetesCluster', name, { ...spec, adopt: { id: 1000 } });
  await world.apply('CloudNodePool', name, { clusterRef: { name }, ...pool, adopt: { id: 1001 } });
  await world.clock.advance(10 * minute);
}
async function restarted(): Promise<void> {
  operator.kill();
  operator = await world.start();
}
const bothReady = async (name: string): Promise<void> => {
  await world.ready('CloudKubernetesCluster', name, minute);
  await world.ready('CloudNodePool', name, minute);
};
/** The lines that `why` has for typing, and what becomes of typing those that change the account. */
async function typedOf(what: string): Promise<readonly string[]> {
  const { out } = await cloud(world, `why ${what}`);
  const lines = [...out.matchAll(/^ {2}kubectl cloud (api .*)$/gm)].map(([, line = '']) => line);
  for (const line of lines) {
    const words = [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, inQuotes, plain]) => inQuotes ?? plain ?? '');
    const { exit, err } = await cloud(world, [...words, '--endpoint', endpoint, '--confirm', words[2] ?? ''], {
      limit: 10 * minute,
      cloudToken: 'token-colleague',
    });
    expect({ exit, err: exit === 0 ? '' : err }).toEqual({ exit: 0, err: '' });
  }
  await world.clock.advance(10 * minute);
  return lines;
}

beforeEach(async () => {
  world = await World.create();
  await world.account({ installation: 'prod', access: [{ namespaces: ['team-b'], adopt: 'Any' }] });
  operator = await world.start();
});

describe('a cluster and a pool under another name, where the old objects went first', () => {
  it('have what those had, and nothing is made or deleted', async () => {
    await made('old');
    await pruned('old');
    await adopted('neu');
    await bothReady('neu');
    expect(changesSince(world, since)).toEqual([put(1000, 'base')]);
    await restarted();
    await world.clock.advance(30 * minute);
    await bothReady('neu');
    expect(changesSince(world, since)).toHaveLength(1);
    expect(rows()).toHaveLength(2);
  });

  it('have it under the older name again', async () => {
    await made('old');
    for (const [before, after] of [
      ['old', 'neu'],
      ['neu', 'old'],
    ] as const) {
      await pruned(before);
      await adopted(after);
      await bothReady(after);
    }
    expect(changesSince(world, since)).toEqual([put(1000, 'base'), put(1000, 'base')]);
  });

  it('keep it when another object of the older name comes', async () => {
    await made('old');
    await pruned('old');
    await adopted('neu');
    await world.apply('CloudNodePool', 'old', { clusterRef: { name: 'neu' }, ...pool });
    await world.reason('CloudNodePool', 'old', 'AlreadyClaimed', 10 * minute);
    await restarted();
    await world.clock.advance(30 * minute);
    await bothReady('neu');
    await world.reason('CloudNodePool', 'old', 'AlreadyClaimed', minute);
    expect(changesSince(world, since)).toEqual([put(1000, 'base')]);
  });

  it('have it after a restart, as the label or a pool tells the name', async () => {
    await made('old', unlabelled, 'gpu');
    await pruned('old', 'gpu');
    await restarted();
    await adopted('neu', unlabelled);
    await bothReady('neu');
    expect(changesSince(world, since).filter((call) => !call.startsWith('PUT'))).toEqual([]);
  });

  it('say what it is where nothing tells the name, and why has the line that ends it', async () => {
    await made('old', cluster, 'gpu');
    await pruned('old', 'gpu');
    await restarted();
    await adopted('neu');
    const { message = '' } = (await world.condition('CloudKubernetesCluster', 'neu', 'Ready')) ?? {};
    expect(message).toMatch(/^pool 1000 bears the mark "pool=base-[a-z2-7]{8}", and may be that of nodePools\[base\]/);
    await world.ready('CloudNodePool', 'neu', minute);
    expect(changesSince(world, since)).toEqual([]);
    expect(await typedOf('ck8s/neu')).toHaveLength(1);
    await bothReady('neu');
    expect(changesSince(world, since)).toHaveLength(1);
  });
});

describe('what bears the mark of somebody else', () => {
  it('of another namespace is not taken, and why has the line that ends it', async () => {
    await world.namespace('team-b');
    await made('old');
    await world.apply(
      'CloudNodePool',
      'theirs',
      { accountRef: { name: 'default', namespace: 'team-a' }, clusterRef: { external: 1000 }, ...pool },
      'team-b',
    );
    await world.ready('CloudNodePool', 'theirs', 10 * minute, 'team-b');
    await world.delete('CloudNodePool', 'theirs', 'team-b');
    await world.gone('CloudNodePool', 'theirs', minute, 'team-b');
    since = lastRequest(world);
    await world.apply('CloudNodePool', 'theirs', { clusterRef: { name: 'old' }, ...pool, adopt: { id: 1002 } });
    await world.clock.advance(10 * minute);
    const told = expect.stringMatching(/^pool 1002 bears the mark "pool=theirs-[a-z2-7]{8}"\. Whose that is/);
    expect(await world.condition('CloudNodePool', 'theirs', 'Ready')).toMatchObject({ reason: 'RemoteFailed', message: told });
    expect(changesSince(world, since)).toEqual([]);
    expect(await typedOf('cpool/theirs')).toHaveLength(1);
    await world.ready('CloudNodePool', 'theirs', minute);
    expect(tagsOf(1002).filter((tag) => tag.startsWith('pool='))).toEqual([]);
  });

  it('of a cluster of another namespace is not taken, be it of the same name', async () => {
    await world.namespace('team-b');
    const accountRef = { name: 'default', namespace: 'team-a' };
    await world.apply('CloudKubernetesCluster', 'neu', { ...unlabelled, accountRef, lifecycle: { onDelete: 'Retain' } }, 'team-b');
    await world.ready('CloudKubernetesCluster', 'neu', 60 * minute, 'team-b');
    await world.delete('CloudKubernetesCluster', 'neu', 'team-b');
    await world.gone('CloudKubernetesCluster', 'neu', minute, 'team-b');
    since = lastRequest(world);
    for (const name of ['neu', 'other']) {
      await world.apply('CloudKubernetesCluster', name, { ...unlabelled, adopt: { id: 1000 } });
      await world.clock.advance(10 * minute);
      const told = expect.stringMatching(/^pool 1000 bears the mark "pool=base-[a-z2-7]{8}", and may be that of nodePools\[base\]/);
      expect(await world.condition('CloudKubernetesCluster', name, 'Ready')).toMatchObject({ reason: 'RemoteFailed', message: told });
      await world.delete('CloudKubernetesCluster', name);
      await world.gone('CloudKubernetesCluster', name);
    }
    expect(changesSince(world, since)).toEqual([]);
  });

  it('of another installation is not taken', async () => {
    await made('old');
    await pruned('old');
    for (const [id, mark] of [
      [1000, 'pool=base-zzzzzzzz'],
      [1001, 'pool=old-zzzzzzzz'],
    ] as const)
      await new CloudUser(world).put(`/lke/clusters/1000/pools/${id}`, { tags: [mark] });
    await adopted('neu');
    for (const kind of ['CloudKubernetesCluster', 'CloudNodePool'])
      expect(await world.condition(kind, 'neu', 'Ready')).toMatchObject({ status: 'False', reason: 'RemoteFailed' });
    expect(changesSince(world, since).filter((call) => !call.includes('zzzzzzzz'))).toEqual([]);
  });

  it('is not taken from an object that is there', async () => {
    await made('old');
    await pruned('old');
    const paused = { metadata: { annotations: { 'cloudhosting.dev/pause': 'true' } } };
    await world.admin('POST', world.path('CloudNodePool', 'team-a'), {
      apiVersion: 'cloudhosting.dev/v1alpha1',
      kind: 'CloudNodePool',
      metadata: { name: 'old', ...paused.metadata },
      spec: { clusterRef: { name: 'neu' }, ...pool },
    });
    await adopted('neu');
    await world.ready('CloudKubernetesCluster', 'neu', minute);
    expect(await world.condition('CloudNodePool', 'neu', 'Ready')).toMatchObject({ status: 'False', reason: 'RemoteFailed' });
  });
});
