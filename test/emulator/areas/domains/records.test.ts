import { expect, test } from 'vitest';
import type { TestAccount } from '../test-account.ts';
import { emptyInstance, testAccount } from '../test-account.ts';
import { insertRecord } from './record-rows.ts';

async function zone(api: TestAccount): Promise<string> {
  const made = await api.made('/domains', { type: 'master', domain: 'example.org', soa_email: 'admin@example.org' });
  return `/domains/${String(made['id'])}/records`;
}

test('POST /domains/{domainId}/records GET /domains/{domainId}/records/{recordId}: what is not given answers 0 and null', async () => {
  const api = testAccount();
  const path = await zone(api);
  const made = await api.made(path, { type: 'A', name: 'www', target: '192.0.2.1' });
  expect(made).toMatchObject({ priority: 0, weight: 0, port: 0, service: null, protocol: null, tag: null, ttl_sec: 0 });
  expect(made).not.toHaveProperty('domain_id');
  expect(await api.seen(`${path}/${String(made['id'])}`)).toEqual(made);
  expect(await api.event('domain_record_create')).toMatchObject({
    entity: { type: 'domain', label: 'example.org' },
    message: 'A www 192.0.2.1',
  });
  const twin = await api.made(path, { type: 'A', name: 'www', target: '192.0.2.1' });
  expect(twin['id']).not.toBe(made['id']);
});

test('names are trimmed and targets completed', async () => {
  const api = testAccount();
  const path = await zone(api);
  const stored = async (body: object) => {
    const { name, target, service, protocol } = await api.made(path, body);
    return { name, target, service, protocol };
  };
  const none = { service: null, protocol: null };
  expect(await stored({ type: 'A', name: 'www.example.org', target: '192.0.2.1' })).toEqual({ name: 'www', target: '192.0.2.1', ...none });
  expect(await stored({ type: 'AAAA', name: 'example.org', target: '2001:db8::1' })).toEqual({ name: '', target: '2001:db8::1', ...none });
  expect(await stored({ type: 'A', name: 'me', target: '[remote_addr]' })).toMatchObject({ target: '203.0.113.77' });
  expect(await stored({ type: 'CNAME', name: 'app', target: 'www' })).toMatchObject({ target: 'www.example.org' });
  expect(await stored({ type: 'CNAME', name: 'api', target: 'host.example.net.' })).toMatchObject({ target: 'host.example.net.' });
  const srv = { type: 'SRV', service: 'telnet', protocol: 'tcp', target: 'host', priority: 1, weight: 2, port: 23 };
  expect(await stored(srv)).toEqual({ name: '_telnet._tcp', target: 'host.example.org', service: '_telnet', protocol: '_tcp' });
});

test.each([
  ['no type', {}, ['type: type is required']],
  ['an unknown type', { type: 'SOA' }, ['type: type is not valid']],
  ['an @', { type: 'A', name: '@', target: '192.0.2.1' }, ['name: Name contains invalid characters', 'name: Invalid hostname']],
  ['A without target', { type: 'A', name: 'a' }, ['target: target is required']],
  ['A with a name for a target', { type: 'A', name: 'a', target: 'host.example.org' }, ['target: target is not valid']],
  ['A with a final period', { type: 'A', name: 'a', target: '192.0.2.1.' }, ['target: target is not valid']],
  ['AAAA with IPv4', { type: 'AAAA', name: 'a', target: '192.0.2.1' }, ['target: target is not valid']],
  [
    'NS with a wildcard',
    { type: 'NS', name: '*', target: 'ns.example.net' },
    ['name: Name contains invalid characters', 'name: Invalid hostname'],
  ],
  ['CNAME without name', { type: 'CNAME', target: 'a.example.net' }, ['name: name is required']],
  ['TXT without target', { type: 'TXT', name: 'a' }, ['target: target is required']],
  [
    'SRV without the rest',
    { type: 'SRV', target: 'a' },
    ['service: service is required', 'priority: priority is required', 'weight: weight is required', 'port: port is required'],
  ],
  ['priority', { type: 'MX', target: 'a.example.org', priority: 256 }, ['priority: Must be 0-255']],
  ['CAA without tag', { type: 'CAA', target: 'ca.example.net' }, ['tag: tag is required']],
  ['CAA iodef', { type: 'CAA', tag: 'iodef', target: 'ftp://x' }, ['target: target is not valid']],
  ['CAA with a final period', { type: 'CAA', tag: 'issue', target: 'ca.example.net.' }, ['target: target is not valid']],
  ['CAA issuewild', { type: 'CAA', tag: 'issuewild', target: '*.example.net' }, ['target: target is not valid']],
  ['a long name', { type: 'A', name: 'x'.repeat(101), target: '192.0.2.1' }, ['name: Length must be 0-100 characters']],
])('refused: %s', async (_what, body, errors) => {
  const api = testAccount();
  const path = await zone(api);
  expect((await api.post(path, body)).errors).toEqual(errors);
  expect((await api.get(path)).body).toMatchObject({ results: 0 });
});

