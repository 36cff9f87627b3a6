import { describe, expect, test } from 'vitest';
import { inUseLabel, type KeyRing, KeySecret, keySecretName } from '../../../src/kube/data/key-secret.ts';
import { KubeSecrets } from '../../../src/kube/data/secrets.ts';
import { Sensitive } from '../../../src/resource/index.ts';
import { SmallCluster } from './small-cluster.ts';

const key = (n: number): Sensitive => new Sensitive(Buffer.alloc(32, n).toString('base64'));
const firstBytes = ({ current, previous }: KeyRing): readonly (number | undefined)[] =>
  [current, ...previous].map((each) => Buffer.from(each.reveal(), 'base64')[0]);
const at = { namespace: 'team', name: keySecretName };

async function begin(): Promise<{ cluster: SmallCluster; secrets: KubeSecrets; keys: KeySecret; signal: AbortSignal }> {
  const cluster = await SmallCluster.make();
  const secrets = new KubeSecrets(cluster.program().client, 'me');
  return { cluster, secrets, keys: new KeySecret(secrets, 'team'), signal: cluster.signal };
}

describe('the installation key', () => {
  test('is made once, by whoever comes first of many that start at once', async () => {
    const { cluster, signal } = await begin();
    const all = Array.from({ length: 5 }, (_, n) =>
      new KeySecret(new KubeSecrets(cluster.program().client, 'me'), 'team').readOrMake(`release-${n}-key`, signal, () => key(n + 1)),
    );
    const rings = (await Promise.all(all)).map((ring) => firstBytes(ring).join());
    expect(new Set(rings).size).toBe(1);
    const later = await new KeySecret(new KubeSecrets(cluster.program().client, 'me'), 'team').readOrMake(keySecretName, signal);
    expect(firstBytes(later).join()).toBe(rings[0]);
  });

  test('that was made because there was none says when, until another one is imported', async () => {
    const { cluster, secrets, signal } = await begin();
    const keys = new KeySecret(secrets, 'team', cluster.clock);
    const at = Math.floor(cluster.clock.now() / 1000) * 1000;
    expect((await keys.readOrMake(keySecretName, signal)).madeAt).toBe(at);
    await cluster.clock.advance(60_000);
    expect((await keys.readOrMake(keySecretName, signal)).madeAt).toBe(at);
    await keys.take({ current: key(9), previous: [] }, signal);
    expect((await keys.read(signal))?.madeAt).toBeUndefined();
  });

  test('is not made twice because an answer was lost', async () => {
    const { cluster, keys, signal } = await begin();
    cluster.server.faults.add({ match: { method: 'POST', path: /secrets/ }, nth: 1, action: { kind: 'lose-answer' } });
    const made = keys.readOrMake(keySecretName, signal, () => key(7));
    await cluster.clock.advance(20_000);
    expect(firstBytes(await made)).toEqual([7]);
  });

  test.each(['key', 'previous-1'])('is refused with what to do, and left alone, where %s is something else', async (field) => {
    const { secrets, keys, signal } = await begin();
    await secrets.create(at, { data: { key: key(1), [field]: new Sensitive('too short') }, labels: {} }, signal);
    await expect(keys.readOrMake(keySecretName, signal)).rejects.toThrow('restore the Secret from a backup');
    expect((await secrets.get(at, signal))?.data[field]?.reveal()).toBe('too short');
  });

  test('of a release that called its Secret after its lease is taken over', async () => {
    const { secrets, keys, signal } = await begin();
    await secrets.create({ ...at, name: 'prod-cloud-operator-key' }, { data: { key: key(3) }, labels: {} }, signal);
    expect(firstBytes(await keys.readOrMake('prod-cloud-operator-key', signal))).toEqual([3]);
    expect((await secrets.get(at, signal))?.data['key']?.reveal()).toBe(key(3).reveal());
  });

  test('of a second such release still verifies, once', async () => {
    const { secrets, keys, signal } = await begin();
    await secrets.create(at, { data: { key: key(1) }, labels: { 'app.kubernetes.io/part-of': 'x' } }, signal);
    await secrets.create({ ...at, name: 'prod-cloud-operator-key' }, { data: { key: key(3) }, labels: {} }, signal);
    for (let n = 0; n < 2; n += 1) expect(firstBytes(await keys.readOrMake('prod-cloud-operator-key', signal))).toEqual([1, 3]);
    expect((await secrets.get(at, signal))?.labels).toEqual({ 'app.kubernetes.io/part-of': 'x' });
  });

  test('that is imported signs from then on, and what was there still verifies', async () => {
    const { keys, signal } = await begin();
    expect(firstBytes(await keys.take({ current: key(1), previous: [] }, signal))).toEqual([1]);
    await keys.take({ current: key(2), previous: [] }, signal);
    await keys.take({ current: key(3), previous: [key(9)] }, signal);
    expect(firstBytes((await keys.read(signal)) as KeyRing)).toEqual([3, 9, 2, 1]);
    await keys.take({ current: key(2), previous: [] }, signal);
    expect(firstBytes((await keys.read(signal)) as KeyRing)).toEqual([2, 3, 9, 1]);
  });
});

const labels = async (secrets: KubeSecrets, signal: AbortSignal): Promise<readonly string[]> =>
  Object.keys((await secrets.get(at, signal))?.labels ?? {}).filter((label) => label.includes('in-use'));

describe('the label in-use', () => {
  test('stays until the last release of the namespace has left', async () => {
    const { secrets, keys, signal } = await begin();
    const ring = await keys.readOrMake(keySecretName, signal);
    await keys.mark('one', true, ring, signal);
    await keys.mark('two', true, ring, signal);
    await keys.mark('one', false, ring, signal);
    expect(await labels(secrets, signal)).toContain(inUseLabel);
    await keys.mark('two', false, ring, signal);
    expect(await labels(secrets, signal)).toEqual([]);
  });

  test('is not written where it is there already', async () => {
    const { secrets, keys, signal } = await begin();
    const ring = await keys.readOrMake(keySecretName, signal);
    await keys.mark('one', true, ring, signal);
    const before = (await secrets.get(at, signal))?.resourceVersion;
    await keys.mark('one', true, ring, signal);
    expect((await secrets.get(at, signal))?.resourceVersion).toBe(before);
  });

  test('comes with the key where somebody took the Secret away', async () => {
    const { cluster, secrets, keys, signal } = await begin();
    const ring = await keys.take({ current: key(2), previous: [key(1)] }, signal);
    await cluster.server.as('admin', 'DELETE', `/api/v1/namespaces/team/secrets/${keySecretName}`);
    await keys.mark('one', true, ring, signal);
    expect(firstBytes((await keys.read(signal)) as KeyRing)).toEqual([2, 1]);
    expect(await labels(secrets, signal)).toContain(inUseLabel);
  });
});
