import { expect, test } from 'vitest';
import type { TestAccount } from '../test-account.ts';
import { emptyInstance, testAccount } from '../test-account.ts';

const jane = { name: 'Jane Doe', email: 'jane.doe@example.org', group: 'on-call', phone: { primary: '123-456-7890' } };

test('POST /managed/contacts GET /managed/contacts GET /managed/contacts/{contactId}: listed, filtered by group', async () => {
  const api = testAccount();
  const made = await api.made('/managed/contacts', jane);
  expect(made).toEqual({
    id: made['id'],
    ...jane,
    phone: { primary: '123-456-7890', secondary: null },
    updated: '2026-01-01T00:00:00',
  });
  await api.made('/managed/contacts', { name: 'Joe', email: 'joe@example.org', group: null });
  expect((await api.filter('/managed/contacts', { group: 'on-call' })).data).toEqual([made]);
  expect((await api.get('/managed/contacts')).data).toMatchObject([{ name: 'Jane Doe' }, { name: 'Joe', group: null }]);
  expect(await api.seen(`/managed/contacts/${String(made['id'])}`)).toEqual(made);
});

test('PUT /managed/contacts/{contactId} DELETE /managed/contacts/{contactId}: only what is sent changes; no event', async () => {
  const api = testAccount();
  const { id } = await api.made('/managed/contacts', jane);
  api.seconds(4);
  await api.put(`/managed/contacts/${String(id)}`, { phone: { secondary: '555' }, group: null });
  expect(await api.seen(`/managed/contacts/${String(id)}`)).toEqual({
    id,
    ...jane,
    group: null,
    phone: { primary: '123-456-7890', secondary: '555' },
    updated: '2026-01-01T00:00:04',
  });
  expect((await api.delete(`/managed/contacts/${String(id)}`)).body).toEqual({});
  expect((await api.get('/managed/contacts')).body['results']).toBe(0);
  expect((await api.put(`/managed/contacts/${String(id)}`, {})).status).toBe(404);
  expect(await api.log()).toEqual([]);
});

test.each([
  [{ ...jane, name: 'J' }, ['name: Length must be 2-64 characters']],
  [{ ...jane, name: 'Jane+Doe' }, ['name: name is not valid']],
  [{ ...jane, email: 'nobody' }, ['email: email is not valid']],
  [{ ...jane, group: 'g' }, ['group: Length must be 2-50 characters']],
  [{ ...jane, phone: { primary: 5 } }, ['phone.primary: primary is not valid']],
])('a contact is refused, case %#', async (body, errors) => {
  expect((await testAccount().post('/managed/contacts', body)).errors).toEqual(errors);
});

test('POST /managed/credentials GET /managed/credentials GET /managed/credentials/{credentialId}: secrets are never shown', async () => {
  const api = testAccount();
  const made = await api.made('/managed/credentials', { label: 'prod-password-1', username: 'root', password: 's3cret' });
  expect(made).toEqual({ id: made['id'], label: 'prod-password-1', last_decrypted: null });
  expect(await api.seen(`/managed/credentials/${String(made['id'])}`)).toEqual(made);
  expect((await api.get('/managed/credentials')).data).toEqual([made]);
  expect((await api.post('/managed/credentials', { label: 'prod-password-1', password: 'x' })).errors).toEqual([
    'label: Label must be unique',
  ]);
  expect((await api.as('token-other').post('/managed/credentials', { label: 'prod-password-1', password: 'x' })).status).toBe(200);
  expect((await api.post('/managed/credentials', { label: 'x', username: 'u'.repeat(5001) })).errors).toEqual([
    'label: Length must be 2-75 characters',
    'username: Length must be 0-5000 characters',
    'password: password is required',
  ]);
});

test('PUT /managed/credentials/{credentialId} POST /managed/credentials/{credentialId}/update: label and secret apart', async () => {
  const api = testAccount();
  const { id } = await api.made('/managed/credentials', { label: 'one', username: 'root', password: 'old' });
  await api.made('/managed/credentials', { label: 'two', password: 'x' });
  const path = `/managed/credentials/${String(id)}`;
  expect((await api.put(path, { label: 'two' })).errors).toEqual(['label: Label must be unique']);
  expect((await api.put(path, { label: 'renamed', password: 'ignored' })).body).toEqual({ id, label: 'renamed', last_decrypted: null });
  expect(await api.seen(path)).toMatchObject({ label: 'renamed' });
  expect(await api.made(`${path}/update`, { password: 'new' })).toEqual({});
  expect(api.emulator.control.rows('managed credentials')).toMatchObject([{ username: 'root', password: 'new' }, {}]);
  expect((await api.post(`${path}/update`, { username: 'u' })).errors).toEqual(['password: password is required']);
  expect(await api.log()).toEqual([]);
});

