import { expect, test } from 'vitest';
import type { TestAccount } from '../test-account.ts';
import { testAccount } from '../test-account.ts';

const base = '/databases/mysql/instances';
const wanted = { label: 'shop-db', engine: 'mysql/8.0.26', region: 'us-east', type: 'g6-dedicated-2' };
const provisioning = 'Your database is provisioning; please wait until provisioning is complete to perform this operation.';

async function active(api: TestAccount, more: object = {}): Promise<string> {
  const { id } = await api.made(base, { ...wanted, ...more });
  api.seconds(1800);
  return `${base}/${String(id)}`;
}

test('POST /databases/mysql/instances GET /databases/mysql/instances/{instanceId}: provisioning, then hosts and day', async () => {
  const api = testAccount();
  const made = await api.made(base, wanted);
  expect(made).toMatchObject({
    status: 'provisioning',
    engine: 'mysql',
    version: '8.0.26',
    cluster_size: 1,
    replication_type: 'none',
    encrypted: false,
    ssl_connection: false,
    allow_list: [],
    port: 3306,
    hosts: { primary: null, secondary: null },
    updates: { frequency: 'weekly', duration: 3, hour_of_day: 0, day_of_week: null, week_of_month: null },
  });
  expect(made).not.toHaveProperty('password');
  expect(await api.event('database_create')).toMatchObject({
    status: 'notification',
    percent_complete: null,
    entity: { type: 'database' },
  });
  api.seconds(1800);
  expect(await api.seen(`${base}/${String(made['id'])}`)).toMatchObject({
    status: 'active',
    hosts: { primary: expect.stringMatching(/-mysql-primary\.servers\./) },
    updates: { day_of_week: expect.any(Number) },
  });
  expect(await api.event('database_create')).toMatchObject({ status: 'finished', percent_complete: 100, duration: 1705 });
});

test('a database is refused for each bad field, and for its label', async () => {
  const api = testAccount();
  const create = async (more: object) => (await api.post(base, { ...wanted, ...more })).errors;
  expect((await api.post(base, {})).errors).toEqual(['label', 'engine', 'region', 'type'].map((name) => `${name}: ${name} is required`));
  expect(await create({ engine: 'mongodb/4.4.10', region: 'mars', type: 'huge' })).toEqual([
    'engine: engine is not valid',
    'region: region is not valid',
    'type: type is not valid',
  ]);
  expect(await create({ cluster_size: 2 })).toEqual(['cluster_size: cluster_size is not valid']);
  expect(await create({ replication_type: 'semi_synch' })).toEqual(['replication_type: replication_type is not valid']);
  expect(await create({ cluster_size: 3, replication_type: 'none' })).toEqual(['replication_type: replication_type is not valid']);
  expect(await create({ allow_list: ['0.0.0.0/0', 'everybody'] })).toEqual(['allow_list[1]: Must be a valid IP address or network']);
  await api.made(base, { ...wanted, cluster_size: 3 });
  expect((await api.get(base)).data).toMatchObject([{ replication_type: 'semi_synch' }]);
  expect(await create({})).toEqual(['label: Label must be unique']);
});

test('ssl_connection left out is a knob', async () => {
  const api = testAccount({ knobs: { mysqlSslDefault: true } });
  const path = await active(api);
  expect(await api.seen(path)).toMatchObject({ ssl_connection: true });
});

test('PUT /databases/mysql/instances/{instanceId}: only while active, and updating for a while', async () => {
  const api = testAccount();
  const { id } = await api.made(base, wanted);
  const path = `${base}/${String(id)}`;
  expect((await api.put(path, { allow_list: ['192.0.2.0/24'] })).errors).toEqual([provisioning]);
  api.seconds(1800);
  expect((await api.put(path, { updates: { frequency: 'monthly' } })).errors).toEqual(['updates.week_of_month: week_of_month is required']);
  expect((await api.put(path, { updates: { week_of_month: 2 } })).errors).toEqual(['updates.week_of_month: week_of_month is not valid']);
  expect((await api.put(path, { updates: { hour_of_day: 24 } })).errors).toEqual(['updates.hour_of_day: Must be 0-23']);
  expect((await api.put(path, { allow_list: ['192.0.2.0/24'], updates: { hour_of_day: 5 } })).body).toMatchObject({ status: 'updating' });
  expect((await api.put(path, { label: 'second' })).status).toBe(400);
  api.seconds(100);
  expect(await api.seen(path)).toMatchObject({ status: 'active', allow_list: ['192.0.2.0/24'], updates: { hour_of_day: 5, duration: 3 } });
  expect(await api.event('database_update')).toMatchObject({ status: 'finished' });
});

