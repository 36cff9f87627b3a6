import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { defaultAccounts } from '../../core/accounts.ts';
import type { Reply } from '../../test-client.ts';
import type { TestAccount } from '../test-account.ts';
import { emptyInstance, testAccount } from '../test-account.ts';

const question = { summary: 'A question', description: 'How?' };

async function attach(api: TestAccount, ticket: unknown, { name, part = 'file' }: { name: string; part?: string }): Promise<Reply> {
  const body = [
    '--edge',
    `Content-Disposition: form-data; name="note"\r\n\r\nunrelated`,
    '--edge',
    `Content-Disposition: form-data; name="${part}"; filename="${name}"\r\nContent-Type: image/png\r\n\r\n\u0089PNG\r\n--edg`,
    '--edge--\r\n',
  ].join('\r\n');
  const headers = { authorization: 'Bearer token-admin', 'content-type': 'multipart/form-data; boundary=edge' };
  return api.send('POST', `/support/tickets/${String(ticket)}/attachments`, headers, body);
}

test('POST /support/tickets GET /support/tickets/{ticketId}: a ticket about an instance', async () => {
  const api = testAccount();
  const vm = await emptyInstance(api, { label: 'web-1' });
  const made = await api.made('/support/tickets', { ...question, vm_id: vm, volume_id: null });
  expect(made).toEqual({
    id: made['id'],
    ...question,
    status: 'new',
    closable: true,
    entity: { id: vm, label: 'web-1', type: 'vm', url: `/v4/vm/instances/${vm}` },
    attachments: [],
    gravatar_id: createHash('md5').update('admin@example.org').digest('hex'),
    opened: '2026-01-01T00:01:00',
    opened_by: 'admin',
    closed: null,
    updated: '2026-01-01T00:01:00',
    updated_by: null,
  });
  expect(await api.seen(`/support/tickets/${String(made['id'])}`)).toEqual(made);
  expect(await api.event('ticket_create')).toMatchObject({
    status: 'notification',
    entity: { id: made['id'], label: 'A question', type: 'ticket', url: `/v4/support/tickets/${String(made['id'])}` },
  });
});

test('GET /support/tickets POST /support/tickets/{ticketId}/close: open ones come first, closed ones take nothing more', async () => {
  const api = testAccount();
  const ids: unknown[] = [];
  for (const summary of ['one', 'two', 'three']) ids.push((await api.made('/support/tickets', { ...question, summary }))['id']);
  api.seconds(5);
  const [first, second, third] = ids.map(String);
  expect(await api.made(`/support/tickets/${third ?? ''}/close`)).toEqual({});
  expect((await api.get('/support/tickets')).data.map((row) => String(row['id']))).toEqual([second, first, third]);
  const closed = { status: 'closed', closed: '2026-01-01T00:00:05', updated_by: 'admin' };
  expect(await api.seen(`/support/tickets/${third ?? ''}`)).toMatchObject(closed);
  expect((await api.filter('/support/tickets', { closed: { '+gt': '2025-01-01' } })).data).toMatchObject([{ summary: 'three' }]);
  expect(await api.event('ticket_update')).toMatchObject({ entity: { label: 'three', type: 'ticket' } });
  expect((await api.post(`/support/tickets/${third ?? ''}/replies`, { description: 'x' })).errors).toEqual(['This ticket is closed.']);
  expect((await attach(api, third, { name: 'a.png' })).errors).toEqual(['This ticket is closed.']);
  expect((await api.post(`/support/tickets/${third ?? ''}/close`)).status).toBe(200);
  api.emulator.control.edit({ collection: 'tickets', key: Number(second), row: { closable: false } });
  expect((await api.post(`/support/tickets/${second ?? ''}/close`)).errors).toEqual(['This ticket cannot be closed.']);
});

