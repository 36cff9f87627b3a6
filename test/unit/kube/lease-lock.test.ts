import { expect, test } from 'vitest';
import { LeaseLock } from '../../../src/kube/leases/lease-lock.ts';
import { silent } from '../../../src/telemetry/log.ts';
import { SmallCluster } from './small-cluster.ts';

/** A lock in a namespace that is being deleted, where no Lease can be made; it had the lease last. */
async function begin(wasLast: (lock: LeaseLock) => boolean): Promise<{ cluster: SmallCluster; lock: LeaseLock; told: string[] }> {
  const cluster = await SmallCluster.make();
  await cluster.server.as('admin', 'POST', '/api/v1/namespaces/team/configmaps', {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'stays', namespace: 'team', finalizers: ['example.com/stays'] },
  });
  await cluster.server.as('admin', 'DELETE', '/api/v1/namespaces/team');
  const { client, process } = cluster.program();
  const told: string[] = [];
  const lock: LeaseLock = new LeaseLock({
    client,
    clock: process.clock,
    random: () => 0.5,
    log: silent,
    namespace: 'team',
    name: 'cloud-operator-u1',
    identity: 'ns/one',
    duration: 60_000,
    renewDeadline: 40_000,
    retry: 8_000,
    farewell: 1_500,
    forGood: false,
    wasLast: () => wasLast(lock),
    onAcquired: () => void told.push('acquired'),
    onLost: () => void told.push('lost'),
  });
  lock.start();
  return { cluster, lock, told };
}

test('where no Lease can be made who had it last goes on, once nobody else can hold it, and nobody else does', async () => {
  const { cluster, lock, told } = await begin(() => true);
  await cluster.clock.advance(50_000);
  expect(lock.held()).toBe(false);
  await cluster.clock.advance(30_000);
  expect([lock.held(), told]).toEqual([true, ['acquired']]);
  await cluster.clock.advance(600_000);
  expect([lock.held(), told]).toEqual([true, ['acquired']]);
  await lock.stop();
  expect([lock.held(), told]).toEqual([false, ['acquired', 'lost']]);
  const other = await begin(() => false);
  await other.cluster.clock.advance(600_000);
  expect([other.lock.held(), other.told]).toEqual([false, []]);
  await other.lock.stop();
});

test('is not held by who was stopped in the middle of a try', async () => {
  let tries = 0;
  const { cluster, told } = await begin((one) => {
    tries += 1;
    if (tries === 10) void one.stop();
    return true;
  });
  await cluster.clock.advance(600_000);
  expect([tries, told]).toEqual([10, []]);
});
