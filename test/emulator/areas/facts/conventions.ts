import type { TestAccount } from '../test-account.ts';
import type { Fact, Row } from './fact.ts';
import { admin } from './fact.ts';

const volume = { label: 'data', region: 'us-east' };
const domain = { type: 'master', domain: 'example.org', soa_email: 'a@example.org' };

const volumePath = async (api: TestAccount): Promise<string> => `/volumes/${String((await api.made('/volumes', volume))['id'])}`;
const accepted = async (api: TestAccount, method: string, path: string): Promise<string | undefined> =>
  (await api.send(method, path, admin)).headers['x-accepted-oauth-scopes'];
const firstEvent = async (api: TestAccount): Promise<Row | undefined> => (await api.get('/account/events')).data.at(-1);
const answered = ({ status, errors }: { readonly status: number; readonly errors: readonly string[] }) => [status, errors] as const;

/** Sections 2, 3, 5 and 6. */
export const factsOfConventions: readonly Fact[] = [
  ['2.4 no token', async (api) => answered(await api.send('GET', '/volumes', {})), [401, ['Invalid Token']]],
  ['2.4 no token: scopes unknown', async (api) => (await api.send('GET', '/volumes', {})).headers['x-oauth-scopes'], 'unknown'],
  [
    '2.4 no scope',
    async (api) => answered(await api.as('token-readonly').post('/volumes', volume)),
    [401, ['Your OAuth token is not authorized to use this endpoint.']],
  ],
  ['2.6 missing object', async (api) => answered(await api.get('/volumes/999999')), [404, ['Not found']]],
  [
    '2.6 second delete',
    async (api) => {
      const path = await volumePath(api);
      api.seconds(60);
      return [(await api.delete(path)).body, answered(await api.delete(path))];
    },
    [{}, [404, ['Not found']]],
  ],
  ['2.7 method', async (api) => answered(await api.put('/volumes', {})), [405, ['Method Not Allowed']]],
  ['2.13 two scopes', (api) => accepted(api, 'POST', '/volumes/1/attach'), 'volumes:read_write,vms:read_write'],
  ['2.13 two scopes of images', (api) => accepted(api, 'POST', '/images'), 'images:read_write,vms:read_only'],
  ['2.13 cache of types', async (api) => (await api.get('/vm/types')).headers['cache-control'], 'private, max-age=900'],
  ['2.13 cache', async (api) => (await api.get('/volumes')).headers['cache-control'], 'private, max-age=60, s-maxage=60'],
  ['2.13 vary', async (api) => (await api.get('/volumes')).headers['vary'], 'Authorization, X-Filter'],
  ['2.14 delete a record', (api) => accepted(api, 'DELETE', '/domains/1/records/1'), 'domains:read_only'],
  ['2.14 view a node', (api) => accepted(api, 'GET', '/lke/clusters/1/nodes/1'), 'lke:read_only'],
  ['2.14 allocate', (api) => accepted(api, 'POST', '/networking/ips'), 'ips:read_write'],
  ['2.14 view a key', (api) => accepted(api, 'GET', '/object-storage/keys/1'), 'object_storage:read_write'],
  ['2.14 images', (api) => accepted(api, 'GET', '/images'), '*'],
  ['2.15 escaped slash', async (api) => (await api.get('/images/vm%2Fdebian11')).body['id'], 'vm/debian11'],
  ['2.15 raw slash', async (api) => (await api.get('/images/vm/debian11')).body['id'], 'vm/debian11'],
  ['2.16 null tags', (api) => api.made('/volumes', { ...volume, tags: null }), { tags: [] }],
  ['2.16 null arrays', (api) => api.made('/domains', { ...domain, tags: null, axfr_ips: null, master_ips: null }), { master_ips: [] }],
  ['2.17 origin', async (api) => (await api.get('/volumes')).headers['access-control-allow-origin'], '*'],
  ['2.17 frames', async (api) => (await api.get('/volumes')).headers['x-frame-options'], 'DENY'],
  ['2.17 HEAD', async (api) => (await api.send('HEAD', '/volumes', admin)).status, 200],
  ['2.17 OPTIONS', async (api) => (await api.send('OPTIONS', '/volumes', admin)).status, 200],
  ['2.18 unknown keys', (api) => api.made('/volumes', { ...volume, colour: 'red' }), { label: 'data' }],
  ['4 no JSON', async (api) => answered(await api.send('POST', '/volumes', admin, '{')), [400, ['Invalid JSON']]],
  [
    '4 own scripts without token',
    async (api) => answered(await api.send('GET', '/vm/stackscripts', { 'x-filter': '{"mine":true}' })),
    [401, ['You must be authenticated to find your StackScripts.']],
  ],
  ['5.1 empty', async (api) => (await api.get('/volumes')).body, { page: 1, pages: 1, results: 0 }],
  ['5.1 no image matches', async (api) => (await api.filter('/images', { label: 'none' })).body, { pages: 0, results: 0 }],
  ['5.3 unknown parameter', async (api) => (await api.get('/regions?tag=x')).body['results'], 11],
  ['5.3 field', async (api) => (await api.filter('/volumes', { foo: 1 })).errors, ['X-Filter: Cannot filter on foo']],
  ['5.3 status of images orders nothing', async (api) => (await api.filter('/images', { '+order_by': 'status' })).status, 400],
  ['5.2 types by memory', async (api) => (await api.filter('/vm/types', { memory: { '+gte': 131_072 } })).body['results'], 4],
  [
    '5.2 either of two',
    async (api) => (await api.filter('/vm/types', { '+or': [{ vcpus: 1 }, { class: 'highmem' }] })).data.map((row) => row['id']),
    ['g6-nanode-1', 'g6-standard-1', 'g7-highmem-1'],
  ],
  [
    '5.2 array of tags',
    async (api) => (await api.filter('/volumes', { tags: ['a'] })).errors,
    ['X-Filter: Tags filter must be a string or dict'],
  ],
  [
    '5.3 mine is deprecated',
    async (api) => (await api.filter('/vm/stackscripts', { mine: true })).headers['warning']?.startsWith('299'),
    true,
  ],
  [
    '5.4 tag events by name',
    async (api) => {
      await api.made('/tags', { label: 'prod' });
      return (await api.filter('/account/events', { 'entity.id': 'prod', 'entity.type': 'tag' })).body['results'];
    },
    1,
  ],
  [
    '6.1 keys of an event',
    async (api) => {
      await api.made('/volumes', volume);
      return Object.keys((await firstEvent(api)) ?? {})
        .toSorted((left, right) => left.localeCompare(right))
        .join(' ');
    },
    'action created duration entity id message percent_complete rate read secondary_entity seen status time_remaining username',
  ],
  [
    '6.4 a notification',
    async (api) => {
      await api.made('/domains', domain);
      return firstEvent(api);
    },
    { status: 'notification', percent_complete: null, duration: null, time_remaining: null },
  ],
  [
    '6.6 marks',
    async (api) => {
      await api.made('/domains', domain);
      return (await api.post('/account/events/100000/seen')).body;
    },
    {},
  ],
  [
    '6.10 account events name nothing',
    async (api) => {
      await api.put('/account', { company: 'A' });
      return firstEvent(api);
    },
    { action: 'account_update', entity: null },
  ],
];
