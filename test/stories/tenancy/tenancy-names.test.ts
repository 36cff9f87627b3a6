import { beforeEach, describe, expect, it, vi } from 'vitest';
import { InstallationKey } from '../../../src/engine/model/identity.ts';
import { CloudUser } from '../../support/world/cloud-user.ts';
import { World } from '../../support/world/world.ts';

// team-b means harm to team-a; both use the account of `platform`.
const [platform, victim, tenant] = ['platform', 'team-a', 'team-b'];
const accountRef = { name: 'default', namespace: platform };
let world: World;
beforeEach(() => begin());
async function begin(account: Record<string, unknown> = {}): Promise<void> {
  world = await World.create();
  for (const name of [platform, tenant]) await world.namespace(name);
  await world.account({ access: [{ namespaces: [victim, tenant] }], ...account }, platform);
  await world.start();
  await world.ready('CloudAccount', 'default', 60_000, platform);
}
const rows = (collection: string): readonly Record<string, unknown>[] => world.emulator.control.rows(collection) as never;
const make = (kind: string, name: string, spec: Record<string, unknown>, namespace: string) =>
  world.apply(kind, name, { accountRef, ...spec }, namespace);

type Case = readonly [kind: string, name: string, collection: string, spec: Record<string, unknown>];
/** The label of the victim's object, which is gone. */
async function labelOnce([kind, name, collection, spec]: Case): Promise<string> {
  await make(kind, name, { ...spec, lifecycle: { onDelete: 'Delete' } }, victim);
  await world.ready(kind, name, 600_000, victim);
  const label = String(rows(collection)[0]?.['label']);
  await world.delete(kind, name, victim);
  await world.gone(kind, name, 600_000, victim);
  return label;
}

describe('the label that the operator makes for an object', () => {
  const cases: readonly Case[] = [
    ['CloudBucket', 'assets', 'buckets', { cluster: 'eu-central-1' }],
    ['CloudBucket', '1st.assets', 'buckets', { cluster: 'eu-central-1' }],
    ['CloudVolume', 'a-volume-of-a-rather-long-name', 'volumes', { region: 'eu-central' }],
    ['CloudInstance', 'web', 'instances', { region: 'eu-central', type: 'g6-nanode-1' }],
  ];

  it.each(cases)('%s %s cannot be chosen by another namespace', async (...one) => {
    const [kind, name, collection, spec] = one;
    const label = await labelOnce(one);
    await make(kind, 'trap', { ...spec, label }, tenant);
    const { message } = await world.reason(kind, 'trap', 'InvalidSpec', 60_000, tenant);
    expect(message).toContain('Choose another');
    await make(kind, name, spec, victim);
    await world.ready(kind, name, 600_000, victim);
    expect(rows(collection).map((row) => row['label'])).toEqual([label]);
  });
  it('cannot be taken by a rename', async () => {
    const machine = { region: 'eu-central', type: 'g6-nanode-1' };
    const label = await labelOnce(['CloudInstance', 'web', 'instances', machine]);
    await make('CloudInstance', 'trap', { ...machine, label: 'web-frontend' }, tenant);
    await world.ready('CloudInstance', 'trap', 600_000, tenant);
    await world.patch('CloudInstance', 'trap', { spec: { label } }, tenant);
    await world.reason('CloudInstance', 'trap', 'InvalidSpec', 60_000, tenant);
    expect(rows('instances').map((row) => row['label'])).toEqual(['web-frontend']);
  });
  it('is not what ends in a word, however many dashes it has, and few HMACs tell it', async () => {
    const asked = vi.spyOn(InstallationKey.prototype, 'ownerKeys');
    const label = 'a-b-c-d-e-f-g-h-i-j-frontend';
    await make('CloudBucket', 'mine', { cluster: 'eu-central-1', label }, tenant);
    await world.ready('CloudBucket', 'mine', 60_000, tenant);
    await make('CloudBucket', 'second', { cluster: 'eu-central-1', label: 'c-b-c-d-frontend' }, tenant);
    await world.ready('CloudBucket', 'second', 60_000, tenant);
    expect(rows('buckets').map((row) => row['label'])).toEqual([label, 'c-b-c-d-frontend']);
    expect(asked.mock.calls.length).toBeLessThanOrEqual(500);
    asked.mockRestore();
  });
  it('may be chosen by its own object, and where adopt is Any', async () => {
    await begin({ access: [{ namespaces: [victim] }, { namespaces: [tenant], adopt: 'Any' }] });
    const label = await labelOnce(['CloudBucket', 'assets', 'buckets', { cluster: 'eu-central-1' }]);
    await make('CloudBucket', 'assets', { cluster: 'eu-central-1', label, lifecycle: { onDelete: 'Delete' } }, victim);
    await world.ready('CloudBucket', 'assets', 60_000, victim);
    await world.delete('CloudBucket', 'assets', victim);
    await world.gone('CloudBucket', 'assets', 600_000, victim);
    await make('CloudBucket', 'other', { cluster: 'eu-central-1', label }, tenant);
    await world.ready('CloudBucket', 'other', 60_000, tenant);
  });
});

