import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Resource } from '../../src/engine/ports/index.ts';
import {
  applyCrds,
  checkCrds,
  clusterAt,
  clusterUid,
  KeySecret,
  keySecretName,
  KubeClient,
  KubeObjects,
  KubeRecorder,
  KubeSecrets,
  LeaderElection,
} from '../../src/kube/index.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { systemRandom } from '../../src/lib/random.ts';
import { Sensitive } from '../../src/resource/index.ts';
import { silent } from '../../src/telemetry/log.ts';
import type { ControlPlane } from '../controlplane/control-plane.ts';
import { START_TIMEOUT_MS } from '../controlplane/shared.ts';
import { startControlPlane } from '../controlplane/start.ts';

const KIND = 'CloudWidget';
const anything = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
const schema = { type: 'object', properties: { spec: anything, status: anything } };
const crd = (schemaHash: string) => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'cloudwidgets.cloudhosting.dev', annotations: { 'cloudhosting.dev/schema-hash': schemaHash } },
  spec: {
    group: 'cloudhosting.dev',
    scope: 'Namespaced',
    names: { kind: KIND, plural: 'cloudwidgets', singular: 'cloudwidget' },
    versions: [
      {
        name: 'v1alpha1',
        served: true,
        storage: true,
        subresources: { status: {} },
        schema: { openAPIV3Schema: schema },
      },
    ],
  },
});

const { signal } = new AbortController();
let plane: ControlPlane;
let client: KubeClient;
const clientOf = (): KubeClient =>
  new KubeClient({
    cluster: clusterAt(systemClock, { server: plane.url, ca: plane.ca, token: plane.adminToken }),
    clock: systemClock,
    userAgent: 'cloud-operator/test',
  });
const objectsOf = (namespaces: readonly string[] = []): KubeObjects =>
  new KubeObjects({
    client,
    clock: systemClock,
    random: systemRandom,
    log: silent,
    kinds: [{ kind: KIND, plural: 'cloudwidgets' }],
    watchNamespaces: namespaces,
    fieldManager: 'cloud-operator',
  });
const collection = (namespace: string): string => `/apis/cloudhosting.dev/v1alpha1/namespaces/${namespace}/cloudwidgets`;
const make = async (namespace: string, name: string, more: object = {}): Promise<void> => {
  const body = { apiVersion: 'cloudhosting.dev/v1alpha1', kind: KIND, metadata: { name, ...more }, spec: { size: 10 } };
  const { status, body: answer } = await plane.request('POST', collection(namespace), { body });
  if (status !== 201) throw new Error(JSON.stringify(answer));
};
const follow = async (objects: KubeObjects): Promise<void> => {
  objects.start();
  await objects.synced();
};

beforeAll(async () => {
  plane = await startControlPlane({ controllerManager: false, etcdCompactionInterval: '2s' });
  client = clientOf();
  await applyCrds(client, [crd('one')], 'cloud-operator', signal);
  await plane.kubectl(['wait', '--for=condition=Established', 'crd/cloudwidgets.cloudhosting.dev']);
}, START_TIMEOUT_MS);
afterAll(async () => {
  await client.close();
  await plane.stop();
});

