import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { areas } from '../areas.ts';
import type { Operation } from '../contract/operation.ts';
import { testAccount } from './test-account.ts';

const operations = areas.flatMap((area) => area.operations);
const canonical = (path: string): string => path.replace(/^\/v4beta(?=\/)/, '').replaceAll(/\{\w+\*?\}/g, '{}');

const find = (method: string, path: string): Operation | undefined =>
  operations.find((operation) => operation.method === method && canonical(operation.path) === canonical(path));

function authOf(column: string): 'none' | 'optional' | 'required' {
  if (column.startsWith('none')) return 'none';
  return column.endsWith('(optional)') ? 'optional' : 'required';
}

/** `volumes rw and vms rw` of the table -> the scopes. */
function scopesOf(column: string): readonly string[] {
  if (column.startsWith('none') || column.startsWith('any credential')) return [];
  return column
    .replace(/ \(.*\)$/, '')
    .split(' and ')
    .map((one) => one.replace(/ ro$/, ':read_only').replace(/ rw$/, ':read_write'));
}

const documented = readFileSync(new URL('operations.tsv', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .slice(1)
  .map((line) => line.split('\t') as [method: string, path: string, area: string, scope: string]);

/** How an operation differs from its line of the table. */
function differs(operation: Operation, scope: string): boolean {
  const wanted = scopesOf(scope);
  if ((operation.auth ?? 'required') !== authOf(scope)) return true;
  // Images can be listed with any token.
  return operation.acceptedScopes !== '*' && JSON.stringify(operation.scopes ?? []) !== JSON.stringify(wanted);
}

test('every documented operation that is served asks for the documented scopes', () => {
  const different = documented.flatMap(([method, path, , scope]) => {
    const operation = find(method, path);
    return operation !== undefined && differs(operation, scope) ? [`${method} ${path}: ${String(operation.scopes)}, not ${scope}`] : [];
  });
  expect(different).toEqual([]);
});

const protectedOnes = operations.filter(({ outside, auth = 'required' }) => outside !== true && auth === 'required');
const concrete = (path: string): string => path.replaceAll(/\{\w+\*?\}/g, '1');

test('nobody gets in without a token', async () => {
  const api = testAccount();
  const open: string[] = [];
  for (const { method, path, segments } of protectedOnes) {
    const answer = await api.send(method, `${segments === 'v4beta' ? 'beta' : ''}${concrete(path)}`, {});
    if (answer.status !== 401 || answer.errors[0] !== 'Invalid Token') open.push(`${method} ${path}: ${answer.status}`);
  }
  expect(open).toEqual([]);
});

const areaNames = [
  'account',
  'databases',
  'domains',
  'events',
  'firewall',
  'images',
  'ips',
  'lke',
  'longview',
  'object_storage',
  'stackscripts',
  'vms',
  'volumes',
];

/** Everything but one scope; with the lesser level where that is not enough. */
function tokenWithout(scope: string): string {
  const [area = '', level] = scope.split(':');
  const others = areaNames.filter((name) => name !== area).map((name) => `${name}:read_write`);
  return [...others, ...(level === 'read_write' ? [`${area}:read_only`] : [])].join(' ');
}

test('each scope is needed', async () => {
  const api = testAccount();
  const open: string[] = [];
  for (const operation of protectedOnes.filter(({ scopesWaivedForUnrestricted }) => scopesWaivedForUnrestricted !== true)) {
    const { method, path, segments } = operation;
    for (const scope of operation.scopes ?? []) {
      api.emulator.control.setToken({ token: 'token-lesser', username: 'admin', scopes: tokenWithout(scope) });
      const headers = { authorization: 'Bearer token-lesser' };
      const answer = await api.send(method, `${segments === 'v4beta' ? 'beta' : ''}${concrete(path)}`, headers);
      if (answer.status !== 401) open.push(`${method} ${path} without ${scope}: ${answer.status}`);
    }
  }
  expect(open).toEqual([]);
});

test('three operations are open to unrestricted users whatever the scopes', () => {
  const waived = operations.filter((operation) => operation.scopesWaivedForUnrestricted === true);
  expect(waived.map(({ method, path }) => `${method} ${path}`).filter((name) => !name.includes('postgresql'))).toEqual([
    'DELETE /databases/mysql/instances/{instanceId}',
    'DELETE /databases/mongodb/instances/{instanceId}',
    'POST /databases/mongodb/instances/{instanceId}/credentials/reset',
  ]);
});

test('a restricted user without grants gets 403 or 404, never a record of the account', async () => {
  const api = testAccount();
  const nobody = { username: 'nobody', restricted: true };
  const bare = testAccount({
    accounts: [
      {
        euuid: 'E1AF5EEC-526F-487D-B317EBEB34C87D71',
        users: [{ username: 'admin' }, nobody],
        tokens: [
          { token: 'token-admin', username: 'admin', scopes: '*' },
          { token: 'token-nobody', username: 'nobody', scopes: '*' },
        ],
      },
    ],
  });
  const made = {
    '/volumes': await bare.made('/volumes', { label: 'data', region: 'us-east' }),
    '/vm/instances': await bare.made('/vm/instances', { type: 'g6-nanode-1', region: 'us-east' }),
    '/domains': await bare.made('/domains', { type: 'master', domain: 'example.org', soa_email: 'a@example.org' }),
    '/networking/firewalls': await bare.made('/networking/firewalls', {
      label: 'web',
      rules: { inbound_policy: 'DROP', outbound_policy: 'DROP' },
    }),
  };
  const stranger = bare.as('token-nobody');
  for (const [path, { id }] of Object.entries(made)) {
    expect((await stranger.get(path)).data).toEqual([]);
    expect((await stranger.get(`${path}/${String(id)}`)).status).toBe(404);
    expect((await stranger.put(`${path}/${String(id)}`, {})).status).toBe(404);
    expect((await stranger.delete(`${path}/${String(id)}`)).status).toBe(404);
    expect((await stranger.post(path, {})).status).toBe(403);
  }
  expect((await stranger.get('/networking/ips')).data).toEqual([]);
  expect((await api.get('/volumes')).data).toEqual([]);
});
