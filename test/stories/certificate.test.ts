import { expect, it } from 'vitest';
import { World } from '../support/world.ts';

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
