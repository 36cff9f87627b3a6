import { beforeEach, describe, expect, test } from 'vitest';
import type { Resource } from '../../../src/engine/ports/index.ts';
import { KubeAccountLeases } from '../../../src/kube/leases/account-leases.ts';
import { silent } from '../../../src/telemetry/log.ts';
import { type Program, SmallCluster } from './small-cluster.ts';

let cluster: SmallCluster;
beforeEach(async () => {
  cluster = await SmallCluster.make();
});
const account = (uid = 'u1', name = 'default'): Resource => ({
  kind: 'CloudAccount',
  metadata: { namespace: 'team', name, uid, generation: 1, resourceVersion: '1', creationTimestamp: '2026-01-01T00:00:00Z' },
  spec: {},
});
const key = { namespace: 'team', name: 'default' };

interface Replica {
  readonly leases: KubeAccountLeases;
  readonly told: string[];
  readonly program: Program;
  leads: boolean;
}
function replica(release: string, seed = 0.5): Replica {
  const program = cluster.program();
  const told: string[] = [];
  const one = { program, told, leads: true };
  const leases = new KubeAccountLeases({
    client: program.client,
    clock: program.process.clock,
    random: () => seed,
    log: silent,
    release,
    leaseDuration: 15_000,
    leadership: { held: () => one.leads },
  });
  return Object.assign(one, { leases });
}
const ask = ({ leases, told }: Replica, what = account()): void => leases.request(what, () => void told.push('changed'));
const spec = async (uid = 'u1'): Promise<{ readonly [field: string]: unknown } | undefined> =>
  (await cluster.server.as('admin', 'GET', `/apis/coordination.k8s.io/v1/namespaces/team/leases/cloud-operator-${uid}`)).body['spec'] as
    | { readonly [field: string]: unknown }
    | undefined;

describe('the lease of an account', () => {
  test('is taken by the first release that asks, for its release and not for its process', async () => {
    const one = replica('ns/one');
    ask(one);
    expect(one.leases.held(key)).toBe(false);
    await cluster.clock.settle();
    expect([one.leases.held(key), one.told.length]).toEqual([true, 1]);
    expect(await spec()).toMatchObject({ holderIdentity: 'ns/one', leaseDurationSeconds: 60 });
    const again = replica('ns/one');
    ask(again);
    await cluster.clock.settle();
    expect(again.leases.held(key)).toBe(true);
  });

  test('is not taken from a release that renews it, and who has it is told once', async () => {
    const [one, two] = [replica('ns/one'), replica('ns/two')];
    ask(one);
    await cluster.clock.settle();
    ask(two);
    await cluster.clock.advance(600_000);
    expect([one.leases.held(key), two.leases.held(key), two.leases.holder(key)]).toEqual([true, false, 'ns/one']);
    expect(two.told).toHaveLength(1);
    expect(one.leases.holder(key)).toBeUndefined();
  });

  test('runs out a minute after a release was killed, and not earlier', async () => {
    const [one, two] = [replica('ns/one'), replica('ns/two')];
    ask(one);
    await cluster.clock.settle();
    ask(two);
    await cluster.clock.advance(30_000);
    one.program.kill();
    const took = await cluster.clock.runUntil(() => two.leases.held(key), 70_000);
    expect(took).toBeGreaterThan(50_000);
  });

  test('counts only while the leader lease is held, and is left alone by who leads no more', async () => {
    const one = replica('ns/one');
    ask(one);
    await cluster.clock.settle();
    one.leads = false;
    expect(one.leases.held(key)).toBe(false);
    const before = await spec();
    await one.leases.stop();
    await cluster.clock.advance(60_000);
    expect(await spec()).toEqual(before);
  });

  test('is given back at the end, so that another release has it within its next look', async () => {
    const [one, two] = [replica('ns/one'), replica('ns/two', 0.99)];
    ask(one);
    await cluster.clock.settle();
    ask(two);
    await cluster.clock.advance(20_000);
    await one.leases.stop();
    expect(one.leases.held(key)).toBe(false);
    await cluster.clock.runUntil(() => two.leases.held(key), 8_000);
  });

  test('is given away after what works on the account has ended, or after twenty seconds; nothing new begins meanwhile', async () => {
    const one = replica('ns/one');
    for (const limit of [5_000, 60_000]) {
      ask(one);
      await cluster.clock.settle();
      const { promise, resolve } = Promise.withResolvers<void>();
      cluster.clock.after(limit, () => resolve());
      void one.leases.during(key, () => promise);
      const begun = cluster.clock.monotonic();
      let given = 0;
      void one.leases.release(key).then(() => (given = cluster.clock.monotonic()));
      expect(one.leases.held(key)).toBe(false);
      await cluster.clock.advance(4_000);
      expect(await spec()).toMatchObject({ holderIdentity: 'ns/one' });
      await cluster.clock.advance(60_000);
      expect(given - begun).toBe(Math.min(limit, 20_000));
      expect(await spec()).not.toHaveProperty('holderIdentity');
    }
  });

  test('asked for again while it is being given away it is taken again afterwards', async () => {
    const one = replica('ns/one');
    ask(one);
    await cluster.clock.settle();
    const left = one.leases.release(key);
    ask(one);
    await cluster.clock.settle();
    await left;
    expect(one.told).toHaveLength(3);
    ask(one);
    await cluster.clock.settle();
    expect(one.leases.held(key)).toBe(true);
  });

  test('of an account that was made anew is another one', async () => {
    const one = replica('ns/one');
    ask(one);
    await cluster.clock.settle();
    ask(one, account('u2'));
    expect(one.leases.held(key)).toBe(false);
    await cluster.clock.settle();
    expect(one.leases.held(key)).toBe(true);
    expect(await spec('u2')).toMatchObject({ holderIdentity: 'ns/one' });
  });

  test('that cannot be renewed is held no more after forty seconds, and taken again when it can', async () => {
    const one = replica('ns/one');
    ask(one);
    await cluster.clock.settle();
    cluster.server.faults.add({ match: { path: /leases/ }, times: 8, action: { kind: 'lose' } });
    await cluster.clock.advance(39_000);
    expect(one.leases.held(key)).toBe(true);
    await cluster.clock.advance(2_000);
    expect(one.leases.held(key)).toBe(false);
    await cluster.clock.advance(60_000);
    expect(one.leases.held(key)).toBe(true);
  });
});