test.each([
  { type: 'NS', name: 'sub', target: 'ns.example.net' },
  { type: 'MX', name: '', target: 'mail', priority: 10 },
  { type: 'TXT', name: '_acme', target: 'a value with spaces' },
  { type: 'PTR', name: '1.2', target: 'host.example.org' },
  { type: 'CAA', tag: 'issue', target: 'ca.example.net' },
  { type: 'CAA', tag: 'iodef', target: 'mailto:admin@example.org' },
  { type: 'CAA', tag: 'iodef', target: 'https://example.org' },
  { type: 'A', name: '*.apps', target: '192.0.2.1' },
])('taken: $type $name $tag', async (body) => {
  const api = testAccount();
  expect((await api.post(await zone(api), body)).status).toBe(200);
});

test('a CNAME shares its name with no other record, in either order', async () => {
  const api = testAccount();
  const path = await zone(api);
  const conflict = ['name: Record conflict - CNAMES must be unique'];
  await api.made(path, { type: 'CNAME', name: 'app', target: 'www' });
  expect((await api.post(path, { type: 'TXT', name: 'app', target: 'x' })).errors).toEqual(conflict);
  const other = await api.made(path, { type: 'TXT', name: 'txt', target: 'x' });
  expect((await api.post(path, { type: 'CNAME', name: 'txt', target: 'www' })).errors).toEqual(conflict);
  expect((await api.put(`${path}/${String(other['id'])}`, { name: 'app' })).errors).toEqual(conflict);
});

test('a Null MX stands alone', async () => {
  const api = testAccount();
  const path = await zone(api);
  const nullMx = { type: 'MX', name: '', target: '', priority: 0 };
  const mail = await api.made(path, { type: 'MX', target: 'mail', priority: 5 });
  expect((await api.post(path, nullMx)).status).toBe(400);
  await api.delete(`${path}/${String(mail['id'])}`);
  expect((await api.post(path, { ...nullMx, priority: 3 })).errors).toEqual(['priority: Must be 0-0']);
  expect((await api.post(path, nullMx)).body).toMatchObject({ name: '', target: '' });
  expect((await api.post(path, { type: 'MX', target: 'mail' })).status).toBe(400);
});

test('PUT /domains/{domainId}/records/{recordId} GET /domains/{domainId}/records: all but the type, TTL to the nearest', async () => {
  const api = testAccount();
  const path = await zone(api);
  const { id } = await api.made(path, { type: 'A', name: 'www', target: '192.0.2.1', ttl_sec: 400 });
  await api.put(`${path}/${String(id)}`, { type: 'TXT', target: '192.0.2.2', ttl_sec: 3000 });
  expect((await api.filter(path, { name: 'www', type: 'A' })).data).toMatchObject([{ target: '192.0.2.2', ttl_sec: 3600, name: 'www' }]);
  expect((await api.put(`${path}/${String(id)}`, { target: 'nonsense' })).errors).toEqual(['target: target is not valid']);
  expect(await api.log()).toContain('domain_record_update notification');
});

test('DELETE /domains/{domainId}/records/{recordId} removes one', async () => {
  const api = testAccount();
  const path = await zone(api);
  const { id } = await api.made(path, { type: 'A', name: 'www', target: '192.0.2.1' });
  expect((await api.delete(`${path}/${String(id)}`)).body).toEqual({});
  expect((await api.get(path)).data).toEqual([]);
  expect((await api.delete(`${path}/${String(id)}`)).status).toBe(404);
  expect(await api.log()).toContain('domain_record_delete notification');
});

test('a domain takes 12,000 records and no more', async () => {
  const api = testAccount();
  const path = await zone(api);
  const world = api.emulator.world('E1AF5EEC-526F-487D-B317EBEB34C87D71', 'admin');
  const domain = Number(path.split('/')[2]);
  api.emulator.run(world, () => {
    for (let index = 1; index < 12_000; index += 1) insertRecord(world, domain, { type: 'A', name: `n${index}`, target: '192.0.2.1' });
  });
  expect((await api.post(path, { type: 'A', name: 'last', target: '192.0.2.1' })).status).toBe(200);
  expect((await api.get(path)).body).toMatchObject({ results: 12_000, pages: 120 });
  expect((await api.post(path, { type: 'A', name: 'more', target: '192.0.2.1' })).errors).toEqual(['Must be 0-12000 records']);
});

test('a reverse name follows its forward entry', async () => {
  const api = testAccount();
  const path = await zone(api);
  const [address] = (await api.seen(`/vm/instances/${await emptyInstance(api)}`))['ipv4'] as string[];
  const rdns = (name: string | null) => api.put(`/networking/ips/${String(address)}`, { rdns: name });
  await api.made(path, { type: 'A', name: 'wrong', target: '192.0.2.1' });
  await api.made(path, { type: 'A', name: 'right', target: address });
  expect((await rdns('missing.example.org')).errors).toEqual([
    "rdns: We were unable to perform a lookup for 'missing.example.org' at this time.",
  ]);
  expect((await rdns('wrong.example.org')).errors).toEqual([
    "rdns: No match was found for 'wrong.example.org'. Reverse DNS must have a matching forward entry.",
  ]);
  expect((await rdns('right.example.org')).body).toMatchObject({ rdns: 'right.example.org' });
  expect(await api.seen(`/networking/ips/${String(address)}`)).toMatchObject({ rdns: 'right.example.org' });
  expect((await rdns(null)).body).toMatchObject({ rdns: `${String(address).replaceAll('.', '-')}.ip.vmusercontent.com` });
  expect(await api.log()).toContain('ipaddress_update notification');
});
