import { beforeEach, describe, expect, it } from 'vitest';
import { AccountScene, minute } from '../../../support/plugin/account-scene.ts';
import { cloud } from '../../../support/plugin/cloud-cli.ts';
import { CloudUser } from '../../../support/world/cloud-user.ts';

const base = { name: 'base', type: 'g6-standard-2', count: 1 };
const cluster = { region: 'eu-central', k8sVersion: '1.24', nodePools: [base] };
const batch = { clusterRef: { name: 'prod' }, type: 'g6-standard-1', count: 2 };
let scene: AccountScene;
beforeEach(async () => {
  scene = await AccountScene.create();
  await scene.world.start();
});

async function made(kind: string, name: string, spec: Record<string, unknown>): Promise<string> {
  await scene.world.apply(kind, name, spec);
  const { status } = await scene.world.ready(kind, name, 60 * minute);
  await scene.world.clock.advance(10 * minute);
  return String(status?.['path']);
}

describe('a cluster beside which a CloudNodePool has a pool', () => {
  it('is as wanted, in the account too, and has no mark of that taken off', async () => {
    await made('CloudKubernetesCluster', 'prod', cluster);
    await made('CloudNodePool', 'batch', batch);
    const plan = await scene.typed('plan ck8s/prod');
    expect([plan.exit, plan.out]).toEqual([0, expect.stringMatching(/CloudKubernetesCluster team-a\/prod +none/)]);
    const diff = await scene.typed('diff ck8s/prod --against account');
    expect([diff.exit, diff.out]).toEqual([0, expect.stringContaining('Nothing differs')]);
  });
  it('that it had before keeps the mark of its own, in the plan of handing it over as in the call', async () => {
    const path = await made('CloudKubernetesCluster', 'prod', { ...cluster, nodePools: [base, { ...base, name: 'batch' }] });
    const [, pool] = await scene.rows(`${path}/pools`);
    await scene.world.apply('CloudNodePool', 'batch', { ...batch, type: 'g6-standard-2', count: 1, adopt: { id: Number(pool?.['id']) } });
    await scene.world.clock.advance(10 * minute);
    const before = scene.world.emulator.control.requests().length;
    const file = { apiVersion: 'cloudhosting.dev/v1alpha1', kind: 'CloudKubernetesCluster', metadata: { name: 'prod' }, spec: cluster };
    const { out } = await scene.typed('plan -f one.yaml -o json', { files: { 'one.yaml': JSON.stringify(file) } });
    const [planned] = (JSON.parse(out) as { data: { objects: { calls: { method: string; path: string; body: object }[] }[] } }).data
      .objects;
    await scene.world.patch('CloudKubernetesCluster', 'prod', { spec: { nodePools: [base] } });
    await scene.world.clock.advance(20 * minute);
    const sent = scene.world.emulator.control
      .requests()
      .slice(before)
      .filter(({ method }) => method !== 'GET');
    const tagging = sent.find(({ method, path: to }) => method === 'PUT' && to === `${path}/pools/${String(pool?.['id'])}`);
    expect(planned?.calls.map(({ method, path: to, body }) => [method, to, body])).toEqual([
      ['PUT', tagging?.path, JSON.parse(tagging?.body ?? '{}')],
    ]);
  });
});

it('promotion of a cluster that was only observed shows each pool as it is marked, and nothing that stays as it is', async () => {
  const pools = [
    { ...base, count: 2 },
    { ...base, name: 'big', type: 'g6-standard-4' },
  ];
  const { world } = scene;
  const user = new CloudUser(world);
  const body = { label: 'prod', region: 'eu-central', k8s_version: '1.25', node_pools: pools.map(({ type, count }) => ({ type, count })) };
  const { id } = (await user.post('/lke/clusters', body)) as { id: number };
  const spec = { region: 'eu-central', k8sVersion: '1.25', label: 'prod', nodePools: pools, adopt: { id } };
  await made('CloudKubernetesCluster', 'prod', { ...spec, lifecycle: { management: 'Observe' } });
  const file = { apiVersion: 'cloudhosting.dev/v1alpha1', kind: 'CloudKubernetesCluster', metadata: { name: 'prod' }, spec };
  const typed = async (flags = '') => (await scene.typed(`plan -f one.yaml${flags}`, { files: { 'one.yaml': JSON.stringify(file) } })).out;
  const [out, data] = [await typed(), await typed(' -o json')];
  expect(out.split('\n').filter((line) => /^ +~ /.test(line))).toEqual(
    pools.flatMap(({ name }, n) => [`  ~ nodePools[${name}]:`, `    ~ name: pool ${1000 + n} without the mark of ${name} -> ${name}`]),
  );
  const planned = (JSON.parse(data) as { data: { objects: { calls: { method: string; path: string }[] }[] } }).data.objects[0]?.calls;
  const before = world.emulator.control.requests().length;
  await world.patch('CloudKubernetesCluster', 'prod', { spec: { lifecycle: { management: 'Manage' } } });
  await world.clock.advance(20 * minute);
  await world.ready('CloudKubernetesCluster', 'prod');
  const sent = world.emulator.control
    .requests()
    .slice(before)
    .filter(({ method }) => method !== 'GET');
  expect(sent.map(({ method, path }) => [method, path])).toEqual(planned?.map(({ method, path }) => [method, path]));
  expect((await scene.rows(`/lke/clusters/${id}/pools`)).map(({ count }) => count)).toEqual(pools.map(({ count }) => count));
});