test('POST /support/tickets/{ticketId}/replies GET /support/tickets/{ticketId}/replies: in their order, only of this ticket', async () => {
  const api = testAccount();
  const { id } = await api.made('/support/tickets', question);
  const other = await api.made('/support/tickets', question);
  api.seconds(9);
  const path = `/support/tickets/${String(id)}`;
  const one = await api.made(`${path}/replies`, { description: 'First' });
  expect(Object.keys(one).toSorted()).toEqual(['created', 'created_by', 'description', 'from_vm', 'gravatar_id', 'id']);
  expect(one).toMatchObject({ created: '2026-01-01T00:00:09', created_by: 'admin', from_vm: false });
  const two = await api.as('token-colleague').post(`${path}/replies`, { description: 'Second' });
  expect((await api.get(`${path}/replies`)).data).toEqual([one, two.body]);
  expect((await api.get(`/support/tickets/${String(other['id'])}/replies`)).body['results']).toBe(0);
  expect(await api.seen(path)).toMatchObject({ status: 'open', updated: '2026-01-01T00:00:09', updated_by: 'colleague' });
  expect(await api.event('ticket_update')).toMatchObject({ username: 'colleague', entity: { id } });
  expect((await api.post(`${path}/replies`, { description: '' })).errors).toEqual(['description: Length must be 1-65535 characters']);
  expect((await api.post(`${path}/replies`, {})).errors).toEqual(['description: description is required']);
});

test('POST /support/tickets/{ticketId}/attachments: the part called file, of the documented kinds', async () => {
  const api = testAccount();
  const { id } = await api.made('/support/tickets', question);
  for (const name of ['one.PNG', 'two.pjpeg', 'three.txt']) expect((await attach(api, id, { name })).body).toEqual({});
  expect(await api.seen(`/support/tickets/${String(id)}`)).toMatchObject({ attachments: ['one.PNG', 'two.pjpeg', 'three.txt'] });
  expect(await api.event('ticket_attachment_upload')).toMatchObject({ entity: { id, type: 'ticket' } });
  expect((await attach(api, id, { name: 'four.exe' })).errors).toEqual(['file: file is not valid']);
  expect((await attach(api, id, { name: 'five.png', part: 'other' })).errors).toEqual(['file: file is required']);
  expect((await api.post(`/support/tickets/${String(id)}/attachments`, {})).errors).toEqual(['file: file is required']);
  expect((await attach(api, 99, { name: 'six.png' })).status).toBe(404);
  expect(await api.seen(`/support/tickets/${String(id)}`)).toMatchObject({ attachments: ['one.PNG', 'two.pjpeg', 'three.txt'] });
});

test.each([
  [{}, ['summary: summary is required', 'description: description is required']],
  [{ summary: 's'.repeat(65), description: 'd' }, ['summary: Length must be 1-64 characters']],
  [{ summary: 's', description: 'd'.repeat(65_001) }, ['description: Length must be 1-65000 characters']],
  [{ ...question, vm_id: 1, domain_id: 2 }, ['domain_id: Only one entity may be given for a ticket.']],
  [{ ...question, volume_id: 7 }, ['volume_id: A valid volume by that ID was not found']],
  [{ ...question, vm_id: 'x' }, ['vm_id: vm_id is not valid']],
  [{ ...question, managed_issue: true }, ['managed_issue: Managed is not enabled on this account.']],
  [{ ...question, region: 'us-east' }, ['region: Region is only allowed when submitting a VLAN ticket.']],
  [{ ...question, vlan: 'net' }, ['region: region is required']],
  [{ ...question, vlan: 'net', region: 'us-southeast' }, ['vlan: vlan is not valid']],
])('a ticket is refused, case %#', async (body, errors) => {
  const reply = await testAccount().post('/support/tickets', body);
  expect([reply.status, reply.errors]).toEqual([400, errors]);
});

