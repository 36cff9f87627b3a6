import { expect, it } from 'vitest';
import { World } from '../../support/world/world.ts';

const pem = (what: string, text: string): string => `-----BEGIN ${what}-----\n${text}\n-----END ${what}-----\n`;
const pair = (text: string) => ({ 'tls.crt': pem('CERTIFICATE', text), 'tls.key': pem('PRIVATE KEY', text) });
const spec = {
  label: 'assets.example.org',
  cluster: 'eu-central-1',
  tls: { certificate: { name: 'shop-tls', key: 'tls.crt' }, privateKey: { name: 'shop-tls', key: 'tls.key' } },
};
const ssl = '/v4/object-storage/buckets/eu-central-1/assets.example.org/ssl';

const uploads = (world: World): number =>
  world.emulator.control.requests().filter(({ method, template }) => method === 'POST' && template.endsWith('/ssl')).length;

async function rotate(world: World, text: string): Promise<void> {
  const data = Object.fromEntries(Object.entries(pair(text)).map(([key, value]) => [key, Buffer.from(value).toString('base64')]));
  await world.admin('PATCH', '/api/v1/namespaces/team-a/secrets/shop-tls', { data });
  await world.clock.advance(700_000);
}

async function begin(): Promise<World> {
  const world = await World.create();
  await world.account();
  await world.secret('shop-tls', pair('MIIB'));
  return world;
}

it('uploads the certificate of a new bucket once, and again when the Secret is rotated', async () => {
  const world = await begin();
  await world.apply('CloudBucket', 'assets', spec);
  await world.start();
  await world.ready('CloudBucket', 'assets');
  await world.clock.advance(700_000);
  expect(uploads(world)).toBe(1);
  await rotate(world, 'MIIC');
  expect(uploads(world)).toBe(2);
  expect(JSON.stringify([world.log, await world.get('CloudBucket', 'assets')])).not.toContain('MIIC');
});

it('takes the certificate of an adopted bucket for applied, and replaces it when the Secret is rotated', async () => {
  const world = await begin();
  const act = (method: string, path: string, body: object) => world.emulator.control.actAs({ username: 'colleague', method, path, body });
  await act('POST', '/v4/object-storage/buckets', { label: spec.label, cluster: spec.cluster });
  await act('POST', ssl, { certificate: pem('CERTIFICATE', 'MIIA'), private_key: pem('PRIVATE KEY', 'MIIA') });
  const before = uploads(world);
  await world.apply('CloudBucket', 'assets', { ...spec, adopt: { id: `${spec.cluster}/${spec.label}` } });
  await world.start();
  await world.ready('CloudBucket', 'assets');
  await world.clock.advance(700_000);
  expect(uploads(world)).toBe(before);
  await rotate(world, 'MIIC');
  expect(uploads(world)).toBe(before + 1);
});

const bucketByHand = (world: World): Promise<unknown> =>
  world.emulator.control.actAs({
    username: 'colleague',
    method: 'POST',
    path: '/v4/object-storage/buckets',
    body: { label: spec.label, cluster: spec.cluster },
  });
async function edited(world: World, change: object): Promise<void> {
  await world.patch('CloudBucket', 'assets', { spec: change });
  await world.ready('CloudBucket', 'assets');
  await world.clock.advance(700_000);
}
function staysByHand(world: World): void {
  expect(certificate(world)).toContain('MIIZ');
  expect(removals(world)).toBe(0);
}
const byHand = async (world: World, method = 'POST'): Promise<void> => {
  const body = method === 'POST' ? { certificate: pem('CERTIFICATE', 'MIIZ'), private_key: pem('PRIVATE KEY', 'MIIZ') } : undefined;
  await world.emulator.control.actAs({ username: 'colleague', method, path: ssl, ...(body && { body }) });
};
const certificate = (world: World): unknown =>
  (world.emulator.control.rows('buckets') as unknown as { certificate: unknown }[])[0]?.certificate;
const removals = (world: World): number =>
  world.emulator.control
    .requests()
    .filter(({ method, template, username }) => method === 'DELETE' && template.endsWith('/ssl') && username === 'admin').length;
async function made(more: object = {}): Promise<World> {
  const world = await begin();
  await world.apply('CloudBucket', 'assets', { ...spec, ...more });
  await world.start();
  await world.ready('CloudBucket', 'assets');
  return world;
}

