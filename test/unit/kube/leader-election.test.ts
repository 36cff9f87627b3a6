import { describe, expect, test } from 'vitest';
import { LeaderElection } from '../../../src/kube/leases/leader-election.ts';
import { silent } from '../../../src/telemetry/log.ts';
import { SmallCluster } from './small-cluster.ts';
import type { Program } from './small-cluster.ts';

interface Contender {
  readonly election: LeaderElection;
  readonly told: string[];
  readonly program: Program;
}
const LEASE = '/apis/coordination.k8s.io/v1/namespaces/team/leases/cloud-operator';

function contender(cluster: SmallCluster, identity: string, seed: number): Contender {
  const program = cluster.program();
  const told: string[] = [];
  const tell = (what: string): void => void told.push(`${what} at ${Math.floor(cluster.clock.monotonic() / 1_000)}`);
  const election = new LeaderElection({
    client: program.client,
    clock: program.process.clock,
    random: () => seed,
    log: silent,
    namespace: 'team',
    name: 'cloud-operator',
    identity,
    onAcquired: () => tell('acquired'),
    onLost: (why) => tell(`lost: ${why}`),
  });
  election.start();
  return { election, told, program };
}
const lease = async (cluster: SmallCluster): Promise<{ [field: string]: unknown }> =>
  ((await cluster.server.as('admin', 'GET', LEASE)).body['spec'] ?? {}) as { [field: string]: unknown };
/** Time passes in small steps; at each of them at most one may hold the lease. */
async function watchOver(cluster: SmallCluster, span: number, all: readonly Contender[]): Promise<string[]> {
  const held: string[] = [];
  for (let passed = 0; passed < span; passed += 100) {
    await cluster.clock.advance(100);
    const holders = all.filter(({ election, program }) => program.process.alive && election.held());
    if (holders.length > 1) throw new Error(`two hold the lease at ${cluster.clock.monotonic()} ms`);
    held.push(holders[0] ? String(all.indexOf(holders[0])) : '-');
  }
  return held;
}

