import { describe, expect, test } from 'vitest';
import type { Resource } from '../../../src/engine/ports.ts';
import { clusterUid, installationKey } from '../../../src/kube/installation.ts';
import { KubeSecrets } from '../../../src/kube/secrets.ts';
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

describe('installation', () => {
  const key = { namespace: 'team', name: 'cloud-operator-installation' };

  test('the cluster is known by the uid of kube-system', async () => {
    const cluster = await SmallCluster.make();
    const uid = cluster.server.objects('/namespaces').find(({ metadata }) => metadata.name === 'kube-system')?.metadata.uid;
    expect(await clusterUid(cluster.program().client, cluster.signal)).toBe(uid);
  });

  test('of many that start at once exactly one makes the key, and all have the same', async () => {
    const cluster = await SmallCluster.make();
    const all = Array.from({ length: 5 }, (_, n) =>
      installationKey(new KubeSecrets(cluster.program().client, 'me'), key, cluster.signal, () => Buffer.alloc(32, n + 1)),
    );
    const keys = new Set((await Promise.all(all)).map((each) => each.toString('hex')));
    expect(keys.size).toBe(1);
    const later = await installationKey(new KubeSecrets(cluster.program().client, 'me'), key, cluster.signal);
    expect(later.toString('hex')).toBe([...keys][0]);
  });

  test('a lost answer to the creation does not make a second key', async () => {
    const cluster = await SmallCluster.make();
    cluster.server.faults.add({ match: { method: 'POST', path: /secrets/ }, nth: 1, action: { kind: 'lose-answer' } });
    const secrets = new KubeSecrets(cluster.program().client, 'me');
    const made = installationKey(secrets, key, cluster.signal, () => Buffer.alloc(32, 7));
    await cluster.clock.advance(20_000);
    expect((await made)[0]).toBe(7);
  });

  test('a Secret that holds something else is refused with what to do, and left alone', async () => {
    const cluster = await SmallCluster.make();
    const secrets = new KubeSecrets(cluster.program().client, 'me');
    await secrets.create(key, { data: { key: secret('too short') }, labels: {} }, cluster.signal);
    await expect(installationKey(secrets, key, cluster.signal)).rejects.toThrow('restore the Secret from a backup');
    expect((await secrets.get(key, cluster.signal))?.data['key']?.reveal()).toBe('too short');
  });
});