it('takes the certificate away when the spec no longer names one, once, and leaves what somebody uploads then', async () => {
  const world = await made();
  await world.patch('CloudBucket', 'assets', { spec: { tls: null } });
  await world.ready('CloudBucket', 'assets');
  expect(certificate(world)).toBeNull();
  await world.clock.advance(360_000);
  expect((await world.get('CloudBucket', 'assets')).status).toMatchObject({ tls: false });
  await byHand(world);
  await world.clock.advance(1_800_000);
  await edited(world, { corsEnabled: false });
  expect(certificate(world)).toContain('MIIZ');
  expect(removals(world)).toBe(1);
});

it('leaves a certificate that was put by hand, of a bucket whose spec never named one', async () => {
  const world = await made({ tls: undefined });
  await byHand(world);
  await world.clock.advance(700_000);
  await edited(world, { corsEnabled: false });
  staysByHand(world);
});

it('leaves the certificate of an adopted bucket whose spec names none', async () => {
  const world = await begin();
  await bucketByHand(world);
  await byHand(world);
  await world.apply('CloudBucket', 'assets', { ...spec, tls: undefined, adopt: { id: `${spec.cluster}/${spec.label}` } });
  await world.start();
  await world.ready('CloudBucket', 'assets');
  await edited(world, { corsEnabled: false });
  staysByHand(world);
});

it('leaves the certificate while its Secret is not there', async () => {
  const world = await made();
  await world.admin('DELETE', '/api/v1/namespaces/team-a/secrets/shop-tls');
  await world.clock.advance(700_000);
  await world.patch('CloudBucket', 'assets', { spec: { corsEnabled: false } });
  await world.clock.advance(1_800_000);
  expect(certificate(world)).toContain('MIIB');
  expect(removals(world)).toBe(0);
});

it('forgets a certificate that a colleague took away after the spec did, and uploads one again that the spec names anew', async () => {
  const world = await made();
  world.emulator.control.addFault({
    match: { method: 'DELETE', path: ssl.slice(3), username: 'admin' },
    effect: { kind: 'answer', status: 500, body: JSON.stringify({ errors: [{ reason: 'Internal error' }] }) },
  });
  await world.patch('CloudBucket', 'assets', { spec: { tls: null } });
  await world.clock.advance(60_000);
  await byHand(world, 'DELETE');
  await world.ready('CloudBucket', 'assets', 1_800_000);
  await byHand(world);
  const before = removals(world);
  await world.clock.advance(1_800_000);
  expect(removals(world)).toBe(before);
  expect(certificate(world)).toContain('MIIZ');
  await byHand(world, 'DELETE');
  await world.patch('CloudBucket', 'assets', { spec: { tls: spec.tls } });
  await world.clock.advance(400_000);
  expect(certificate(world)).toContain('MIIB');
});

it('whose removal was answered to nobody is removed by the operator that comes after', async () => {
  const world = await made();
  world.emulator.control.addFault({ match: { method: 'DELETE', username: 'admin' }, times: 1, effect: { kind: 'lose-answer' } });
  await world.patch('CloudBucket', 'assets', { spec: { tls: null } });
  await world.clock.advance(600_000);
  await world.ready('CloudBucket', 'assets');
  expect(certificate(world)).toBeNull();
  expect(removals(world)).toBeLessThan(3);
});

it('leaves a certificate that it only found, though the spec named one of its own for a while', async () => {
  const world = await begin();
  await bucketByHand(world);
  await byHand(world);
  await world.apply('CloudBucket', 'assets', { ...spec, adopt: { id: `${spec.cluster}/${spec.label}` } });
  await world.start();
  await world.ready('CloudBucket', 'assets');
  await edited(world, { tls: null });
  staysByHand(world);
});

it('leaves the certificate of another bucket of the name, that came after the one that it had put its own into', async () => {
  const world = await made();
  await world.clock.advance(60_000);
  const bucket = '/v4/object-storage/buckets/eu-central-1/assets.example.org';
  await world.emulator.control.actAs({ username: 'colleague', method: 'DELETE', path: bucket });
  await bucketByHand(world);
  await byHand(world);
  await world.clock.advance(700_000);
  await world.patch('CloudBucket', 'assets', { spec: { tls: null } });
  await world.clock.advance(700_000);
  await world.reason('CloudBucket', 'assets', 'RemoteMissing');
  staysByHand(world);
});
