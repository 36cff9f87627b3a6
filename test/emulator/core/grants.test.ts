import { expect, test } from 'vitest';
import { testClient } from '../test-client.ts';
import { probeAreas } from './probe-area.ts';

test('a restricted user sees and changes only what was granted', async () => {
  const admin = testClient({ areas: probeAreas });
  const limited = admin.as('token-limited');
  for (const label of ['alpha', 'beta', 'gamma']) await admin.post('/vm/probes', { label });
  admin.emulator.control.setGrants('limited', { 'volume:1': 'read_only', 'volume:2': 'read_write' });
  expect((await limited.get('/vm/probes')).data.map((row) => row['label'])).toEqual(['alpha', 'beta']);
  expect((await limited.get('/vm/probes/1')).status).toBe(200);
  const refused = await limited.put('/vm/probes/1', { label: 'mine' });
  expect([refused.status, refused.errors]).toEqual([403, ['Unauthorized']]);
  expect((await limited.put('/vm/probes/2', { label: 'mine' })).body['label']).toBe('mine');
  expect([(await limited.get('/vm/probes/3')).errors, (await limited.put('/vm/probes/3', { label: 'mine' })).errors]).toEqual([
    ['Not found'],
    ['Not found'],
  ]);
  admin.emulator.control.setGrants('limited', { 'volume:2': null });
  expect((await limited.get('/vm/probes/2')).status).toBe(404);
});

test('a restricted user may read and write what they created', async () => {
  const admin = testClient({ areas: probeAreas });
  const limited = admin.as('token-limited');
  const created = await limited.post('/vm/probes', { label: 'own' });
  expect(created.status).toBe(200);
  expect((await limited.put('/vm/probes/1', { label: 'still' })).status).toBe(200);
  expect((await limited.get('/vm/probes')).body['results']).toBe(1);
});

test('a global grant is needed to create, account access to see the account', async () => {
  const nobody = { username: 'nobody', restricted: true };
  const euuid = 'AAAAAAAA-0000-0000-0000000000000000';
  const accounts = [{ euuid, users: [nobody], tokens: [{ token: 't', username: 'nobody', scopes: '*' }] }];
  const api = testClient({ areas: probeAreas, accounts }).as('t');
  for (const reply of [await api.post('/vm/probes', { label: 'own' }), await api.get('/account'), await api.get('/account/events')]) {
    expect([reply.status, reply.errors]).toEqual([403, ['Unauthorized']]);
  }
});

test('accounts do not see each other', async () => {
  const admin = testClient({ areas: probeAreas });
  await admin.post('/vm/probes', { label: 'alpha' });
  const other = admin.as('token-other');
  expect([(await other.get('/vm/probes/1')).status, (await other.get('/vm/probes')).body['results']]).toEqual([404, 0]);
  expect((await other.get('/account')).body['euuid']).not.toBe((await admin.get('/account')).body['euuid']);
});