describe('a bucket that is called like one of an installation without a name', () => {
  const assets = { cluster: 'eu-central-1' };
  const label = 'assets-aaaaaaaa';
  beforeEach(() => begin({ installation: undefined }));

  it('is no other installation’s where an object here has had it', async () => {
    await make('CloudBucket', 'trap', { ...assets, label }, tenant);
    await world.ready('CloudBucket', 'trap', 60_000, tenant);
    await world.delete('CloudBucket', 'trap', tenant);
    await world.gone('CloudBucket', 'trap', 60_000, tenant);
    await make('CloudBucket', 'assets', assets, victim);
    await world.ready('CloudBucket', 'assets', 60_000, victim);
    expect(rows('buckets').map((row) => row['label'])).toEqual([label, expect.stringMatching(/^assets-/)]);
  });
  it('stops a create where nobody here has, and is not to be taken over unseen', async () => {
    await new CloudUser(world).post('/object-storage/buckets', { ...assets, label });
    await make('CloudBucket', 'assets', assets, victim);
    const { message } = await world.reason('CloudBucket', 'assets', 'AlreadyExists', 60_000, victim);
    expect(message).toContain('look in the account who made it, and what it is, before you take it over');
  });
});

describe('a zone', () => {
  const zone = { type: 'master', soaEmail: 'admin@example.org' };
  const theirs = (domain: string, more: object = {}) => make('CloudDomain', 'theirs', { domain, ...zone, ...more }, victim);
  const mine = (domain: string) => make('CloudDomain', 'mine', { domain, ...zone }, tenant);

  it.each([
    ['below', 'example.org', 'Login.Example.org'],
    ['above', 'www.example.org', 'example.org'],
    ['of all names below', 'example.org', '*.example.org'],
  ])('%s that of another namespace is not made', async (_, first, second) => {
    await theirs(first, { lifecycle: { onDelete: 'Delete' } });
    await world.ready('CloudDomain', 'theirs', 60_000, victim);
    await mine(second);
    const { message } = await world.reason('CloudDomain', 'mine', 'AlreadyClaimed', 60_000, tenant);
    expect(message).not.toContain(victim);
    expect(rows('domains').map((row) => row['domain'])).toEqual([first]);
    await world.delete('CloudDomain', 'theirs', victim);
    await world.ready('CloudDomain', 'mine', 60_000, tenant);
  });
  it.each([
    ['was made and is gone', 'made'],
    ['goes before anything was made', 'lost'],
  ])('that another namespace is only making is waited for, and made when that one %s', async (_, fate) => {
    const post = { method: 'POST', path: '/domains' };
    world.emulator.control.addFault({
      match: post,
      times: 1,
      effect: fate === 'made' ? { kind: 'lose-answer' } : { kind: 'lose-request' },
    });
    await theirs('example.org', { lifecycle: { onDelete: 'Delete' } });
    await world.reason('CloudDomain', 'theirs', 'UnknownOutcome', 60_000, victim);
    await mine('www.example.org');
    await world.reason('CloudDomain', 'mine', 'AlreadyClaimed', 60_000, tenant);
    if (fate === 'made') await world.ready('CloudDomain', 'theirs', 60_000, victim);
    await world.delete('CloudDomain', 'theirs', victim);
    await world.gone('CloudDomain', 'theirs', 600_000, victim);
    await world.ready('CloudDomain', 'mine', 60_000, tenant);
    expect(rows('domains').map((row) => row['domain'])).toEqual(['www.example.org']);
  });
  it('is made where it only looks alike, within the same namespace, and where adopt is Any', async () => {
    await theirs('example.org');
    await world.ready('CloudDomain', 'theirs', 60_000, victim);
    await mine('my-example.org');
    await make('CloudDomain', 'below', { domain: 'a.example.org', ...zone }, victim);
    for (const [name, namespace] of [
      ['mine', tenant],
      ['below', victim],
    ] as const)
      await world.ready('CloudDomain', name, 60_000, namespace);
    await world.patch('CloudAccount', 'default', { spec: { access: [{ namespaces: [victim, tenant], adopt: 'Any' }] } }, platform);
    await make('CloudDomain', 'any', { domain: 'c.example.org', ...zone }, tenant);
    await world.ready('CloudDomain', 'any', 60_000, tenant);
  });
});

