import { beforeEach, expect, it } from 'vitest';
import { CloudUser } from '../../support/world/cloud-user.ts';
import { World } from '../../support/world/world.ts';

// A zone is the same in whatever letters its name is written; the service may not know that.
const [platform, victim, tenant] = ['platform', 'team-a', 'team-b'];
const accountRef = { name: 'default', namespace: platform };
const zone = (domain: string) => ({ accountRef, domain, type: 'master', soaEmail: 'a@example.org' });
const hour = 3_600_000;
let world: World;
const zones = () => (world.emulator.control.rows('domains') as unknown as { domain: string }[]).map(({ domain }) => domain);

beforeEach(async () => {
  world = await World.create();
  for (const name of [platform, tenant]) await world.namespace(name);
  await world.account({ access: [{ namespaces: [victim] }, { namespaces: [tenant] }] }, platform);
  await world.start();
  await world.ready('CloudAccount', 'default', hour, platform);
});

it.each([
  ['Example.org', 'EXAMPLE.ORG'],
  ['example.org', 'EXAMPLE.ORG'],
  ['EXAMPLE.org', 'example.org'],
  ['example.org', 'example.org'],
])('%s of one namespace is not made as %s for another', async (theirs, mine) => {
  await world.apply('CloudDomain', 'prod', zone(theirs), victim);
  await world.ready('CloudDomain', 'prod', hour, victim);
  await world.clock.advance(120_000);
  await world.apply('CloudDomain', 'mine', zone(mine), tenant);
  await world.reason('CloudDomain', 'mine', 'AlreadyClaimed', hour, tenant);
  await world.clock.advance(hour);
  expect(zones()).toEqual(['example.org']);
});

it('of two that are asked for in the same moment one is made', async () => {
  await world.apply('CloudDomain', 'prod', zone('Example.org'), victim);
  await world.apply('CloudDomain', 'mine', zone('EXAMPLE.ORG'), tenant);
  await world.clock.advance(hour);
  expect(zones()).toEqual(['example.org']);
});

it.each([platform, tenant])('what somebody made by hand in other letters is not made once more, for %s', async (namespace) => {
  await new CloudUser(world).post('/domains', { domain: 'Example.ORG', type: 'master', soa_email: 'a@example.org' });
  await world.apply('CloudDomain', 'mine', zone('example.org'), namespace);
  const { message } = await world.reason('CloudDomain', 'mine', 'AlreadyExists', hour, namespace);
  expect(message.includes('/domains/'), 'what it is is told to who may adopt it').toBe(namespace === platform);
  await world.clock.advance(hour);
  expect(zones()).toEqual(['Example.ORG']);
});

it('one that was made in capital letters stays as it is, and its object at rest', async () => {
  const { id } = await new CloudUser(world).post('/domains', { domain: 'Example.ORG', type: 'master', soa_email: 'a@example.org' });
  await world.apply('CloudDomain', 'prod', { ...zone('example.org'), adopt: { id } }, platform);
  await world.ready('CloudDomain', 'prod', hour, platform);
  await world.clock.advance(hour);
  expect(zones()).toEqual(['Example.ORG']);
  expect((await world.condition('CloudDomain', 'prod', 'Synced', platform))?.reason).toBe('Available');
});