const web = { label: 'prod-1', service_type: 'url', address: 'https://example.org', timeout: 30 };

test('DELETE /managed/credentials/{credentialId} POST /managed/credentials/{credentialId}/revoke: both take it from the services', async () => {
  const api = testAccount();
  const credentials: unknown[] = [];
  for (const label of ['one', 'two']) credentials.push((await api.made('/managed/credentials', { label, password: 'x' }))['id']);
  const { id } = await api.made('/managed/services', { ...web, credentials });
  expect((await api.delete(`/managed/credentials/${String(credentials[0])}`)).body).toEqual({});
  expect(await api.seen(`/managed/services/${String(id)}`)).toMatchObject({ credentials: [credentials[1]] });
  expect(await api.made(`/managed/credentials/${String(credentials[1])}/revoke`)).toEqual({});
  expect(await api.seen(`/managed/services/${String(id)}`)).toMatchObject({ credentials: [] });
  expect((await api.get('/managed/credentials')).body['results']).toBe(0);
});

test('GET /managed/credentials/sshkey: one key per account', async () => {
  const api = testAccount();
  const mine = await api.seen('/managed/credentials/sshkey');
  expect(mine).toEqual({ ssh_key: expect.stringMatching(/^ssh-rsa \S+ managedservices$/) });
  expect((await api.as('token-other').get('/managed/credentials/sshkey')).body).not.toEqual(mine);
});

test('POST /managed/services GET /managed/services GET /managed/services/{serviceId}: pending until the first check', async () => {
  const api = testAccount();
  const made = await api.made('/managed/services', { ...web, body: 'it worked', notes: null });
  expect(made).toEqual({
    id: made['id'],
    ...web,
    body: 'it worked',
    notes: null,
    consultation_group: '',
    credentials: [],
    region: null,
    status: 'pending',
    created: '2026-01-01T00:00:00',
    updated: '2026-01-01T00:00:00',
  });
  expect((await api.get('/managed/services')).data).toEqual([made]);
  api.seconds(60);
  expect(await api.seen(`/managed/services/${String(made['id'])}`)).toEqual({ ...made, status: 'ok' });
  expect(await api.event('managed_service_create')).toMatchObject({ entity: { id: made['id'], label: 'prod-1', type: 'managed_service' } });
});

test('PUT /managed/services/{serviceId} DELETE /managed/services/{serviceId} POST /managed/services/{serviceId}/disable POST /managed/services/{serviceId}/enable', async () => {
  const api = testAccount();
  const { id } = await api.made('/managed/services', web);
  const path = `/managed/services/${String(id)}`;
  api.seconds(60);
  await api.put(path, { label: 'renamed', timeout: 255 });
  expect(await api.seen(path)).toMatchObject({ label: 'renamed', timeout: 255, address: web.address, updated: '2026-01-01T00:01:00' });
  expect((await api.put(path, { address: 'ftp://example.org' })).errors).toEqual(['address: address is not valid']);
  expect(await api.made(`${path}/disable`)).toMatchObject({ label: 'renamed', status: 'disabled' });
  expect(await api.seen(path)).toMatchObject({ status: 'disabled' });
  expect(await api.made(`${path}/enable`)).toMatchObject({ label: 'renamed', status: 'pending' });
  expect(await api.seen(path)).toMatchObject({ status: 'pending' });
  api.seconds(60);
  expect(await api.seen(path)).toMatchObject({ status: 'ok' });
  expect((await api.delete(path)).body).toEqual({});
  expect((await api.get('/managed/services')).body['results']).toBe(0);
  expect(await api.log()).toEqual(['managed_service_create notification', 'managed_service_delete notification']);
});