describe('leader election', () => {
  test('the first one makes the lease and renews it every two seconds', async () => {
    const cluster = await SmallCluster.make();
    const one = contender(cluster, 'one', 0.5);
    await cluster.clock.settle();
    expect([one.election.held(), one.told]).toEqual([true, ['acquired at 0']]);
    const before = await lease(cluster);
    expect(before).toMatchObject({ holderIdentity: 'one', leaseDurationSeconds: 15, leaseTransitions: 0 });
    expect(before['renewTime']).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
    await watchOver(cluster, 60_000, [one]);
    const after = await lease(cluster);
    expect(after['acquireTime']).toBe(before['acquireTime']);
    const renewed = Date.parse(String(after['renewTime'])) - Date.parse(String(before['renewTime']));
    expect(renewed).toBeGreaterThan(58_000);
    expect(one.told).toHaveLength(1);
  });

  test('graceful: the standby leads within 2 s, and there is never more than one', async () => {
    const cluster = await SmallCluster.make();
    const all = [contender(cluster, 'one', 0.5), contender(cluster, 'two', 0.99)] as const;
    await watchOver(cluster, 31_700, all);
    expect(all[0].election.held()).toBe(true);
    const begin = cluster.clock.monotonic();
    await all[0].election.stop();
    expect(all[0].election.held()).toBe(false);
    await cluster.clock.runUntil(() => all[1].election.held(), 2_000);
    expect(cluster.clock.monotonic() - begin).toBeLessThanOrEqual(2_000);
    expect(all[0].told[1]).toBe('lost: released at 31');
    expect(await lease(cluster)).toMatchObject({ holderIdentity: 'two', leaseDurationSeconds: 15, leaseTransitions: 1 });
  });

  test('killed: the standby leads within 20 s, not before the lease has run out', async () => {
    const cluster = await SmallCluster.make();
    const all = [contender(cluster, 'one', 0.5), contender(cluster, 'two', 0.99)] as const;
    await watchOver(cluster, 31_700, all);
    all[0].program.kill();
    const took = await cluster.clock.runUntil(() => all[1].election.held(), 20_000);
    expect(took).toBeGreaterThan(13_000);
  });

  test('cut off: the leader knows it in time, without an answer from anybody', async () => {
    const cluster = await SmallCluster.make();
    const all = [contender(cluster, 'one', 0.5), contender(cluster, 'two', 0.3)] as const;
    await watchOver(cluster, 10_000, all);
    cluster.server.faults.add({ match: { path: /leases/, method: 'PUT' }, times: 6, action: { kind: 'lose' } });
    const held = await watchOver(cluster, 40_000, all);
    expect(all[0].told[1]).toMatch(/^lost: not renewed within 10 s at (18|19|20)$/);
    expect(held).toContain('-');
    expect(held.at(-1)).not.toBe('-');
  });

  test('a renewal counts from when it was sent, because others may have seen it that early', async () => {
    const cluster = await SmallCluster.make();
    const one = contender(cluster, 'one', 1);
    await cluster.clock.settle();
    cluster.server.faults.add({ match: { path: /leases/, method: 'PUT' }, nth: 1, action: { kind: 'delay-answer', by: 4_000 } });
    cluster.server.faults.add({ match: { path: /leases/ }, nth: 2, times: 100, action: { kind: 'lose' } });
    await cluster.clock.advance(11_999);
    expect(one.election.held()).toBe(true);
    await cluster.clock.advance(1);
    expect([one.election.held(), one.told]).toEqual([false, ['acquired at 0', 'lost: not renewed within 10 s at 12']]);
  });

  test('paused beyond the lease: it does not hold for one instant after it wakes', async () => {
    const cluster = await SmallCluster.make();
    const one = contender(cluster, 'one', 0.5);
    await cluster.clock.advance(5_000);
    await cluster.server.as('admin', 'PATCH', LEASE, { spec: { holderIdentity: 'two', leaseTransitions: 1 } });
    const woken = cluster.clock.monotonic() + 10_000;
    cluster.server.faults.add({ match: { path: /leases/, method: 'PUT' }, times: 1, action: { kind: 'delay', by: 4_900 } });
    await cluster.clock.advance(10_000);
    expect(cluster.clock.monotonic()).toBe(woken);
    expect(one.election.held()).toBe(false);
    expect(one.told[1]).toContain('lost: taken by two');
    await cluster.clock.advance(60_000);
    expect([one.election.held(), one.told.length]).toEqual([false, 2]);
  });

  test('lost once, it is not taken again: the process is about to end, and another may be free of what troubles it', async () => {
    const cluster = await SmallCluster.make();
    const one = contender(cluster, 'one', 0.5);
    await cluster.clock.settle();
    cluster.server.faults.add({ match: { path: /leases/ }, times: 5, action: { kind: 'lose' } });
    await cluster.clock.advance(120_000);
    expect([one.election.held(), one.told]).toEqual([false, ['acquired at 0', 'lost: not renewed within 10 s at 10']]);
    const two = contender(cluster, 'two', 0.5);
    await cluster.clock.advance(20_000);
    expect(two.election.held()).toBe(true);
  });

  test('another holder is left alone for as long as the lease changes, whatever its clock says', async () => {
    const cluster = await SmallCluster.make();
    const stamp = '2001-01-01T00:00:00.000000Z';
    await cluster.server.as('admin', 'POST', LEASE.replace('/cloud-operator', ''), {
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata: { name: 'cloud-operator', namespace: 'team', annotations: { keep: 'me' } },
      spec: { holderIdentity: 'other', leaseDurationSeconds: 15, renewTime: stamp, acquireTime: stamp, leaseTransitions: 4 },
    });
    const one = contender(cluster, 'one', 0.5);
    for (let n = 0; n < 6; n += 1) {
      await cluster.clock.advance(10_000);
      await cluster.server.as('admin', 'PATCH', LEASE, {
        spec: { renewTime: stamp.replace('01Z', `0${n}Z`).replace('00Z', `0${n + 1}Z`) },
      });
    }
    expect(one.told).toEqual([]);
    await cluster.clock.advance(18_000);
    expect(one.election.held()).toBe(true);
    expect(await lease(cluster)).toMatchObject({ holderIdentity: 'one', leaseTransitions: 5 });
    expect((await cluster.server.as('admin', 'GET', LEASE)).body['metadata']).toMatchObject({ annotations: { keep: 'me' } });
  });

  test('a lost answer to a renewal costs nothing but a look', async () => {
    const cluster = await SmallCluster.make();
    const one = contender(cluster, 'one', 0.5);
    await cluster.clock.advance(5_000);
    cluster.server.faults.add({ match: { path: /leases/, method: 'PUT' }, times: 1, action: { kind: 'lose-answer' } });
    await watchOver(cluster, 30_000, [one]);
    expect([one.election.held(), one.told.length]).toEqual([true, 1]);
  });

  test('a lease that somebody edits or deletes is taken again without losing it', async () => {
    const cluster = await SmallCluster.make();
    const one = contender(cluster, 'one', 0.5);
    await cluster.clock.advance(5_000);
    await cluster.server.as('admin', 'PATCH', LEASE, { metadata: { annotations: { a: 'b' } } });
    await cluster.clock.advance(5_000);
    await cluster.server.as('admin', 'DELETE', LEASE);
    await watchOver(cluster, 20_000, [one]);
    expect([one.election.held(), one.told.length]).toEqual([true, 1]);
  });

  test('many contenders, kills and cuts at random: never two holders, and always one again', async () => {
    const cluster = await SmallCluster.make();
    const all = [0, 0.25, 0.5, 0.75].map((seed, n) => contender(cluster, `p${n}`, seed));
    await watchOver(cluster, 10_000, all);
    for (const victim of [0, 1, 2]) {
      cluster.server.faults.add({ match: { path: /leases/ }, times: 5 + victim, action: { kind: victim % 2 ? 'lose-answer' : 'lose' } });
      await watchOver(cluster, 25_000, all);
      all.find(({ election, program }) => program.process.alive && election.held())?.program.kill();
      const held = await watchOver(cluster, 30_000, all);
      expect(held.at(-1)).not.toBe('-');
    }
  });

  test('the wall clock may jump', async () => {
    const cluster = await SmallCluster.make();
    const all = [contender(cluster, 'one', 0.5), contender(cluster, 'two', 0.3)] as const;
    await watchOver(cluster, 10_000, all);
    cluster.clock.jumpWallClock(3_600_000);
    await watchOver(cluster, 20_000, all);
    cluster.clock.jumpWallClock(-7_200_000);
    await watchOver(cluster, 20_000, all);
    expect([all[0].told, all[1].told]).toEqual([['acquired at 0'], []]);
  });
});
