import { beforeEach, describe, expect, it } from 'vitest';
import { sleep } from '../../../src/lib/clock.ts';
import { changesOf } from '../../support/world/changes.ts';
import { CloudUser } from '../../support/world/cloud-user.ts';
import { adopting, plantDatabase } from '../../support/world/planted-database.ts';
import { type RunningOperator, World } from '../../support/world/world.ts';

const [platform, heir, giver] = ['platform', 'team-a', 'team-b'];
const accountRef = { name: 'default', namespace: platform };
const machine = { accountRef, region: 'eu-central', type: 'g6-standard-1' };
const retained = { lifecycle: { onDelete: 'Retain' } };
const hour = 3_600_000;
let world: World;
let operator: RunningOperator;
/** Answered late by the API server. */
let slow: string | undefined;
const access = (more: object = {}) => ({
  access: [
    { namespaces: [heir], adopt: 'Any' },
    { namespaces: [giver], ...more },
  ],
});
const at = (ahead: number): string => new Date(world.clock.now() + ahead).toISOString().replace(/\.\d+Z$/, 'Z');
const idOf = async (kind: string, name: string, namespace = giver) =>
  Number((await world.ready(kind, name, hour, namespace)).status?.['id']);
const deletes = (): readonly string[] => changesOf(world).filter((call) => call.startsWith('DELETE'));
const retainedEvents = (): string =>
  (world.server.objects('/events') as unknown as { reason: string; message: string }[])
    .filter(({ reason }) => reason === 'Retained')
    .map(({ message }) => message)
    .join(' ');
const annotate = (kind: string, name: string, annotations: object) => world.patch(kind, name, { metadata: { annotations } }, giver);
/** Whoever lets go of it keeps what they have below it. */
async function handOver(
  kind: string,
  gift: string,
  spec: object,
  { id, name }: { readonly id: number; readonly name: string },
): Promise<void> {
  await world.delete(kind, gift, giver);
  await world.gone(kind, gift, hour, giver);
  await world.apply(kind, name, { ...spec, lifecycle: { onDelete: 'Retain' }, adopt: { id } }, heir);
  await world.ready('CloudAccount', 'default', hour, platform);
  await world.clock.advance(hour / 2);
}
async function goes(kind: string, name: string): Promise<void> {
  await world.delete(kind, name, giver);
  await world.gone(kind, name, hour, giver);
}
const operate = (name: string, more: object) => world.apply('CloudOperation', name, { accountRef, notAfter: at(hour), ...more }, giver);
beforeEach(async () => {
  slow = undefined;
  world = await World.create({
    between: (_, backend) => ({
      handle: async (request) => {
        if (slow !== undefined && request.path.includes(slow)) await sleep(world.clock, 5000);
        return backend.handle(request);
      },
    }),
  });
  for (const name of [platform, giver]) await world.namespace(name);
  await world.account(access(), platform);
  operator = await world.start();
  await world.ready('CloudAccount', 'default', hour, platform);
});

