import { describe, expect, test } from 'vitest';
import { TestCluster, WIDGETS, summary } from '../test-cluster.ts';

describe('watch', () => {
  test('begins with what exists when no revision is given, and follows', async () => {
    const cluster = await TestCluster.start();
    await cluster.create('a');
    const watch = await cluster.watch('');
    await cluster.create('b');
    await cluster.send('PATCH', `${WIDGETS}/a`, { spec: { size: 5 } });
    await cluster.send('DELETE', `${WIDGETS}/a`);
    expect(summary(watch)).toEqual(['ADDED a', 'ADDED b', 'MODIFIED a', 'DELETED a']);
  });

  test('a streaming list ends with its bookmark and goes on as a watch', async () => {
    const cluster = await TestCluster.start();
    await cluster.create('a');
    const watch = await cluster.watch('sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true');
    expect(summary(watch)).toEqual(['ADDED a', 'BOOKMARK']);
    expect(watch.events[1]).toMatchObject({
      object: {
        kind: 'Widget',
        metadata: { annotations: { 'k8s.io/initial-events-end': 'true' }, resourceVersion: String(cluster.server.revision) },
      },
    });
    await cluster.create('b');
    expect(summary(watch)).toEqual(['ADDED a', 'BOOKMARK', 'ADDED b']);
  });

  test('bookmarks come every minute and before the end, with the revision of the whole store', async () => {
    const cluster = await TestCluster.start();
    const watch = await cluster.watch(`resourceVersion=${cluster.server.revision}&allowWatchBookmarks=true&timeoutSeconds=150`);
    await cluster.send('POST', '/api/v1/namespaces/default/configmaps', { metadata: { name: 'elsewhere' } });
    await cluster.clock.advance(149_999);
    expect(summary(watch)).toEqual(['BOOKMARK', 'BOOKMARK', 'BOOKMARK']);
    expect(watch.events[0]).toMatchObject({ object: { metadata: { resourceVersion: String(cluster.server.revision) } } });
    expect(watch.ended).toBe('open');
    await cluster.clock.advance(1);
    expect(watch.ended).toBe('cleanly');
  });

  test('without a timeout the server ends a watch between 30 and 60 minutes', async () => {
    const cluster = await TestCluster.start({ compactionInterval: Infinity });
    const watch = await cluster.watch('resourceVersion=0');
    await cluster.clock.advance(1_799_000);
    expect(watch.ended).toBe('open');
    await cluster.clock.advance(1_802_000);
    expect(watch.ended).toBe('cleanly');
  });

  test('a compacted revision gets 200 and an ERROR event with code 410', async () => {
    const cluster = await TestCluster.start();
    await cluster.create('a');
    const old = cluster.server.revision - 1;
    await cluster.create('b');
    cluster.server.compact();
    const watch = await cluster.watch(`resourceVersion=${old}`);
    expect(watch.events).toMatchObject([{ type: 'ERROR', object: { kind: 'Status', status: 'Failure', reason: 'Expired', code: 410 } }]);
    expect(watch.ended).toBe('cleanly');
    expect((await cluster.watch(`resourceVersion=${cluster.server.revision}`)).ended).toBe('open');
  });

  test('history older than the compaction interval is forgotten by itself', async () => {
    const cluster = await TestCluster.start();
    await cluster.create('a');
    const old = cluster.server.revision - 1;
    await cluster.clock.advance(400_000);
    await cluster.create('b');
    await cluster.clock.advance(400_000);
    await cluster.create('c');
    expect(summary(await cluster.watch(`resourceVersion=${old}`))).toEqual(['ERROR Expired']);
  });

  test('a client that goes away leaves no watch behind', async () => {
    const cluster = await TestCluster.start();
    const watch = await cluster.watch('resourceVersion=0');
    expect(cluster.server.openWatches).toBe(1);
    watch.stop();
    await cluster.clock.settle();
    expect(cluster.server.openWatches).toBe(0);
    await cluster.create('a');
    expect(summary(watch)).toEqual([]);
  });

  test('lines are split over chunks, inside characters too, and still arrive whole', async () => {
    const cluster = await TestCluster.start();
    for (let n = 0; n < 40; n += 1) await cluster.create(`w${n}`, { size: 1 }, { annotations: { 'a.test/text': 'äöü€'.repeat(300) } });
    const watch = await cluster.watch('resourceVersion=0');
    expect(watch.events).toHaveLength(40);
    expect(watch.events.every((event) => JSON.stringify(event).includes('äöü€'.repeat(300)))).toBe(true);
  });

  test('a write that changes nothing wakes nobody', async () => {
    const cluster = await TestCluster.start();
    await cluster.create('a');
    const watch = await cluster.watch(`resourceVersion=${cluster.server.revision}`);
    const before = cluster.server.revision;
    await cluster.send('PATCH', `${WIDGETS}/a`, { spec: { size: 1 }, metadata: { finalizers: [] } });
    expect([summary(watch), cluster.server.revision]).toEqual([[], before]);
    expect(cluster.server.ledger.writes.at(-1)).toMatchObject({
      verb: 'patch',
      before: String(before),
      after: String(before),
      changed: [],
    });
  });
});

