/** Where recordings of the service and of its own clients taught what the documents leave open. */
import { X509Certificate } from 'node:crypto';
import { expect, test } from 'vitest';
import { defaultAccounts } from '../core/accounts.ts';
import { emptyInstance, runningInstance, testAccount } from './test-account.ts';

const cluster = { label: 'prod', region: 'us-east', k8s_version: '1.24', node_pools: [{ type: 'g6-standard-2', count: 1 }] };
const shown = (reply: { readonly body: Readonly<Record<string, unknown>> }): unknown => reply.body['interfaces'];
const decoded = (text: unknown): string => Buffer.from(String(text), 'base64').toString();

test('speed reaches cluster access and zone files', async () => {
  const api = testAccount({ speed: 100 });
  const path = `/lke/clusters/${String((await api.made('/lke/clusters', cluster))['id'])}`;
  expect((await api.get(`${path}/kubeconfig`)).status).toBe(503);
  api.seconds(1);
  expect((await api.get(`${path}/kubeconfig`)).status).toBe(200);
  const zone = `/domains/${String((await api.made('/domains', { domain: 'example.org', type: 'master', soa_email: 'a@example.org' }))['id'])}`;
  expect((await api.seen(`${zone}/zone-file`))['zone_file']).toEqual([]);
  api.seconds(2);
  expect((await api.seen(`${zone}/zone-file`))['zone_file']).not.toEqual([]);
});

test('authorities of clusters and databases are X.509 certificates that verify themselves', async () => {
  const api = testAccount();
  const made = await api.made('/lke/clusters', cluster);
  const mysql = { label: 'shop', engine: 'mysql/8.0.26', region: 'us-east', type: 'g6-dedicated-2', ssl_connection: true };
  const database = await api.made('/databases/mysql/instances', mysql);
  api.seconds(7200);
  const kubeconfig = decoded((await api.seen(`/lke/clusters/${String(made['id'])}/kubeconfig`))['kubeconfig']);
  const authority = /certificate-authority-data: (\S+)/.exec(kubeconfig)?.[1];
  const ssl = await api.seen(`/databases/mysql/instances/${String(database['id'])}/ssl`);
  for (const pem of [decoded(authority), decoded(ssl['ca_certificate'])]) {
    const certificate = new X509Certificate(pem);
    expect(certificate.ca).toBe(true);
    expect(certificate.verify(certificate.publicKey)).toBe(true);
  }
});

test('a config keeps its interfaces where a PUT says null', async () => {
  const api = testAccount();
  const id = await runningInstance(api, { region: 'us-southeast' });
  const [config] = (await api.get(`/vm/instances/${id}/configs`)).data;
  const path = `/vm/instances/${id}/configs/${String(config?.['id'])}`;
  const put = await api.put(path, { interfaces: [{ purpose: 'public' }, { purpose: 'vlan', label: 'backend' }] });
  expect([put.errors, shown(put)]).toEqual([[], [expect.anything(), expect.anything()]]);
  expect(shown(await api.put(path, { interfaces: null }))).toHaveLength(2);
  expect(shown(await api.put(path, { interfaces: [] }))).toEqual([]);
});

test('a volume of an instance that is off may go while it is attached, where the knob says so', async () => {
  const api = testAccount({ knobs: { attachedVolumeDelete: 'taken' } });
  const off = await runningInstance(api);
  await api.post(`/vm/instances/${off}/shutdown`);
  api.seconds(60);
  const on = await runningInstance(api, { label: 'running' });
  const [first, second] = await Promise.all([off, on].map((vm, at) => api.made('/volumes', { label: `data-${at}`, size: 20, vm_id: vm })));
  api.seconds(60);
  expect((await api.delete(`/volumes/${String(first?.['id'])}`)).status).toBe(200);
  expect((await api.delete(`/volumes/${String(second?.['id'])}`)).errors).toEqual([
    'This volume must be detached before it can be deleted.',
  ]);
});

test('trailing and double slashes in a path mean nothing', async () => {
  const api = testAccount();
  expect((await api.get('/regions/')).status).toBe(200);
  expect((await api.get('//regions')).status).toBe(200);
  expect((await api.get('/vm//instances/')).status).toBe(200);
});

test('an IPv6 range may be shared with the instance that owns it', async () => {
  const api = testAccount();
  const id = await emptyInstance(api);
  const { range } = await api.made('/networking/ipv6/ranges', { vm_id: id, prefix_length: 64 });
  const ips = [String(range).replace(/\/\d+$/, '')];
  const authorization = { authorization: 'Bearer token-admin' };
  const shared = await api.send('POST', 'beta/networking/ips/share', authorization, { vm_id: id, ips });
  expect([shared.status, shared.errors]).toEqual([200, []]);
});