const fileWith = (nodePools: readonly object[]) => ({
  apiVersion: 'cloudhosting.dev/v1alpha1',
  kind: 'CloudKubernetesCluster',
  metadata: { name: 'prod' },
  spec: { ...cluster, nodePools },
});
describe('a change of the pools of a cluster', () => {
  it.each([
    ['of how many nodes one has', [{ ...base, count: 3 }], 40],
    ['that brings another one', [base, { name: 'big', type: 'g6-standard-1', count: 2 }], 20],
    ['that leaves it to the autoscaler', [{ ...base, autoscaler: { enabled: true, min: 1, max: 5 } }], undefined],
  ])('%s is told with what it costs', async (_, nodePools, more) => {
    await made('CloudKubernetesCluster', 'prod', cluster);
    const { out } = await scene.typed('plan -f one.yaml -o json', { files: { 'one.yaml': JSON.stringify(fileWith(nodePools)) } });
    const [planned] = (JSON.parse(out) as { data: { objects: { monthlyUSD?: { before?: number; after?: number } }[] } }).data.objects;
    const { before = Number.NaN, after = Number.NaN } = planned?.monthlyUSD ?? {};
    expect(after - before).toBe(more ?? Number.NaN);
  });
});

const event = ({ reason, message }: { readonly reason: string; readonly message: string }): string => `${reason} ${message}`;
it('a pool that comes or goes is told field by field, and nothing of it as null', async () => {
  const { world } = scene;
  const rest = { name: 'rest', type: 'g6-standard-1', count: 1 };
  await made('CloudKubernetesCluster', 'prod', { ...cluster, nodePools: [base, rest] });
  const files = { 'one.yaml': JSON.stringify(fileWith([base, { name: 'big', type: 'g6-standard-4', count: 2 }])) };
  const planned = await scene.typed('plan -f one.yaml', { files });
  expect(planned.out).toContain(
    '  ~ nodePools[big]:\n    + name: big\n    + type: g6-standard-4\n    + count: 2\n  ~ nodePools[rest]:\n    - name: rest\n',
  );
  await world.patch('CloudKubernetesCluster', 'prod', { spec: { nodePools: [base] } });
  await world.clock.advance(5 * minute);
  const goes = 'spec.nodePools[rest]: the account has (-), wanted (+)';
  const left = ['autoscaler: {enabled: false, max: 1, min: 1}', 'count: 1', 'name: rest', 'nodes: 1', 'type: g6-standard-1'];
  const lines = (indent: string): string => left.map((field) => `\n${indent}- ${field}`).join('');
  expect((await scene.typed('diff ck8s/prod')).out).toContain(`${goes}; lifecycle.drift: Correct${lines('  ')}`);
  expect((await cloud(world, 'approve ck8s/prod --dry-run')).err).toContain(`  ${goes}${lines('    ')}`);
  expect((await cloud(world, 'approve --list')).out).toContain(`${goes}: ${left.map((field) => `- ${field}`).join(', ')}`);
  const events = (world.server.objects('/events') as unknown as Parameters<typeof event>[0][]).map(event);
  expect(events.filter((text) => text.startsWith('ApprovalRequired '))).toEqual([expect.stringContaining('}, wanted none. To allow it: ')]);
});

