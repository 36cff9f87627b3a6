import { describe, expect, it } from 'vitest';
import { changesOf } from '../../support/world/changes.ts';
import { World } from '../../support/world/world.ts';

const [platform, heir, giver] = ['platform', 'team-a', 'team-b'];
const accountRef = { name: 'default', namespace: platform };
const [minute, hour] = [60_000, 3_600_000];
const ends = { lifecycle: { onDelete: 'Delete' } };
const machine = { accountRef, region: 'us-southeast', type: 'g6-standard-2' };
const cluster = { accountRef, region: 'us-east', k8sVersion: '1.25', nodePools: [{ name: 'main', type: 'g6-standard-1', count: 3 }] };
const database = { accountRef, engine: 'mysql/8.0.26', region: 'us-east', type: 'g6-dedicated-2' };
const zone = { accountRef, type: 'master', soaEmail: 'a@example.org', domain: 'example.org' };
const parts = {
  CloudNodePool: ['CloudKubernetesCluster', cluster, { clusterRef: { name: 'gift' }, type: 'g6-standard-1', count: 2 }],
  CloudDisk: ['CloudInstance', machine, { instanceRef: { name: 'gift' }, label: 'data', sizeMB: 5000, filesystem: 'ext4' }],
  CloudInstanceConfig: ['CloudInstance', machine, { instanceRef: { name: 'gift' }, label: 'boot', kernel: 'vm/grub2', devices: {} }],
  CloudDatabaseBackup: ['CloudDatabase', database, { databaseRef: { name: 'gift' }, label: 'snap' }],
  CloudDomainRecord: ['CloudDomain', zone, { domainRef: { name: 'gift' }, type: 'A', host: 'www', target: '192.0.2.1' }],
} as const;
type Part = keyof typeof parts;
interface Scene {
  readonly world: World;
  readonly changes: () => readonly string[];
  /** The heir renames: the old object goes, and the new one comes a minute later. */
  readonly heirIsAway: () => Promise<void>;
  readonly heirIsBack: () => Promise<void>;
}

/** The giver made something with a part in it, and gave it away; the part's object stayed. */
async function given(kind: Part): Promise<Scene> {
  const [above, spec, part] = parts[kind];
  const world = await World.create();
  for (const name of [platform, giver]) await world.namespace(name);
  await world.account({ access: [{ namespaces: [heir], adopt: 'Any' }, { namespaces: [giver] }] }, platform);
  await world.start();
  await world.ready('CloudAccount', 'default', hour, platform);
  await world.apply(above, 'gift', { ...spec, lifecycle: { onDelete: 'Retain' } }, giver);
  const { id } = (await world.ready(above, 'gift', 3 * hour, giver)).status ?? {};
  await world.apply(kind, 'part', { accountRef, ...part, ...ends }, giver);
  await world.ready(kind, 'part', 5 * hour, giver);
  await world.delete(above, 'gift', giver);
  await world.gone(above, 'gift', hour, giver);
  /** Of a cluster that was given away nobody knows whose its pools are, so it is not Ready. */
  const has = (name: string) => world.clock.runUntil(async () => (await world.get(above, name, heir)).status?.['id'] !== undefined, hour);
  const adopted = { ...spec, adopt: { id: Number.isNaN(Number(id)) ? id : Number(id) }, lifecycle: { onDelete: 'Retain' } };
  await world.apply(above, 'shop', adopted, heir);
  await has('shop');
  await world.clock.advance(10 * minute);
  const before = changesOf(world).length;
  return {
    world,
    changes: () => changesOf(world).slice(before),
    heirIsAway: async () => {
      await world.delete(above, 'shop', heir);
      await world.gone(above, 'shop', hour, heir);
      await world.clock.advance(10_000);
    },
    heirIsBack: async () => {
      await world.clock.advance(minute);
      await world.apply(above, 'store', adopted, heir);
      await has('store');
      await world.clock.advance(10 * minute);
    },
  };
}