describe('of a machine that one team let go of and another adopted', () => {
  const disk = { accountRef, instanceRef: { name: 'gift' }, sizeMB: 1500, lifecycle: { onDelete: 'Delete' } };
  const devices = { sda: { diskRef: { name: 'root' } } };
  const config = { accountRef, instanceRef: { name: 'gift' }, label: 'main', devices, lifecycle: { onDelete: 'Delete' } };
  let id: number;
  const give = () => handOver('CloudInstance', 'gift', machine, { id, name: 'shop' });
  beforeEach(async () => {
    await world.apply('CloudInstance', 'gift', { ...machine, ...retained }, giver);
    id = await idOf('CloudInstance', 'gift');
    await world.apply('CloudDisk', 'root', disk, giver);
    await idOf('CloudDisk', 'root');
  });

  it('a disk goes along: its object says so, changes nothing, gives nothing out, and lets go', async () => {
    await give();
    const { message } = await world.reason('CloudDisk', 'root', 'AlreadyClaimed', hour, giver);
    expect(message).toContain(`is a part of /vm/instances/${id}, which belongs to an object of another namespace by now`);
    expect(message).toContain('CloudAccount platform/default must set spec.access[].adopt: Any for namespace team-b');
    expect(message).not.toContain('shop');
    const before = changesOf(world).length;
    await world.patch('CloudDisk', 'root', { spec: { sizeMB: 3000 } }, giver);
    await world.apply('CloudImage', 'copy', { accountRef, capture: { diskRef: { name: 'root' } } }, giver);
    const { message: why } = await world.reason('CloudImage', 'copy', 'ReferenceNotReady', hour, giver);
    expect(why).toContain('spec.capture.diskRef: CloudDisk root has /vm/instances/');
    expect(why).toContain('no longer for itself');
    await world.clock.advance(hour);
    await goes('CloudDisk', 'root');
    expect(changesOf(world).slice(before)).toEqual([]);
    expect(retainedEvents()).toContain('belongs to an object of another namespace, so nothing in the account was touched');
  });
  it('a paused disk is not captured either', async () => {
    await annotate('CloudDisk', 'root', { 'cloudhosting.dev/pause': 'true' });
    await give();
    await world.apply('CloudImage', 'copy', { accountRef, capture: { diskRef: { name: 'root' } } }, giver);
    await world.clock.advance(hour);
    expect(changesOf(world).filter((call) => call.startsWith('POST /images'))).toEqual([]);
  });
  it('a configuration and a disk are not deleted, not by an operator that has just started either', async () => {
    await world.apply('CloudInstanceConfig', 'main', config, giver);
    await idOf('CloudInstanceConfig', 'main');
    await give();
    operator.kill();
    for (const [kind, name] of [
      ['CloudInstanceConfig', 'main'],
      ['CloudDisk', 'root'],
    ] as const)
      await world.delete(kind, name, giver);
    await world.start();
    for (const [kind, name] of [
      ['CloudInstanceConfig', 'main'],
      ['CloudDisk', 'root'],
    ] as const)
      await world.gone(kind, name, hour, giver);
    expect(deletes()).toEqual([]);
  });
  it('a disk is not deleted by an operator that reads last of all which installation the account names', async () => {
    await give();
    await world.patch('CloudInstance', 'shop', { metadata: { annotations: { 'cloudhosting.dev/pause': 'true' } } }, heir);
    operator.kill();
    await world.delete('CloudDisk', 'root', giver);
    slow = '/cloudaccounts';
    await world.start();
    await world.gone('CloudDisk', 'root', hour, giver);
    expect(deletes()).toEqual([]);
  });
  it('the disk can be adopted by who has the machine, while the object of before is still there', async () => {
    const diskId = Number((await world.get('CloudDisk', 'root', giver)).status?.['id']);
    await give();
    const theirs = { accountRef, instanceRef: { name: 'shop' }, sizeMB: 1500, adopt: { id: diskId }, lifecycle: { onDelete: 'Delete' } };
    await world.apply('CloudDisk', 'data', theirs, heir);
    await world.ready('CloudDisk', 'data', hour, heir);
    await world.delete('CloudDisk', 'data', heir);
    await world.gone('CloudDisk', 'data', hour, heir);
    expect(deletes()).toEqual([`DELETE /vm/instances/${id}/disks/${diskId}`]);
  });
  it('a disk that its new owner adopted stays theirs while nobody has the machine, also after a restart', async () => {
    const diskId = Number((await world.get('CloudDisk', 'root', giver)).status?.['id']);
    await give();
    await world.apply('CloudDisk', 'data', { accountRef, instanceRef: { name: 'shop' }, sizeMB: 1500, adopt: { id: diskId } }, heir);
    await world.ready('CloudDisk', 'data', hour, heir);
    await world.delete('CloudInstance', 'shop', heir);
    await world.gone('CloudInstance', 'shop', hour, heir);
    const { message } = await world.reason('CloudDisk', 'root', 'AlreadyClaimed', hour, giver);
    expect(message).toContain(
      'which belonged to an object of another namespace some minutes ago, and its parts with it. Where no object has it',
    );
    await world.clock.advance(hour);
    const later = await world.reason('CloudDisk', 'root', 'AlreadyClaimed', hour, giver);
    expect(later.message).toContain('belongs to an object of another namespace already');
    await world.reason('CloudDisk', 'data', 'ReferenceNotReady', hour, heir);
    operator.kill();
    await world.delete('CloudDisk', 'root', giver);
    await world.start();
    await world.gone('CloudDisk', 'root', hour, giver);
    expect(deletes()).toEqual([]);
    await world.apply('CloudInstance', 'shop', { ...machine, ...retained, adopt: { id } }, heir);
    await world.ready('CloudDisk', 'data', hour, heir);
  });
  it('a disk is its object’s again once nobody has had the machine for a while, and is where it always was', async () => {
    await give();
    await world.reason('CloudDisk', 'root', 'AlreadyClaimed', hour, giver);
    await world.delete('CloudInstance', 'shop', heir);
    await world.gone('CloudInstance', 'shop', hour, heir);
    await world.reason('CloudDisk', 'root', 'ReferenceNotReady', hour, giver);
  });
  it('a disk stays with whom the account lets adopt, or who has the machine under another name', async () => {
    await world.patch('CloudAccount', 'default', { spec: access({ adopt: 'Any' }) }, platform);
    await give();
    await world.reason('CloudDisk', 'root', 'ReferenceNotReady', hour, giver);
    await world.delete('CloudInstance', 'shop', heir);
    await world.gone('CloudInstance', 'shop', hour, heir);
    await world.apply('CloudInstance', 'mine', { ...machine, adopt: { id } }, giver);
    await world.ready('CloudInstance', 'mine', hour, giver);
    await world.patch('CloudAccount', 'default', { spec: access() }, platform);
    await world.clock.advance(hour / 2);
    await goes('CloudDisk', 'root');
    expect(deletes()).toHaveLength(1);
  });
});

