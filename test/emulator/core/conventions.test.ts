import { expect, test } from 'vitest';
import { testClient } from '../test-client.ts';
import { probeAreas } from './probe-area.ts';

const client = (knobs = {}) => testClient({ areas: probeAreas, knobs });

test('a token that is missing or unknown is refused, and the answer does not tell scopes', async () => {
  const api = client();
  for (const reply of [await api.send('GET', '/account', {}), await api.as('nobody').get('/account')]) {
    expect([reply.status, reply.errors, reply.headers['x-oauth-scopes']]).toEqual([401, ['Invalid Token'], 'unknown']);
    expect(reply.headers['x-accepted-oauth-scopes']).toBe('account:read_only');
  }
});

test('a token without the scope is refused with 401 and both scope headers tell why', async () => {
  const reply = await client().as('token-readonly').post('/vm/probes', { label: 'web' });
  expect([reply.status, reply.errors]).toEqual([401, ['Your OAuth token is not authorized to use this endpoint.']]);
  expect(reply.headers['x-oauth-scopes']).toBe('account:read_only events:read_only vms:read_only volumes:read_only');
  expect(reply.headers['x-accepted-oauth-scopes']).toBe('vms:read_write,volumes:read_write');
});

test('scopes may be cut and tokens revoked while the service runs', async () => {
  const api = client();
  expect((await api.get('/account')).status).toBe(200);
  api.emulator.control.setToken({ token: 'token-admin', username: 'admin', scopes: 'vms:read_write' });
  expect((await api.get('/account')).errors).toEqual(['Your OAuth token is not authorized to use this endpoint.']);
  api.emulator.control.revokeToken('token-admin');
  expect((await api.get('/vm/probes')).errors).toEqual(['Invalid Token']);
});

test('every answer carries the recorded headers, Date included', async () => {
  const api = client({ rateProfile: 'published-2026' });
  const { headers } = await api.get('/vm/probes');
  expect(headers).toMatchObject({
    date: 'Thu, 01 Jan 2026 00:00:00 GMT',
    vary: 'Authorization, X-Filter',
    'cache-control': 'private, max-age=60, s-maxage=60',
    'x-ratelimit-limit': '200',
    'x-ratelimit-remaining': '199',
    'x-ratelimit-reset': String(Date.UTC(2026, 0, 1) / 1000 + 60),
    'retry-after': '60',
    'x-frame-options': 'DENY',
  });
  api.emulator.control.setClockSkew(-3600);
  expect((await api.get('/vm/probes')).headers['date']).toBe('Wed, 31 Dec 2025 23:00:00 GMT');
});

test('what is not there is 404, another method 405, HEAD and OPTIONS exist', async () => {
  const api = client();
  expect([(await api.get('/vm/nothing')).errors, (await api.get('/vm/probes/7')).errors]).toEqual([['Not found'], ['Not found']]);
  expect((await api.get('/vm/probes/seven')).status).toBe(404);
  expect([(await api.put('/vm/probes')).status, (await api.put('/vm/probes')).errors]).toEqual([405, ['Method Not Allowed']]);
  const head = await api.emulator.handle({ method: 'HEAD', path: '/v4/account', headers: { authorization: 'Bearer token-admin' } });
  expect([head.status, head.body]).toEqual([200, '']);
  const options = await api.send('OPTIONS', '/account', {});
  expect([options.status, options.headers['access-control-allow-methods']]).toEqual([200, 'HEAD, GET, OPTIONS, POST, PUT, DELETE']);
});

test('version segments: both by default, one where the operation says so', async () => {
  const { emulator } = client();
  const status = async (path: string) => (await emulator.handle({ method: 'GET', path })).status;
  expect([await status('/v4/vm/only-beta'), await status('/v4beta/vm/only-beta'), await status('/vm/only-beta')]).toEqual([404, 200, 404]);
});

test('an optional credential may be left out but not be wrong', async () => {
  const { emulator } = client();
  const get = (authorization: string) => emulator.handle({ method: 'GET', path: '/v4beta/vm/only-beta', headers: { authorization } });
  expect((await get('Bearer token-limited')).body).toBe('{"username":"limited"}');
  expect((await get('Bearer nobody')).status).toBe(401);
});

test('bodies: all bad fields at once, each with the generic text', async () => {
  const api = client();
  const bad = { label: '1x', size: 9, tags: ['ok-tag', 'x'], mode: 'c', rule: { ports: ['1234567'], other: 1 }, vm_id: 'one' };
  expect((await api.post('/vm/probes', bad)).errors).toEqual([
    'label: Length must be 3-10 characters',
    'label: Must begin with a letter',
    'size: Must be 10-100',
    'vm_id: vm_id is not valid',
    'tags[1]: Length must be 3-50 characters',
    'mode: mode is not valid',
    'rule: Keys must be one of: policy, ports',
    'rule.ports[0]: Length must be 0-5 characters',
    'rule.policy: policy is required',
  ]);
  expect((await api.post('/vm/probes', {})).errors).toEqual(['label: label is required']);
  expect((await api.post('/vm/probes')).errors).toEqual(['label: label is required']);
  expect((await api.post('/vm/probes', '{"label":')).errors).toEqual(['Invalid JSON']);
  expect((await api.post('/vm/probes', { label: 'web', size: null })).errors).toEqual(['size: size is not valid']);
});

test('unknown keys are ignored, nullable ones may be null, hidden fields stay hidden', async () => {
  const reply = await client().post('/vm/probes', { label: 'web', unknown: true, vm_id: null, tags: null });
  expect([reply.status, reply.body['tags'], 'secret' in reply.body]).toEqual([200, [], false]);
});

test('a defect of an area reaches whoever calls handle', async () => {
  await expect(client().get('/vm/defect')).rejects.toThrow('a mistake in an area');
});

test('a path parameter with slashes arrives whole', async () => {
  const api = client();
  expect([(await api.post('/vm/boots/private/12')).body, (await api.post('/vm/boots/private%2F12')).body]).toEqual([
    { name: 'private/12' },
    { name: 'private/12' },
  ]);
});