describe('while another team renames what it was given, its giver', () => {
  it.each(Object.keys(parts) as Part[])('does not have a part of it deleted: %s', async (kind) => {
    const { world, changes, heirIsAway, heirIsBack } = await given(kind);
    await heirIsAway();
    await world.delete(kind, 'part', giver);
    await heirIsBack();
    expect(changes()).toEqual([]);
    expect(await world.find(kind, 'part', giver)).toBeUndefined();
  });

  it('does not have the disk of that copied, and a machine made of the copy', async () => {
    const { world, changes, heirIsAway, heirIsBack } = await given('CloudDisk');
    await world.apply('CloudImage', 'copy', { accountRef, label: 'copy', capture: { diskRef: { name: 'part' } } }, giver);
    const reader = { ...machine, imageRef: { name: 'copy' }, rootPasswordSecretRef: { name: 'root', key: 'password' } };
    await world.secret('root', { password: 'Canary-Horse-9-Battery' }, giver);
    await world.apply('CloudInstance', 'reader', reader, giver);
    await world.clock.advance(10 * minute);
    await heirIsAway();
    await heirIsBack();
    expect(changes()).toEqual([]);
  });

  it('has its own part of its own thing deleted as ever, also after that was renamed', async () => {
    const { world, changes } = await given('CloudDomainRecord');
    const own = { ...zone, domain: 'example.net' };
    await world.apply('CloudDomain', 'own', { ...own, lifecycle: { onDelete: 'Retain' } }, giver);
    await world.ready('CloudDomain', 'own', hour, giver);
    const record = { accountRef, domainRef: { name: 'own' }, type: 'A', host: 'www', target: '192.0.2.1', ...ends };
    await world.apply('CloudDomainRecord', 'its', record, giver);
    await world.ready('CloudDomainRecord', 'its', hour, giver);
    await world.delete('CloudDomain', 'own', giver);
    await world.gone('CloudDomain', 'own', hour, giver);
    await world.delete('CloudDomainRecord', 'its', giver);
    await world.gone('CloudDomainRecord', 'its', hour, giver);
    expect(changes().filter((call) => call.startsWith('DELETE'))).toEqual([expect.stringMatching(/^DELETE \/domains\/\d+\/records\/\d+$/)]);
  });
});

const records = (world: World) => changesOf(world).filter((call) => call.includes('/records'));

describe('in a zone that another namespace shares, and whose object is replaced by one of the same name', () => {
  const shared = { ...zone, accountRef, lifecycle: { onDelete: 'Retain' }, allowedRefs: { namespaces: [giver] } };
  async function guest(): Promise<World> {
    const world = await World.create();
    for (const name of [platform, giver]) await world.namespace(name);
    await world.account({ access: [{ namespaces: [heir], adopt: 'Any' }, { namespaces: [giver] }] }, platform);
    await world.start();
    await world.ready('CloudAccount', 'default', hour, platform);
    await world.apply('CloudDomain', 'zone', shared, heir);
    await world.ready('CloudDomain', 'zone', hour, heir);
    const record = { accountRef, domainRef: { name: 'zone', namespace: heir }, type: 'A', host: 'www', target: '192.0.2.1', ...ends };
    await world.apply('CloudDomainRecord', 'www', record, giver);
    await world.ready('CloudDomainRecord', 'www', hour, giver);
    return world;
  }

  it('a record of a guest stays its own', async () => {
    const world = await guest();
    const { id } = (await world.get('CloudDomain', 'zone', heir)).status ?? {};
    await world.delete('CloudDomain', 'zone', heir);
    await world.gone('CloudDomain', 'zone', hour, heir);
    await world.clock.advance(minute);
    const { reason } = (await world.condition('CloudDomainRecord', 'www', 'Synced', giver)) ?? {};
    expect(reason).not.toBe('AlreadyClaimed');
    await world.apply('CloudDomain', 'zone', { ...shared, adopt: { id: Number(id) } }, heir);
    await world.ready('CloudDomain', 'zone', hour, heir);
    await world.ready('CloudDomainRecord', 'www', hour, giver);
    expect(records(world)).toHaveLength(1);
  });
  it('a record of a guest is deleted with its object meanwhile', async () => {
    const world = await guest();
    await world.delete('CloudDomain', 'zone', heir);
    await world.gone('CloudDomain', 'zone', hour, heir);
    await world.clock.advance(minute);
    await world.delete('CloudDomainRecord', 'www', giver);
    await world.gone('CloudDomainRecord', 'www', hour, giver);
    expect(records(world)).toEqual([expect.stringMatching(/^POST /), expect.stringMatching(/^DELETE /)]);
  });
});