test.each([
  [{}, ['label', 'service_type', 'address', 'timeout'].map((name) => `${name}: ${name} is required`)],
  [{ ...web, label: 'ab' }, ['label: Length must be 3-64 characters']],
  [{ ...web, service_type: 'icmp' }, ['service_type: service_type is not valid']],
  [{ ...web, address: 'example.org' }, ['address: address is not valid']],
  [{ ...web, address: 'h' }, ['address: Length must be 3-100 characters']],
  [{ ...web, timeout: 0 }, ['timeout: Must be 1-255']],
  [{ ...web, body: 'b'.repeat(101) }, ['body: Length must be 0-100 characters']],
  [{ ...web, consultation_group: 'g'.repeat(51) }, ['consultation_group: Length must be 0-50 characters']],
  [{ ...web, credentials: [7] }, ['credentials[0]: A valid credential by that ID was not found']],
  [{ ...web, region: 'us-east' }, ['region: region is only allowed for a private address']],
  [{ ...web, address: 'http://192.168.1.5:8080/x' }, ['region: region is required']],
  [{ ...web, service_type: 'tcp', address: '10.0.0.1:22', region: 'moon' }, ['region: region is not valid']],
])('a service is refused, case %#', async (body, errors) => {
  expect((await testAccount().post('/managed/services', body)).errors).toEqual(errors);
});

test('a private address has a region', async () => {
  const api = testAccount();
  const made = await api.made('/managed/services', { ...web, service_type: 'tcp', address: '172.16.0.1:22', region: 'us-east' });
  expect(made).toMatchObject({ region: 'us-east' });
});

test('GET /managed/vm-settings GET /managed/vm-settings/{vmId} PUT /managed/vm-settings/{vmId}: one per instance', async () => {
  const api = testAccount({ knobs: { extraPublicAddresses: true } });
  const vm = await emptyInstance(api, { label: 'web-1' });
  const path = `/managed/vm-settings/${vm}`;
  const initial = { id: vm, label: 'web-1', group: '', ssh: { access: true, user: null, ip: 'any', port: null } };
  expect((await api.get('/managed/vm-settings')).data).toEqual([initial]);
  const { address } = await api.made(`/vm/instances/${vm}/ips`, { type: 'ipv4', public: true });
  const changed = await api.put(path, { ssh: { user: 'support', ip: address, port: 22 } });
  expect(changed.body).toEqual({ ...initial, ssh: { access: true, user: 'support', ip: address, port: 22 } });
  expect(await api.seen(path)).toEqual(changed.body);
  await api.delete(`/vm/instances/${vm}/ips/${String(address)}`);
  expect(await api.seen(path)).toEqual(initial);
  expect((await api.put(path, { ssh: { ip: '192.0.2.1' } })).errors).toEqual(['ssh.ip: ip is not valid']);
  expect((await api.put(path, { ssh: { port: 0, user: 'u'.repeat(33) } })).errors).toEqual([
    'ssh.user: Length must be 0-32 characters',
    'ssh.port: Must be 1-65535',
  ]);
  await api.delete(`/vm/instances/${vm}`);
  expect((await api.get(path)).status).toBe(404);
  expect((await api.get('/managed/vm-settings')).body['results']).toBe(0);
});

test('GET /managed/issues GET /managed/issues/{issueId}: as the provider plants them', async () => {
  const api = testAccount();
  const entity = { id: 98_765, label: 'Managed Issue opened!', type: 'ticket', url: '/support/tickets/98765' };
  const issue = { id: 823, created: '2026-01-01T00:01:01', services: [654], entity };
  api.emulator.control.edit({ collection: 'managed issues', row: issue });
  expect((await api.get('/managed/issues')).data).toEqual([issue]);
  expect(await api.seen('/managed/issues/823')).toEqual(issue);
  expect((await api.get('/managed/issues/824')).status).toBe(404);
});

async function statuses(api: TestAccount, token: string): Promise<readonly number[]> {
  const paths = ['contacts', 'credentials', 'credentials/sshkey', 'issues', 'vm-settings', 'services', 'contacts/1', 'services/1'];
  return Promise.all(paths.map(async (path) => (await api.as(token).get(`/managed/${path}`)).status));
}

test('POST /account/settings/managed-enable: managed monitoring is for unrestricted users, by a knob only once enabled', async () => {
  const api = testAccount();
  expect(new Set(await statuses(api, 'token-limited'))).toEqual(new Set([403]));
  expect((await api.as('token-limited').post('/account/settings/managed-enable')).status).toBe(403);
  expect((await api.as('token-readonly').get('/managed/contacts/1')).status).toBe(401);
  api.emulator.control.setKnobs({ managedMustBeEnabled: true });
  expect(new Set(await statuses(api, 'token-admin'))).toEqual(new Set([403]));
  expect(await api.made('/account/settings/managed-enable')).toEqual({});
  expect(await api.seen('/account/settings')).toMatchObject({ managed: true });
  expect((await api.get('/managed/contacts')).status).toBe(200);
  expect(await api.event('managed_enabled')).toMatchObject({ entity: null });
  expect((await api.as('token-other').get('/managed/contacts')).status).toBe(403);
});
