import { expect, test } from 'vitest';
import { testAccount } from '../test-account.ts';

test('POST /longview/clients GET /longview/clients/{clientId} GET /longview/clients: keys on every read', async () => {
  const api = testAccount();
  const made = await api.made('/longview/clients', { label: 'client789' });
  expect(made).toEqual({
    id: made['id'],
    label: 'client789',
    api_key: expect.stringMatching(/^[0-9A-F]{8}-[0-9A-F]{4}-[0-9A-F]{4}-[0-9A-F]{16}$/),
    install_code: expect.stringMatching(/^[0-9A-F]{8}-[0-9A-F]{4}-[0-9A-F]{4}-[0-9A-F]{16}$/),
    apps: { apache: 0, nginx: 0, mysql: 0 },
    created: '2026-01-01T00:00:00',
    updated: '2026-01-01T00:00:00',
  });
  const unnamed = await api.made('/longview/clients');
  // Integers in the answer to a create alone, as recorded.
  const apps = { apache: false, nginx: false, mysql: false };
  expect(await api.seen(`/longview/clients/${String(made['id'])}`)).toEqual({ ...made, apps });
  expect((await api.filter('/longview/clients', { label: unnamed['label'] })).data).toEqual([{ ...unnamed, apps }]);
  expect(await api.event('longviewclient_create')).toMatchObject({ entity: { id: unnamed['id'], type: 'longview' } });
});

test('PUT /longview/clients/{clientId} DELETE /longview/clients/{clientId}: the label changes and is free again', async () => {
  const api = testAccount();
  const { id } = await api.made('/longview/clients', { label: 'first' });
  await api.made('/longview/clients', { label: 'second' });
  api.seconds(3);
  expect((await api.put(`/longview/clients/${String(id)}`, { label: 'second' })).errors).toEqual(['label: Label must be unique']);
  expect((await api.put(`/longview/clients/${String(id)}`, { label: 'first' })).body).toMatchObject({ apps: { apache: false } });
  await api.put(`/longview/clients/${String(id)}`, { label: 'renamed' });
  expect(await api.seen(`/longview/clients/${String(id)}`)).toMatchObject({ label: 'renamed', updated: '2026-01-01T00:00:03' });
  expect(await api.event('longviewclient_update')).toMatchObject({ entity: { id, label: 'renamed' } });
  expect((await api.delete(`/longview/clients/${String(id)}`)).body).toEqual({});
  expect((await api.get(`/longview/clients/${String(id)}`)).status).toBe(404);
  expect(await api.event('longviewclient_delete')).toMatchObject({ entity: { id, label: 'renamed' } });
  expect(await api.made('/longview/clients', { label: 'renamed' })).toMatchObject({ label: 'renamed' });
});

test.each([2, 33])('a label of %s characters is refused', async (length) => {
  expect((await testAccount().post('/longview/clients', { label: 'x'.repeat(length) })).errors).toEqual([
    'label: Length must be 3-32 characters',
  ]);
});

test('a label of other characters, and one that is taken', async () => {
  const api = testAccount();
  expect((await api.post('/longview/clients', { label: 'a b c' })).errors).toEqual(['label: label is not valid']);
  await api.made('/longview/clients', { label: 'mine' });
  expect((await api.post('/longview/clients', { label: 'mine' })).errors).toEqual(['label: Label must be unique']);
  expect((await api.as('token-other').post('/longview/clients', { label: 'mine' })).status).toBe(200);
});

test('GET /longview/plan PUT /longview/plan: the plan is one of the account settings and bounds the clients', async () => {
  const api = testAccount();
  expect(await api.seen('/longview/plan')).toEqual({});
  for (let count = 0; count < 10; count += 1) await api.made('/longview/clients');
  expect((await api.post('/longview/clients')).errors).toEqual([expect.stringContaining('subscription')]);
  const plan = { id: 'longview-40', label: 'Longview Pro 40 pack', clients_included: 40, price: { hourly: 0.15, monthly: 100 } };
  expect((await api.put('/longview/plan', { longview_subscription: 'longview-40' })).body).toEqual(plan);
  expect(await api.seen('/longview/plan')).toEqual(plan);
  expect(await api.seen('/account/settings')).toMatchObject({ longview_subscription: 'longview-40' });
  await api.made('/longview/clients');
  expect((await api.put('/longview/plan', { longview_subscription: null })).body).toEqual({});
  expect(await api.seen('/account/settings')).toMatchObject({ longview_subscription: null });
  expect((await api.put('/longview/plan', { longview_subscription: '' })).body).toEqual({});
  expect((await api.put('/longview/plan', { longview_subscription: 'longview-5' })).errors).toEqual([
    'longview_subscription: longview_subscription is not valid',
  ]);
  expect((await api.put('/longview/plan', {})).errors).toEqual(['longview_subscription: longview_subscription is required']);
  expect((await api.log()).filter((line) => !line.startsWith('longviewclient_create'))).toEqual([]);
});

test('GET /longview/subscriptions GET /longview/subscriptions/{subscriptionId}: for anybody', async () => {
  const api = testAccount();
  const list = await api.send('GET', '/longview/subscriptions', {});
  expect(list.data.map((row) => row['id'])).toEqual(['longview-3', 'longview-10', 'longview-40', 'longview-100']);
  expect((await api.send('GET', '/longview/subscriptions/longview-3', {})).body).toEqual(list.data[0]);
  expect((await api.send('GET', '/longview/subscriptions/longview-4', {})).status).toBe(404);
  api.emulator.control.edit({ collection: 'longview subscriptions', key: 'longview-3', row: { clients_included: 4 } });
  expect((await api.get('/longview/subscriptions')).data[0]).toMatchObject({ clients_included: 4 });
  expect(await api.seen('/longview/subscriptions/longview-3')).toMatchObject({ clients_included: 4 });
});

test('a restricted user needs add_longview, a grant on the client, and longview_subscription', async () => {
  const user = { username: 'limited', restricted: true };
  const tokens = [
    { token: 'token-admin', username: 'admin', scopes: '*' },
    { token: 'token-limited', username: 'limited', scopes: '*' },
  ];
  const euuid = 'E1AF5EEC-526F-487D-B317EBEB34C87D71';
  const none = testAccount({ accounts: [{ euuid, users: [{ username: 'admin' }, user], tokens }] });
  const { id } = await none.made('/longview/clients');
  const limited = none.as('token-limited');
  expect((await limited.post('/longview/clients')).status).toBe(403);
  expect((await limited.get('/longview/clients')).body['results']).toBe(0);
  expect((await limited.get(`/longview/clients/${String(id)}`)).status).toBe(404);
  expect((await limited.get('/longview/plan')).status).toBe(403);
  none.emulator.control.setGrants('limited', { [`longview:${String(id)}`]: 'read_only' });
  expect((await limited.get(`/longview/clients/${String(id)}`)).status).toBe(200);
  expect((await limited.put(`/longview/clients/${String(id)}`, { label: 'mine' })).status).toBe(403);
  const users = [{ username: 'admin' }, { ...user, globalGrants: ['add_longview'] as const }];
  const some = testAccount({ accounts: [{ euuid, users, tokens }] }).as('token-limited');
  expect((await some.get('/longview/plan')).status).toBe(200);
  expect((await some.put('/longview/plan', { longview_subscription: null })).status).toBe(403);
  const made = await some.post('/longview/clients', { label: 'mine' });
  expect((await some.delete(`/longview/clients/${String(made.body['id'])}`)).status).toBe(200);
});
