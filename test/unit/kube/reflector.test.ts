import { describe, expect, test } from 'vitest';
import { KubeObjects } from '../../../src/kube/watch/objects.ts';
import type { KubeObjectsOptions } from '../../../src/kube/watch/objects.ts';
import type { Log } from '../../../src/telemetry/log.ts';
import { ConnectionLost } from '../../support/virtual/backend.ts';
import type { BackendRequest, BackendResponse } from '../../support/virtual/backend.ts';
import { Feed } from './feed.ts';
import { json, scripted, status } from './scripted-server.ts';
import type { Scripted } from './scripted-server.ts';
import { added, bookmark, deleted, expired, modified, thing } from './things.ts';

type Answer = Feed | BackendResponse | Error;
interface World extends Scripted {
  readonly objects: KubeObjects;
  /** `name was>is from` of every change. */
  readonly changes: string[];
  readonly logged: string[];
  /** What each request asked: `list`, `pages`, `pages <token>` or `watch <version>`. */
  readonly asked: () => string[];
  readonly names: () => string[];
}

function asks({ path }: BackendRequest): string {
  const query = new URL(path, 'https://x').searchParams;
  if (query.get('sendInitialEvents') === 'true') return 'list';
  if (query.get('watch') === 'true') return `watch ${query.get('resourceVersion')}`;
  return `pages ${query.get('continue') ?? ''}`.trim();
}

/** Each request takes the next answer; the last one stays. */
function world(answers: readonly Answer[], options: Partial<KubeObjectsOptions> = {}): World {
  const changes: string[] = [];
  const logged: string[] = [];
  const base = scripted((_, n) => {
    const answer = answers[Math.min(n, answers.length - 1)] ?? new Feed();
    if (answer instanceof Error) throw answer;
    return answer instanceof Feed ? { status: 200, headers: {}, body: answer } : answer;
  });
  const say =
    (level: string) =>
    (message: string): void =>
      void logged.push(`${level} ${message}`);
  const log: Log = { debug: () => undefined, info: say('info'), warn: say('warn'), error: say('error') };
  const objects = new KubeObjects({
    client: base.client,
    clock: base.clock,
    random: () => 0.5,
    log,
    kinds: [{ kind: 'CloudThing', plural: 'cloudthings' }],
    fieldManager: 'test',
    ...options,
  });
  objects.subscribe((_, key, { was, is, from }) =>
    changes.push(`${key.name} ${was?.metadata.resourceVersion ?? ''}>${is?.metadata.resourceVersion ?? ''} ${from}`),
  );
  return {
    ...base,
    objects,
    changes,
    logged,
    asked: () => base.seen.map(asks),
    names: () => [...objects.all('CloudThing')].map(({ metadata }) => metadata.name),
  };
}
const listed = (...things: readonly object[]): Feed => new Feed().push(...things.map(added), bookmark(100, true));