describe('a tenant', () => {
  it.each([
    ['CloudVolume', { region: 'eu-central', label: 'db-data' }],
    ['CloudDomain', { domain: 'example.org', type: 'master', soaEmail: 'admin@example.org' }],
  ] as const)('does not learn what another calls its %s of the same name', async (kind, spec) => {
    await make(kind, 'acme-migration', spec, victim);
    await world.ready(kind, 'acme-migration', 60_000, victim);
    await make(kind, 'probe', spec, tenant);
    const { message } = await world.reason(kind, 'probe', 'AlreadyClaimed', 60_000, tenant);
    expect(message).toContain('another namespace');
    expect(message).not.toMatch(/acme|team-a/);
    await make(kind, 'probe', spec, platform);
    const told = await world.reason(kind, 'probe', 'AlreadyClaimed', 60_000, platform);
    expect(told.message).toContain(`${kind} ${victim}/acme-migration`);
  });
  it('does not learn what another calls its create in doubt of the same name', async () => {
    const spec = { region: 'eu-central', label: 'db-data' };
    world.emulator.control.setKnobs({ listLagSeconds: 120 });
    world.emulator.control.addFault({ match: { method: 'POST', path: '/volumes' }, times: 1, effect: { kind: 'lose-answer' } });
    await make('CloudVolume', 'acme-migration', spec, victim);
    await world.reason('CloudVolume', 'acme-migration', 'UnknownOutcome', 60_000, victim);
    await make('CloudVolume', 'probe', spec, tenant);
    expect((await world.reason('CloudVolume', 'probe', 'Busy', 30_000, tenant)).message).toContain('another namespace');
    expect(JSON.stringify((await world.get('CloudVolume', 'probe', tenant)).status)).not.toMatch(/acme|team-a/);
    await make('CloudVolume', 'probe', spec, platform);
    const told = await world.reason('CloudVolume', 'probe', 'Busy', 30_000, platform);
    expect(told.message).toContain(`CloudVolume ${victim}/acme-migration`);
  });
  it('does not learn who works in the account, where its owner does', async () => {
    const lost: string[] = [];
    for (const namespace of [tenant, platform]) {
      await make('CloudVolume', 'data', { region: 'eu-central' }, namespace);
      const { status } = await world.ready('CloudVolume', 'data', 60_000, namespace);
      await new CloudUser(world).delete(`/volumes/${String(status?.['id'])}`);
      lost.push((await world.reason('CloudVolume', 'data', 'RemoteMissing', 3_600_000, namespace)).message);
    }
    expect(lost).toEqual([expect.stringContaining('by another user of the account at'), expect.stringContaining('by colleague at')]);
  });
});
