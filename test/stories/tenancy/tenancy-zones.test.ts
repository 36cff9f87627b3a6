import { beforeEach, describe, expect, it } from 'vitest';
import { changesOf } from '../../support/world/changes.ts';
import { cloud } from '../../support/plugin/cloud-cli.ts';
import { CloudUser } from '../../support/world/cloud-user.ts';
import { type RunningOperator, World } from '../../support/world/world.ts';

// team-b may make what it likes in the account of `platform`, and adopt nothing there.
const [platform, rival, tenant] = ['platform', 'team-a', 'team-b'];
const accountRef = { name: 'default', namespace: platform };
const zone = { accountRef, type: 'master', soaEmail: 'admin@example.org' };
const hour = 3_600_000;
let world: World;
let operator: RunningOperator;
const make = (name: string, domain: string, namespace = tenant, more: object = {}) =>
  world.apply('CloudDomain', name, { ...zone, domain, ...more }, namespace);
const byHand = (domain: string) => new CloudUser(world).post('/domains', { domain, type: 'master', soa_email: 'a@example.org' });
const mayAdopt = (namespace: string) =>
  world.patch(
    'CloudAccount',
    'default',
    { spec: { access: [{ namespaces: [rival, tenant] }, { namespaces: [namespace], adopt: 'Any' }] } },
    platform,
  );
const zones = () => (world.emulator.control.rows('domains') as unknown as { domain: string }[]).map(({ domain }) => domain);
const posts = () => changesOf(world).filter((call) => call === 'POST /domains');
const refused = async (name: string, namespace = tenant): Promise<string> =>
  (await world.reason('CloudDomain', name, 'AlreadyExists', 60_000, namespace)).message;

beforeEach(async () => {
  world = await World.create();
  for (const name of [platform, tenant]) await world.namespace(name);
  await world.account({ access: [{ namespaces: [rival, tenant] }] }, platform);
  operator = await world.start();
  await world.ready('CloudAccount', 'default', 60_000, platform);
});

describe('a zone that no object has', () => {
  const places = [
    ['below', 'example.org', 'Login.Example.org', 'a zone above it is in this account'],
    ['above', 'login.example.org', 'example.org', 'a zone below it is in this account'],
    ['of all names below', 'example.org', '*.example.org', 'a zone above it is in this account'],
  ] as const;
  it.each(places)('keeps a namespace that may not adopt from one %s it', async (_, theirs, mine, told) => {
    await byHand(theirs);
    await make('mine', mine);
    const message = await refused('mine');
    expect(message).toContain(told);
    expect(message).toContain(`the owner of CloudAccount ${platform}/default`);
    expect(message).toContain('adopt: Any');
    expect(message.replace(mine.toLowerCase(), '')).not.toContain(theirs);
    await world.clock.advance(hour);
    expect([zones(), posts()]).toEqual([[theirs], []]);
  });
  it('is told by why with what there is to do, and the lines do it', async () => {
    const { id } = await byHand('example.org');
    await make('mine', 'login.example.org');
    await refused('mine');
    const { out } = await cloud(world, `why -n ${tenant} cdom/mine`, { limit: 600_000 });
    expect(out).toContain('Nothing was made for this object: delete it by the second line, and apply it under another name.');
    expect(out).toContain(`\n  kubectl -n ${tenant} delete clouddomain mine\n`);
    expect(out).not.toContain('spec.adopt:');
    await new CloudUser(world).delete(`/domains/${String(id)}`);
    expect(out).toContain(`\n  kubectl cloud reconcile -n ${tenant} cdom/mine\n`);
    expect((await cloud(world, `reconcile -n ${tenant} cdom/mine`)).exit).toBe(0);
    await world.ready('CloudDomain', 'mine', 60_000, tenant);
  });
  it('keeps it out as well where an object made it, and let it go', async () => {
    await make('theirs', 'example.org', rival);
    await world.ready('CloudDomain', 'theirs', 60_000, rival);
    await world.delete('CloudDomain', 'theirs', rival);
    await world.gone('CloudDomain', 'theirs', hour, rival);
    await make('mine', 'login.example.org');
    await refused('mine');
    await world.clock.advance(hour);
    expect(zones()).toEqual(['example.org']);
  });
  it('is in the way of nobody who may adopt it, nor once that is said', async () => {
    await byHand('example.org');
    await make('own', 'a.example.org', platform);
    await make('mine', 'b.example.org');
    await world.ready('CloudDomain', 'own', 60_000, platform);
    await refused('mine');
    await mayAdopt(tenant);
    await world.ready('CloudDomain', 'mine', hour, tenant);
    expect(zones()).toEqual(['example.org', 'a.example.org', 'b.example.org']);
  });
  it('is in the way no longer once it is gone, although a list shows it still', async () => {
    const { id } = await byHand('example.org');
    await make('mine', 'b.example.org');
    await refused('mine');
    world.emulator.control.setKnobs({ listLagSeconds: 600 });
    await new CloudUser(world).delete(`/domains/${String(id)}`);
    await world.patch('CloudDomain', 'mine', { metadata: { annotations: { 'cloudhosting.dev/reconcile-at': 'now' } } }, tenant);
    await world.ready('CloudDomain', 'mine', 60_000, tenant);
  });
  it('does not hide that the very name is taken', async () => {
    await byHand('example.org');
    await byHand('login.example.org');
    await make('mine', 'login.example.org');
    expect(await refused('mine')).toContain('{"domain":"login.example.org"} exists in the account already');
  });
  it('has nothing to say about names beside it', async () => {
    await byHand('example.org');
    await make('mine', 'my-example.org');
    await world.ready('CloudDomain', 'mine', 60_000, tenant);
  });
});