describe('lists in pages', () => {
  test('all pages show the revision of the first, whatever happens between them', async () => {
    const cluster = await TestCluster.start();
    for (const name of ['a', 'b', 'c', 'd']) await cluster.create(name);
    const first = await cluster.send('GET', `${WIDGETS}?limit=2`);
    await cluster.send('DELETE', `${WIDGETS}/d`);
    await cluster.create('e');
    const { continue: token, resourceVersion } = first.body['metadata'] as { continue: string; resourceVersion: string };
    const second = await cluster.send('GET', `${WIDGETS}?limit=2&continue=${token}`);
    expect(namesOf(second.body)).toEqual(['c', 'd']);
    expect(second.body['metadata']).toMatchObject({ resourceVersion, continue: '' });
  });

  test('after compaction the token is expired, and the answer holds one that goes on without consistency', async () => {
    const cluster = await TestCluster.start();
    for (const name of ['a', 'b', 'c']) await cluster.create(name);
    const first = await cluster.send('GET', `${WIDGETS}?limit=1`);
    await cluster.create('d');
    cluster.server.compact();
    const { continue: token } = first.body['metadata'] as { continue: string };
    const refused = await cluster.send('GET', `${WIDGETS}?limit=1&continue=${token}`);
    expect([refused.status, refused.body['reason']]).toEqual([410, 'Expired']);
    const { continue: next } = refused.body['metadata'] as { continue: string };
    expect(namesOf((await cluster.send('GET', `${WIDGETS}?continue=${next}`)).body)).toEqual(['b', 'c', 'd']);
  });

  test('10,000 objects are listed in pages within seconds', { timeout: 60_000 }, async () => {
    const cluster = await TestCluster.start();
    for (let n = 0; n < 10_000; n += 1)
      await cluster.server.as('admin', 'POST', WIDGETS, {
        apiVersion: 'apiserver.test/v1',
        kind: 'Widget',
        metadata: { name: `w${n}` },
        spec: { size: 1 },
      });
    const begin = performance.now();
    let token = '';
    let count = 0;
    do {
      const answer = await cluster.send('GET', `${WIDGETS}?limit=500&continue=${token}`);
      count += namesOf(answer.body).length;
      token = (answer.body['metadata'] as { continue: string }).continue;
    } while (token !== '');
    expect(count).toBe(10_000);
    expect(performance.now() - begin).toBeLessThan(5_000);
  });
});

function namesOf(body: Record<string, unknown>): string[] {
  return (body['items'] as { metadata: { name: string } }[]).map((item) => item.metadata.name);
}
