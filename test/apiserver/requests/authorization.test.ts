import { describe, expect, test } from 'vitest';
import { TestCluster, WIDGETS } from '../test-cluster.ts';

const users = { op: { name: 'system:serviceaccount:ops:op', groups: ['system:serviceaccounts'] } };
const to = users.op.name;
const secrets = '/api/v1/namespaces/default/secrets';

describe('authorization', () => {
  test('rules are looked at by verb, group, resource, name, subresource and namespace', async () => {
    const cluster = await TestCluster.start({
      users,
      grants: [
        { to, rules: [{ apiGroups: ['apiserver.test'], resources: ['widgets'], verbs: ['get', 'list'] }] },
        { to, rules: [{ apiGroups: ['apiserver.test'], resources: ['widgets/status'], verbs: ['patch'] }] },
        { to, namespace: 'default', rules: [{ apiGroups: [''], resources: ['secrets'], resourceNames: ['mine'], verbs: ['get', 'list'] }] },
      ],
    });
    await cluster.create('a');
    const status = async (method: string, path: string, body?: unknown): Promise<number> =>
      (await cluster.send(method, path, body, { token: 'op' })).status;
    expect(await status('GET', WIDGETS)).toBe(200);
    expect(await status('GET', '/apis/apiserver.test/v1/widgets')).toBe(200);
    expect(await status('GET', `${WIDGETS}?watch=true`)).toBe(403);
    expect(await status('PATCH', `${WIDGETS}/a`, { spec: { size: 2 } })).toBe(403);
    expect(await status('PATCH', `${WIDGETS}/a/status`, { status: { phase: 'x' } })).toBe(200);
    expect(await status('DELETE', `${WIDGETS}/a`)).toBe(403);
    expect(await status('GET', `${secrets}/mine`)).toBe(404);
    expect(await status('GET', `${secrets}/yours`)).toBe(403);
    expect(await status('GET', secrets)).toBe(403);
    expect(await status('GET', `${secrets}?fieldSelector=metadata.name%3Dmine`)).toBe(200);
    expect(await status('GET', '/api/v1/namespaces/kube-system/secrets/mine')).toBe(403);
  });

  test('a refusal names user, verb, resource, group and namespace', async () => {
    const cluster = await TestCluster.start({ users });
    const answer = await cluster.send('PATCH', `${WIDGETS}/a/status`, {}, { token: 'op' });
    expect(answer.body).toMatchObject({
      reason: 'Forbidden',
      message:
        'widgets.apiserver.test "a" is forbidden: User "system:serviceaccount:ops:op" cannot patch resource "widgets/status" in API group "apiserver.test" in the namespace "default"',
      details: { name: 'a', group: 'apiserver.test', kind: 'widgets' },
    });
  });

  test('rights may come and go while the cluster runs, and so may tokens', async () => {
    const cluster = await TestCluster.start({ users });
    const list = async (token: string): Promise<number> => (await cluster.send('GET', WIDGETS, undefined, { token })).status;
    expect(await list('op')).toBe(403);
    cluster.server.setGrants([{ to: 'system:serviceaccounts', rules: [{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }] }]);
    expect(await list('op')).toBe(200);
    cluster.server.removeUser('op');
    cluster.server.addUser('rotated', users.op);
    expect([await list('op'), await list('rotated')]).toEqual([401, 200]);
  });
});

describe('ledger', () => {
  test('writes tell who changed what, from which version to which', async () => {
    const cluster = await TestCluster.start({ users, grants: [{ to, rules: [{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }] }] });
    cluster.server.ledger.clear();
    await cluster.create('a', { size: 1 }, { finalizers: ['x.test/f'] });
    await cluster.send('PATCH', `${WIDGETS}/a`, { spec: { size: 2 }, metadata: { annotations: { k: 'v' } } }, { token: 'op' });
    await cluster.send('PATCH', `${WIDGETS}/a/status`, { status: { phase: 'Up' } }, { token: 'op' });
    await cluster.send('DELETE', `${WIDGETS}/a`);
    await cluster.send('PATCH', `${WIDGETS}/a`, { metadata: { finalizers: null } }, { token: 'op' });
    const { writes } = cluster.server.ledger;
    expect(writes.map((write) => `${write.user} ${write.verb} ${write.subresource}`.trim())).toEqual([
      'admin create',
      `${to} patch`,
      `${to} patch status`,
      'admin delete',
      `${to} patch`,
    ]);
    expect(writes.map((write) => write.changed)).toEqual([
      [],
      ['metadata.annotations', 'metadata.generation', 'spec.size'],
      ['status.phase'],
      ['metadata.deletionGracePeriodSeconds', 'metadata.deletionTimestamp', 'metadata.generation'],
      [],
    ]);
    expect(writes.map((write) => ['before' in write, 'after' in write])).toEqual([
      [false, true],
      [true, true],
      [true, true],
      [true, true],
      [true, false],
    ]);
    expect(writes[1]?.before).toBe(writes[0]?.after);
  });

  test('refused requests are audited and write nothing', async () => {
    const cluster = await TestCluster.start();
    cluster.server.ledger.clear();
    await cluster.send('POST', WIDGETS, {});
    await cluster.send('GET', `${WIDGETS}/none`);
    expect(cluster.server.ledger.writes).toEqual([]);
    expect(cluster.server.ledger.requests.map((record) => `${record.verb} ${record.outcome}`)).toEqual(['create 400', 'get 404']);
  });

  test('the same seed gives the same uids and generated names', async () => {
    expect(await run('one')).toEqual(await run('one'));
    expect(await run('one')).not.toEqual(await run('two'));
  });
});

async function run(seed: string): Promise<unknown> {
  const cluster = await TestCluster.start({ seed });
  return cluster.create('', { size: 1 }, { generateName: 'gen-' });
}
