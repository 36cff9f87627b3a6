import { beforeEach, describe, expect, it } from 'vitest';
import { AccountScene, minute } from '../../support/account-scene.ts';

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
