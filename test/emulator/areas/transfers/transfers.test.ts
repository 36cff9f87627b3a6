import { expect, test } from 'vitest';
import type { TestClient } from '../../test-client.ts';
import type { TestAccount } from '../test-account.ts';
import { emptyInstance, runningInstance, testAccount } from '../test-account.ts';

const service = '/account/service-transfers';
const entity = '/account/entity-transfers';

async function offered(api: TestAccount, vms: readonly number[], base = service): Promise<string> {
  return String((await api.made(base, { entities: { vms } }))['token']);
}

const actions = async (api: TestClient) => (await api.get('/account/events')).data.map((event) => String(event['action'])).toSorted();

test('POST /account/service-transfers GET /account/service-transfers GET /account/service-transfers/{token}: seen by both sides', async () => {
  const api = testAccount();
  const vm = await emptyInstance(api);
  const made = await api.made(service, { entities: { vms: [vm, vm] } });
  expect(made).toEqual({
    token: expect.stringMatching(/^[0-9A-F]{8}(-[0-9A-F]{4}){3}-[0-9A-F]{12}$/),
    status: 'pending',
    created: '2026-01-01T00:01:00',
    updated: '2026-01-01T00:01:00',
    expiry: '2026-01-02T00:01:00',
    is_sender: true,
    entities: { vms: [vm] },
  });
  expect((await api.get(service)).data).toEqual([made]);
  expect(await api.seen(`${service}/${String(made['token'])}`)).toEqual(made);
  expect(await api.event('entity_transfer_create')).toMatchObject({ entity: null });
  const other = api.as('token-other');
  expect((await other.get(service)).body['results']).toBe(0);
  expect((await other.get(`${service}/${String(made['token'])}`)).body).toEqual({ ...made, is_sender: false });
  expect((await api.filter(service, { status: 'pending', is_sender: true })).data).toEqual([made]);
  expect((await api.filter(service, { is_sender: false })).data).toEqual([]);
  expect((await api.get(entity)).data).toEqual([made]);
});

test('POST /account/service-transfers/{token}/accept moves the instance with all that belongs to it', async () => {
  const api = testAccount();
  const vm = await runningInstance(api, { label: 'web-1', tags: ['mine'] });
  const before = await api.seen(`/vm/instances/${vm}`);
  const disks = (await api.get(`/vm/instances/${vm}/disks`)).data;
  const configs = (await api.get(`/vm/instances/${vm}/configs`)).data;
  const token = await offered(api, [vm]);
  const other = api.as('token-other');
  expect((await other.post(`${service}/${token}/accept`)).body).toEqual({});
  expect(await api.seen(`${service}/${token}`)).toMatchObject({ status: 'accepted', is_sender: true });
  expect((await other.get(service)).data).toMatchObject([{ status: 'accepted', is_sender: false }]);
  expect((await other.get(`/vm/instances/${vm}`)).status).toBe(404);
  api.seconds(1800);
  expect(await api.seen(`${service}/${token}`)).toMatchObject({ status: 'completed', updated: '2026-01-01T00:31:00' });
  expect((await api.get(`/vm/instances/${vm}`)).status).toBe(404);
  expect((await api.get('/networking/ips')).body['results']).toBe(0);
  expect((await other.get(`/vm/instances/${vm}`)).body).toEqual({ ...before, tags: [] });
  expect((await other.get(`/vm/instances/${vm}/disks`)).data).toEqual(disks);
  expect((await other.get(`/vm/instances/${vm}/configs`)).data).toEqual(configs);
  expect((await other.post(`/vm/instances/${vm}/shutdown`)).status).toBe(200);
  expect(await actions(other)).toEqual(['entity_transfer_accept_recipient', 'vm_shutdown']);
  expect((await actions(api)).filter((action) => action.startsWith('entity'))).toEqual([
    'entity_transfer_accept',
    'entity_transfer_create',
  ]);
  const [life] = api.emulator.control.objects().filter((object) => object.collection === 'instances' && object.diedAt === undefined);
  expect(life).toMatchObject({ euuid: 'B2C04D11-93A7-4E0C-9F21D07A55E1C3B8', bornBy: 'other', key: vm });
});

