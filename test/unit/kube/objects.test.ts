import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Key, Leadership, Patch } from '../../../src/engine/ports/index.ts';
import { KubeObjects } from '../../../src/kube/watch/objects.ts';
import { ObjectStore } from '../../../src/kube/watch/object-store.ts';
import { trim } from '../../../src/kube/watch/trim.ts';
import { isNewer } from '../../../src/kube/watch/version.ts';
import { silent } from '../../../src/telemetry/log.ts';
import { ConnectionLost } from '../../support/virtual/backend.ts';
import type { BackendRequest, BackendResponse } from '../../support/virtual/backend.ts';
import { VirtualClock } from '../../support/virtual/virtual-clock.ts';
import { Feed } from './feed.ts';
import { json, scripted, status } from './scripted-server.ts';
import type { Scripted } from './scripted-server.ts';
import { added, bookmark, deleted, expired, modified, thing } from './things.ts';

const KIND = 'CloudThing';
const a: Key = { namespace: 'team', name: 'a' };
const merge: Patch = { type: 'merge', body: { status: { id: 1 } }, subresource: 'status' };
const { signal } = new AbortController();

interface World extends Scripted {
  readonly objects: KubeObjects;
  readonly feed: Feed;
  readonly changes: string[];
  /** `uid@version`, or `none`. */
  readonly cached: () => string;
}

const isWatch = (path: string): boolean => path.includes('watch=true');

/** Object `a` at version 50 is listed, then `answer` serves what is not a list or watch. */
async function world(
  answer: (request: BackendRequest) => Promise<BackendResponse> | BackendResponse,
  { travelBack = 0, leadership }: { readonly travelBack?: number; readonly leadership?: Leadership } = {},
): Promise<World> {
  const feed = new Feed().push(added(thing('a', 50)), bookmark(100, true));
  const base = scripted((request) => (isWatch(request.path) ? { status: 200, headers: {}, body: feed } : answer(request)), {
    travel: ({ path }) => ({ there: 0, back: isWatch(path) ? 0 : travelBack }),
  });
  const changes: string[] = [];
  const objects = new KubeObjects({
    ...base,
    random: () => 0.5,
    log: silent,
    kinds: [{ kind: KIND, plural: 'cloudthings' }],
    fieldManager: 'me',
    ...(leadership && { leadership }),
  });
  objects.start();
  await base.clock.settle();
  objects.subscribe((_, __, { was, is, from }) =>
    changes.push(`${was?.metadata.resourceVersion ?? ''}>${is?.metadata.resourceVersion ?? ''} ${from}`),
  );
  const cached = (): string => {
    const metadata = objects.get(KIND, a)?.metadata;
    return metadata ? `${metadata.uid}@${metadata.resourceVersion}` : 'none';
  };
  return { ...base, objects, feed, changes, cached };
}

describe('objects, requests', () => {
  test('a status patch is a merge patch of the subresource under our field manager', async () => {
    const { objects, seen } = await world(() => json(200, thing('a', 120)));
    const patched = await objects.patch(KIND, a, merge, signal);
    expect(patched.metadata.resourceVersion).toBe('120');
    expect(seen[1]).toMatchObject({
      method: 'PATCH',
      path: '/apis/cloudhosting.dev/v1alpha1/namespaces/team/cloudthings/a/status?fieldManager=me',
      headers: { 'content-type': 'application/merge-patch+json' },
    });
    expect(seen[1]?.body.toString()).toBe('{"status":{"id":1}}');
  });

  test('status is written by who leads alone; what goes to the object itself carries its own preconditions', async () => {
    const { objects, seen } = await world(() => json(200, thing('a', 120)), { leadership: { held: () => false } });
    await expect(objects.patch(KIND, a, merge, signal)).rejects.toThrow('/status: not sent: the lease is not held');
    expect(seen).toHaveLength(1);
    await objects.patch(KIND, a, { type: 'json', ops: [] }, signal);
    expect(seen).toHaveLength(2);
  });

  test('a JSON patch goes to the object itself', async () => {
    const { objects, seen } = await world(() => json(200, thing('a', 120)));
    await objects.patch(KIND, a, { type: 'json', ops: [{ op: 'test', path: '/metadata/uid', value: 'uid-a' }] }, signal);
    expect(seen[1]).toMatchObject({
      path: '/apis/cloudhosting.dev/v1alpha1/namespaces/team/cloudthings/a?fieldManager=me',
      headers: { 'content-type': 'application/json-patch+json' },
    });
    expect(JSON.parse(seen[1]?.body.toString() ?? '')).toEqual([{ op: 'test', path: '/metadata/uid', value: 'uid-a' }]);
  });

  test('fetch gives what the server has now, and undefined only when the object is missing', async () => {
    const answers = [json(200, thing('a', 200)), status(404, 'NotFound'), { status: 404, headers: {}, body: '404 page not found' }];
    const { objects, cached } = await world(() => answers.shift() ?? status(503, 'ServiceUnavailable'));
    expect((await objects.fetch(KIND, a, signal))?.metadata.resourceVersion).toBe('200');
    expect(cached()).toBe('uid-a@200');
    expect(await objects.fetch(KIND, a, signal)).toBeUndefined();
    expect(cached()).toBe('none');
    await expect(objects.fetch(KIND, a, signal)).rejects.toMatchObject({ fault: 'NotFound' });
    await expect(objects.fetch(KIND, a, signal)).rejects.toMatchObject({ fault: 'Unavailable' });
  });

  test('a kind that is not watched is a bug and says which', async () => {
    const { objects } = await world(() => json(200, {}));
    expect(() => objects.get('CloudOther', a)).toThrow('CloudOther is not among the kinds');
  });
});

