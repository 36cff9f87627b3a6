import { expect, test } from 'vitest';
import { addDisk, attachVolume, createInstance, nameIt, protect } from './story/compute.ts';
import type { Exchange, Narrator } from './story/narrator.ts';
import { narrator } from './story/narrator.ts';
import { askAndPay, createBucket, createCluster, createDatabase } from './story/services.ts';

/** Everything that a new account may come to own, as paths for its removal in this order. */
async function setUp(api: Narrator) {
  const vm = await createInstance(api);
  const config = await addDisk(api, vm);
  const volume = await attachVolume(api, vm, config);
  const firewall = await protect(api, vm);
  const domain = await nameIt(api, vm);
  const cluster = await createCluster(api);
  const database = await createDatabase(api);
  const bucket = await createBucket(api);
  const ticket = await askAndPay(api, vm);
  return { vm, volume, firewall, domain, cluster, database, bucket, ticket };
}

const gone = async (api: Narrator, path: string): Promise<void> => {
  for (let step = 0; step < 200 && (await api.call('GET', path)).status !== 404; step += 1) await api.seconds(5);
  expect((await api.call('GET', path)).status).toBe(404);
};

async function remove(api: Narrator, path: string): Promise<void> {
  await api.done('DELETE', path);
  await gone(api, path);
}

async function emptyBucket(api: Narrator, path: string): Promise<void> {
  const { url } = await api.done('POST', `${path}/object-url`, { name: 'a/b.txt', method: 'DELETE' });
  expect((await api.call('DELETE', String(url))).status).toBe(204);
  await remove(api, path);
  for (const key of await api.rows('/object-storage/keys')) await api.done('DELETE', `/object-storage/keys/${String(key['id'])}`);
  await api.done('POST', '/object-storage/cancel');
}

async function tearDown(api: Narrator, made: Awaited<ReturnType<typeof setUp>>): Promise<void> {
  const { word } = api;
  const { vm, volume, firewall, domain, cluster, database, bucket, ticket } = made;
  await api.done('POST', `${ticket}/close`);
  await emptyBucket(api, bucket);
  for (const path of [database, cluster, domain, firewall]) await remove(api, path);
  expect((await api.call('DELETE', volume)).status).toBe(400);
  await api.done('POST', `${volume}/detach`);
  await api.until(volume, (row) => row[`${word}_id`] === null);
  for (const path of [volume, vm]) await remove(api, path);
  const own = `/${word}/stackscripts`;
  const scripts = (await api.rows(own)).filter((row) => row['mine'] === true);
  for (const script of scripts) await remove(api, `${own}/${String(script['id'])}`);
  for (const key of await api.rows('/profile/sshkeys')) await remove(api, `/profile/sshkeys/${String(key['id'])}`);
  for (const tag of await api.rows('/tags')) await api.done('DELETE', `/tags/${String(tag['label'])}`);
  await api.seconds(3600);
}

/** What an account of nothing lists: nothing. */
const collections = (word: string): readonly string[] =>
  `/${word}/instances /volumes /networking/firewalls /networking/ips /networking/vlans /networking/ipv6/ranges /domains /lke/clusters
  /databases/instances /databases/mysql/instances /object-storage/buckets /object-storage/keys /profile/sshkeys /tags /longview/clients
  /managed/${word}-settings /account/oauth-clients /account/maintenance`.split(/\s+/);

async function tell(api: Narrator): Promise<readonly Exchange[]> {
  const { word } = api;
  const before = new Set(await api.alive());
  const made = await setUp(api);
  await tearDown(api, made);
  for (const path of collections(word)) expect([path, await api.rows(path)]).toEqual([path, []]);
  expect((await api.rows('/images')).filter((row) => row['is_public'] !== true)).toEqual([]);
  const events = await api.rows('/account/events?page_size=500');
  expect(events.filter((row) => !['finished', 'notification'].includes(String(row['status'])))).toEqual([]);
  const left = (await api.alive()).filter((one) => !before.has(one)).map((one) => one.split(' ')[0]);
  expect(new Set(left)).toEqual(new Set(['payments', 'tickets']));
  return api.told;
}

async function told(word: string): Promise<readonly Exchange[]> {
  const api = await narrator(word);
  try {
    return await tell(api);
  } finally {
    expect(await api.end()).toBe(0);
  }
}

test(
  'a new account is set up with the raw API alone and emptied again, the same under another provider word',
  { timeout: 180_000 },
  async () => {
    const plain = await told('vm');
    const other = await told('acme');
    expect(plain.length).toBeGreaterThan(100);
    expect(other).toEqual(plain);
  },
);