describe('reflector, list', () => {
  test('streams the list, keeps trimmed objects, and goes on as a watch on the same connection', async () => {
    const feed = listed(
      thing('a', 5, { annotations: { x: 'y', 'kubectl.kubernetes.io/last-applied-configuration': '{}' } }),
      thing('b', 6),
    );
    const { clock, objects, changes, seen, asked } = world([feed]);
    expect(objects.state('CloudThing')).toBe('syncing');
    objects.start();
    await clock.settle();
    expect(objects.state('CloudThing')).toBe('synced');
    feed.push(modified(thing('a', 101)), deleted(thing('b', 102)));
    await clock.settle();
    expect(changes).toEqual(['a >5 list', 'b >6 list', 'a 5>101 watch', 'b 6> watch']);
    expect(asked()).toEqual(['list']);
    expect(seen[0]?.path).toMatch(
      /^\/apis\/cloudhosting.dev\/v1alpha1\/cloudthings\?watch=true&allowWatchBookmarks=true&timeoutSeconds=450&sendInitialEvents=true&resourceVersionMatch=NotOlderThan$/,
    );
    expect(objects.get('CloudThing', { namespace: 'team', name: 'a' })).toEqual({
      kind: 'CloudThing',
      metadata: {
        name: 'a',
        namespace: 'team',
        uid: 'uid-a',
        generation: 1,
        resourceVersion: '101',
        creationTimestamp: '2026-01-01T00:00:00Z',
        writtenBy: 'kubectl',
      },
      spec: {},
    });
  });

  test('of annotations only those of this group are kept', async () => {
    const ours = { 'cloudhosting.dev/pause': 'true' };
    const annotations = { ...ours, x: 'y'.repeat(200_000), 'kubectl.kubernetes.io/last-applied-configuration': '{}' };
    const { clock, objects } = world([listed(thing('a', 5, { annotations }))]);
    objects.start();
    await clock.settle();
    expect(objects.get('CloudThing', { namespace: 'team', name: 'a' })?.metadata.annotations).toEqual(ours);
  });

  test('is not synced before the closing bookmark, and an end before it is a failure', async () => {
    const [cut, whole] = [new Feed().push(added(thing('a', 5)), bookmark(50)), listed(thing('a', 5), thing('b', 6))];
    const { clock, objects, asked } = world([cut, whole]);
    objects.start();
    await clock.settle();
    expect(objects.state('CloudThing')).toBe('syncing');
    cut.end();
    await clock.advance(1_000);
    expect(asked()).toEqual(['list', 'list']);
    await objects.synced();
    expect(objects.count('CloudThing')).toBe(2);
  });

  test('a server that refuses streaming lists is listed by pages, then watched from there', async () => {
    const pages = [
      json(200, { metadata: { resourceVersion: '90', continue: 'more/1' }, items: [thing('a', 5), thing('b', 6)] }),
      json(200, { metadata: { resourceVersion: '90' }, items: [thing('c', 7)] }),
    ];
    const feed = new Feed();
    const { clock, objects, asked, names } = world([status(422, 'Invalid', 'sendInitialEvents is forbidden'), ...pages, feed, feed]);
    objects.start();
    await clock.advance(1_000);
    expect(asked()).toEqual(['list', 'pages', 'pages more/1', 'watch 90']);
    expect(names()).toEqual(['a', 'b', 'c']);
    feed.push(expired);
    await clock.advance(1_000);
    expect(asked().slice(4)).toEqual(['pages']);
  });

  test('a page whose token has expired begins the list anew', async () => {
    const first = json(200, { metadata: { resourceVersion: '90', continue: 'x' }, items: [thing('a', 5)] });
    const whole = json(200, { metadata: { resourceVersion: '95' }, items: [thing('b', 6)] });
    const { clock, objects, asked, names } = world([status(422, 'Invalid'), first, status(410, 'Expired'), whole, new Feed()]);
    objects.start();
    await clock.advance(5_000);
    expect(asked()).toEqual(['list', 'pages', 'pages x', 'pages', 'watch 95']);
    expect(names()).toEqual(['b']);
  });

  test('a kind that is not installed counts as absent, quietly, and is found within 10 s of its installation', async () => {
    const absent = { status: 404, headers: {}, body: '404 page not found' };
    const { clock, objects, logged } = world([absent, absent, absent, absent, listed(thing('a', 5))]);
    objects.start();
    await objects.synced();
    expect(objects.state('CloudThing')).toBe('absent');
    await clock.advance(29_000);
    expect(objects.state('CloudThing')).toBe('absent');
    await clock.advance(10_000);
    expect(objects.state('CloudThing')).toBe('synced');
    expect(logged).toEqual(['info the API server does not serve this kind yet; waiting for its CRD']);
  });

  test('one watch for each namespace that is watched; a list sweeps only its own', async () => {
    const inOne = thing('a', 5, { namespace: 'one', uid: '1' });
    const inTwo = thing('a', 6, { namespace: 'two', uid: '2' });
    const feeds = [listed(inOne), listed(inTwo), listed()];
    const { clock, objects, seen } = world(feeds, { watchNamespaces: ['one', 'two'] });
    objects.start();
    await clock.settle();
    expect(seen.map(({ path }) => /namespaces\/(\w+)/.exec(path)?.[1])).toEqual(['one', 'two']);
    expect(objects.count('CloudThing')).toBe(2);
    feeds[0]?.push(expired);
    await clock.advance(1_000);
    expect([...objects.all('CloudThing')].map(({ metadata }) => metadata.namespace)).toEqual(['two']);
  });
});