test('the name taken by another object is a conflict, not an invalid patch', async () => {
  const immutable = {
    kind: 'Status',
    code: 422,
    reason: 'Invalid',
    message: 'field is immutable',
    details: { causes: [{ field: 'metadata.uid' }] },
  };
  const { objects } = await world(() => json(422, immutable));
  await expect(objects.patch(KIND, a, merge, signal)).rejects.toMatchObject({ fault: 'Conflict' });
});

describe('objects, read your writes', () => {
  test('the answer of a patch is in the cache at once; its own watch event is no second change', async () => {
    const { objects, feed, clock, cached, changes } = await world(() => json(200, thing('a', 120)));
    await objects.patch(KIND, a, merge, signal);
    expect(cached()).toBe('uid-a@120');
    feed.push(modified(thing('a', 110)), modified(thing('a', 120)));
    await clock.settle();
    expect(changes).toEqual(['50>120 answer']);
  });

  test('a patch that changed nothing is no change', async () => {
    const { objects, changes } = await world(() => json(200, thing('a', 50)));
    await objects.patch(KIND, a, merge, signal);
    expect(changes).toEqual([]);
  });

  test('a watch event that overtakes the answer wins', async () => {
    const { objects, feed, clock, cached } = await world(() => json(200, thing('a', 120)), { travelBack: 1_000 });
    const patch = objects.patch(KIND, a, merge, signal);
    feed.push(modified(thing('a', 130)));
    await clock.advance(1_000);
    expect((await patch).metadata.resourceVersion).toBe('120');
    expect(cached()).toBe('uid-a@130');
  });

  test('a deletion that overtakes the answer stays, also when a new object has taken the name', async () => {
    const { objects, feed, clock, cached } = await world(() => json(200, thing('a', 120)), { travelBack: 1_000 });
    const patch = objects.patch(KIND, a, merge, signal);
    feed.push(deleted(thing('a', 130)));
    await clock.advance(1_000);
    await patch;
    expect(cached()).toBe('none');
    feed.push(added(thing('a', 140, { uid: 'second' })));
    const late = objects.patch(KIND, a, merge, signal);
    await clock.advance(1_000);
    await late;
    expect(cached()).toBe('second@140');
  });

  test('a list that is older than our write neither rewinds nor removes what we wrote', async () => {
    const { objects, feed, clock, cached, seen } = await world(({ path }) => json(200, thing(path.includes('/b') ? 'b' : 'a', 300)));
    await objects.patch(KIND, a, merge, signal);
    await objects.patch(KIND, { namespace: 'team', name: 'b' }, merge, signal);
    feed.push(expired);
    await clock.advance(1_000);
    expect(seen.at(-1)?.path).toContain('sendInitialEvents');
    feed.push(added(thing('a', 50)), bookmark(200, true));
    await clock.settle();
    expect(cached()).toBe('uid-a@300');
    expect(objects.count(KIND)).toBe(2);
  });

  test('the patch that takes the last finalizer of a deleted object removes it from the cache', async () => {
    const gone = { deletionTimestamp: '2026-01-01T00:00:00Z' };
    // What is removed gets no new version: the answer shows the one before.
    const answers = [json(200, thing('a', 110, { ...gone, finalizers: ['other'] })), json(200, thing('a', 110, gone))];
    const { objects, feed, clock, cached, changes } = await world(() => answers.shift() ?? status(404, 'NotFound'));
    await objects.patch(KIND, a, merge, signal);
    expect(cached()).toBe('uid-a@110');
    await objects.patch(KIND, a, merge, signal);
    expect(cached()).toBe('none');
    feed.push(modified(thing('a', 115)), deleted(thing('a', 121)));
    await clock.settle();
    expect(changes).toEqual(['50>110 answer', '110> answer']);
  });

  test('a patch answered with NotFound removes the object that it was meant for, and only that', async () => {
    const { objects, feed, clock, cached } = await world(() => status(404, 'NotFound'), { travelBack: 1_000 });
    const first = objects.patch(KIND, a, merge, signal).catch(() => undefined);
    feed.push(deleted(thing('a', 110)), added(thing('a', 130, { uid: 'second' })));
    await clock.advance(1_000);
    await first;
    expect(cached()).toBe('second@130');
    const second = objects.patch(KIND, a, merge, signal).catch((error: unknown) => error);
    await clock.advance(1_000);
    expect(await second).toMatchObject({ fault: 'NotFound' });
    expect(cached()).toBe('none');
  });

  test('a cut patch leaves the cache as it was and its outcome unknown', async () => {
    const { objects, cached } = await world(() => Promise.reject(new ConnectionLost()));
    await expect(objects.patch(KIND, a, merge, signal)).rejects.toMatchObject({ fault: 'Unknown' });
    expect(cached()).toBe('uid-a@50');
  });
});