describe('objects on a real API server', () => {
  it('keeps the cache current and shows our own writes at once', async () => {
    const namespace = await plane.createNamespace();
    await make(namespace, 'a');
    const objects = objectsOf([namespace]);
    await follow(objects);
    const key = { namespace, name: 'a' };
    expect(objects.get(KIND, key)?.spec).toEqual({ size: 10 });
    const patched = await objects.patch(KIND, key, { type: 'merge', body: { status: { id: 7 } }, subresource: 'status' }, signal);
    expect(objects.get(KIND, key)).toEqual(patched);
    expect(patched.status).toEqual({ id: 7 });
    await make(namespace, 'b');
    await expect.poll(() => objects.count(KIND)).toBe(2);
    await plane.request('DELETE', `${collection(namespace)}/b`);
    await expect.poll(() => objects.count(KIND)).toBe(1);
    await objects.stop();
  });

  it('tells who wrote an annotation last', async () => {
    const namespace = await plane.createNamespace();
    await make(namespace, 'a', { annotations: { 'cloudhosting.dev/pause': 'true' } });
    const objects = objectsOf([namespace]);
    const key = { namespace, name: 'a' };
    const writer = async (name: string): Promise<string | undefined> => (await objects.annotated(KIND, key, name, signal))?.manager;
    const first = await writer('cloudhosting.dev/pause');
    expect(first).toMatch(/./);
    const body = { metadata: { annotations: { 'cloudhosting.dev/approve': 'x' } } };
    await objects.patch(KIND, key, { type: 'merge', body }, signal);
    expect(await writer('cloudhosting.dev/approve')).toBe('cloud-operator');
    expect(await writer('cloudhosting.dev/pause')).toBe(first);
    expect(await writer('cloudhosting.dev/resume')).toBeUndefined();
    expect(objects.get(KIND, key)?.metadata.annotations).toMatchObject({ 'cloudhosting.dev/approve': 'x' });
    expect(await objects.annotated(KIND, { namespace, name: 'no' }, 'x', signal)).toBeUndefined();
  });

  it('names every refused precondition as the engine expects it', async () => {
    const namespace = await plane.createNamespace();
    await make(namespace, 'a', { finalizers: ['cloudhosting.dev/remote'] });
    const objects = objectsOf([namespace]);
    await follow(objects);
    const key = { namespace, name: 'a' };
    const { metadata } = objects.get(KIND, key) as Resource;
    const annotate = (more: object) =>
      objects.patch(KIND, key, { type: 'merge', body: { metadata: { annotations: { x: 'y' }, ...more } } }, signal);
    await expect(annotate({ uid: 'another' })).rejects.toMatchObject({ fault: 'Conflict' });
    await annotate({ uid: metadata.uid, resourceVersion: metadata.resourceVersion });
    await expect(annotate({ resourceVersion: metadata.resourceVersion })).rejects.toMatchObject({ fault: 'Conflict' });
    const test = { op: 'test', path: '/metadata/uid', value: 'another' } as const;
    await expect(objects.patch(KIND, key, { type: 'json', ops: [test] }, signal)).rejects.toMatchObject({ fault: 'Invalid' });
    await expect(objects.patch(KIND, { namespace, name: 'no' }, { type: 'json', ops: [test] }, signal)).rejects.toMatchObject({
      fault: 'NotFound',
    });
    expect(await objects.fetch(KIND, { namespace, name: 'no' }, signal)).toBeUndefined();
    await plane.request('DELETE', `${collection(namespace)}/a`);
    expect((await objects.fetch(KIND, key, signal))?.metadata.deletionTimestamp).toBeDefined();
    await objects.patch(KIND, key, { type: 'merge', body: { metadata: { finalizers: null } } }, signal);
    expect(objects.get(KIND, key)).toBeUndefined();
    await objects.stop();
  });

  it('reads 10,000 objects within seconds, as a stream and in pages', async () => {
    const namespace = await plane.createNamespace();
    const names = Array.from({ length: 10_000 }, (_, n) => `w${n}`).values();
    await Promise.all(
      Array.from({ length: 24 }, async () => {
        for (const name of names) await make(namespace, name);
      }),
    );
    const objects = objectsOf([namespace]);
    const begin = performance.now();
    await follow(objects);
    expect(objects.count(KIND)).toBe(10_000);
    expect(performance.now() - begin).toBeLessThan(10_000);
    await objects.stop();
  }, 180_000);

  it('survives a restart of the API server and the loss of its history', async () => {
    const namespace = await plane.createNamespace();
    await make(namespace, 'before');
    await make(namespace, 'deleted-meanwhile');
    const objects = objectsOf([namespace]);
    await follow(objects);
    await plane.killApiServer();
    await plane.startApiServer();
    await plane.request('DELETE', `${collection(namespace)}/deleted-meanwhile`);
    await make(namespace, 'after');
    const names = (): string[] => [...objects.all(KIND)].map(({ metadata }) => metadata.name).toSorted((a, b) => a.localeCompare(b));
    // A server that was away for long is asked again after 30 s at most.
    await expect.poll(names, { timeout: 60_000 }).toEqual(['after', 'before']);
    await objects.stop();
  }, 180_000);
});