it('zones of objects of one namespace are in nobody’s way there, also after a restart', async () => {
  await make('outer', 'example.org');
  await world.ready('CloudDomain', 'outer', 60_000, tenant);
  await make('inner', 'a.example.org');
  await world.ready('CloudDomain', 'inner', 60_000, tenant);
  operator.kill();
  operator = await world.start();
  await make('further', 'a.a.example.org');
  await world.ready('CloudDomain', 'further', 60_000, tenant);
  expect(zones()).toEqual(['example.org', 'a.example.org', 'a.a.example.org']);
});

describe('a zone below which everybody registers names', () => {
  const everybodys = ['co.uk', '*.Co.UK'];

  it.each(everybodys)('%s is not made by a namespace that may not adopt, which is told whom to ask', async (domain) => {
    await make('mine', domain);
    const { message } = await world.reason('CloudDomain', 'mine', 'InvalidSpec', 60_000, tenant);
    expect(message).toContain(`spec.domain ${domain} is `);
    expect(message).toContain(`CloudAccount ${platform}/default says spec.access[].adopt: Any; namespace ${tenant} is none`);
    await world.clock.advance(hour);
    expect([zones(), posts()]).toEqual([[], []]);
    await mayAdopt(tenant);
    await world.ready('CloudDomain', 'mine', hour, tenant);
  });
  it.each(everybodys)('%s stands against no name in it, once it is there', async (domain) => {
    await make('theirs', domain, platform);
    await world.ready('CloudDomain', 'theirs', 60_000, platform);
    await make('mine', 'shop.co.uk');
    await world.ready('CloudDomain', 'mine', 60_000, tenant);
    expect(zones()).toHaveLength(2);
  });
});

it('a replacement by a zone that is not to be made gives up nothing, and goes on once it may', async () => {
  const { id } = await byHand('example.org');
  await make('mine', 'mine.example', tenant, { lifecycle: { replace: 'Allow', approve: ['InPlace', 'Replace'], onDelete: 'Delete' } });
  await world.ready('CloudDomain', 'mine', 60_000, tenant);
  await world.patch('CloudDomain', 'mine', { spec: { domain: 'login.example.org' } }, tenant);
  await refused('mine');
  await world.clock.advance(hour);
  expect(zones()).toEqual(['example.org', 'mine.example']);
  const { out } = await cloud(world, `why -n ${tenant} cdom/mine`, { limit: 600_000 });
  expect(out).toContain(`\n  kubectl -n ${tenant} edit clouddomain mine\n`);
  expect(out).not.toContain(' delete clouddomain ');
  await new CloudUser(world).delete(`/domains/${String(id)}`);
  await world.patch('CloudDomain', 'mine', { metadata: { annotations: { 'cloudhosting.dev/reconcile-at': 'now' } } }, tenant);
  await world.clock.advance(hour);
  expect(zones()).toEqual(['login.example.org']);
});
