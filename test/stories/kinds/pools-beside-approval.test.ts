import { beforeEach, expect, it } from 'vitest';
import { type RunningOperator, World } from '../../support/world/world.ts';

const minute = 60_000;
const base = { name: 'base', type: 'g6-standard-2', count: 1 };
const cluster = { label: 'prod', region: 'us-east', k8sVersion: '1.24', nodePools: [base] };
const workers = { ...base, name: 'workers', count: 2 };

let world: World;
let operator: RunningOperator;
beforeEach(async () => {
  world = await World.create();
  await world.account();
  operator = await world.start();
  await world.apply('CloudKubernetesCluster', 'prod', cluster);
  await world.ready('CloudKubernetesCluster', 'prod');
  await world.apply('CloudKubernetesCluster', 'prod', { ...cluster, nodePools: [workers] });
  await world.reason('CloudKubernetesCluster', 'prod', 'ApprovalRequired');
});

const shown = async (): Promise<unknown> => (await world.get('CloudKubernetesCluster', 'prod')).status?.['nodePools'];
interface Pool {
  readonly count: number;
  readonly nodes: readonly { readonly status: string }[];
}
const pools = () => world.emulator.control.rows('pools') as unknown as readonly Pool[];
/** By the account alone: nothing tells the operator. */
async function untilUp(): Promise<void> {
  for (let left = 60; left > 0; left -= 1) {
    const { body } = await world.emulator.control.actAs({ username: 'colleague', method: 'GET', path: '/v4/lke/clusters/1000/pools' });
    const { data } = JSON.parse(String(body)) as { data: readonly Pool[] };
    if (data.every(({ nodes }) => nodes.every(({ status }) => status === 'ready'))) return;
    await world.clock.advance(5000);
  }
  throw new Error('the nodes are not ready after five minutes');
}
const requests = (): number =>
  world.emulator.control.requests().filter(({ path, username }) => path.startsWith('/lke/') && username === 'admin').length;

it('nodes that become ready while an approval is waited for are shown, and count', async () => {
  await untilUp();
  await world.clock.advance(30_000);
  expect(await shown()).toContainEqual(expect.objectContaining({ name: 'workers', count: 2, ready: 2 }));
  expect(await world.condition('CloudKubernetesCluster', 'prod', 'Ready')).toMatchObject({ status: 'True' });
  expect(await world.condition('CloudKubernetesCluster', 'prod', 'Synced')).toMatchObject({ status: 'False', reason: 'ApprovalRequired' });
});

it('once all are ready the approval costs no reads but those of a cluster at rest', async () => {
  await untilUp();
  await world.clock.advance(minute);
  const before = requests();
  await world.clock.advance(8 * minute);
  // One look each 15 s would be more than a hundred.
  expect(requests() - before).toBeLessThan(12);
});

it('the approval that is given meanwhile is acted on as soon as there is somewhere to go', async () => {
  const { status } = await world.get('CloudKubernetesCluster', 'prod');
  const { hash } = (status ?? {})['plan'] as { hash: string };
  await world.patch('CloudKubernetesCluster', 'prod', { metadata: { annotations: { 'cloudhosting.dev/approve': hash } } });
  await world.ready('CloudKubernetesCluster', 'prod');
  expect(pools().map(({ count }) => count)).toEqual([2]);
});

it('an operator that is restarted meanwhile shows them, too', async () => {
  expect(await shown()).toContainEqual(expect.objectContaining({ name: 'workers', ready: 0 }));
  operator.kill();
  await world.clock.advance(5 * minute);
  await world.start();
  await world.clock.advance(5 * minute);
  expect(await shown()).toContainEqual(expect.objectContaining({ name: 'workers', ready: 2 }));
});