describe('reflector, watch', () => {
  test('goes on from the newest version it has seen, bookmarks included, whatever the order of events', async () => {
    const [first, second] = [listed(thing('a', 5)), new Feed()];
    const { clock, objects, asked } = world([first, second, new Feed()]);
    objects.start();
    first.push(modified(thing('a', 120)), modified(thing('a', 110)));
    await clock.advance(60_000);
    first.end();
    await clock.advance(500);
    second.push(bookmark(300));
    await clock.advance(60_000);
    second.end();
    await clock.advance(500);
    expect(asked()).toEqual(['list', 'watch 120', 'watch 300']);
  });

  test('duplicates and late events change nothing', async () => {
    const feed = listed(thing('a', 50));
    const { clock, objects, changes } = world([feed]);
    objects.start();
    feed.push(
      modified(thing('a', 110)),
      modified(thing('a', 110)),
      modified(thing('a', 105)),
      deleted(thing('a', 120)),
      modified(thing('a', 110)),
      deleted(thing('a', 120)),
    );
    await clock.settle();
    expect(changes).toEqual(['a >50 list', 'a 50>110 watch', 'a 110> watch']);
  });

  test('an object deleted and made again is two changes', async () => {
    const feed = listed(thing('a', 50));
    const { clock, objects, changes } = world([feed]);
    objects.start();
    feed.push(added(thing('a', 130, { uid: 'other' })), deleted(thing('a', 120)));
    await clock.settle();
    expect(changes).toEqual(['a >50 list', 'a 50> watch', 'a >130 watch']);
  });

  test.each([
    ['an ERROR event', expired],
    ['a status', status(410, 'Expired')],
  ])('history lost, told by %s: lists again at once and removes what is gone', async (_, gone) => {
    const first = listed(thing('a', 5), thing('b', 6));
    const again = new Feed().push(added(thing('b', 6)), added(thing('c', 150)), bookmark(200, true));
    const viaStatus = 'status' in gone;
    const { clock, objects, changes, asked } = world(viaStatus ? [first, gone, again] : [first, again]);
    objects.start();
    await clock.settle();
    if ('status' in gone) first.end();
    else first.push(gone);
    await clock.advance(2_000);
    expect(asked()).toEqual(viaStatus ? ['list', 'watch 100', 'list'] : ['list', 'list']);
    expect(changes.slice(2)).toEqual(['c >150 list', 'a 5> list']);
  });

  test('a server that always says that history is lost is asked ever more slowly', async () => {
    const answers = Array.from({ length: 400 }, (_, n) =>
      n % 2 ? status(410, 'Expired') : json(200, { metadata: { resourceVersion: '9' }, items: [] }),
    );
    const { clock, objects, seen } = world([status(422, 'Invalid'), ...answers]);
    objects.start();
    await clock.advance(600_000);
    expect(seen.length).toBeGreaterThan(30);
    expect(seen.length).toBeLessThan(70);
  });

  test('a watch that ends at once without a word is backed off, one that lived is taken up within 250 ms', async () => {
    const [alive, dead] = [listed(), new Feed()];
    dead.end();
    const { clock, objects, asked } = world([alive, dead, dead, new Feed()]);
    objects.start();
    await clock.advance(90_000);
    alive.end();
    await clock.advance(250);
    expect(asked()).toHaveLength(2);
    await clock.advance(400);
    expect(asked()).toHaveLength(2);
    await clock.advance(100);
    expect(asked()).toHaveLength(3);
    await clock.advance(1_500);
    expect(asked()).toEqual(['list', 'watch 100', 'watch 100', 'watch 100']);
  });

  test('outlives an API server that is down for ten minutes, says so once, and asks at most every 30 s', async () => {
    const down = Array.from({ length: 200 }, () => new ConnectionLost('ECONNREFUSED'));
    const first = listed(thing('a', 5));
    const { clock, objects, seen, logged } = world([first, ...down]);
    objects.start();
    await clock.settle();
    first.end(new ConnectionLost());
    await clock.advance(600_000);
    expect(seen.length).toBeGreaterThan(20);
    expect(seen.length).toBeLessThan(45);
    expect(objects.troubles()).toEqual([{ kind: 'CloudThing', message: expect.stringContaining('ECONNREFUSED') as string }]);
    expect(logged.filter((line) => line.startsWith('warn')).length).toBeLessThanOrEqual(4);
    expect(objects.count('CloudThing')).toBe(1);
  });

  test('an outage after twenty good seconds is a new one, and is not waited out as the one before', async () => {
    const down = Array.from({ length: 7 }, () => new ConnectionLost('ECONNREFUSED'));
    const [first, second] = [listed(), new Feed()];
    const { clock, objects, asked } = world([...down, first, second]);
    objects.start();
    await clock.advance(90_000);
    expect(asked().slice(down.length)).toEqual(['list']);
    first.end(new ConnectionLost());
    await clock.advance(800);
    expect(asked().slice(down.length)).toEqual(['list', 'watch 100']);
  });

  test('lists that fail late are failures all the same: every second one is asked for by pages', async () => {
    const feeds = Array.from({ length: 12 }, () => new Feed());
    const { clock, objects, asked } = world(feeds);
    objects.start();
    for (const feed of feeds) {
      await clock.advance(25_000);
      feed.end(new ConnectionLost());
      await clock.advance(30_000);
    }
    expect(asked().slice(0, 6)).toEqual(['list', 'list', 'pages', 'list', 'pages', 'list']);
  });

  test('obeys Retry-After', async () => {
    const { clock, objects, asked } = world([status(429, 'TooManyRequests', '', { 'retry-after': '20' }), listed()]);
    objects.start();
    await clock.advance(19_900);
    expect(asked()).toHaveLength(1);
    await clock.advance(200);
    expect(asked()).toHaveLength(2);
  });

  test('silence is taken for a dead connection after 3 minutes; bookmarks alone keep it', async () => {
    const [first, second] = [listed(), new Feed()];
    const { clock, objects, asked, logged, dispatcher } = world([first, second]);
    objects.start();
    for (let n = 1; n <= 5; n += 1) {
      await clock.advance(90_000);
      first.push(bookmark(100 + n));
    }
    expect(asked()).toHaveLength(1);
    await clock.advance(182_000);
    expect(asked()).toEqual(['list', 'watch 105']);
    expect(dispatcher.inFlight).toBe(1);
    expect(logged).toEqual([]);
  });

  test('a version that the server does not know any more is given up after five failures', async () => {
    const tooLarge = status(504, 'Timeout', 'Too large resource version: 100, current: 7');
    const first = listed();
    const { clock, objects, asked } = world([first, ...Array.from({ length: 5 }, () => tooLarge), new Feed()]);
    objects.start();
    await clock.settle();
    first.end(new ConnectionLost());
    await clock.advance(60_000);
    expect(asked().at(-1)).toBe('list');
  });

  test('lists anew when a watch ends after about a quarter of an hour, so that a lost event costs at most half of one', async () => {
    const [first, again] = [listed(thing('lost', 5)), new Feed()];
    const second = new Feed();
    const { clock, objects, asked, names } = world([first, second, again]);
    objects.start();
    for (const feed of [first, second]) {
      for (let minute = 0; minute < 10; minute += 1) {
        feed.push(bookmark(101));
        await clock.advance(60_000);
      }
      feed.end();
      await clock.advance(250);
    }
    expect(asked()).toEqual(['list', 'watch 101', 'list']);
    again.push(bookmark(200, true));
    await clock.settle();
    expect(names()).toEqual([]);
  });
});