it('a pool of a cluster that was given away is neither recycled nor deleted', async () => {
  const cluster = {
    accountRef,
    region: 'eu-central',
    k8sVersion: '1.24',
    label: 'prod',
    nodePools: [{ name: 'base', type: 'g6-standard-2', count: 1 }],
  };
  await world.apply('CloudKubernetesCluster', 'prod', { ...cluster, ...retained }, giver);
  const id = await idOf('CloudKubernetesCluster', 'prod');
  await world.apply('CloudNodePool', 'batch', { accountRef, clusterRef: { name: 'prod' }, type: 'g6-standard-4', count: 1 }, giver);
  await idOf('CloudNodePool', 'batch');
  await handOver('CloudKubernetesCluster', 'prod', cluster, { id, name: 'main' });
  const before = changesOf(world).length;
  await world.apply(
    'CloudOperation',
    'recycle',
    { accountRef, action: 'RecycleNodePool', target: { name: 'batch' }, notAfter: at(2 * hour) },
    giver,
  );
  const { message } = await world.reason('CloudOperation', 'recycle', 'ReferenceNotReady', hour, giver);
  expect(message).toContain('no longer for itself');
  await goes('CloudNodePool', 'batch');
  expect(changesOf(world).slice(before)).toEqual([]);
});

it('a pool of a cluster that was given away is the member that its new owner asks for, while the object of before is still there', async () => {
  const [base, batch] = [
    { name: 'base', type: 'g6-standard-2', count: 1 },
    { name: 'batch', type: 'g6-standard-4', count: 1 },
  ] as const;
  const cluster = { accountRef, region: 'eu-central', k8sVersion: '1.24', label: 'prod', nodePools: [base] };
  await world.apply('CloudKubernetesCluster', 'prod', { ...cluster, ...retained }, giver);
  const id = await idOf('CloudKubernetesCluster', 'prod');
  await world.apply('CloudNodePool', 'batch', { accountRef, clusterRef: { name: 'prod' }, type: batch.type, count: 1 }, giver);
  const poolId = await idOf('CloudNodePool', 'batch');
  await world.delete('CloudKubernetesCluster', 'prod', giver);
  await world.gone('CloudKubernetesCluster', 'prod', hour, giver);
  const user = new CloudUser(world);
  for (const row of await user.list(`/lke/clusters/${id}/pools`))
    await user.put(`/lke/clusters/${id}/pools/${String(row['id'])}`, { tags: [] });
  const lifecycle = { onDelete: 'Retain', approve: ['InPlace', 'Rebuild'] };
  await world.apply('CloudKubernetesCluster', 'main', { ...cluster, nodePools: [base, batch], adopt: { id }, lifecycle }, heir);
  await world.ready('CloudKubernetesCluster', 'main', hour, heir);
  await world.patch('CloudKubernetesCluster', 'main', { spec: { nodePools: [base] } }, heir);
  await world.clock.advance(hour);
  expect(deletes()).toEqual([`DELETE /lke/clusters/${id}/pools/${poolId}`]);
});

it('a snapshot of a database that was given away is not deleted', async () => {
  plantDatabase(world, 'mysql');
  await world.patch('CloudAccount', 'default', { spec: access({ adopt: 'Any' }) }, platform);
  await world.apply('CloudDatabase', 'db', { accountRef, ...adopting('mysql') }, giver);
  await idOf('CloudDatabase', 'db');
  await world.patch('CloudAccount', 'default', { spec: access() }, platform);
  await world.apply(
    'CloudDatabaseBackup',
    'snap',
    { accountRef, databaseRef: { name: 'db' }, label: 'snap', lifecycle: { onDelete: 'Delete' } },
    giver,
  );
  await idOf('CloudDatabaseBackup', 'snap');
  await handOver('CloudDatabase', 'db', { accountRef, ...adopting('mysql') }, { id: 4711, name: 'orders' });
  await goes('CloudDatabaseBackup', 'snap');
  expect(deletes()).toEqual([]);
});

