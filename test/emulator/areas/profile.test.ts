import { expect, test } from 'vitest';
import { testClient } from '../test-client.ts';

test('GET /profile/grants: what was granted; the profile tells who is restricted', async () => {
  const admin = testClient();
  expect((await admin.as('token-limited').get('/profile/grants')).body).toMatchObject({ volume: [] });
  admin.emulator.control.setGrants('limited', { 'volume:7': 'read_only' });
  expect((await admin.get('/profile')).body).toMatchObject({ username: 'admin', restricted: false });
  expect((await admin.get('/profile/grants')).status).toBe(204);
  expect((await admin.as('token-limited').get('/profile')).body).toMatchObject({ username: 'limited', restricted: true });
  expect((await admin.as('token-limited').get('/profile/grants')).body).toMatchObject({
    global: { add_volumes: true, add_firewalls: false, account_access: 'read_only' },
    volume: [{ id: 7, permissions: 'read_only' }],
    vm: [],
  });
});
