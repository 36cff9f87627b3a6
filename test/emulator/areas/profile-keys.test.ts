import { expect, test } from 'vitest';
import { password, testAccount } from './test-account.ts';

const key = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGV4YW1wbGU= admin@example';

test('POST /profile/sshkeys GET /profile/sshkeys GET /profile/sshkeys/{sshKeyId}: keys are the user own', async () => {
  const api = testAccount();
  expect((await api.post('/profile/sshkeys', { label: 'x'.repeat(65), ssh_key: 'rsa AAAA' })).errors).toEqual([
    'label: Length must be 0-64 characters',
    'ssh_key: ssh_key is not valid',
  ]);
  const made = await api.made('/profile/sshkeys', { label: 'laptop', ssh_key: key });
  expect(made).toEqual({ id: made['id'], label: 'laptop', ssh_key: key, created: '2026-01-01T00:00:00' });
  expect((await api.get('/profile/sshkeys')).data).toEqual([made]);
  expect(await api.seen(`/profile/sshkeys/${String(made['id'])}`)).toEqual(made);
  expect((await api.as('token-colleague').get('/profile/sshkeys')).data).toEqual([]);
  expect((await api.as('token-colleague').get(`/profile/sshkeys/${String(made['id'])}`)).status).toBe(404);
  expect(await api.log()).toEqual(['user_ssh_key_add notification']);
  const vm = { region: 'us-east', type: 'g6-nanode-1', image: 'vm/debian11', root_pass: password, authorized_users: ['admin'] };
  expect((await api.post('/vm/instances', vm)).status).toBe(200);
});

test('PUT /profile/sshkeys/{sshKeyId} DELETE /profile/sshkeys/{sshKeyId}: only the label changes', async () => {
  const api = testAccount();
  const { id } = await api.made('/profile/sshkeys', { label: 'laptop', ssh_key: key });
  await api.put(`/profile/sshkeys/${String(id)}`, { label: 'desk', ssh_key: 'other' });
  expect(await api.seen(`/profile/sshkeys/${String(id)}`)).toMatchObject({ label: 'desk', ssh_key: key });
  expect((await api.delete(`/profile/sshkeys/${String(id)}`)).body).toEqual({});
  expect((await api.get(`/profile/sshkeys/${String(id)}`)).status).toBe(404);
});
