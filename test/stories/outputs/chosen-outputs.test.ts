import { beforeEach, describe, expect, it } from 'vitest';
import { type KubeObject, World } from '../../support/world/world.ts';

const minute = 60_000;
/** Secrets and ConfigMaps are looked after every five minutes. */
const looked = 5.5 * minute;
let world: World;
beforeEach(async () => {
  world = await World.create();
  await world.account();
  await world.start();
  await world.ready('CloudAccount', 'default');
});
const pathOf = (name: string, plural = 'configmaps'): string => `/api/v1/namespaces/team-a/${plural}/${name}`;
interface Target extends KubeObject {
  readonly data?: Readonly<Record<string, string>>;
}
async function read(name: string, plural?: string): Promise<Target | undefined> {
  const { status, body } = await world.server.as('admin', 'GET', pathOf(name, plural));
  return status === 404 ? undefined : (body as unknown as Target);
}
const dataOf = async (name: string): Promise<Target['data']> => (await read(name))?.data;
const to = (configMapName: string, keys: Record<string, string>) => ({ configMapName, keys });
const volume = (name: string, ...outputs: object[]) => ({ region: 'eu-central', label: name, outputs });
const device = (name: string): string => `/dev/disk/by-id/scsi-0Vm_Volume_${name}`;
const encoded = (text: string): string => Buffer.from(text).toString('base64');
const apply = async (name: string, ...outputs: object[]): Promise<void> => {
  await world.apply('CloudVolume', name, volume(name, ...outputs));
};

describe('outputs that an object gives out', () => {
  it('are in a ConfigMap and a Secret, renamed, in texts, and through filters', async () => {
    await world.secret('root', { password: 'Correct-Horse-9' });
    await world.apply('CloudInstance', 'web', {
      region: 'eu-central',
      type: 'g6-nanode-1',
      image: 'vm/debian11',
      rootPasswordSecretRef: { name: 'root', key: 'password' },
      outputs: [
        to('web-env', { HOST: 'ipv4', URL: 'http://{ipv4}:8080/?from={ipv6:uri}', 'config.json': '{"hosts": [{ipv4:json}, {ipv6:json}]}' }),
        { secretName: 'web-env', keys: { host: '{ipv4:base64}', private: 'private-ipv4' } },
      ],
    });
    const { status } = await world.ready('CloudInstance', 'web');
    const { publicIPv4, ipv6 } = status as unknown as Record<string, string>;
    expect(await dataOf('web-env')).toEqual({
      HOST: publicIPv4,
      URL: `http://${publicIPv4}:8080/?from=${encodeURIComponent(ipv6 ?? '')}`,
      'config.json': `{"hosts": ["${publicIPv4}", "${ipv6}"]}`,
    });
    const secret = await read('web-env', 'secrets');
    expect(secret?.data).toEqual({ host: encoded(encoded(publicIPv4 ?? '')) });
    expect(status).toMatchObject({
      outputs: [
        { kind: 'ConfigMap', name: 'web-env' },
        { kind: 'Secret', name: 'web-env', missing: ['private'] },
      ],
    });
    await world.patch('CloudInstance', 'web', { spec: { privateIp: true } });
    await world.clock.runUntil(async () => (await read('web-env', 'secrets'))?.data?.['private'] !== undefined, 10 * minute);
    expect(await dataOf('web-env')).toMatchObject({ HOST: publicIPv4 });
  });

  it('are owned, follow the account, and go with their object', async () => {
    await apply('data', to('disk', { DISK: 'device-path' }));
    const { metadata } = await world.ready('CloudVolume', 'data');
    const { metadata: target } = (await read('disk')) ?? {};
    expect(target).toMatchObject({
      labels: { 'cloudhosting.dev/owner-uid': metadata.uid },
      ownerReferences: [{ kind: 'CloudVolume', name: 'data', uid: metadata.uid, controller: true }],
    });
    await world.patch('CloudVolume', 'data', { spec: { label: 'renamed' } });
    await world.clock.runUntil(async () => (await dataOf('disk'))?.['DISK'] === device('renamed'), minute);
    await world.delete('CloudVolume', 'data');
    await world.gone('CloudVolume', 'data');
    await world.clock.advance(minute);
    expect(await read('disk')).toBeUndefined();
  });

  it('are refused at admission with what the kind gives out', async () => {
    await expect(apply('data', to('disk', { DISK: 'path' }))).rejects.toThrow('CloudVolume gives out device-path: write under each key');
    await expect(apply('data', { secretName: 'disk', keys: { DISK: '{device-path:hex}' } })).rejects.toThrow('filters: uri, base64, json');
  });
});

