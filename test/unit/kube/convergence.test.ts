import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { KubeObjects } from '../../../src/kube/watch/objects.ts';
import { isNewer } from '../../../src/kube/watch/version.ts';
import { silent } from '../../../src/telemetry/log.ts';
import type { Endpoint } from '../../apiserver/requests/endpoint.ts';
import { ConnectionLost } from '../../support/virtual/backend.ts';
import { SmallCluster } from './small-cluster.ts';

const KIND = 'CloudThing';
const TABLE = 'cloudhosting.dev/cloudthings';
const COLLECTION = '/apis/cloudhosting.dev/v1alpha1/namespaces/team/cloudthings';
const { signal } = new AbortController();

interface World {
  readonly cluster: SmallCluster;
  /** Another server of the same cluster. */
  readonly second: Endpoint;
  readonly objects: KubeObjects;
}
async function world(): Promise<World> {
  const cluster = await SmallCluster.make();
  await cluster.installThings();
  const { client } = cluster.program();
  const objects = new KubeObjects({
    client,
    clock: cluster.clock,
    random: () => 0.5,
    log: silent,
    kinds: [{ kind: KIND, plural: 'cloudthings' }],
    fieldManager: 'me',
  });
  objects.start();
  await objects.synced();
  return { cluster, objects, second: cluster.server.addServer() };
}
const versions = (things: Iterable<{ metadata: { name?: string; resourceVersion?: string; uid?: string } }>): string[] =>
  [...things].map(({ metadata }) => `${metadata.name} ${metadata.uid} ${metadata.resourceVersion}`).toSorted((a, b) => a.localeCompare(b));
const cached = ({ objects }: World): string[] => versions(objects.all(KIND));
const stored = ({ cluster }: World): string[] => versions(cluster.server.objects(TABLE));

/** What may happen between two moments: people's writes, our writes, and everything that can befall a watch. */
const steps = {
  make: ({ cluster }: World, name: string) => cluster.thing(name, { size: 1 }).catch(() => undefined),
  change: ({ cluster }: World, name: string) =>
    cluster.server.as('admin', 'PATCH', `${COLLECTION}/${name}`, { spec: { at: cluster.clock.now() } }),
  remove: ({ cluster }: World, name: string) => cluster.server.as('admin', 'DELETE', `${COLLECTION}/${name}`),
  ours: async ({ cluster, objects }: World, name: string) => {
    const body = { status: { at: cluster.clock.monotonic() } };
    const key = { namespace: 'team', name };
    const patched = await objects.patch(KIND, key, { type: 'merge', body, subresource: 'status' }, signal).catch(() => undefined);
    const known = objects.get(KIND, key);
    if (
      patched &&
      known?.metadata.uid === patched.metadata.uid &&
      isNewer(patched.metadata.resourceVersion, known.metadata.resourceVersion)
    )
      throw new Error(`the cache is behind our own write of ${name}`);
  },
  pass: ({ cluster }: World) => cluster.clock.advance(400),
  wait: ({ cluster }: World) => cluster.clock.advance(70_000),
  close: ({ cluster }: World) => cluster.server.closeWatches(),
  break: ({ cluster }: World) => cluster.server.closeWatches({}, new ConnectionLost()),
  compact: ({ cluster }: World) => cluster.server.compact(),
  duplicate: ({ cluster }: World) => void cluster.server.faults.addToWatches({ nth: 1, times: 2, fate: 'duplicate' }),
  delay: ({ cluster }: World) => void cluster.server.faults.addToWatches({ nth: 1, times: 1, fate: { delay: 20_000 } }),
  refuse: ({ cluster }: World) =>
    void cluster.server.faults.add({ match: { path: /watch=true/ }, nth: 1, times: 2, action: { kind: 'answer', status: 503 } }),
  pages: ({ cluster }: World) =>
    void cluster.server.faults.add({ match: { path: /sendInitialEvents/ }, nth: 1, times: 1, action: { kind: 'answer', status: 400 } }),
  travel: ({ cluster, second }: World) => {
    second.freeze();
    cluster.front = second;
    cluster.server.closeWatches({}, new ConnectionLost());
  },
  thaw: ({ second }: World) => second.thaw(),
  back: ({ cluster }: World) => {
    cluster.front = cluster.server;
    cluster.server.closeWatches();
  },
} as const;
const names = Object.keys(steps) as (keyof typeof steps)[];