describe('the rest of the adapter on a real API server', () => {
  it('passes the lease on within three seconds when it is given back', async () => {
    const namespace = await plane.createNamespace();
    const contend = (identity: string): LeaderElection =>
      new LeaderElection({
        client,
        clock: systemClock,
        random: systemRandom,
        log: silent,
        namespace,
        name: 'cloud-operator',
        identity,
        onAcquired: () => undefined,
        onLost: () => undefined,
      });
    const [one, two] = [contend('one'), contend('two')];
    one.start();
    await expect.poll(() => one.held()).toBe(true);
    two.start();
    await expect.poll(() => two.holder).toBe('one');
    const begin = performance.now();
    await one.stop();
    await expect.poll(() => two.held(), { timeout: 5_000, interval: 10 }).toBe(true);
    expect(performance.now() - begin).toBeLessThan(3_000);
    expect(one.held()).toBe(false);
    await two.stop();
  });

  it('makes one installation key, whoever comes first, and never writes over a Secret that has changed', async () => {
    const namespace = await plane.createNamespace();
    const key = { namespace, name: keySecretName };
    const secrets = new KubeSecrets(client, 'cloud-operator');
    const keys = await Promise.all(Array.from({ length: 8 }, () => new KeySecret(secrets, namespace).readOrMake(keySecretName, signal)));
    expect(new Set(keys.map(({ current }) => current.reveal())).size).toBe(1);
    const seen = await secrets.get(key, signal);
    if (!seen) throw new Error('not there');
    await secrets.update(key, { data: { other: new Sensitive('1') }, labels: { a: 'b' } }, seen, signal);
    const now = await secrets.get(key, signal);
    expect([Object.keys(now?.data ?? {}), now?.labels]).toEqual([['other'], { a: 'b' }]);
    await expect(secrets.update(key, { data: {}, labels: {} }, seen, signal)).rejects.toMatchObject({ fault: 'Conflict' });
    await expect(secrets.remove(key, seen, signal)).rejects.toMatchObject({ fault: 'Conflict' });
    await expect(secrets.create(key, { data: {}, labels: {} }, signal)).rejects.toMatchObject({ fault: 'AlreadyExists' });
    if (now) await secrets.remove(key, now, signal);
    expect(await secrets.get(key, signal)).toBeUndefined();
  });

  it('writes Events that kubectl shows on the object', async () => {
    const namespace = await plane.createNamespace();
    await make(namespace, 'a');
    const objects = objectsOf([namespace]);
    const about = (await objects.fetch(KIND, { namespace, name: 'a' }, signal)) as Resource;
    const recorder = new KubeRecorder({
      client,
      clock: systemClock,
      log: silent,
      controller: 'cloudhosting.dev/cloud-operator',
      instance: 'pod-1',
    });
    for (let n = 0; n < 3; n += 1) recorder.event(about, { type: 'Warning', reason: 'Rejected', message: 'spec.size is too small' });
    await recorder.close(5_000);
    expect(recorder.dropped).toBe(0);
    const { stdout } = await plane.kubectl(['-n', namespace, 'describe', 'cloudwidget', 'a']);
    expect(stdout).toMatch(/Warning\s+Rejected\s+.*x3.*spec.size is too small/);
  });

  it('finds the cluster and compares the served CRDs', async () => {
    expect(await clusterUid(client, signal)).toMatch(/^[0-9a-f-]{36}$/);
    const expected = { kind: KIND, name: 'cloudwidgets.cloudhosting.dev', schemaHash: 'one', schema: () => schema };
    const richer = { ...schema, properties: { ...schema.properties, data: anything } };
    expect(await checkCrds(client, [expected], signal)).toEqual([]);
    const found = await checkCrds(
      client,
      [
        { ...expected, schemaHash: 'two' },
        { ...expected, schemaHash: 'two', schema: () => richer },
        { ...expected, name: 'clouds.cloudhosting.dev' },
      ],
      signal,
    );
    expect(found.map(({ problem }) => problem)).toEqual(['differs', 'missing']);
    await applyCrds(client, [crd('two')], 'cloud-operator', signal);
    expect(await checkCrds(client, [{ ...expected, schemaHash: 'two' }], signal)).toEqual([]);
  });

  it('says Forbidden to a user without rights', async () => {
    const stranger = new KubeClient({
      cluster: clusterAt(systemClock, { server: plane.url, ca: plane.ca, token: plane.user('jane') }),
      clock: systemClock,
      userAgent: 'x',
    });
    await expect(clusterUid(stranger, signal)).rejects.toMatchObject({ fault: 'Forbidden' });
    await stranger.close();
  });
});
