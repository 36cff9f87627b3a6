import { beforeEach, describe, expect, it } from 'vitest';
import { changesOf } from '../../support/world/changes.ts';
import { CloudUser } from '../../support/world/cloud-user.ts';
import { type RunningOperator, World } from '../../support/world/world.ts';

// `example.org` of `platform` admits both teams, so that both have records in it. team-b means harm to team-a.
const [platform, victim, tenant] = ['platform', 'team-a', 'team-b'];
const accountRef = { name: 'default', namespace: platform };
const zone = { accountRef, type: 'master', soaEmail: 'admin@example.org' };
const allowedRefs = { namespaces: [victim, tenant] };
const hour = 3_600_000;
let world: World;
let operator: RunningOperator;
const make = (name: string, domain: string, namespace = tenant, more: object = {}) =>
  world.apply('CloudDomain', name, { ...zone, domain, ...more }, namespace);
const ready = (name: string, namespace = tenant) => world.ready('CloudDomain', name, hour, namespace);
const zones = () => (world.emulator.control.rows('domains') as unknown as { domain: string }[]).map(({ domain }) => domain);
const mayAdopt = (adopt: 'Any' | 'None') =>
  world.patch('CloudAccount', 'default', { spec: { access: [{ namespaces: [victim] }, { namespaces: [tenant], adopt }] } }, platform);

const refused = async (told: string) => {
  const { message } = await world.reason('CloudDomain', 'mine', 'AlreadyClaimed', 60_000, tenant);
  expect(message).toContain(`${told}. Choose another name; or have that namespace make it, with an object of its own; or have `);
  expect(message).toContain(`the owner of CloudAccount ${platform}/default set spec.access[].adopt: Any for namespace ${tenant}`);
  expect(message).not.toContain('allowedRefs');
};

beforeEach(async () => {
  world = await World.create();
  for (const name of [platform, tenant]) await world.namespace(name);
  await world.account({ access: [{ namespaces: [victim, tenant] }] }, platform);
  operator = await world.start();
  await make('shared', 'example.org', platform, { allowedRefs });
  await ready('shared', platform);
});

describe('a namespace that a zone admits', () => {
  const above = 'a zone above it is in this account, and another namespace has it';

  it('has records in it, and makes no zone of the names that another has there', async () => {
    const record = { accountRef, domainRef: { name: 'shared', namespace: platform }, type: 'A' };
    await world.apply('CloudDomainRecord', 'shop', { ...record, host: 'shop', target: '192.0.2.1' }, victim);
    await world.apply('CloudDomainRecord', 'blog', { ...record, host: 'blog', target: '192.0.2.2' }, tenant);
    await world.ready('CloudDomainRecord', 'shop', hour, victim);
    await world.ready('CloudDomainRecord', 'blog', hour, tenant);
    await make('mine', 'shop.example.org');
    await refused(above);
    await world.clock.advance(hour);
    expect(zones()).toEqual(['example.org']);
  });
  const own = 'mine.example';
  const copies = [
    ['imported', { importFrom: { nameServer: 'ns1.example.net' }, type: undefined, soaEmail: undefined }],
    ['cloned', { cloneFrom: { name: 'own' }, type: undefined, soaEmail: undefined }],
    ['of all names below', { domain: '*.example.org' }],
  ] as const;
  it.each(copies)('makes none in it that is %s', async (_, more) => {
    await make('own', own);
    await ready('own');
    await make('mine', 'shop.example.org', tenant, more);
    await refused(above);
    await world.clock.advance(hour);
    expect(zones()).toEqual(['example.org', own]);
  });
  it('makes none around it', async () => {
    await make('inner', 'a.b.example', platform, { allowedRefs });
    await ready('inner', platform);
    await make('mine', 'b.example');
    await refused('a zone below it is in this account, and another namespace has it');
    await world.clock.advance(hour);
    expect(zones()).toEqual(['example.org', 'a.b.example']);
  });
  it('does not turn a zone of its own into one in it', async () => {
    await make('mine', own, tenant, { lifecycle: { replace: 'Allow', approve: ['InPlace', 'Replace'], onDelete: 'Delete' } });
    await ready('mine');
    await world.patch('CloudDomain', 'mine', { spec: { domain: 'shop.example.org' } }, tenant);
    await refused(above);
    await world.clock.advance(hour);
    expect(zones()).toEqual(['example.org', own]);
  });
  it('is told of the same while that one is only being made', async () => {
    const match = { method: 'POST', path: '/domains' };
    world.emulator.control.addFault({ match, times: 1, effect: { kind: 'lose-answer' } });
    await make('second', 'example.net', platform, { allowedRefs });
    await world.reason('CloudDomain', 'second', 'UnknownOutcome', 60_000, platform);
    await make('mine', 'shop.example.net');
    await refused(above);
    await ready('second', platform);
    await world.clock.advance(hour);
    expect(zones()).toEqual(['example.org', 'example.net']);
  });
});

describe('a zone in a shared one', () => {
  it('is made in the namespace that has that, and takes records of whom it admits itself', async () => {
    await make('inner', 'shop.example.org', platform, { allowedRefs: { namespaces: [victim] } });
    await ready('inner', platform);
    const record = { accountRef, domainRef: { name: 'inner', namespace: platform }, type: 'A', target: '192.0.2.1' };
    await world.apply('CloudDomainRecord', 'apex', record, victim);
    await world.apply('CloudDomainRecord', 'apex', record, tenant);
    await world.ready('CloudDomainRecord', 'apex', hour, victim);
    await world.reason('CloudDomainRecord', 'apex', 'ReferenceNotReady', hour, tenant);
    expect(zones()).toEqual(['example.org', 'shop.example.org']);
  });
  it('is made by a namespace that may adopt anything', async () => {
    await make('mine', 'shop.example.org');
    await world.reason('CloudDomain', 'mine', 'AlreadyClaimed', 60_000, tenant);
    await mayAdopt('Any');
    await ready('mine');
    expect(zones()).toEqual(['example.org', 'shop.example.org']);
  });
  it('stays, once it is made, and is edited, but is not made again by whom the owner has not let', async () => {
    await mayAdopt('Any');
    await world.clock.advance(5000);
    await make('mine', 'shop.example.org', tenant, { lifecycle: { onMissing: 'Recreate' } });
    const { status } = await ready('mine');
    await mayAdopt('None');
    operator.kill();
    operator = await world.start();
    await world.patch('CloudDomain', 'mine', { spec: { description: 'ours' } }, tenant);
    await world.clock.advance(hour);
    await ready('mine');
    expect(world.emulator.control.rows('domains')).toMatchObject([{}, { domain: 'shop.example.org', description: 'ours' }]);
    await new CloudUser(world).delete(`/domains/${String(status?.['id'])}`);
    await world.reason('CloudDomain', 'mine', 'AlreadyClaimed', hour, tenant);
    await world.clock.advance(hour);
    expect(zones()).toEqual(['example.org']);
    expect(changesOf(world).filter((call) => call === 'POST /domains')).toHaveLength(2);
  });
});
