import { beforeEach, describe, expect, it } from 'vitest';
import { kinds as allKinds } from '../../../src/generated/kinds.ts';
import type { AnyKind, Row } from '../../../src/resource/index.ts';
import { World } from '../../support/world/world.ts';

const devicePath = (remote: Row): string => String(remote['filesystem_path']);
/** Volumes whose device path is secret, so that a Secret is published without a kind of its own. */
const kinds: readonly AnyKind[] = allKinds.map((kind) =>
  kind.kind === 'CloudVolume' ? { ...kind, outputs: { 'device-path': { says: 'Device path.', secret: true, of: devicePath } } } : kind,
);
interface Secret {
  readonly metadata: {
    readonly labels?: Readonly<Record<string, string>>;
    readonly ownerReferences?: readonly { readonly uid: string; readonly controller?: boolean }[];
  };
  readonly data: Readonly<Record<string, string>>;
}
let world: World;
beforeEach(async () => {
  world = await World.create({ kinds });
  await world.account();
  await world.start();
  await world.ready('CloudAccount', 'default');
});
const at = '/api/v1/namespaces/team-a/secrets/data-cvol';
const read = async (): Promise<Secret | undefined> => {
  const { status, body } = await world.server.as('admin', 'GET', at);
  return status === 404 ? undefined : (body as unknown as Secret);
};
const volume = { region: 'eu-central' };

describe('the Secret that an object gives out', () => {
  it('is owned, labelled, made again when it is gone and put right when it was changed', async () => {
    await world.apply('CloudVolume', 'data', volume);
    const { metadata } = await world.ready('CloudVolume', 'data');
    const first = await read();
    expect(first?.metadata.labels).toMatchObject({ 'cloudhosting.dev/owner-uid': metadata.uid });
    expect(first?.metadata.ownerReferences).toMatchObject([{ uid: metadata.uid, controller: true }]);
    await world.admin('DELETE', at);
    await world.clock.advance(330_000);
    expect((await read())?.data).toEqual(first?.data);
    await world.admin('PATCH', at, { data: { 'device-path': 'AAAA', more: 'AAAA' } });
    await world.clock.advance(650_000);
    expect((await read())?.data).toEqual(first?.data);
  });
  it('is taken over after a restore that gave its object another uid, and one with a wrong mark is not', async () => {
    await world.apply('CloudVolume', 'data', volume);
    await world.ready('CloudVolume', 'data');
    const labels = (await read())?.metadata.labels ?? {};
    const uid = '00000000-0000-4000-8000-000000000000';
    await world.admin('PATCH', at, {
      metadata: { labels: { 'cloudhosting.dev/owner-uid': uid }, ownerReferences: null },
      data: { 'device-path': 'AAAA' },
    });
    await world.clock.advance(650_000);
    const healed = await read();
    const { metadata } = await world.get('CloudVolume', 'data');
    expect(healed?.metadata.labels).toEqual({ ...labels, 'cloudhosting.dev/owner-uid': metadata.uid });
    expect(healed?.metadata.ownerReferences).toMatchObject([{ uid: metadata.uid }]);
    const forged = { 'cloudhosting.dev/owner-uid': uid, 'cloudhosting.dev/owner-key': 'aaaaaaaa' };
    await world.admin('PATCH', at, { metadata: { labels: forged }, data: { 'device-path': 'AAAA' } });
    await world.clock.advance(650_000);
    await world.reason('CloudVolume', 'data', 'AlreadyExists');
    expect((await read())?.data).toEqual({ 'device-path': 'AAAA' });
  });
  it('is never written over one of somebody else, and comes soon after that one is gone', async () => {
    await world.secret('data-cvol', { 'device-path': 'theirs' });
    await world.apply('CloudVolume', 'data', volume);
    const { message } = await world.reason('CloudVolume', 'data', 'AlreadyExists');
    expect(message).toContain('Secret data-cvol exists and does not belong to this object');
    await world.clock.advance(900_000);
    expect((await read())?.data).toEqual({ 'device-path': Buffer.from('theirs').toString('base64') });
    await world.admin('DELETE', at);
    await world.ready('CloudVolume', 'data', 330_000);
    expect((await read())?.metadata.labels).toBeDefined();
  });
  it('is not joined by a ConfigMap with what is secret, whatever admission let through', async () => {
    await world.apply('CloudVolume', 'data', { ...volume, outputs: [{ configMapName: 'disk', keys: { DISK: 'device-path' } }] });
    const { message } = await world.reason('CloudVolume', 'data', 'InvalidSpec');
    expect(message).toContain('ConfigMap disk cannot have key DISK');
    await world.clock.advance(900_000);
    expect(world.server.objects('/configmaps')).toEqual([]);
    expect((await read())?.data).toBeDefined();
  });
  it('stands beside another one that the spec names', async () => {
    await world.apply('CloudVolume', 'data', volume);
    await world.ready('CloudVolume', 'data');
    const { data } = (await read()) ?? {};
    await world.apply('CloudVolume', 'data', { ...volume, outputs: [{ secretName: 'disk', keys: { DISK: '/host{device-path}' } }] });
    await world.ready('CloudVolume', 'data');
    const disk = (await world.admin('GET', '/api/v1/namespaces/team-a/secrets/disk')) as unknown as Secret;
    const text = Buffer.from(data?.['device-path'] ?? '', 'base64').toString();
    expect(Buffer.from(disk.data['DISK'] ?? '', 'base64').toString()).toBe(`/host${text}`);
  });
});