test('an update may echo the state before, and filters may be refused', async () => {
  const api = testAccount({ knobs: { staleEcho: true, refusedFilters: true } });
  const path = await active(api);
  expect((await api.put(path, { label: 'renamed' })).body).toMatchObject({ status: 'active', label: 'renamed' });
  expect(await api.seen(path)).toMatchObject({ status: 'updating' });
  expect((await api.filter(base, { label: 'renamed' })).errors).toEqual(['X-Filter: Could not apply filter']);
  expect((await api.filter(base, { engine: 'mysql' })).data).toHaveLength(1);
  expect((await api.filter('/vm/instances', { image: 'vm/debian11' })).errors).toEqual(['X-Filter: Could not apply filter']);
});

test('DELETE /databases/mysql/instances/{instanceId}: not while provisioning, and whatever the scopes', async () => {
  const api = testAccount();
  const { id } = await api.made(base, wanted);
  const path = `${base}/${String(id)}`;
  expect((await api.delete(path)).errors).toEqual([provisioning]);
  api.seconds(1800);
  expect((await api.as('token-limited').delete(path)).status).toBe(403);
  expect((await api.as('token-readonly').delete(path)).body).toEqual({});
  expect((await api.get(path)).status).toBe(404);
  expect((await api.log()).slice(-1)).toEqual(['database_delete notification']);
});

test('POST /databases/mysql/instances/{instanceId}/backups GET /databases/mysql/instances/{instanceId}/backups: in the list when done', async () => {
  const api = testAccount();
  const { id } = await api.made(base, wanted);
  const path = `${base}/${String(id)}`;
  expect((await api.get(`${path}/backups`)).errors).toEqual([provisioning]);
  api.seconds(1800);
  expect((await api.post(`${path}/backups`, { label: 'with-dash' })).errors).toEqual(['label: label is not valid']);
  expect((await api.post(`${path}/backups`, { label: 'first', target: 'primary' })).body).toEqual({});
  expect(await api.seen(path)).toMatchObject({ status: 'backing_up' });
  expect((await api.post(`${path}/backups`, { label: 'second' })).status).toBe(400);
  expect((await api.get(`${path}/backups`)).data).toEqual([]);
  api.seconds(185);
  expect((await api.get(`${path}/backups`)).data).toMatchObject([{ type: 'snapshot', label: 'first' }]);
  expect(await api.seen(path)).toMatchObject({ status: 'backing_up' });
  api.seconds(20);
  expect((await api.post(`${path}/backups`, { label: 'first' })).errors).toEqual(['label: Label must be unique']);
  for (const label of ['second', 'third']) {
    await api.made(`${path}/backups`, { label });
    api.seconds(300);
  }
  expect((await api.post(`${path}/backups`, { label: 'fourth' })).status).toBe(400);
});

test('GET /databases/mysql/instances/{instanceId}/backups/{backupId} DELETE /databases/mysql/instances/{instanceId}/backups/{backupId}: one a day, seven kept', async () => {
  const api = testAccount();
  const path = await active(api);
  api.seconds(10 * 86_400);
  const listed = (await api.filter(`${path}/backups`, { type: 'auto' })).data;
  expect(listed).toHaveLength(7);
  expect(listed.at(-1)).toMatchObject({ created: '2026-01-11T00:00:00', label: expect.stringMatching(/^Scheduled - 01\/11\/26/) });
  const one = `${path}/backups/${String(listed[0]?.['id'])}`;
  expect(await api.seen(one)).toEqual(listed[0]);
  expect((await api.delete(one)).body).toEqual({});
  expect((await api.get(one)).status).toBe(404);
  expect((await api.get(`${path}/backups`)).data).toHaveLength(6);
});