describe('object store', () => {
  test('it has what it was given in just that version, of just that object', () => {
    const store = new ObjectStore(new VirtualClock(), () => undefined);
    const object = trim(KIND, thing('a', 7));
    if (!object) throw new Error('not an object');
    const { metadata } = object;
    expect(store.has(metadata)).toBe(false);
    store.put(object, 'list');
    expect(store.has(metadata)).toBe(true);
    for (const other of [{ uid: 'another' }, { resourceVersion: '8' }, { namespace: 'another' }, { name: 'b' }])
      expect(store.has({ ...metadata, ...other })).toBe(false);
    expect(store.has({})).toBe(false);
    store.remove(metadata, metadata.uid, 'watch');
    expect(store.has(metadata)).toBe(false);
  });

  test('tombstones end after five minutes, those of others stay', async () => {
    const clock = new VirtualClock();
    const store = new ObjectStore(clock, () => undefined);
    const object = trim(KIND, thing('a', 5));
    if (!object) throw new Error('not an object');
    store.remove(a, 'uid-a', 'watch');
    await clock.advance(299_999);
    store.remove(a, 'uid-b', 'watch');
    store.put(object, 'answer');
    expect(store.get(a)).toBeUndefined();
    await clock.advance(2);
    store.remove(a, 'uid-c', 'watch');
    store.put(object, 'answer');
    expect(store.get(a)).toBe(object);
  });

  test('versions compare as numbers of any length', () => {
    expect([isNewer('10', '9'), isNewer('9', '10'), isNewer('9', '9'), isNewer('90071992547409931', '90071992547409930')]).toEqual([
      true,
      false,
      false,
      true,
    ]);
  });

  /** One object's true history: created, changed, deleted, created anew under another uid, ... */
  const history = fc.array(fc.boolean(), { minLength: 1, maxLength: 12 }).map((steps) => {
    let life = 1;
    let alive = true;
    const events: { version: number; uid: string; gone: boolean }[] = [{ version: 1, uid: 'u1', gone: false }];
    steps.forEach((ends, n) => {
      if (!alive) events.push({ version: n + 2, uid: `u${(life += 1)}`, gone: false });
      else events.push({ version: n + 2, uid: `u${life}`, gone: ends });
      alive = !alive || !ends;
    });
    return events;
  });

  test('whatever order, delay and repetition the news come in, once all have come the cache is the truth', () => {
    fc.assert(
      fc.property(history, fc.infiniteStream(fc.nat()), (events, random) => {
        const store = new ObjectStore(new VirtualClock(), () => undefined);
        const draw = (): number => random.next().value ?? 0;
        const news = [...events, ...events].map((event) => ({ event, at: draw() })).toSorted((x, y) => x.at - y.at);
        for (const { event } of news) {
          const object = trim(KIND, thing('a', event.version, { uid: event.uid }));
          if (event.gone) store.remove(a, event.uid, 'watch');
          else if (object) store.put(object, draw() % 2 ? 'watch' : 'answer');
        }
        const last = events.at(-1);
        expect(store.get(a)?.metadata.resourceVersion).toBe(last?.gone ? undefined : String(last?.version));
      }),
      { seed: 7, numRuns: 500 },
    );
  });
});