test('a label that is taken on the other side gets the id', async () => {
  const api = testAccount();
  const vm = await emptyInstance(api, { label: 'web-1' });
  const other = api.as('token-other');
  await other.post('/vm/instances', { region: 'us-east', type: 'g6-nanode-1', label: 'web-1' });
  await other.post(`${service}/${await offered(api, [vm])}/accept`);
  api.seconds(1800);
  expect((await other.get(`/vm/instances/${vm}`)).body).toMatchObject({ label: `web-1-${vm}` });
});

test('DELETE /account/service-transfers/{token}: by the sender, while it is pending', async () => {
  const api = testAccount();
  const vm = await emptyInstance(api);
  const token = await offered(api, [vm]);
  const other = api.as('token-other');
  expect((await other.delete(`${service}/${token}`)).status).toBe(403);
  expect((await api.delete(`${service}/${token}`)).body).toEqual({});
  expect(await api.seen(`${service}/${token}`)).toMatchObject({ status: 'cancelled' });
  expect(await api.event('entity_transfer_cancel')).toMatchObject({ entity: null });
  expect((await other.get(`${service}/${token}`)).status).toBe(404);
  expect((await other.post(`${service}/${token}/accept`)).status).toBe(404);
  expect((await api.delete(`${service}/${token}`)).errors).toEqual(['This transfer is cancelled.']);
  await offered(api, [vm]);
});

test('POST /account/entity-transfers GET /account/entity-transfers GET /account/entity-transfers/{token} POST /account/entity-transfers/{token}/accept DELETE /account/entity-transfers/{token}: the older names', async () => {
  const api = testAccount();
  const [first, second] = [await emptyInstance(api), await emptyInstance(api)];
  const [given, kept] = [await offered(api, [first], entity), await offered(api, [second], entity)];
  const other = api.as('token-other');
  expect((await other.get(`${entity}/${given}`)).body).toMatchObject({ is_sender: false });
  expect((await other.post(`${entity}/${given}/accept`)).status).toBe(200);
  expect((await api.delete(`${entity}/${kept}`)).status).toBe(200);
  api.seconds(1800);
  expect((await api.get(entity)).data.map((row) => row['status'])).toEqual(['completed', 'cancelled']);
  expect((await api.get(service)).data).toEqual((await api.get(entity)).data);
  expect((await other.get(`/vm/instances/${first}`)).status).toBe(200);
});

test('a transfer that nobody accepts goes stale after a day', async () => {
  const api = testAccount();
  const token = await offered(api, [await emptyInstance(api)]);
  api.seconds(86_399);
  expect(await api.seen(`${service}/${token}`)).toMatchObject({ status: 'pending' });
  api.seconds(1);
  expect(await api.seen(`${service}/${token}`)).toMatchObject({ status: 'stale' });
  expect(await api.event('entity_transfer_stale')).toMatchObject({ entity: null, status: 'notification' });
  expect((await api.as('token-other').post(`${service}/${token}/accept`)).status).toBe(404);
});

test('an accepted transfer fails when the instance goes meanwhile', async () => {
  const api = testAccount();
  const vm = await emptyInstance(api);
  const token = await offered(api, [vm]);
  await api.as('token-other').post(`${service}/${token}/accept`);
  expect((await api.delete(`${service}/${token}`)).errors).toEqual(['This transfer is accepted.']);
  await api.delete(`/vm/instances/${vm}`);
  api.seconds(1800);
  expect(await api.seen(`${service}/${token}`)).toMatchObject({ status: 'failed' });
  expect(await api.event('entity_transfer_fail')).toMatchObject({ entity: null });
  expect((await api.as('token-other').get('/vm/instances')).body['results']).toBe(0);
});