test('POST /databases/mysql/instances/{instanceId}/backups/{backupId}/restore: fails after a reset of the credentials', async () => {
  const api = testAccount();
  const path = await active(api);
  await api.made(`${path}/backups`, { label: 'snap' });
  api.seconds(300);
  const restore = `${path}/backups/${String((await api.get(`${path}/backups`)).data[0]?.['id'])}/restore`;
  expect((await api.post(restore)).body).toEqual({});
  expect(await api.seen(path)).toMatchObject({ status: 'restoring' });
  api.seconds(400);
  expect(await api.seen(path)).toMatchObject({ status: 'active' });
  await api.made(`${path}/credentials/reset`);
  api.seconds(10);
  await api.made(restore);
  api.seconds(400);
  expect(await api.seen(path)).toMatchObject({ status: 'failed' });
  expect(await api.log()).toContain('database_backup_restore notification');
});

test('GET /databases/mysql/instances/{instanceId}/credentials POST /databases/mysql/instances/{instanceId}/credentials/reset GET /databases/mysql/instances/{instanceId}/ssl POST /databases/mysql/instances/{instanceId}/patch', async () => {
  const api = testAccount();
  const path = await active(api);
  const before = await api.seen(`${path}/credentials`);
  expect(before).toEqual({ username: 'linroot', password: expect.stringMatching(/^.{16}$/) });
  await api.made(`${path}/credentials/reset`);
  api.seconds(10);
  expect((await api.seen(`${path}/credentials`))['password']).not.toBe(before['password']);
  expect(await api.seen(`${path}/ssl`)).toEqual({ ca_certificate: null });
  const other = await active(api, { label: 'with-ssl', ssl_connection: true });
  expect((await api.seen(`${other}/ssl`))['ca_certificate']).toEqual(expect.any(String));
  expect((await api.post(`${path}/patch`)).body).toEqual({});
  expect(await api.seen(path)).toMatchObject({ status: 'updating' });
  expect((await api.get(`${path}/credentials`)).status).toBe(400);
  expect((await api.get(`${path}/ssl`)).status).toBe(400);
  api.seconds(100);
  expect(await api.seen(path)).toMatchObject({ status: 'active' });
});

test('GET /databases/mysql/instances GET /databases/instances GET /databases/engines GET /databases/engines/{engineId} GET /databases/types GET /databases/types/{typeId}', async () => {
  const api = testAccount();
  const path = await active(api);
  expect((await api.filter(base, { label: 'shop-db', status: 'active' })).data).toHaveLength(1);
  expect((await api.get('/databases/instances')).data).toMatchObject([{ engine: 'mysql', instance_uri: `/v4${path}` }]);
  expect((await api.send('GET', '/databases/engines', {})).body).toMatchObject({ results: 7 });
  expect((await api.send('GET', '/databases/engines/mysql/8.0.26', {})).body).toMatchObject({ engine: 'mysql', version: '8.0.26' });
  expect((await api.send('GET', '/databases/types', {})).data[0]).toMatchObject({ id: 'g6-nanode-1', class: 'nanode' });
  expect((await api.get('/databases/types/g6-dedicated-2')).body).toMatchObject({ memory: 4096 });
  const { control } = api.emulator;
  control.edit({ collection: 'database engines', row: { id: 'mysql/8.0.99', engine: 'mysql', version: '8.0.99' } });
  control.edit({ collection: 'types', key: 'g6-dedicated-2', row: { memory: 4097 } });
  expect((await api.get('/databases/engines')).body).toMatchObject({ results: 8 });
  expect(await api.seen('/databases/engines/mysql/8.0.99')).toMatchObject({ version: '8.0.99' });
  expect(await api.made(base, { ...wanted, label: 'newest', engine: 'mysql/8.0.99' })).toMatchObject({ version: '8.0.99' });
  expect((await api.send('GET', '/databases/types', {})).data.map((row) => row['memory'])).toContain(4097);
  expect(await api.seen('/databases/types/g6-dedicated-2')).toMatchObject({ memory: 4097 });
});
