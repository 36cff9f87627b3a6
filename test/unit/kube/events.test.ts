import { describe, expect, test } from 'vitest';
import type { Leadership, Resource } from '../../../src/engine/ports/index.ts';
import { KubeRecorder } from '../../../src/kube/events/events.ts';
import { cut } from '../../../src/lib/cut.ts';
import { silent } from '../../../src/telemetry/log.ts';
import { SmallCluster } from './small-cluster.ts';

const object = (name: string, namespace = 'team'): Resource => ({
  kind: 'CloudThing',
  metadata: { namespace, name, uid: `uid-${name}`, generation: 1, resourceVersion: '7', creationTimestamp: '' },
  spec: {},
});
const created = { type: 'Normal', reason: 'Created', message: 'volume 12 was made' } as const;

const namespaceOf = (name: string) => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });

interface StoredEvent {
  readonly metadata: { readonly name: string };
  readonly regarding: { readonly name: string };
  readonly series?: { readonly count: number };
}
const EVENTS = '/apis/events.k8s.io/v1/namespaces/team/events';

interface World {
  readonly cluster: SmallCluster;
  readonly recorder: KubeRecorder;
  readonly stored: () => Promise<StoredEvent[]>;
}
async function world(leadership?: Leadership): Promise<World> {
  const cluster = await SmallCluster.make();
  const { client } = cluster.program();
  const recorder = new KubeRecorder({
    client,
    clock: cluster.clock,
    log: silent,
    controller: 'cloudhosting.dev/cloud-operator',
    instance: 'pod-1',
    ...(leadership && { leadership }),
  });
  const stored = async (): Promise<StoredEvent[]> => (await cluster.server.as('admin', 'GET', EVENTS)).body['items'] as never;
  return { cluster, recorder, stored };
}

const others = async ({ cluster }: World): Promise<readonly unknown[]> =>
  (await cluster.server.as('admin', 'GET', '/apis/events.k8s.io/v1/namespaces/other/events')).body['items'] as never;
const flood = (recorder: KubeRecorder, from: number, count: number): void => {
  for (let n = from; n < from + count; n += 1) recorder.event(object(`x${n}`), created);
};

