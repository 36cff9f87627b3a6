import { describe, expect, test } from 'vitest';
import type { Resource } from '../../../src/engine/ports/index.ts';
import { clusterUid } from '../../../src/kube/installation.ts';
import { KubeConfigMaps } from '../../../src/kube/data/config-maps.ts';
import { KubeSecrets } from '../../../src/kube/data/secrets.ts';
import { Sensitive } from '../../../src/resource/index.ts';
import { SmallCluster } from './small-cluster.ts';

const at = { namespace: 'team', name: 'out' };
const secret = (text: string): Sensitive => new Sensitive(text);
const owner: Resource = {
  kind: 'CloudThing',
  metadata: { namespace: 'team', name: 'a', uid: 'uid-a', generation: 1, resourceVersion: '1', creationTimestamp: '' },
  spec: {},
};

describe('secrets', () => {
  test('create, read, replace and remove; values are text and stay masked', async () => {
    const cluster = await SmallCluster.make();
    const { server, signal } = cluster;
    const secrets = new KubeSecrets(cluster.program().client, 'me');
    expect(await secrets.get(at, signal)).toBeUndefined();
    await secrets.create(at, { data: { password: secret('pä55'), user: secret('root') }, labels: { 'a/b': 'c', old: 'x' }, owner }, signal);
    const seen = await secrets.get(at, signal);
    expect(seen?.data['password']?.reveal()).toBe('pä55');
    expect(JSON.stringify(seen)).not.toContain('pä55');
    expect(seen?.labels).toEqual({ 'a/b': 'c', old: 'x' });
    if (!seen) throw new Error('gone');
    await secrets.update(at, { data: { password: secret('new') }, labels: { 'a/b': 'd' } }, seen, signal);
    const stored = server.objects('/secrets')[0] as unknown as { data: object; metadata: { labels: object; ownerReferences: object[] } };
    expect(stored.data).toEqual({ password: Buffer.from('new').toString('base64') });
    expect(stored.metadata.labels).toEqual({ 'a/b': 'd' });
    expect(stored.metadata.ownerReferences).toEqual([
      { apiVersion: 'cloudhosting.dev/v1alpha1', kind: 'CloudThing', name: 'a', uid: 'uid-a', controller: true },
    ]);
  });

  test('ConfigMaps are the same in plain text', async () => {
    const cluster = await SmallCluster.make();
    const { server, signal } = cluster;
    const configMaps = new KubeConfigMaps(cluster.program().client, 'me');
    await configMaps.create(at, { data: { host: 'db.example.org' }, labels: { 'a/b': 'c' }, owner }, signal);
    const seen = await configMaps.get(at, signal);
    expect(seen).toMatchObject({ data: { host: 'db.example.org' }, labels: { 'a/b': 'c' } });
    if (!seen) throw new Error('gone');
    await configMaps.update(at, { data: { port: '5432' }, labels: {} }, seen, signal);
    expect(server.objects('/configmaps')).toMatchObject([{ kind: 'ConfigMap', data: { port: '5432' } }]);
    expect((await configMaps.get(at, signal))?.data).toEqual({ port: '5432' });
  });

  test('what of a ConfigMap is no text is read as base64, and left as it is', async () => {
    const cluster = await SmallCluster.make();
    const { server, signal } = cluster;
    const binaryData = { 'logo.png': Buffer.from([0x89, 0xff]).toString('base64') };
    const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: at, data: { a: '1' }, binaryData };
    await server.as('admin', 'POST', `/api/v1/namespaces/${at.namespace}/configmaps`, object);
    const configMaps = new KubeConfigMaps(cluster.program().client, 'me');
    const seen = await configMaps.get(at, signal);
    expect(seen).toMatchObject({ data: { a: '1' }, binaryData });
    if (!seen) throw new Error('gone');
    await configMaps.update(at, { data: { b: '2' }, labels: {} }, seen, signal);
    expect(server.objects('/configmaps')).toMatchObject([{ data: { b: '2' }, binaryData }]);
  });

  test.each(['', '.', '..', 'a/b', '../configmaps/x', 'a%2Fb', 'Web'])('of name %j there are none, and none is asked for', async (name) => {
    const cluster = await SmallCluster.make();
    const { server, signal } = cluster;
    const secrets = new KubeSecrets(cluster.program().client, 'me');
    const before = server.ledger.requests.length;
    const seen = { uid: 'u', resourceVersion: '1', labels: {}, data: {} };
    const content = { data: { a: secret('1') }, labels: {} };
    expect(await secrets.get({ ...at, name }, signal)).toBeUndefined();
    await expect(secrets.create({ ...at, name }, content, signal)).rejects.toMatchObject({ fault: 'Invalid' });
    await expect(secrets.update({ ...at, name }, content, seen, signal)).rejects.toMatchObject({ fault: 'Invalid' });
    await expect(secrets.remove({ ...at, name }, seen, signal)).rejects.toMatchObject({ fault: 'Invalid' });
    expect(await secrets.get({ namespace: 'a/b', name: 'x' }, signal)).toBeUndefined();
    expect(server.ledger.requests).toHaveLength(before);
  });

  test('have the keys that are in them, and no others', async () => {
    const cluster = await SmallCluster.make();
    const { signal } = cluster;
    const secrets = new KubeSecrets(cluster.program().client, 'me');
    await secrets.create(at, { data: { password: secret('1') }, labels: {} }, signal);
    const seen = await secrets.get(at, signal);
    for (const key of ['constructor', '__proto__', 'toString']) expect(seen?.data[key]).toBeUndefined();
    await secrets.create({ ...at, name: 'odd' }, { data: Object.fromEntries([['__proto__', secret('2')]]), labels: {} }, signal);
    expect((await secrets.get({ ...at, name: 'odd' }, signal))?.data['__proto__']?.reveal()).toBe('2');
  });

  test('who does not lead any more reads, and writes nothing', async () => {
    const cluster = await SmallCluster.make();
    const { server, signal } = cluster;
    const content = { data: { a: secret('1') }, labels: {} };
    let leads = true;
    const secrets = new KubeSecrets(cluster.program().client, 'me', { held: () => leads });
    await secrets.create(at, content, signal);
    const seen = await secrets.get(at, signal);
    if (!seen) throw new Error('gone');
    leads = false;
    const refused = { fault: 'Unavailable', message: expect.stringContaining('lease') as string };
    await expect(secrets.create({ ...at, name: 'other' }, content, signal)).rejects.toMatchObject(refused);
    await expect(secrets.update(at, { ...content, data: { a: secret('2') } }, seen, signal)).rejects.toMatchObject(refused);
    await expect(secrets.remove(at, seen, signal)).rejects.toMatchObject(refused);
    expect((await secrets.get(at, signal))?.resourceVersion).toBe(seen.resourceVersion);
    expect(server.objects('/secrets').filter(({ metadata }) => metadata.namespace === at.namespace)).toHaveLength(1);
  });

  test('nothing is written over what somebody else has changed or made', async () => {
    const cluster = await SmallCluster.make();
    const { signal } = cluster;
    const secrets = new KubeSecrets(cluster.program().client, 'me');
    const content = { data: { a: secret('1') }, labels: {} };
    await secrets.create(at, content, signal);
    const seen = await secrets.get(at, signal);
    if (!seen) throw new Error('gone');
    await cluster.server.as('admin', 'PATCH', '/api/v1/namespaces/team/secrets/out', { data: { b: 'eA==' } });
    await expect(secrets.create(at, content, signal)).rejects.toMatchObject({ fault: 'AlreadyExists' });
    await expect(secrets.update(at, content, seen, signal)).rejects.toMatchObject({ fault: 'Conflict' });
    await expect(secrets.remove(at, seen, signal)).rejects.toMatchObject({ fault: 'Conflict' });
    const now = await secrets.get(at, signal);
    if (!now) throw new Error('gone');
    await secrets.remove(at, now, signal);
    await secrets.remove(at, now, signal);
    expect(await secrets.get(at, signal)).toBeUndefined();
  });
});

test('labels are set and taken away without the data, and only on what was read', async () => {
  const cluster = await SmallCluster.make();
  const secrets = new KubeSecrets(cluster.program().client, 'me');
  const at = { namespace: 'team', name: 'labelled' };
  await secrets.create(at, { data: { a: secret('1') }, labels: { keep: 'x', drop: 'y' } }, cluster.signal);
  const seen = await secrets.get(at, cluster.signal);
  if (!seen) throw new Error('gone');
  await secrets.label(at, { drop: null, more: 'z' }, seen, cluster.signal);
  const now = await secrets.get(at, cluster.signal);
  expect([now?.labels, now?.data['a']?.reveal()]).toEqual([{ keep: 'x', more: 'z' }, '1']);
  await expect(secrets.label(at, { late: 'z' }, seen, cluster.signal)).rejects.toMatchObject({ fault: 'Conflict' });
});

test('the cluster is known by the uid of kube-system', async () => {
  const cluster = await SmallCluster.make();
  const uid = cluster.server.objects('/namespaces').find(({ metadata }) => metadata.name === 'kube-system')?.metadata.uid;
  expect(await clusterUid(cluster.program().client, cluster.signal)).toBe(uid);
});