test('what holds an instance is refused, all of it at once', async () => {
  const api = testAccount();
  const region = 'us-southeast';
  const vlan = [{ purpose: 'vlan', label: 'net', ipam_address: null }];
  const vm = await runningInstance(api, { region, interfaces: vlan });
  await api.made('/volumes', { label: 'data', vm_id: vm });
  const rules = { inbound: [], outbound: [], inbound_policy: 'ACCEPT', outbound_policy: 'ACCEPT' };
  await api.made('/networking/firewalls', { label: 'wall', rules, devices: { vms: [vm] } });
  await api.made('/networking/ipv6/ranges', { vm_id: vm, prefix_length: 64 });
  const address = String((await api.seen(`/vm/instances/${vm}`))['ipv4']).split(',')[0] ?? '';
  await api.made('/managed/services', { label: 'web', service_type: 'url', address: `http://${address}/`, timeout: 5 });
  const sharer = await emptyInstance(api, { region });
  const share = { method: 'POST', path: '/v4beta/networking/ips/share', headers: { authorization: 'Bearer token-admin' } };
  await api.emulator.handle({ ...share, body: JSON.stringify({ vm_id: sharer, ips: [address] }) });
  const text = (vmId: number, reason: string) => `entities.vms[${vmId === vm ? 1 : 0}]: Linode ${vmId} ${reason}.`;
  expect((await api.post(service, { entities: { vms: [sharer, vm] } })).errors).toEqual([
    text(sharer, 'shares addresses'),
    text(vm, 'is assigned to a firewall'),
    text(vm, 'is in a VLAN'),
    text(vm, 'is monitored by a managed service'),
    text(vm, 'has volumes'),
    text(vm, 'shares addresses'),
    text(vm, 'has IPv6 ranges'),
  ]);
  expect((await api.get(service)).body['results']).toBe(0);
});

test('a transfer is refused without instances, for those of others, for those in another one, and for debtors', async () => {
  const api = testAccount();
  const vm = await emptyInstance(api);
  const create = async (body: unknown, by: TestClient = api) => (await by.post(service, body)).errors;
  expect(await create({})).toEqual(['entities: entities is required']);
  expect(await create({ entities: {} })).toEqual(['entities.vms: vms is required']);
  expect(await create({ entities: { vms: [] } })).toEqual(['entities.vms: Must be at least 1 items']);
  expect(await create({ entities: { vms: [vm, 7] } })).toEqual(['entities.vms[1]: A valid Linode by that ID was not found']);
  expect(await create({ entities: { vms: [vm] } }, api.as('token-other'))).toEqual([
    'entities.vms[0]: You do not have permission to access this Linode',
  ]);
  await offered(api, [vm]);
  expect(await create({ entities: { vms: [vm] } })).toEqual([`entities.vms[0]: Linode ${vm} is part of another transfer.`]);
  const key = 'E1AF5EEC-526F-487D-B317EBEB34C87D71';
  api.emulator.control.edit({ collection: 'account', key, row: { balance: 0.01 } });
  expect(await create({ entities: { vms: [await emptyInstance(api)] } })).toEqual([expect.stringContaining('outstanding balance')]);
});

test('accepting is refused to the sender, to debtors, to those who cannot pay, and when something holds the instance', async () => {
  const api = testAccount();
  const vm = await runningInstance(api);
  const path = `${service}/${await offered(api, [vm])}/accept`;
  const euuid = 'B2C04D11-93A7-4E0C-9F21D07A55E1C3B8';
  const accept = async () => (await api.as('token-other').post(path)).errors;
  expect((await api.post(path)).errors).toEqual(['A transfer cannot be accepted by the account that created it.']);
  api.emulator.control.edit({ euuid, collection: 'account', key: euuid, row: { balance: 5 } });
  expect(await accept()).toEqual([expect.stringContaining('outstanding balance')]);
  api.emulator.control.edit({ euuid, collection: 'account', key: euuid, row: { balance: 0 } });
  const [method] = api.emulator.control.rows('payment methods', euuid) as readonly { id: number }[];
  api.emulator.control.edit({ euuid, collection: 'payment methods', key: method?.id ?? 0 });
  expect(await accept()).toEqual(['A payment method is required to accept a transfer.']);
  api.emulator.control.edit({ euuid, collection: 'payment methods', row: { ...method } });
  await api.made('/volumes', { label: 'data', vm_id: vm });
  api.seconds(30);
  expect(await accept()).toEqual([`entities.vms[0]: Linode ${vm} has volumes.`]);
  expect((await api.as('token-other').post(`${service}/NONE/accept`)).status).toBe(404);
});

test('transfers are for unrestricted users, two accepts a minute', async () => {
  const api = testAccount({ knobs: { rateProfile: 'recorded-2023' } });
  for (const base of [service, entity]) {
    expect((await api.as('token-limited').get(base)).status).toBe(403);
    expect((await api.as('token-limited').post(base, {})).status).toBe(403);
    expect((await api.as('token-readonly').post(base, {})).status).toBe(401);
  }
  const statuses: number[] = [];
  for (let count = 0; count < 3; count += 1) statuses.push((await api.post(`${service}/NONE/accept`)).status);
  expect(statuses).toEqual([404, 404, 429]);
});