test('a ticket may be about any kind of object, also one of the account file', async () => {
  const rows = { nodebalancers: [{ id: 55, label: 'balancer', region: 'us-east' }] };
  const [first, ...rest] = defaultAccounts;
  const api = testAccount({ accounts: first === undefined ? [] : [{ ...first, rows }, ...rest] });
  const cases = [
    ['domain_id', (await api.made('/domains', { type: 'master', domain: 'example.org', soa_email: 'a@example.org' }))['id'], 'domain'],
    ['volume_id', (await api.made('/volumes', { label: 'data', region: 'us-east' }))['id'], 'volume'],
    ['longviewclient_id', (await api.made('/longview/clients'))['id'], 'longview'],
    ['nodebalancer_id', 55, 'nodebalancer'],
  ] as const;
  for (const [field, id, type] of cases) {
    expect(await api.made('/support/tickets', { ...question, [field]: id })).toMatchObject({ entity: { id, type } });
    expect((await api.as('token-other').post('/support/tickets', { ...question, [field]: id })).errors).toEqual([
      expect.stringMatching(new RegExp(`^${field}: A valid .* by that ID was not found$`)),
    ]);
  }
  const unknown = [{ ...defaultAccounts[0], euuid: 'X', users: [], tokens: [], rows: { nothing: [{}] } }];
  expect(() => testAccount({ accounts: unknown })).toThrow('no collection is called nothing');
});

test('a VLAN ticket names a VLAN of its region; a managed issue nothing else', async () => {
  const api = testAccount();
  const interfaces = [{ purpose: 'vlan', label: 'net', ipam_address: '10.0.0.1/24' }];
  const region = 'us-southeast';
  await api.made('/vm/instances', { region, type: 'g6-standard-2', image: 'vm/debian11', root_pass: 'correct-Horse-7', interfaces });
  expect(await api.made('/support/tickets', { ...question, vlan: 'net', region })).toMatchObject({ entity: null });
  api.emulator.control.edit({ collection: 'account_settings', key: 'E1AF5EEC-526F-487D-B317EBEB34C87D71', row: { managed: true } });
  expect(await api.made('/support/tickets', { ...question, managed_issue: true })).toMatchObject({ entity: null });
  const [vm] = (await api.get('/vm/instances')).data;
  expect((await api.post('/support/tickets', { ...question, managed_issue: true, vm_id: vm?.['id'] })).errors).toEqual([
    'managed_issue: A managed issue cannot name another entity.',
  ]);
});

test('a restricted user sees their own tickets and those about what they may see', async () => {
  const api = testAccount();
  const vm = await emptyInstance(api);
  const about = await api.made('/support/tickets', { ...question, vm_id: vm });
  await api.made('/support/tickets', question);
  const limited = api.as('token-limited');
  const path = `/support/tickets/${String(about['id'])}`;
  expect((await limited.get('/support/tickets')).body['results']).toBe(0);
  expect((await limited.get(path)).status).toBe(404);
  expect((await limited.post('/support/tickets', { ...question, vm_id: vm })).status).toBe(403);
  api.emulator.control.setGrants('limited', { [`vm:${vm}`]: 'read_only' });
  expect((await limited.get(path)).body).toEqual(about);
  expect((await limited.post(`${path}/replies`, { description: 'x' })).status).toBe(403);
  expect((await limited.post('/support/tickets', { ...question, summary: 'mine' })).status).toBe(200);
  expect((await limited.get('/support/tickets')).data.map((row) => row['summary'])).toEqual(['mine', 'A question']);
  expect((await api.as('token-other').get(path)).status).toBe(404);
});

test('two tickets a minute', async () => {
  const api = testAccount({ knobs: { rateProfile: 'recorded-2023' } });
  const statuses: number[] = [];
  for (let count = 0; count < 3; count += 1) statuses.push((await api.post('/support/tickets', question)).status);
  expect(statuses).toEqual([200, 200, 429]);
  api.seconds(60);
  expect((await api.post('/support/tickets', question)).status).toBe(200);
});
