import { beforeEach, expect, it } from 'vitest';
import { World } from '../../support/world/world.ts';

// What an object of team-b wishes to be called, and was not approved or was refused, is nobody's name yet.
const [platform, victim, tenant] = ['platform', 'team-a', 'team-b'];
const zone = { accountRef: { name: 'default', namespace: platform }, type: 'master', soaEmail: 'admin@example.org' };
const hour = 3_600_000;
let world: World;
const domains = () => (world.emulator.control.rows('domains') as unknown as { domain: string }[]).map(({ domain }) => domain);
const make = (name: string, domain: string) => world.apply('CloudDomain', name, { ...zone, domain }, victim);
const wish = (spec: object) => world.patch('CloudDomain', 'own', { spec }, tenant);

beforeEach(async () => {
  world = await World.create();
  for (const name of [platform, tenant]) await world.namespace(name);
  await world.account({ access: [{ namespaces: [victim] }, { namespaces: [tenant], maxObjects: 1 }] }, platform);
  await world.start();
  await world.ready('CloudAccount', 'default', 60_000, platform);
  await world.apply('CloudDomain', 'own', { ...zone, domain: 'own.example', lifecycle: { replace: 'Allow' } }, tenant);
  await world.ready('CloudDomain', 'own', hour, tenant);
});

it('a name that waits for approval keeps nobody from a zone around it', async () => {
  await wish({ domain: 'login.example.org' });
  await world.reason('CloudDomain', 'own', 'ApprovalRequired', 60_000, tenant);
  await make('theirs', 'example.org');
  await world.ready('CloudDomain', 'theirs', 60_000, victim);
  expect(domains()).toEqual(['own.example', 'example.org']);
});

it('a name that was refused keeps nobody from a zone around it', async () => {
  await make('theirs', 'example.org');
  await world.ready('CloudDomain', 'theirs', 60_000, victim);
  await wish({ domain: 'x.shop.example.org', lifecycle: { replace: 'Allow', approve: ['InPlace', 'Replace'] } });
  await world.reason('CloudDomain', 'own', 'AlreadyClaimed', 60_000, tenant);
  await make('shop', 'shop.example.org');
  await world.ready('CloudDomain', 'shop', 60_000, victim);
  expect(domains()).toEqual(['own.example', 'example.org', 'shop.example.org']);
});

it('a zone that stands keeps others from names within it, whatever its object wishes by now', async () => {
  await wish({ domain: 'elsewhere.example' });
  await world.reason('CloudDomain', 'own', 'ApprovalRequired', 60_000, tenant);
  await make('theirs', 'a.own.example');
  const { message } = await world.reason('CloudDomain', 'theirs', 'AlreadyClaimed', 60_000, victim);
  expect(message).toContain('a zone above it is in this account, and another namespace has it');
  expect(domains()).toEqual(['own.example']);
});

it('of a zone and one within it, asked for by two namespaces in the same moment, one is made', async () => {
  await world.patch('CloudAccount', 'default', { spec: { access: [{ namespaces: [victim, tenant] }] } }, platform);
  await world.clock.advance(5000);
  await world.apply('CloudDomain', 'within', { ...zone, domain: 'login.example.org' }, tenant);
  await make('theirs', 'example.org');
  await world.clock.advance(600_000);
  const asked = [world.condition('CloudDomain', 'within', 'Synced', tenant), world.condition('CloudDomain', 'theirs', 'Synced', victim)];
  const reasons = (await Promise.all(asked)).map((one) => one?.reason);
  expect(new Set(reasons)).toEqual(new Set(['AlreadyClaimed', 'Available']));
  expect(domains()).toHaveLength(2);
});
