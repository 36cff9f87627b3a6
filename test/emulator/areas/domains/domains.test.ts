import { expect, test } from 'vitest';
import { emptyInstance, testAccount } from '../test-account.ts';

const zone = { type: 'master', domain: 'example.org', soa_email: 'admin@example.org' };

test('POST /domains GET /domains/{domainId}: defaults as recorded, seconds rounded up', async () => {
  const api = testAccount();
  const made = await api.made('/domains', {
    ...zone,
    ttl_sec: 301,
    expire_sec: 9_999_999,
    refresh_sec: 300,
    axfr_ips: null,
    master_ips: null,
    tags: null,
  });
  expect(made).toEqual({
    id: made['id'],
    ...zone,
    group: '',
    status: 'active',
    errors: '',
    description: '',
    retry_sec: 0,
    master_ips: [],
    axfr_ips: [],
    expire_sec: 2_419_200,
    refresh_sec: 300,
    ttl_sec: 3600,
    tags: [],
    created: '2026-01-01T00:00:00',
    updated: '2026-01-01T00:00:00',
  });
  expect(await api.seen(`/domains/${String(made['id'])}`)).toEqual(made);
  expect(await api.event('domain_create')).toMatchObject({ entity: { id: made['id'], label: 'example.org', type: 'domain' } });
});

test('a domain is refused for each of its rules', async () => {
  const api = testAccount();
  const create = async (body: object) => (await api.post('/domains', body)).errors;
  expect(await create({})).toEqual(['type: type is required', 'domain: domain is required']);
  expect(await create({ type: 'master', domain: 'example.org' })).toEqual(['soa_email: soa_email required when type=master']);
  expect(await create({ type: 'slave', domain: 'example.org' })).toEqual([
    'master_ips: You need at least one master DNS server IP address for this zone.',
  ]);
  expect(await create({ ...zone, domain: 'no domain' })).toEqual(['domain: domain is not valid']);
  expect(await create({ ...zone, domain: `${'x'.repeat(64)}.org` })).toEqual(['domain: domain is not valid']);
  expect(await create({ ...zone, group: '' })).toEqual(['group: Length must be 1-50 characters']);
  expect(await create({ ...zone, description: 'd'.repeat(254) })).toEqual(['description: Length must be 1-253 characters']);
  expect(await create({ ...zone, axfr_ips: ['not an address'] })).toEqual(['axfr_ips[0]: Must be a valid IP address']);
  const many = Array.from({ length: 90 }, (_, index) => `192.0.2.${index + 100}`);
  expect(await create({ ...zone, axfr_ips: many })).toEqual(['axfr_ips: Length must be 0-1000 characters']);
  expect(await create({ ...zone, status: 'edit_mode' })).toEqual(['status: status is not valid']);
  expect(await create({ ...zone, ttl_sec: -1 })).toEqual(['ttl_sec: Must be at least 0']);
});

test('a domain is unique on the whole platform', async () => {
  for (const [takenText, reason] of [
    ['worded', 'Domain must be unique'],
    ['generic', 'domain is not valid'],
  ] as const) {
    const api = testAccount({ knobs: { takenText } });
    await api.made('/domains', zone);
    expect((await api.as('token-other').post('/domains', zone)).errors).toEqual([`domain: ${reason}`]);
    expect((await api.post('/domains/import', { domain: 'example.org', remote_nameserver: 'ns.example.net' })).errors).toEqual([
      `domain: ${reason}`,
    ]);
  }
});

test('PUT /domains/{domainId} GET /domains change what is sent; status controls rendering', async () => {
  const api = testAccount();
  const path = `/domains/${String((await api.made('/domains', zone))['id'])}`;
  await api.put(path, { status: 'disabled', description: 'Main zone', tags: ['prod', 'dns'], retry_sec: 100 });
  expect((await api.filter('/domains', { tags: 'prod' })).data).toMatchObject([
    { status: 'disabled', description: 'Main zone', tags: ['dns', 'prod'], retry_sec: 300, soa_email: 'admin@example.org' },
  ]);
  expect((await api.put(path, { type: 'slave' })).errors).toEqual([
    'master_ips: You need at least one master DNS server IP address for this zone.',
  ]);
  expect((await api.put(path, { description: null })).body).toMatchObject({ description: '' });
  expect(await api.log()).toContain('domain_update notification');
});

test('DELETE /domains/{domainId} takes its records along', async () => {
  const api = testAccount();
  const path = `/domains/${String((await api.made('/domains', zone))['id'])}`;
  const record = await api.made(`${path}/records`, { type: 'A', name: 'www', target: '192.0.2.1' });
  expect((await api.delete(path)).body).toEqual({});
  expect((await api.get(path)).status).toBe(404);
  expect((await api.get(`${path}/records/${String(record['id'])}`)).status).toBe(404);
  expect((await api.post('/domains', zone)).status).toBe(200);
  expect(await api.log()).toContain('domain_delete notification');
});

test('POST /domains/import brings records; POST /domains/{domainId}/clone copies them', async () => {
  const api = testAccount();
  expect((await api.post('/domains/import', { domain: 'example.org' })).errors).toEqual([
    'remote_nameserver: remote_nameserver is required',
  ]);
  expect((await api.post('/domains/import', { domain: 'example.org', remote_nameserver: 'closed.example.net' })).status).toBe(400);
  const imported = await api.made('/domains/import', { domain: 'example.org', remote_nameserver: 'ns1.example.net' });
  const copy = await api.made(`/domains/${String(imported['id'])}/clone`, { domain: 'example.com' });
  expect(copy).toMatchObject({ domain: 'example.com', soa_email: 'hostmaster@example.org', type: 'master' });
  const listed = (await api.get(`/domains/${String(copy['id'])}/records`)).data;
  expect(listed).toMatchObject([
    { type: 'A', name: '' },
    { type: 'CNAME', name: 'www' },
  ]);
  expect((await api.get('/domains')).body).toMatchObject({ results: 2 });
  expect(await api.log()).toContain('domain_import notification');
});

test('GET /domains/{domainId}/zone-file is empty until rendered, and while disabled', async () => {
  const api = testAccount();
  const path = `/domains/${String((await api.made('/domains', zone))['id'])}`;
  await api.made(`${path}/records`, { type: 'MX', target: 'mail.example.org', priority: 10 });
  expect(await api.seen(`${path}/zone-file`)).toEqual({ zone_file: [] });
  api.seconds(200);
  const { zone_file: lines } = (await api.seen(`${path}/zone-file`)) as { zone_file: string[] };
  expect(lines).toContain('@\tIN\tMX\t10\tmail.example.org');
  await api.put(path, { status: 'disabled' });
  expect(await api.seen(`${path}/zone-file`)).toEqual({ zone_file: [] });
});

test('an account with domains but no instance is told so', async () => {
  const api = testAccount();
  await api.made('/domains', zone);
  expect((await api.get('/account/notifications')).data).toMatchObject([{ label: 'Your domains are not being served.', type: 'notice' }]);
  await emptyInstance(api);
  expect((await api.get('/account/notifications')).data).toEqual([]);
});
