import { expect, test } from 'vitest';
import { testClient } from '../test-client.ts';

test('GET /account, PUT /account: the account is pinned by its euuid and takes contact data', async () => {
  const api = testClient();
  expect((await api.get('/account')).body).toMatchObject({ euuid: 'E1AF5EEC-526F-487D-B317EBEB34C87D71', billing_source: 'vm' });
  const changed = await api.put('/account', { city: 'Paris', country: 'FR', state: 'Ile-de-France', zip: '75001', euuid: 'X' });
  expect(changed.body).toMatchObject({ city: 'Paris', state: 'Ile-de-France', euuid: 'E1AF5EEC-526F-487D-B317EBEB34C87D71' });
  expect((await api.get('/account')).body).toEqual(changed.body);
  expect((await api.get('/account/events')).data).toMatchObject([{ action: 'account_update', status: 'notification', entity: null }]);
});

test.each([
  [
    { first_name: 'x'.repeat(51), city: 'x'.repeat(25) },
    ['first_name: Length must be 0-50 characters', 'city: Length must be 0-24 characters'],
  ],
  [{ country: 'FRA' }, ['country: country is not valid']],
  [{ state: 'Pennsylvania' }, ['state: state is not valid']],
  [{ zip: '12345-67890' }, ['zip: zip is not valid']],
  [{ zip: '12_34' }, ['zip: zip is not valid']],
  [{ company: 5 }, ['company: company is not valid']],
])('a bad change of the account is refused: %j', async (body, errors) => {
  const reply = await testClient().put('/account', body);
  expect([reply.status, reply.errors]).toEqual([400, errors]);
});

test('GET /account/settings, PUT /account/settings, GET /account/notifications, GET /account/maintenance', async () => {
  const api = testClient();
  expect((await api.get('/account/settings')).body['backups_enabled']).toBe(false);
  expect((await api.put('/account/settings', { backups_enabled: true })).body).toEqual({
    managed: false,
    longview_subscription: null,
    network_helper: true,
    backups_enabled: true,
    object_storage: 'disabled',
  });
  expect((await api.get('/account/notifications')).body).toMatchObject({ data: [], results: 0 });
  expect((await api.get('/account/maintenance')).body).toMatchObject({ data: [], results: 0 });
  const notice = { label: 'Outage', message: 'Disks are slow.', type: 'outage', severity: 'major' };
  api.emulator.control.edit({ collection: 'notifications', row: notice });
  expect((await api.get('/account/notifications')).data).toEqual([notice]);
  const row = {
    type: 'reboot',
    status: 'pending',
    reason: 'host',
    when: '2026-02-01T00:00:00',
    entity: { id: 5, label: 'a', type: 'vm', url: '' },
  };
  api.emulator.control.edit({ collection: 'maintenance', row });
  expect((await api.filter('/account/maintenance', { when: { '+gt': '2026-01-15' } })).data).toEqual([row]);
  expect((await api.get('/account/maintenance')).body['results']).toBe(1);
  expect((await api.as('token-limited').get('/account/maintenance')).body['results']).toBe(0);
});

test('the account record may be given with the options', async () => {
  const euuid = 'AAAAAAAA-0000-0000-0000000000000000';
  const accounts = [{ euuid, users: [{ username: 'u' }], tokens: [{ token: 't', username: 'u', scopes: '*' }], record: { balance: -5 } }];
  expect((await testClient({ accounts }).as('t').get('/account')).body).toMatchObject({ euuid, balance: -5 });
});
