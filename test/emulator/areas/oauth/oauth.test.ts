import { expect, test } from 'vitest';
import type { TestAccount } from '../test-account.ts';
import { testAccount } from '../test-account.ts';

const base = '/account/oauth-clients';
const app = { label: 'Test_Client_1', redirect_uri: 'https://example.org/oauth/callback' };
const png = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');

async function image(api: TestAccount, id: unknown, body = png, type = 'image/png') {
  return api.send('PUT', `${base}/${String(id)}/thumbnail`, { authorization: 'Bearer token-admin', 'content-type': type }, body);
}

test('POST /account/oauth-clients GET /account/oauth-clients/{clientId} GET /account/oauth-clients: the secret is shown once', async () => {
  const api = testAccount();
  const made = await api.made(base, app);
  expect(made).toEqual({
    id: expect.stringMatching(/^[0-9a-f]{20}$/),
    ...app,
    public: false,
    status: 'active',
    secret: expect.stringMatching(/^[0-9a-f]{64}$/),
    thumbnail_url: null,
  });
  const shown = { ...made, secret: '<REDACTED>' };
  expect(await api.seen(`${base}/${String(made['id'])}`)).toEqual(shown);
  await api.made(base, { ...app, label: 'other', public: true });
  expect((await api.filter(base, { public: false })).data).toEqual([shown]);
  expect((await api.filter(base, { label: 'other' })).data).toMatchObject([{ public: true }]);
  expect(await api.event('oauth_client_create')).toMatchObject({ entity: { label: 'other', type: 'oauth_client' } });
  expect((await api.as('token-other').get(`${base}/${String(made['id'])}`)).status).toBe(404);
});

test.each([
  [{}, ['label: label is required', 'redirect_uri: redirect_uri is required']],
  [{ ...app, label: '' }, ['label: Length must be 1-512 characters']],
  [{ ...app, label: 'l'.repeat(513) }, ['label: Length must be 1-512 characters']],
  [{ ...app, redirect_uri: 'example.org/callback' }, ['redirect_uri: redirect_uri is not valid']],
  [{ ...app, public: 'yes' }, ['public: public is not valid']],
])('a client is refused, case %#', async (body, errors) => {
  const reply = await testAccount().post(base, body);
  expect([reply.status, reply.errors]).toEqual([400, errors]);
});

test('PUT /account/oauth-clients/{clientId} DELETE /account/oauth-clients/{clientId}', async () => {
  const api = testAccount();
  const { id } = await api.made(base, app);
  const after = await api.put(`${base}/${String(id)}`, { label: 'renamed', public: true, redirect_uri: 'myapp://done' });
  expect(after.body).toMatchObject({ label: 'renamed', public: true, redirect_uri: 'myapp://done', secret: '<REDACTED>' });
  expect(await api.seen(`${base}/${String(id)}`)).toEqual(after.body);
  expect((await api.put(`${base}/${String(id)}`, { redirect_uri: '' })).errors).toEqual(['redirect_uri: redirect_uri is not valid']);
  expect(await api.event('oauth_client_update')).toMatchObject({ entity: { id, label: 'renamed' } });
  expect((await api.delete(`${base}/${String(id)}`)).body).toEqual({});
  expect((await api.get(base)).body['results']).toBe(0);
  expect((await api.delete(`${base}/${String(id)}`)).status).toBe(404);
  expect(await api.event('oauth_client_delete')).toMatchObject({ entity: { id, label: 'renamed' } });
});

test('POST /account/oauth-clients/{clientId}/reset-secret answers another secret', async () => {
  const api = testAccount();
  const made = await api.made(base, app);
  const reset = await api.made(`${base}/${String(made['id'])}/reset-secret`);
  expect(reset).toEqual({ ...made, secret: expect.stringMatching(/^[0-9a-f]{64}$/) });
  expect(reset['secret']).not.toBe(made['secret']);
  const [row] = api.emulator.control.rows('oauth clients') as readonly { secret: string }[];
  expect(row?.secret).toBe(reset['secret']);
  expect(await api.event('oauth_client_secret_reset')).toMatchObject({ entity: { id: made['id'] } });
});

test('PUT /account/oauth-clients/{clientId}/thumbnail GET /account/oauth-clients/{clientId}/thumbnail: a public PNG', async () => {
  const api = testAccount();
  const { id } = await api.made(base, app);
  const path = `${base}/${String(id)}/thumbnail`;
  const fetched = () => api.emulator.handle({ method: 'GET', path: `/v4${path}` });
  expect((await fetched()).status).toBe(404);
  expect((await image(api, id, Buffer.from('GIF89a'))).errors).toEqual(['Thumbnail must be a PNG image.']);
  expect((await image(api, id, png, 'image/jpeg')).status).toBe(400);
  expect(await api.seen(`${base}/${String(id)}`)).toMatchObject({ thumbnail_url: null });
  expect((await image(api, id)).body).toEqual({});
  const answer = await fetched();
  expect(answer.headers['content-type']).toBe('image/png');
  expect(answer.body).toEqual(png);
  expect(await api.seen(`${base}/${String(id)}`)).toMatchObject({ thumbnail_url: `http://emulator.invalid/v4${path}` });
  expect((await image(api, 'none')).status).toBe(404);
  expect(await api.log()).toEqual(['oauth_client_create notification']);
});

test('a restricted user needs account access for the list', async () => {
  const api = testAccount();
  await api.made(base, app);
  expect((await api.as('token-limited').get(base)).body['results']).toBe(1);
  const euuid = 'AAAAAAAA-0000-0000-0000000000000000';
  const users = [{ username: 'u', restricted: true }];
  const none = testAccount({ accounts: [{ euuid, users, tokens: [{ token: 't', username: 'u', scopes: '*' }] }] });
  expect((await none.as('t').get(base)).status).toBe(403);
});