describe('a pool of another name, which is made before the old one goes, and without approval', () => {
  const renamed = { 'one.yaml': JSON.stringify(fileWith([{ ...base, name: 'workers' }])) };
  it('is told apart from what waits for the approval, with the price of both', async () => {
    const path = await made('CloudKubernetesCluster', 'prod', cluster);
    const [old] = await scene.rows(`${path}/pools`);
    const { out } = await scene.typed('plan -f one.yaml', { files: renamed });
    expect(out).toContain('Rebuild, a part needs approval, +20.00 $/month at once, then -20.00 $/month with the approval\n');
    expect(out).toContain(
      `  POST ${path}/pools   at once, without approval\n  DELETE ${path}/pools/${String(old?.['id'])}   after approval\n`,
    );
    expect(out).toContain(' +0.00 $/month; at most +20.00 $/month on the way, until all of it is approved.');
    const markdown = (await scene.typed('plan -f one.yaml -o markdown', { files: renamed })).out;
    expect(markdown).toContain('a part needs approval, +20.00 $/month at once');
    expect(markdown).toContain(`POST ${path}/pools   at once, without approval`);
    const json = (await scene.typed('plan -f one.yaml -o json', { files: renamed })).out;
    const [planned] = (JSON.parse(json) as { data: { objects: { calls: object[]; changes: object[]; monthlyUSD: object }[] } }).data
      .objects;
    expect(planned?.monthlyUSD).toMatchObject({ before: 20, untilApproved: 40, after: 20 });
    expect(planned?.calls).toEqual([
      expect.not.objectContaining({ afterApproval: true }),
      expect.objectContaining({ method: 'DELETE', afterApproval: true }),
    ]);
    const since = scene.world.emulator.control.requests().length;
    await scene.world.apply('CloudKubernetesCluster', 'prod', { ...cluster, nodePools: [{ ...base, name: 'workers' }] });
    await scene.world.clock.advance(30 * minute);
    expect(scene.changes(since)).toEqual([`POST ${path}/pools`]);
  });
  it('is told so by a status or manifests, too, which tell no calls', async () => {
    await made('CloudKubernetesCluster', 'prod', cluster);
    const { out } = await scene.typed('plan -f one.yaml --against cluster', { files: renamed });
    expect(out).toMatch(/ at once, without approval: nodePools\[workers\]\n +after approval: nodePools\[base\]\n/);
  });
  it('is weighed by --max-monthly with what runs beside it meanwhile', async () => {
    await made('CloudKubernetesCluster', 'prod', cluster);
    expect(await scene.typed('plan -f one.yaml --max-monthly 19.99', { files: renamed })).toMatchObject({
      exit: 3,
      err: expect.stringContaining(
        'it adds at most 20.00 $ a month on the way, until all of it is approved, and --max-monthly allows 19.99',
      ) as string,
    });
    expect((await scene.typed('plan -f one.yaml --max-monthly 20', { files: renamed })).exit).toBe(1);
  });
  it('needs no room beyond its own where nobody is asked', async () => {
    const lifecycle = { approve: ['InPlace', 'Rebuild'] };
    await made('CloudKubernetesCluster', 'prod', { ...cluster, lifecycle });
    const file = fileWith([{ ...base, name: 'workers' }]);
    const files = { 'one.yaml': JSON.stringify({ ...file, spec: { ...file.spec, lifecycle } }) };
    const planned = await scene.typed('plan -f one.yaml --max-monthly 0', { files });
    expect(planned).toMatchObject({ exit: 1, out: expect.not.stringContaining('at once') as string });
  });
});

it('what waits for an approval pays for nothing that is made beside it without one', async () => {
  await made('CloudKubernetesCluster', 'prod', { ...cluster, nodePools: [{ ...base, count: 3 }] });
  const instance = {
    apiVersion: 'cloudhosting.dev/v1alpha1',
    kind: 'CloudInstance',
    metadata: { name: 'web' },
    spec: { region: 'us-east', type: 'g6-standard-1' },
  };
  const files = { 'fleet.yaml': `${JSON.stringify(fileWith([base]))}\n---\n${JSON.stringify(instance)}` };
  const planned = await scene.typed('plan -f fleet.yaml --max-monthly 5', { files });
  expect(planned.out).toContain('-30.00 $/month; at most +10.00 $/month on the way, until all of it is approved.');
  expect(planned).toMatchObject({ exit: 3, err: expect.stringContaining('it adds at most 10.00 $ a month on the way') as string });
});

const scaled = { name: 'auto', type: 'g6-standard-1', count: 2, autoscaler: { enabled: true, min: 2, max: 4 } };
it.each([
  ['off', [base, { ...scaled, autoscaler: { enabled: false } }]],
  ['on', [{ ...base, autoscaler: { enabled: true } }, scaled]],
  ['on from the start', [base, scaled, { ...scaled, name: 'third', autoscaler: { enabled: true } }]],
  ['nowhere, and more nodes are', [{ ...base, count: 3 }, scaled]],
])('an autoscaler that is turned %s without bounds is one change, and nothing is told of nodes to come', async (_, nodePools) => {
  await made('CloudKubernetesCluster', 'prod', { ...cluster, nodePools: [base, scaled] });
  const planned = await scene.typed('plan -f one.yaml', { files: { 'one.yaml': JSON.stringify(fileWith(nodePools)) } });
  expect(planned).toMatchObject({ exit: 1, out: expect.stringMatching(/CloudKubernetesCluster team-a\/prod +change +InPlace/) as string });
  expect(planned.out).not.toContain('nodes are ready');
});