describe('a ConfigMap of outputs', () => {
  it('is made again when it is gone, and put right when it was changed, but for labels of others', async () => {
    await apply('data', to('disk', { DISK: 'device-path' }));
    await world.ready('CloudVolume', 'data');
    await world.admin('DELETE', pathOf('disk'));
    await world.clock.advance(looked);
    expect(await dataOf('disk')).toEqual({ DISK: device('data') });
    await world.admin('PATCH', pathOf('disk'), { metadata: { labels: { team: 'shop' } }, data: { DISK: '/dev/sda', MORE: 'x' } });
    await world.clock.advance(2 * looked);
    const mended = await read('disk');
    expect(mended?.data).toEqual({ DISK: device('data') });
    expect(mended?.metadata).toMatchObject({ labels: { team: 'shop' } });
  });

  it('of somebody else is never touched; all else of the object goes on, and it is written when that one is gone', async () => {
    await world.configMap('disk', { DISK: 'theirs' });
    await apply('data', to('disk', { DISK: 'device-path' }), to('another', { DISK: 'device-path' }));
    const { message } = await world.reason('CloudVolume', 'data', 'AlreadyExists');
    expect(message).toContain('ConfigMap disk exists and does not belong to this object, so it is not overwritten. Delete it, or');
    await world.patch('CloudVolume', 'data', { spec: { sizeGiB: 40 } });
    await world.clock.advance(2 * looked);
    expect((await world.get('CloudVolume', 'data')).status).toMatchObject({ sizeGiB: 40 });
    expect(await dataOf('disk')).toEqual({ DISK: 'theirs' });
    expect(await dataOf('another')).toEqual({ DISK: device('data') });
    await world.admin('DELETE', pathOf('disk'));
    await world.ready('CloudVolume', 'data', looked);
    expect(await dataOf('disk')).toEqual({ DISK: device('data') });
  });

  it('that the spec no longer names is emptied, and free for the next', async () => {
    await apply('data', to('disk', { DISK: 'device-path' }));
    await world.ready('CloudVolume', 'data');
    await apply('data', to('another', { DISK: 'device-path' }));
    await world.ready('CloudVolume', 'data');
    expect(await dataOf('disk')).toBeUndefined();
    expect((await world.get('CloudVolume', 'data')).status).toMatchObject({ outputs: [{ kind: 'ConfigMap', name: 'another' }] });
    await apply('next', to('disk', { NEXT: 'device-path' }));
    await world.ready('CloudVolume', 'next');
    expect(await dataOf('disk')).toEqual({ NEXT: device('next') });
    await world.delete('CloudVolume', 'data');
    await world.gone('CloudVolume', 'data');
    await world.clock.advance(minute);
    expect(await dataOf('disk')).toEqual({ NEXT: device('next') });
  });

  it('has one owner: the older, and the other says so and takes it when that one has gone', async () => {
    await apply('older', to('disk', { DISK: 'device-path' }));
    await world.clock.advance(2000);
    await apply('younger', to('disk', { DISK: 'device-path' }));
    await world.ready('CloudVolume', 'older');
    const { message } = await world.reason('CloudVolume', 'younger', 'AlreadyExists');
    expect(message).toContain('ConfigMap disk is written by CloudVolume older, and one object has it. Choose another name in spec.outputs');
    await world.clock.advance(2 * looked);
    expect(await dataOf('disk')).toEqual({ DISK: device('older') });
    await world.delete('CloudVolume', 'older');
    await world.gone('CloudVolume', 'older');
    await world.ready('CloudVolume', 'younger', looked);
    expect(await dataOf('disk')).toEqual({ DISK: device('younger') });
  });

  it('that nobody has yet goes to the older of two, however late that one is', async () => {
    await apply('older', to('disk', { DISK: 'device-path' }));
    await world.patch('CloudVolume', 'older', { metadata: { annotations: { 'cloudhosting.dev/pause': 'true' } } });
    await world.clock.advance(2000);
    await apply('younger', to('disk', { DISK: 'device-path' }));
    await world.clock.advance(looked);
    expect((await world.reason('CloudVolume', 'younger', 'AlreadyExists')).message).toContain(
      'ConfigMap disk is named by CloudVolume older, too, which is older',
    );
    expect(await dataOf('disk')).toBeUndefined();
    await world.patch('CloudVolume', 'older', { metadata: { annotations: { 'cloudhosting.dev/pause': null } } });
    await world.ready('CloudVolume', 'older');
    expect(await dataOf('disk')).toEqual({ DISK: device('older') });
  });

  it('in a namespace where the operator may not write is named, with who can admit it', async () => {
    world.server.faults.add({ match: { method: 'POST', path: /\/configmaps/ }, action: { kind: 'answer', status: 403 } });
    await apply('data', to('disk', { DISK: 'device-path' }));
    const { message } = await world.reason('CloudVolume', 'data', 'Forbidden');
    expect(message).toContain('ConfigMap disk: the operator may not');
    expect(message).toContain('secrets.namespaces of the chart');
    world.server.faults.clear();
    await world.ready('CloudVolume', 'data', looked);
    expect(await dataOf('disk')).toEqual({ DISK: device('data') });
  });

  it('that is immutable is named, with what to do', async () => {
    await apply('data', to('disk', { DISK: 'device-path' }));
    await world.ready('CloudVolume', 'data');
    world.server.faults.add({ match: { method: 'PATCH', path: /\/configmaps\/disk/ }, action: { kind: 'answer', status: 422 } });
    await apply('data', to('disk', { DISK: 'device-path', MORE: '{device-path}-part1' }));
    const { message } = await world.reason('CloudVolume', 'data', 'Rejected');
    expect(message).toContain('the cluster refuses to change ConfigMap disk');
    expect(message).toContain('If it is immutable, delete it');
    await world.admin('DELETE', pathOf('disk'));
    await world.ready('CloudVolume', 'data', 2 * looked);
    expect(await dataOf('disk')).toEqual({ DISK: device('data'), MORE: `${device('data')}-part1` });
  });
});

it('an object without outputs asks for no Secret and no ConfigMap', async () => {
  await world.apply('CloudVolume', 'plain', { region: 'eu-central' });
  await world.ready('CloudVolume', 'plain');
  await world.clock.advance(minute);
  world.server.ledger.requests.length = 0;
  await world.clock.advance(30 * minute);
  const asked = world.server.ledger.requests.map(({ path }) => path).filter((path) => /team-a\/(secrets|configmaps)\//.test(path));
  expect(asked.filter((path) => !path.endsWith('/cloud-token'))).toEqual([]);
  expect(asked).not.toEqual([]);
});
