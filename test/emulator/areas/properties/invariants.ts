import { expect } from 'vitest';
import type { TestAccount } from '../test-account.ts';
import type { Row } from './player.ts';

/** Fields that name a row of a collection, wherever they are in a row. */
const references: Readonly<Record<string, string>> = {
  vm_id: 'instances',
  instance_id: 'instances',
  disk_id: 'disks',
  volume_id: 'volumes',
  domain_id: 'domains',
  firewall_id: 'firewalls',
  cluster_id: 'clusters',
  pool_id: 'pools',
  database_id: 'databases',
  ticket_id: 'tickets',
};

function dangling(value: unknown, living: ReadonlySet<string>, at: string): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((item, index) => dangling(item, living, `${at}[${index}]`));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([field, inner]) => {
    const target = references[field];
    if (target === undefined || typeof inner !== 'number') return dangling(inner, living, `${at}.${field}`);
    return living.has(`${target} ${inner}`) ? [] : [`${at}.${field} names ${target} ${inner}`];
  });
}

/** The rows of every collection and the ledger's living objects are the same. */
export function ledgerIsState(api: TestAccount): void {
  const { control } = api.emulator;
  const living = control.objects().filter((object) => object.diedAt === undefined && object.euuid.startsWith('E1AF5EEC'));
  const names = new Set(living.map((object) => object.collection));
  for (const name of names) {
    const rows = living.filter((object) => object.collection === name).map((object) => object.row);
    expect([name, rows.length]).toEqual([name, control.rows(name).length]);
    expect([name, new Set(rows)]).toEqual([name, new Set(control.rows(name))]);
  }
}

/** Nothing names what is gone. */
export function nothingDangles(api: TestAccount): void {
  const objects = api.emulator.control.objects().filter((object) => object.diedAt === undefined);
  const living = new Set(objects.map((object) => `${object.collection} ${object.key}`));
  expect(objects.flatMap((object) => dangling(object.row, living, `${object.collection} ${object.key}`))).toEqual([]);
}

const all = async (api: TestAccount, path: string): Promise<readonly Row[]> => (await api.get(`${path}?page_size=500`)).data;

const listed: Readonly<Record<string, string>> = {
  '/vm/instances': 'instances',
  '/volumes': 'volumes',
  '/networking/firewalls': 'firewalls',
  '/domains': 'domains',
  '/lke/clusters': 'clusters',
  '/databases/instances': 'databases',
  '/object-storage/buckets': 'buckets',
  '/object-storage/keys': 'object keys',
  '/profile/sshkeys': 'ssh keys',
  '/longview/clients': 'longview clients',
  '/support/tickets': 'tickets',
  '/account/oauth-clients': 'oauth clients',
  '/account/payments': 'payments',
  '/account/events': 'events',
  '/managed/contacts': 'managed contacts',
  '/managed/services': 'managed services',
  '/tags': 'tags',
};

/** What a list counts is what it shows, page by page, and what there is. */
export async function countsAreLists(api: TestAccount): Promise<void> {
  for (const [path, collection] of Object.entries(listed)) {
    const { results, pages } = (await api.get(`${path}?page_size=25`)).body as { results: number; pages: number };
    const shown: unknown[] = [];
    for (let page = 1; page <= pages; page += 1) shown.push(...(await api.get(`${path}?page_size=25&page=${page}`)).data);
    const { length } = api.emulator.control.rows(collection);
    expect([path, results, shown.length]).toEqual([path, length, length]);
  }
  for (const cluster of await all(api, '/lke/clusters')) {
    for (const pool of await all(api, `/lke/clusters/${String(cluster['id'])}/pools`)) {
      expect([pool['id'], (pool['nodes'] as readonly Row[]).length]).toEqual([pool['id'], pool['count']]);
    }
  }
}

async function checkInstance(api: TestAccount, vm: Row, volumes: readonly Row[]): Promise<void> {
  const path = `/vm/instances/${String(vm['id'])}`;
  const { ipv4 } = (await api.seen(`${path}/ips`)) as { ipv4: { public: readonly Row[]; private: readonly Row[] } };
  const addresses = [...ipv4.public, ...ipv4.private].map((row) => row['address']);
  expect(new Set(vm['ipv4'] as string[])).toEqual(new Set(addresses));
  const disks = await all(api, `${path}/disks`);
  const used = disks.reduce((sum, disk) => sum + Number(disk['size']), 0);
  expect(used).toBeLessThanOrEqual((vm['specs'] as { disk: number }).disk);
  const slots = (await all(api, `${path}/configs`)).flatMap((config) => Object.values(config['devices'] as Record<string, Row | null>));
  const plugged = slots.map((device) => device?.['volume_id']).filter((id) => typeof id === 'number');
  expect(plugged.filter((id) => volumes.find((row) => row['id'] === id)?.['vm_id'] !== vm['id'])).toEqual([]);
  const enabled = (await all(api, `${path}/firewalls`)).filter((row) => row['status'] === 'enabled');
  expect(enabled.length).toBeLessThanOrEqual(1);
}

/** Labels are unique, statuses final and jobs over once nothing is under way. */
export async function instancesAreAtRest(api: TestAccount): Promise<void> {
  const [instances, volumes] = [await all(api, '/vm/instances'), await all(api, '/volumes')];
  for (const vm of instances) await checkInstance(api, vm, volumes);
  const known = new Map(instances.map((vm) => [vm['id'], vm['label']]));
  const attached = volumes.filter((volume) => volume['vm_id'] !== null);
  expect(volumes.filter((volume) => volume['status'] !== 'active')).toEqual([]);
  expect(attached.filter((volume) => volume['vm_label'] !== known.get(volume['vm_id']))).toEqual([]);
  expect(new Set(known.values()).size).toBe(known.size);
  for (const vm of instances) expect(['running', 'offline']).toContain(vm['status']);
  const open = (await all(api, '/account/events')).filter((event) => event['status'] === 'scheduled' || event['status'] === 'started');
  expect(open).toEqual([]);
}