test('an address takes its own default name as reverse name', async () => {
  const api = testAccount();
  await emptyInstance(api);
  const [{ address, rdns } = {}] = (await api.get('/networking/ips')).data;
  expect((await api.put(`/networking/ips/${String(address)}`, { rdns })).body).toMatchObject({ rdns });
});

test('the label of a deleted instance is free at once, where the knob says so', async () => {
  const api = testAccount({ knobs: { deletedLabelFree: 'at-once' } });
  const id = await emptyInstance(api, { label: 'web' });
  await api.delete(`/vm/instances/${id}`);
  expect((await api.post('/vm/instances', { region: 'us-east', type: 'g6-standard-2', label: 'web' })).status).toBe(200);
});

test('a credit refuses no object storage, but where the knob reads the document to the letter', async () => {
  for (const [creditRefusesObjectStorage, status] of [
    [false, 200],
    [true, 400],
  ] as const) {
    const accounts = defaultAccounts.map((account, at) => (at === 0 ? { ...account, record: { balance: -50 } } : account));
    const api = testAccount({ accounts, knobs: { creditRefusesObjectStorage } });
    expect((await api.post('/object-storage/buckets', { label: 'assets', cluster: 'us-east-1' })).status).toBe(status);
  }
});

test('a public interface shows neither label nor address, however it was sent', async () => {
  const api = testAccount();
  const id = await runningInstance(api, { region: 'us-southeast' });
  const [config] = (await api.get(`/vm/instances/${id}/configs`)).data;
  const path = `/vm/instances/${id}/configs/${String(config?.['id'])}`;
  const none = { purpose: 'public', label: null, ipam_address: null };
  for (const sent of [{ purpose: 'public' }, { purpose: 'public', label: '', ipam_address: '' }])
    expect(shown(await api.put(path, { interfaces: [sent] }))).toEqual([none]);
});

test('a database of postgresql says how it commits, and no other does', async () => {
  const api = testAccount();
  const wanted = { region: 'us-east', type: 'g6-dedicated-2' };
  const postgres = (label: string, more = {}) =>
    api.post('/databases/postgresql/instances', { ...wanted, label, engine: 'postgresql/13.2', ...more });
  const { body } = await postgres('first');
  expect(body).toMatchObject({ replication_commit_type: 'local' });
  expect(await api.seen(`/databases/postgresql/instances/${String(body['id'])}`)).toMatchObject({ replication_commit_type: 'local' });
  expect((await postgres('second', { replication_commit_type: 'remote_apply' })).body).toMatchObject({
    replication_commit_type: 'remote_apply',
  });
  expect((await postgres('third', { replication_commit_type: 'never' })).errors).toEqual([
    'replication_commit_type: replication_commit_type is not valid',
  ]);
  const mysql = await api.made('/databases/mysql/instances', { ...wanted, label: 'fourth', engine: 'mysql/8.0.26' });
  expect(mysql).not.toHaveProperty('replication_commit_type');
});

test('engines have an id, an engine and a version', async () => {
  const [engine] = (await testAccount().get('/databases/engines')).data;
  expect(Object.keys(engine ?? {}).toSorted()).toEqual(['engine', 'id', 'version']);
});

test('the update of a database says nothing of the time that remains, also when it has ended', async () => {
  const api = testAccount();
  const made = await api.made('/databases/mysql/instances', {
    label: 'shop',
    engine: 'mysql/8.0.26',
    region: 'us-east',
    type: 'g6-dedicated-2',
  });
  api.seconds(7200);
  expect(await api.event('database_create')).toMatchObject({ status: 'finished', time_remaining: 0 });
  await api.put(`/databases/mysql/instances/${String(made['id'])}`, { label: 'store' });
  api.seconds(600);
  expect(await api.event('database_update')).toMatchObject({ status: 'finished', time_remaining: null });
});

test('backups that were enabled are being scheduled until day and window are chosen', async () => {
  const api = testAccount();
  const id = await emptyInstance(api);
  const schedule = async () => (await api.seen(`/vm/instances/${id}`))['backups'];
  await api.post(`/vm/instances/${id}/backups/enable`);
  expect(await schedule()).toMatchObject({ schedule: { day: 'Scheduling', window: 'Scheduling' } });
  api.seconds(300);
  const chosen = { schedule: { day: 'Saturday', window: 'W2' } };
  expect(await schedule()).toMatchObject(chosen);
  await api.post(`/vm/instances/${id}/backups/enable`);
  expect(await schedule()).toMatchObject(chosen);
});

test('a disk waits for the create of its instance before anybody looks at its size', async () => {
  const api = testAccount();
  const { id } = await api.made('/vm/instances', { region: 'us-east', type: 'g6-nanode-1', label: 'web' });
  const disk = (size: number) => api.post(`/vm/instances/${String(id)}/disks`, { label: 'data', size });
  expect((await disk(999_999)).errors).toEqual(['Linode busy.']);
  api.seconds(60);
  expect((await disk(999_999)).errors).toEqual(['size: Must be 1-25600']);
});