describe('a record of a zone', () => {
  const zone = { accountRef, domain: 'acme.example', type: 'master', soaEmail: 'a@acme.example' };
  const record = { accountRef, type: 'A', host: 'www', target: '192.0.2.1', lifecycle: { onDelete: 'Delete' } };

  it('that was given away goes along, until who has the zone admits its namespace', async () => {
    await world.apply('CloudDomain', 'gift', { ...zone, ...retained }, giver);
    const id = await idOf('CloudDomain', 'gift');
    await world.apply('CloudDomainRecord', 'www', { ...record, domainRef: { name: 'gift' } }, giver);
    await idOf('CloudDomainRecord', 'www');
    await handOver('CloudDomain', 'gift', zone, { id, name: 'main' });
    const { message } = await world.reason('CloudDomainRecord', 'www', 'AlreadyClaimed', hour, giver);
    expect(message).toContain('that one must admit it in spec.allowedRefs.namespaces, or the owner of CloudAccount platform/default');
    await world.patch('CloudDomain', 'main', { spec: { allowedRefs: { namespaces: [giver] } } }, heir);
    await world.reason('CloudDomainRecord', 'www', 'ReferenceNotReady', 60_000, giver);
    await world.patch('CloudDomain', 'main', { spec: { allowedRefs: { namespaces: [] } } }, heir);
    await goes('CloudDomainRecord', 'www');
    expect(deletes()).toEqual([]);
  });
  it('that it names goes as it came, also once that one no longer admits its namespace', async () => {
    await world.apply('CloudDomain', 'main', { ...zone, allowedRefs: { namespaces: [giver] } }, heir);
    await world.ready('CloudDomain', 'main', hour, heir);
    await world.apply('CloudDomainRecord', 'www', { ...record, domainRef: { name: 'main', namespace: heir } }, giver);
    await idOf('CloudDomainRecord', 'www');
    await world.patch('CloudDomain', 'main', { spec: { allowedRefs: { namespaces: [] } } }, heir);
    await world.clock.advance(hour / 2);
    await goes('CloudDomainRecord', 'www');
    expect(deletes()).toHaveLength(1);
  });
});

describe('of a kind that the account no longer admits for a namespace', () => {
  const web = { ...machine, image: 'vm/debian11', rootPasswordSecretRef: { name: 'root', key: 'password' } };
  const narrowed = { spec: access({ kinds: ['CloudOperation', 'CloudVolume'] }) };

  it('nothing is operated on until it is admitted again', async () => {
    await world.secret('root', { password: 'Canary-Horse-9-Battery' }, giver);
    await world.apply('CloudInstance', 'web', web, giver);
    await idOf('CloudInstance', 'web');
    await world.patch('CloudAccount', 'default', narrowed, platform);
    await world.clock.advance(600_000);
    const before = changesOf(world).length;
    await operate('reboot', { action: 'RebootInstance', target: { name: 'web' } });
    const { message } = await world.reason('CloudOperation', 'reboot', 'ReferenceNotReady', hour, giver);
    expect(message).toContain('CloudAccount platform/default no longer admits');
    await operate('rebuild', { action: 'RebuildInstance', target: { name: 'web' } });
    await world.clock.advance(hour / 2);
    expect((await world.get('CloudOperation', 'rebuild', giver)).status?.['challenge']).toBe(undefined);
    expect(changesOf(world).slice(before)).toEqual([]);
    await world.patch('CloudAccount', 'default', { spec: access() }, platform);
    await world.ready('CloudOperation', 'reboot', 600_000, giver);
  });
  it('nothing that was confirmed before is begun', async () => {
    await world.secret('root', { password: 'Canary-Horse-9-Battery' }, giver);
    await world.apply('CloudInstance', 'web', web, giver);
    const id = await idOf('CloudInstance', 'web');
    await operate('rebuild', { action: 'RebuildInstance', target: { name: 'web' } });
    await world.clock.advance(60_000);
    const { challenge } = (await world.get('CloudOperation', 'rebuild', giver)).status ?? {};
    await world.patch('CloudAccount', 'default', narrowed, platform);
    await world.clock.advance(60_000);
    await annotate('CloudOperation', 'rebuild', { 'cloudhosting.dev/confirm': String(challenge) });
    await world.clock.advance(hour / 2);
    expect(challenge).toEqual(expect.any(String));
    expect(changesOf(world).filter((call) => call.includes(`${id}/rebuild`))).toEqual([]);
    expect(await new CloudUser(world).list('/vm/instances')).toHaveLength(1);
  });
});
