import { expect, test } from 'vitest';
import type { Rng } from '../contract/rng.ts';
import { createRng } from '../contract/rng.ts';
import type { Reply } from '../test-client.ts';
import type { TestAccount } from './test-account.ts';
import { password, testAccount } from './test-account.ts';

type Row = Readonly<Record<string, unknown>>;

interface Player {
  readonly api: TestAccount;
  readonly rng: Rng;
  /** A path of some present row of a collection, or of one that never was. */
  readonly some: (collection: string) => Promise<string>;
}

type Play = (player: Player) => Promise<Reply>;

const rules = { inbound_policy: 'DROP', outbound_policy: 'DROP' };
const ofPath = (path: string): number => Number(path.split('/').at(-1));
const name = (rng: Rng): string => `name-${rng.integer(1, 12)}`;

/** What a user may do to instances, volumes and firewalls, in any order. */
const plays: readonly Play[] = [
  ({ api, rng }) => api.post('/vm/instances', { region: 'us-east', type: 'g6-nanode-1', label: name(rng) }),
  ({ api, rng }) =>
    api.post('/vm/instances', { region: 'us-east', type: 'g6-standard-1', label: name(rng), image: 'vm/debian11', root_pass: password }),
  async ({ api, some }) => api.delete(await some('/vm/instances')),
  async ({ api, some, rng }) => api.post(`${await some('/vm/instances')}/${rng.pick(['boot', 'shutdown', 'reboot'])}`),
  async ({ api, some, rng }) => api.post(`${await some('/vm/instances')}/resize`, { type: rng.pick(['g6-standard-1', 'g6-standard-2']) }),
  async ({ api, some }) => api.post(`${await some('/vm/instances')}/rebuild`, { image: 'vm/debian10', root_pass: password }),
  async ({ api, some }) => api.post(`${await some('/vm/instances')}/disks`, { label: 'data', size: 500 }),
  async ({ api, some }) => api.post(`${await some('/vm/instances')}/configs`, { label: 'more', devices: {} }),
  async ({ api, some, rng }) => api.put(await some('/vm/instances'), { label: name(rng) }),
  async ({ api, some, rng }) => api.post(`${await some('/vm/instances')}/ips`, { type: 'ipv4', public: rng.integer(0, 1) === 1 }),
  ({ api, rng }) => api.post('/volumes', { region: 'us-east', label: name(rng) }),
  async ({ api, some }) => api.post('/volumes', { label: 'born-attached', vm_id: ofPath(await some('/vm/instances')) }),
  async ({ api, some }) => api.post(`${await some('/volumes')}/attach`, { vm_id: ofPath(await some('/vm/instances')) }),
  async ({ api, some }) => api.post(`${await some('/volumes')}/detach`),
  async ({ api, some, rng }) => api.post(`${await some('/volumes')}/resize`, { size: rng.integer(10, 60) }),
  async ({ api, some }) => api.delete(await some('/volumes')),
  ({ api, rng }) => api.post('/networking/firewalls', { label: name(rng), rules }),
  async ({ api, some }) =>
    api.post(`${await some('/networking/firewalls')}/devices`, { type: 'vm', id: ofPath(await some('/vm/instances')) }),
  async ({ api, some, rng }) => api.put(await some('/networking/firewalls'), { status: rng.pick(['enabled', 'disabled']) }),
  async ({ api, some }) => api.delete(await some('/networking/firewalls')),
];

async function all(api: TestAccount, path: string): Promise<readonly Row[]> {
  return (await api.get(`${path}?page_size=500`)).data;
}

function playerOf(api: TestAccount, rng: Rng): Player {
  return {
    api,
    rng,
    some: async (collection) => {
      const rows = await all(api, collection);
      return `${collection}/${rows.length === 0 || rng.integer(1, 20) === 1 ? '999999' : String(rng.pick(rows)['id'])}`;
    },
  };
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

/** What must hold once nothing is under way. */
async function checkRest(api: TestAccount): Promise<void> {
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

test.each([1, 2, 3, 4, 5, 6])('whatever is done in any order, the account stays consistent: seed %i', async (seed) => {
  const api = testAccount({ seed, knobs: { extraPublicAddresses: true } });
  const rng = createRng(seed);
  const player = playerOf(api, rng);
  for (let round = 0; round < 12; round += 1) {
    for (let step = 0; step < 20; step += 1) {
      const answer = await rng.pick(plays)(player);
      expect([200, 400, 404]).toContain(answer.status);
      api.seconds(rng.pick([0, 0, 1, 5, 20]));
    }
    api.seconds(600);
    await checkRest(api);
  }
});
