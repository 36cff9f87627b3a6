import { describe, expect, test } from 'vitest';
import { widget } from '../conversation/step.ts';
import { TestCluster, WIDGETS, summary } from '../test-cluster.ts';

const POST = { match: { method: 'POST', path: /\/widgets$/ } } as const;

describe('request faults', () => {
  test('an answer may be any status, with any headers, and only for the n-th request', async () => {
    const cluster = await TestCluster.start();
    cluster.server.faults.add({ ...POST, nth: 2, action: { kind: 'answer', status: 429, headers: { 'retry-after': '7' } } });
    const statuses = [];
    for (const name of ['a', 'b', 'c']) statuses.push(await cluster.send('POST', WIDGETS, widget(name, { size: 1 })));
    expect(statuses.map((answer) => answer.status)).toEqual([201, 429, 201]);
    expect(statuses[1]?.headers['retry-after']).toBe('7');
    expect(cluster.server.objects('apiserver.test/widgets').map((object) => object.metadata.name)).toEqual(['a', 'c']);
  });

  test('a lost request changes nothing; a lost answer has changed everything', async () => {
    const cluster = await TestCluster.start();
    const lost = cluster.server.faults.add({ ...POST, action: { kind: 'lose' } });
    await expect(cluster.send('POST', WIDGETS, widget('a', { size: 1 }))).rejects.toMatchObject({ code: 'ECONNRESET' });
    lost();
    cluster.server.faults.add({ ...POST, action: { kind: 'lose-answer' } });
    await expect(cluster.send('POST', WIDGETS, widget('b', { size: 1 }))).rejects.toMatchObject({ code: 'ECONNRESET' });
    expect(cluster.server.objects('apiserver.test/widgets').map((object) => object.metadata.name)).toEqual(['b']);
    expect(cluster.server.ledger.requests.slice(-2).map((record) => record.outcome)).toEqual(['lost', 'lost']);
  });

  test('delays pass in virtual time, before or after the commit', async () => {
    const cluster = await TestCluster.start();
    cluster.server.faults.add({ ...POST, nth: 1, action: { kind: 'delay', by: 5_000 } });
    cluster.server.faults.add({ ...POST, nth: 2, action: { kind: 'delay-answer', by: 5_000 } });
    const begin = cluster.clock.monotonic();
    await cluster.create('late');
    await cluster.create('early');
    expect(cluster.clock.monotonic() - begin).toBe(10_000);
    const times = cluster.server.objects('apiserver.test/widgets').map(({ metadata }) => `${metadata.name} ${metadata.creationTimestamp}`);
    expect(times).toEqual(['early 2026-01-01T00:00:05Z', 'late 2026-01-01T00:00:05Z']);
  });

  test('a fault may be for one user only', async () => {
    const cluster = await TestCluster.start({ users: { op: { name: 'op', groups: ['system:masters'] } } });
    cluster.server.faults.add({ match: { user: 'op' }, action: { kind: 'answer', status: 503 } });
    expect((await cluster.send('GET', WIDGETS, undefined, { token: 'op' })).status).toBe(503);
    expect((await cluster.send('GET', WIDGETS)).status).toBe(200);
  });
});

describe('watch faults', () => {
  test('events are dropped and duplicated', async () => {
    const cluster = await TestCluster.start();
    cluster.server.faults.addToWatches({ name: 'b', fate: 'drop' });
    cluster.server.faults.addToWatches({ name: 'c', type: 'ADDED', fate: 'duplicate' });
    const watch = await cluster.watch(`resourceVersion=${cluster.server.revision}`);
    for (const name of ['a', 'b', 'c']) await cluster.create(name);
    expect(summary(watch)).toEqual(['ADDED a', 'ADDED c', 'ADDED c']);
  });

  test('a delayed event holds back what follows it, so that order is kept', async () => {
    const cluster = await TestCluster.start();
    cluster.server.faults.addToWatches({ name: 'a', fate: { delay: 10_000 } });
    const watch = await cluster.watch(`resourceVersion=${cluster.server.revision}`);
    for (const name of ['a', 'b']) await cluster.create(name);
    await cluster.clock.advance(9_999);
    expect(summary(watch)).toEqual([]);
    await cluster.clock.advance(1);
    expect(summary(watch)).toEqual(['ADDED a', 'ADDED b']);
  });

  test('watches are ended cleanly or broken, all or those of one resource', async () => {
    const cluster = await TestCluster.start();
    const [ended, broken] = [
      await cluster.watch('resourceVersion=0'),
      await cluster.watch('resourceVersion=0', { path: '/api/v1/secrets' }),
    ];
    cluster.server.closeWatches({ resource: 'widgets' });
    cluster.server.closeWatches({ resource: 'secrets' }, new Error('cable cut'));
    await cluster.clock.settle();
    expect(ended.ended).toBe('cleanly');
    expect(broken.ended).toBeInstanceOf(Error);
    expect(cluster.server.openWatches).toBe(0);
  });
});

describe('a second server that lags behind', () => {
  test('its cached reads and watches show the past until it catches up, its consistent reads and writes do not', async () => {
    const cluster = await TestCluster.start();
    await cluster.create('old');
    const stale = cluster.server.addServer();
    stale.freeze();
    await cluster.create('new');
    const names = async (query: string): Promise<string[]> => {
      const answer = await cluster.send('GET', `${WIDGETS}${query}`, undefined, { server: stale });
      return (answer.body['items'] as { metadata: { name: string } }[]).map((item) => item.metadata.name);
    };
    expect(await names('?resourceVersion=0')).toEqual(['old']);
    expect(await names('')).toEqual(['new', 'old']);
    expect((await cluster.send('GET', `${WIDGETS}/new?resourceVersion=0`, undefined, { server: stale })).status).toBe(404);
    const watch = await cluster.watch('resourceVersion=0', { server: stale });
    expect(summary(watch)).toEqual(['ADDED old']);
    expect((await cluster.send('PATCH', `${WIDGETS}/new`, { spec: { size: 2 } }, { server: stale })).status).toBe(200);
    stale.thaw();
    await cluster.clock.settle();
    expect(summary(watch)).toEqual(['ADDED old', 'ADDED new', 'MODIFIED new']);
  });

  test('a read at a revision that it has not seen waits and then gives up', async () => {
    const cluster = await TestCluster.start();
    const stale = cluster.server.addServer();
    stale.freeze();
    await cluster.create('new');
    const begin = cluster.clock.monotonic();
    const answer = await cluster.send(
      'GET',
      `${WIDGETS}?resourceVersion=${cluster.server.revision}&resourceVersionMatch=NotOlderThan`,
      undefined,
      { server: stale },
    );
    expect([answer.status, answer.body['reason'], cluster.clock.monotonic() - begin]).toEqual([504, 'Timeout', 3_000]);
    expect(answer.headers['retry-after']).toBe('1');
  });
});
