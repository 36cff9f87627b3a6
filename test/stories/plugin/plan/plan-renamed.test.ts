import { beforeEach, describe, expect, it } from 'vitest';
import { AccountScene, minute } from '../../../support/plugin/account-scene.ts';
import { CloudUser } from '../../../support/world/cloud-user.ts';

const cluster = { label: 'k-x', region: 'eu-central', k8sVersion: '1.24', nodePools: [{ name: 'base', type: 'g6-standard-2', count: 1 }] };
const pool = { type: 'g6-standard-4', count: 1, lifecycle: { onDelete: 'Retain' } };
const named = (name: string, adopt: object = {}): string =>
  [
    { kind: 'CloudKubernetesCluster', spec: { ...cluster, ...('cluster' in adopt && { adopt: { id: adopt.cluster } }) } },
    { kind: 'CloudNodePool', spec: { clusterRef: { name }, ...pool, ...('pool' in adopt && { adopt: { id: adopt.pool } }) } },
  ]
    .map(({ kind, spec }) =>
      JSON.stringify({ apiVersion: 'cloudhosting.dev/v1alpha1', kind, metadata: { name, namespace: 'team-a' }, spec }),
    )
    .join('\n---\n');
const adopts = { cluster: 1000, pool: 1001 };
const files = { 'old.yaml': named('old'), 'neu.yaml': named('neu', adopts) };
let scene: AccountScene;

async function applied(name: string, adopt?: object): Promise<void> {
  for (const text of named(name, adopt).split('\n---\n')) {
    const { kind, spec } = JSON.parse(text) as { kind: string; spec: Record<string, unknown> };
    await scene.world.apply(kind, name, spec);
  }
}
async function pruned(): Promise<void> {
  for (const kind of ['CloudNodePool', 'CloudKubernetesCluster']) {
    await scene.world.delete(kind, 'old');
    await scene.world.gone(kind, 'old');
  }
}
const sentSince = (seq: number): readonly string[] =>
  scene.world.emulator.control
    .requests(seq)
    .filter(({ method }) => method !== 'GET')
    .map(({ method, path, body }) => `${method} ${path} ${body}`);
const last = (): number => Math.max(...scene.world.emulator.control.requests().map(({ seq }) => seq));

beforeEach(async () => {
  scene = await AccountScene.create();
  await scene.world.start();
  await applied('old');
  for (const kind of ['CloudKubernetesCluster', 'CloudNodePool']) await scene.world.ready(kind, 'old', 60 * minute);
  await scene.world.clock.advance(5 * minute);
});

describe('a plan of a cluster and its pool under another name', () => {
  it('names the call that marks the pool, and no other is sent', async () => {
    const { out } = await scene.typed('plan -f neu.yaml --base old.yaml', { files });
    expect(out).toContain('it marks by a tag which of these are its own');
    expect(out).not.toContain('RemoteFailed');
    const seq = last();
    await applied('neu', adopts);
    await scene.world.clock.advance(minute);
    await pruned();
    await scene.world.clock.advance(10 * minute);
    const sent = sentSince(seq).map((call) => call.replace(/-[a-z2-7]{8}"/, '-********"'));
    expect(sent).toEqual([expect.stringMatching(/^PUT \/lke\/clusters\/1000\/pools\/1000 /)]);
    expect(out).toContain(sent[0]);
  });

  it('tells of marks that others left, where the old objects are gone', async () => {
    await pruned();
    const { out } = await scene.typed('plan -f neu.yaml', { files });
    expect(out.match(/whose "pool=(?:base|old)-[a-z2-7]{8}" is, [^;]+ the operator's key alone tells/g)).toHaveLength(2);
    expect(out).toContain('2 adopt');
  });
});

it('a plan of what the operator says is RemoteFailed names no call', async () => {
  await pruned();
  for (const id of [1000, 1001])
    await new CloudUser(scene.world).put(`/lke/clusters/1000/pools/${id}`, { tags: [`pool=${id === 1000 ? 'base' : 'old'}-zzzzzzzz`] });
  await applied('neu', adopts);
  await scene.world.clock.advance(10 * minute);
  await scene.world.patch('CloudKubernetesCluster', 'neu', { spec: { tags: ['team-x'] } });
  await scene.world.clock.advance(10 * minute);
  const seq = last();
  const plan = await scene.typed('plan -n team-a');
  expect(plan.out).toMatch(/CloudKubernetesCluster team-a\/neu +refused/);
  expect(plan.out).toMatch(/CloudNodePool team-a\/neu +refused/);
  expect(plan.out).not.toMatch(/^ +PUT /m);
  const edited = { ...cluster, tags: ['team-y'], adopt: { id: 1000 } };
  const file = { apiVersion: 'cloudhosting.dev/v1alpha1', kind: 'CloudKubernetesCluster', metadata: { name: 'neu' }, spec: edited };
  const { out } = await scene.typed('plan -f one.yaml', { files: { 'one.yaml': JSON.stringify(file) } });
  expect(out).toContain('the operator says RemoteFailed, and as long as it does nothing is sent');
  await scene.world.clock.advance(60 * minute);
  expect(sentSince(seq)).toEqual([]);
});