test('whatever befalls the watch, the cache is the truth some minutes later', async () => {
  const plan = fc.array(fc.tuple(fc.constantFrom(...names), fc.constantFrom('a', 'b', 'c')), { minLength: 5, maxLength: 40 });
  await fc.assert(
    fc.asyncProperty(plan, async (commands) => {
      const it = await world();
      for (const [step, name] of commands) await steps[step](it, name);
      it.second.thaw();
      await it.cluster.clock.advance(180_000);
      expect(cached(it)).toEqual(stored(it));
      await it.cluster.thing('last');
      await it.cluster.clock.advance(30_000);
      expect(cached(it)).toEqual(stored(it));
    }),
    { seed: 33, numRuns: 60 },
  );
}, 60_000);

test('an event that a watch never delivered is made good by the hourly list', async () => {
  const it = await world();
  it.cluster.server.faults.addToWatches({ nth: 1, fate: 'drop' });
  await it.cluster.thing('lost');
  await it.cluster.clock.advance(60_000);
  expect(it.objects.count(KIND)).toBe(0);
  await it.cluster.clock.advance(5_400_000);
  expect(cached(it)).toEqual(stored(it));
});

test('quiet for hours: no failures, a reconnect about every eight minutes, one list an hour', async () => {
  const it = await world();
  await it.cluster.thing('a');
  const before = it.cluster.server.ledger.requests.length;
  await it.cluster.clock.advance(4 * 3_600_000);
  const asked = it.cluster.server.ledger.requests.slice(before);
  expect(asked.length).toBeLessThan(40);
  expect(it.objects.troubles()).toEqual([]);
  expect(cached(it)).toEqual(stored(it));
}, 30_000);

test('3,000 objects are read in pages as well as in a stream', async () => {
  const cluster = await SmallCluster.make();
  await cluster.installThings();
  for (let n = 0; n < 3_000; n += 1) await cluster.thing(`t${n}`);
  cluster.server.faults.add({ match: { path: /sendInitialEvents/ }, nth: 1, times: 1, action: { kind: 'answer', status: 422 } });
  const make = (): KubeObjects =>
    new KubeObjects({
      client: cluster.program().client,
      clock: cluster.clock,
      random: () => 0.5,
      log: silent,
      kinds: [{ kind: KIND, plural: 'cloudthings' }],
      fieldManager: 'me',
    });
  for (const objects of [make(), make()]) {
    objects.start();
    await cluster.clock.advance(2_000);
    expect(objects.count(KIND)).toBe(3_000);
  }
}, 60_000);

test('a CRD that comes later, goes and comes again', async () => {
  const cluster = await SmallCluster.make();
  const objects = new KubeObjects({
    client: cluster.program().client,
    clock: cluster.clock,
    random: () => 0.5,
    log: silent,
    kinds: [{ kind: KIND, plural: 'cloudthings' }],
    fieldManager: 'me',
  });
  objects.start();
  await objects.synced();
  expect(objects.state(KIND)).toBe('absent');
  await cluster.installThings();
  await cluster.thing('a');
  await cluster.clock.advance(10_000);
  expect([objects.state(KIND), objects.count(KIND)]).toEqual(['synced', 1]);
  await cluster.server.as('admin', 'DELETE', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/cloudthings.cloudhosting.dev');
  await cluster.clock.advance(30_000);
  await cluster.installThings();
  await cluster.thing('b');
  await cluster.clock.advance(30_000);
  expect(versions(objects.all(KIND))).toEqual(versions(cluster.server.objects(TABLE)));
});
