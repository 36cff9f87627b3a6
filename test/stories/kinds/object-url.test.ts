import { beforeEach, describe, expect, it } from 'vitest';
import { World } from '../../support/world/world.ts';

let world: World;
beforeEach(async () => {
  world = await World.create();
  await world.account();
  await world.start();
  await world.apply('CloudBucket', 'assets', { cluster: 'eu-central-1' });
  await world.ready('CloudBucket', 'assets');
});

const golden = { bucketRef: { name: 'assets' }, object: 'images/golden.gz' };
const secretAt = (name: string, namespace = 'team-a'): string => `/api/v1/namespaces/${namespace}/secrets/${name}`;
async function secret(name = 'golden-curl'): Promise<{ readonly url: string; readonly expires: string }> {
  const { data } = (await world.admin('GET', secretAt(name))) as unknown as { data: Record<string, string> };
  return Object.fromEntries(Object.entries(data).map(([key, text]) => [key, Buffer.from(text, 'base64').toString()])) as never;
}
const signed = (): readonly string[] =>
  world.emulator.control
    .requests()
    .filter(({ path }) => path.endsWith('/object-url'))
    .map(({ status }) => String(status));
async function use(url: string, method: string, body?: string, type?: string): Promise<number> {
  const path = url.replace(/^https?:\/\/[^/]+/, '');
  const answer = await world.emulator.handle({ method, path, headers: type === undefined ? {} : { 'content-type': type }, body });
  return answer.status;
}

describe('a pre-signed URL', () => {
  it('to write with is in its Secret and nowhere else, and works for what it says', async () => {
    await world.apply('CloudObjectURL', 'golden', { ...golden, method: 'PUT', contentType: 'application/gzip' });
    const { status } = await world.ready('CloudObjectURL', 'golden');
    const { url, expires } = await secret();
    expect(status).toMatchObject({ exists: false, expires });
    expect(await use(url, 'PUT', 'bytes', 'application/gzip')).toBe(200);
    expect(await use(url, 'PUT', 'bytes', 'text/plain')).toBe(403);
    const places = ['cloudobjecturls', 'cloudbuckets', 'cloudaccounts', 'configmaps', 'events', 'leases', 'secrets'];
    const others = places.flatMap((plural) => world.server.objects(`/${plural}`)).filter(({ metadata }) => metadata.name !== 'golden-curl');
    const told = JSON.stringify([others, world.log, world.changes, world.outcomes]);
    const signature = /Signature=([^&]+)/.exec(url)?.[1] ?? 'none';
    expect(told).toContain('/object-url');
    for (const hidden of [signature, Buffer.from(url).toString('base64')]) expect(told).not.toContain(hidden);
  });
  it('that is edited is issued anew, and one that cannot be renewed is Ready until it has expired', async () => {
    await world.apply('CloudObjectURL', 'golden', { ...golden, expiresInSeconds: 600 });
    await world.ready('CloudObjectURL', 'golden');
    const first = await secret();
    await world.patch('CloudObjectURL', 'golden', { spec: { expiresInSeconds: 900 } });
    await world.ready('CloudObjectURL', 'golden');
    expect((await secret()).url).not.toBe(first.url);
    await world.patch('CloudAccount', 'default', { spec: { mode: 'ReadOnly' } });
    const since = signed().length;
    await world.clock.advance(700_000);
    expect((await world.condition('CloudObjectURL', 'golden', 'Synced'))?.reason).toBe('ReadOnly');
    expect((await world.condition('CloudObjectURL', 'golden', 'Ready'))?.status).toBe('True');
    await world.clock.advance(500_000);
    expect((await world.condition('CloudObjectURL', 'golden', 'Ready'))?.status).toBe('False');
    expect(signed()).toHaveLength(since);
    await world.patch('CloudAccount', 'default', { spec: { mode: 'Manage' } });
    await world.ready('CloudObjectURL', 'golden');
  });
  it('is not issued where its Secret is somebody else’s', async () => {
    await world.secret('golden-curl', { password: 'of another' });
    await world.apply('CloudObjectURL', 'golden', golden);
    const { message } = await world.reason('CloudObjectURL', 'golden', 'AlreadyExists');
    expect(message).toContain('Secret golden-curl exists and does not belong to this object');
    expect(signed()).toEqual([]);
    await world.admin('DELETE', secretAt('golden-curl'));
    await world.ready('CloudObjectURL', 'golden');
  });
  it('that the account refuses is not asked for over and over', async () => {
    const body = JSON.stringify({ errors: [{ field: 'name', reason: 'name is not valid' }] });
    world.emulator.control.addFault({
      match: { method: 'POST' },
      effect: { kind: 'answer', status: 400, body },
      times: 50,
    });
    await world.apply('CloudObjectURL', 'golden', golden);
    const { message } = await world.reason('CloudObjectURL', 'golden', 'Rejected');
    expect(message).toContain('spec.object');
    await world.clock.advance(20 * 60_000);
    expect(signed()).toHaveLength(1);
  });
  it('is not given to a namespace that the bucket does not admit, by name or by id', async () => {
    await world.namespace('team-b');
    const spec = { ...golden, accountRef: { name: 'default', namespace: 'team-a' } };
    await world.patch('CloudAccount', 'default', { spec: { access: [{ namespaces: ['team-b'] }] } });
    const { status } = await world.get('CloudBucket', 'assets');
    await world.apply('CloudObjectURL', 'named', { ...spec, bucketRef: { name: 'assets', namespace: 'team-a' } }, 'team-b');
    await world.apply('CloudObjectURL', 'literal', { ...spec, bucketRef: { external: String(status?.['id']) } }, 'team-b');
    await world.reason('CloudObjectURL', 'named', 'ReferenceNotReady', 600_000, 'team-b');
    await world.reason('CloudObjectURL', 'literal', 'ReferenceNotReady', 600_000, 'team-b');
    expect(signed()).toEqual([]);
    await world.patch('CloudBucket', 'assets', { spec: { allowedRefs: { namespaces: ['team-b'] } } });
    await world.ready('CloudObjectURL', 'named', 600_000, 'team-b');
    expect(signed()).toHaveLength(1);
    // Whoever is let out again gets no fresh one.
    await world.patch('CloudBucket', 'assets', { spec: { allowedRefs: { namespaces: [] } } });
    await world.clock.advance(3600_000);
    expect(signed()).toHaveLength(1);
    expect((await world.condition('CloudObjectURL', 'named', 'Ready', 'team-b'))?.status).toBe('False');
  });
  it('goes without its account, and a paused one is not renewed', async () => {
    await world.apply('CloudObjectURL', 'golden', { ...golden, expiresInSeconds: 360 });
    await world.ready('CloudObjectURL', 'golden');
    await world.patch('CloudObjectURL', 'golden', { metadata: { annotations: { 'cloudhosting.dev/pause': 'true' } } });
    await world.clock.advance(600_000);
    expect(signed()).toHaveLength(1);
    await world.patch('CloudObjectURL', 'golden', { metadata: { annotations: { 'cloudhosting.dev/pause': null } } });
    await world.patch('CloudAccount', 'default', { spec: { tokenSecretRef: { name: 'nowhere', key: 'token' } } });
    await world.clock.advance(120_000);
    await world.delete('CloudObjectURL', 'golden');
    await world.gone('CloudObjectURL', 'golden');
  });
});