const behind = (): Feed => new Feed().push(added(thing('a', 3)), bookmark(40, true));

describe('reflector, a server that went back in time', () => {
  test('is not believed for five minutes; then its list is the truth', async () => {
    const first = listed(thing('a', 50), thing('b', 60));
    const { clock, objects, changes, logged } = world([first, ...Array.from({ length: 80 }, behind)]);
    objects.start();
    await clock.settle();
    first.push(expired);
    await clock.advance(280_000);
    expect(changes).toEqual(['a >50 list', 'b >60 list']);
    expect(logged.some((line) => line.startsWith('warn'))).toBe(true);
    // Lists by pages, which come in between, are never answered by these feeds, and end after a minute.
    await clock.advance(140_000);
    expect(changes.slice(2)).toEqual(['a 50>3 list', 'b 60> list']);
  });

  test('and one that has caught up is taken as usual', async () => {
    const first = listed(thing('a', 50));
    const caughtUp = new Feed().push(added(thing('a', 150)), bookmark(200, true));
    const { clock, objects, changes } = world([first, behind(), behind(), caughtUp, caughtUp]);
    objects.start();
    await clock.settle();
    first.push(expired);
    await clock.advance(60_000);
    expect(changes).toEqual(['a >50 list', 'a 50>150 list']);
  });
});

describe('reflector, its surroundings', () => {
  test('a handler that throws ends nothing, and the others are told', async () => {
    const feed = listed(thing('a', 5));
    const { clock, objects, changes, logged } = world([feed]);
    const told: string[] = [];
    objects.subscribe(() => {
      throw new Error('a bug');
    });
    const leave = objects.subscribe((_, key) => told.push(key.name));
    objects.start();
    await clock.settle();
    leave();
    feed.push(modified(thing('a', 101)));
    await clock.settle();
    expect(changes).toHaveLength(2);
    expect(told).toEqual(['a']);
    expect(logged).toEqual(['error a change handler failed', 'error a change handler failed']);
  });

  test('stop ends the connections and nothing is asked afterwards', async () => {
    const feed = listed(thing('a', 5));
    const { clock, objects, dispatcher, seen } = world([feed]);
    objects.start();
    await clock.settle();
    const stopped = objects.stop();
    feed.end();
    await clock.advance(60_000);
    await stopped;
    expect([dispatcher.inFlight, seen.length]).toEqual([0, 1]);
  });

  test('stop while waiting to try again', async () => {
    const { clock, objects, seen } = world([new ConnectionLost('ECONNREFUSED')]);
    objects.start();
    await clock.settle();
    await objects.stop();
    await clock.advance(60_000);
    expect(seen).toHaveLength(1);
  });
});