describe('events', () => {
  test('one happening is one Event that names the object, the reason and who says so', async () => {
    const { cluster, recorder, stored } = await world();
    recorder.event(object('a'), created);
    await cluster.clock.settle();
    expect(await stored()).toHaveLength(1);
    expect((await stored())[0]).toMatchObject({
      eventTime: '2026-01-01T00:00:00.000000Z',
      type: 'Normal',
      reason: 'Created',
      action: 'Reconcile',
      note: 'volume 12 was made',
      reportingController: 'cloudhosting.dev/cloud-operator',
      reportingInstance: 'pod-1',
      regarding: { apiVersion: 'cloudhosting.dev/v1alpha1', kind: 'CloudThing', namespace: 'team', name: 'a', uid: 'uid-a' },
    });
  });

  test('the same again within ten minutes is counted, and the count is written once a minute', async () => {
    const { cluster, recorder, stored } = await world();
    for (let n = 0; n < 50; n += 1) {
      recorder.event(object('a'), created);
      await cluster.clock.advance(2_000);
    }
    await cluster.clock.advance(60_000);
    expect(await stored()).toHaveLength(1);
    expect((await stored())[0]?.series).toEqual({ count: 50, lastObservedTime: '2026-01-01T00:01:38.000000Z' });
    await cluster.clock.advance(600_000);
    recorder.event(object('a'), created);
    await cluster.clock.settle();
    expect(await stored()).toHaveLength(2);
  });

  test('an Event that the cluster has dropped meanwhile is made again with its count', async () => {
    const { cluster, recorder, stored } = await world();
    recorder.event(object('a'), created);
    await cluster.clock.settle();
    const name = (await stored())[0]?.metadata.name ?? '';
    await cluster.server.as('admin', 'DELETE', `${EVENTS}/${name}`);
    recorder.event(object('a'), created);
    await cluster.clock.advance(60_000);
    expect((await stored())[0]?.series).toMatchObject({ count: 2 });
  });

  test('an object that says something new all the time gets ten, then one a minute; others are not held back', async () => {
    const { cluster, recorder, stored } = await world();
    for (let n = 0; n < 40; n += 1) recorder.event(object('noisy'), { ...created, message: `attempt ${n}` });
    recorder.event(object('quiet'), created);
    await cluster.clock.settle();
    expect(await stored()).toHaveLength(11);
    expect(recorder.dropped).toBe(30);
    await cluster.clock.advance(60_000);
    recorder.event(object('noisy'), { ...created, message: 'later' });
    await cluster.clock.settle();
    expect(await stored()).toHaveLength(12);
  });

  test('all objects together are limited too', async () => {
    const { cluster, recorder, stored } = await world();
    for (let n = 0; n < 10; n += 1) await cluster.server.apply(namespaceOf(`team-${n}`));
    for (let n = 0; n < 500; n += 1) recorder.event(object(`o${n}`), created);
    for (let n = 0; n < 500; n += 1) recorder.event(object(`n${n}`, `team-${n % 10}`), created);
    await cluster.clock.settle();
    expect(await stored()).toHaveLength(100);
    expect(recorder.dropped).toBe(800);
  });

  test('an API server that fails is not asked again for the same Event, and nobody notices', async () => {
    const { cluster, recorder, stored } = await world();
    cluster.server.faults.add({ match: { path: /events/ }, times: 2, action: { kind: 'answer', status: 503 } });
    for (const name of ['a', 'b', 'c']) recorder.event(object(name), created);
    await cluster.clock.advance(1_000);
    expect((await stored()).map(({ regarding }) => regarding.name)).toEqual(['c']);
    expect(recorder.dropped).toBe(2);
  });

  test('who leads no more says nothing more, about what is counted either', async () => {
    let leads = true;
    const { cluster, recorder, stored } = await world({ held: () => leads });
    recorder.event(object('a'), created);
    await cluster.clock.settle();
    leads = false;
    recorder.event(object('a'), created);
    recorder.event(object('b'), created);
    await cluster.clock.advance(120_000);
    expect((await stored()).map(({ regarding, series }) => [regarding.name, series?.count])).toEqual([['a', undefined]]);
  });

  test('close sends what is left, but waits no longer than it may', async () => {
    const { cluster, recorder, stored } = await world();
    recorder.event(object('a'), created);
    recorder.event(object('a'), created);
    await recorder.close(1_000);
    expect((await stored())[0]?.series).toMatchObject({ count: 2 });
    cluster.server.faults.add({ match: { path: /events/ }, action: { kind: 'lose' } });
    recorder.event(object('b'), created);
    const closed = recorder.close(1_000);
    await cluster.clock.advance(1_000);
    expect(await closed).toBeUndefined();
  });

  test('notes are cut to 1,024 bytes without breaking a character', async () => {
    const note = cut('ä'.repeat(600), 1_024);
    expect(Buffer.byteLength(note)).toBeLessThanOrEqual(1_024);
    expect(note).toMatch(/^ä+\.\.\.$/);
    expect(cut('short', 1_024)).toBe('short');
    const { cluster, recorder, stored } = await world();
    recorder.event(object('a'), { ...created, message: '€'.repeat(2_000) });
    await cluster.clock.settle();
    expect(await stored()).toHaveLength(1);
  });

  describe('of a namespace in which something happens to thousands', () => {
    test('they do not take the place of those of others, at once and later', async () => {
      const one = await world();
      await one.cluster.server.apply(namespaceOf('other'));
      for (let second = 0; second < 60; second += 1) {
        flood(one.recorder, second * 100, 100);
        one.recorder.event(object(`o${second}`, 'other'), created);
        await one.cluster.clock.advance(1000);
      }
      expect(await others(one)).toHaveLength(60);
    });
    test('as many are written as ever where nobody else has any', async () => {
      const { cluster, recorder, stored } = await world();
      for (let second = 0; second < 10; second += 1) {
        flood(recorder, second * 15, 15);
        await cluster.clock.advance(1000);
      }
      expect(await stored()).toHaveLength(150);
    });
  });
});
