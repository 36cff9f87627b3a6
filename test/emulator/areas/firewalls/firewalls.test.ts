import { expect, test } from 'vitest';
import { emptyInstance, testAccount } from '../test-account.ts';

const base = '/networking/firewalls';
const ssh = { action: 'ACCEPT', protocol: 'TCP', ports: '22', addresses: { ipv4: ['0.0.0.0/0'], ipv6: ['::/0'] } };
const rules = { inbound: [ssh], inbound_policy: 'DROP', outbound: null, outbound_policy: 'ACCEPT' };

test('POST /networking/firewalls GET /networking/firewalls/{firewallId}: enabled, and the rules exactly as sent', async () => {
  const api = testAccount();
  const sent = { inbound: [{ ...ssh, ports: '22, 80-90,443' }], inbound_policy: 'DROP', outbound: null, outbound_policy: 'ACCEPT' };
  const made = await api.made(base, { label: 'web', rules: sent, tags: ['b-tag', 'a-tag'] });
  expect(made).toEqual({
    id: made['id'],
    label: 'web',
    status: 'enabled',
    rules: sent,
    tags: ['a-tag', 'b-tag'],
    created: '2026-01-01T00:00:00',
    updated: '2026-01-01T00:00:00',
  });
  expect(await api.seen(`${base}/${String(made['id'])}`)).toEqual(made);
  expect(await api.event('firewall_create')).toMatchObject({
    status: 'notification',
    entity: { id: made['id'], type: 'firewall', label: 'web' },
  });
});

test('a firewall is refused for its label and the frame of its rules', async () => {
  const api = testAccount();
  const create = async (body: object) => (await api.post(base, body)).errors;
  expect(await create({})).toEqual(['label: label is required', 'rules: rules is required']);
  expect(await create({ label: 'web', rules: {} })).toEqual([
    'rules.inbound_policy: inbound_policy is required',
    'rules.outbound_policy: outbound_policy is required',
  ]);
  expect(await create({ label: 'web', rules: { ...rules, forward: [] } })).toEqual([
    'rules: Keys must be one of: inbound, inbound_policy, outbound, outbound_policy',
  ]);
  expect(await create({ label: 'web', rules: { ...rules, inbound_policy: 'REJECT' } })).toEqual([
    'rules.inbound_policy: inbound_policy is not valid',
  ]);
  expect(await create({ label: 'a--b', rules })).toEqual(['label: label is not valid']);
  expect(await create({ label: 'x'.repeat(33), rules })).toEqual(['label: Length must be 3-32 characters']);
  expect(await create({ label: '1st', rules })).toEqual(['label: Must begin with a letter']);
  await api.made(base, { label: 'web', rules });
  expect(await create({ label: 'web', rules })).toEqual(['label: Label must be unique among your Cloud Firewalls']);
  const lax = testAccount({ knobs: { firewallLabelBeginsWithLetter: false } });
  expect((await lax.post(base, { label: '1st', rules })).status).toBe(200);
});

test('PUT /networking/firewalls/{firewallId} GET /networking/firewalls: label, status and tags only', async () => {
  const api = testAccount();
  const { id } = await api.made(base, { label: 'web', rules });
  await api.put(`${base}/${String(id)}`, { status: 'disabled', rules: {} });
  await api.put(`${base}/${String(id)}`, { label: 'web-2', tags: ['prod'] });
  expect((await api.filter(base, { label: 'web-2', tags: 'prod' })).data).toMatchObject([{ id, status: 'disabled', rules }]);
  expect((await api.put(`${base}/${String(id)}`, { status: 'deleted' })).errors).toEqual(['status: status is not valid']);
  await api.put(`${base}/${String(id)}`, { status: 'enabled' });
  expect((await api.log()).slice(1)).toEqual([
    'firewall_disable notification',
    'firewall_update notification',
    'firewall_enable notification',
  ]);
});

test('POST /networking/firewalls/{firewallId}/devices GET /networking/firewalls/{firewallId}/devices GET /networking/firewalls/{firewallId}/devices/{deviceId}: instances only, once', async () => {
  const api = testAccount();
  const vm = await emptyInstance(api, { label: 'web-1' });
  const path = `${base}/${String((await api.made(base, { label: 'web', rules }))['id'])}/devices`;
  expect((await api.post(path, { type: 'nodebalancer' })).errors).toEqual(['id: id is required', 'type: type is not valid']);
  const made = await api.made(path, { id: vm, type: 'vm' });
  expect(made).toMatchObject({ entity: { id: vm, type: 'vm', label: 'web-1', url: `/v4/vm/instances/${vm}` } });
  expect(made).not.toHaveProperty('vm_id');
  expect((await api.get(path)).data).toEqual([made]);
  expect(await api.seen(`${path}/${String(made['id'])}`)).toEqual(made);
  expect((await api.get(`/vm/instances/${vm}/firewalls`)).data).toMatchObject([{ label: 'web' }]);
  expect((await api.post(path, { id: vm, type: 'vm' })).status).toBe(400);
  await api.put(`/vm/instances/${vm}`, { label: 'web-2' });
  expect((await api.get(path)).data).toMatchObject([{ entity: { label: 'web-2' } }]);
  expect(await api.log()).toContain('firewall_device_add notification');
});

test('an instance has one enabled firewall', async () => {
  const api = testAccount();
  const vm = await emptyInstance(api, { label: 'web-1' });
  const reason = `Too many active firewalls attached to Linode web-1 (ID ${vm})`;
  await api.made(base, { label: 'first', rules, devices: { vms: [vm] } });
  expect((await api.post(base, { label: 'second', rules, devices: { vms: [vm] } })).errors).toEqual([`devices.vms: ${reason}`]);
  const second = `${base}/${String((await api.made(base, { label: 'second', rules }))['id'])}`;
  expect((await api.post(`${second}/devices`, { id: vm, type: 'vm' })).errors).toEqual([`id: ${reason}`]);
  await api.put(second, { status: 'disabled' });
  await api.made(`${second}/devices`, { id: vm, type: 'vm' });
  expect((await api.put(second, { status: 'enabled' })).errors).toEqual([`status: ${reason}`]);
  expect((await api.get(`/vm/instances/${vm}/firewalls`)).data).toMatchObject([{ label: 'first' }, { label: 'second' }]);
});

test('DELETE /networking/firewalls/{firewallId}/devices/{deviceId} DELETE /networking/firewalls/{firewallId} leave the instance alone', async () => {
  const api = testAccount();
  const vm = await emptyInstance(api);
  const firewall = `${base}/${String((await api.made(base, { label: 'web', rules, devices: { vms: [vm] } }))['id'])}`;
  const [device] = (await api.get(`${firewall}/devices`)).data;
  expect((await api.delete(`${firewall}/devices/${String(device?.['id'])}`)).body).toEqual({});
  expect((await api.get(`/vm/instances/${vm}/firewalls`)).data).toEqual([]);
  expect((await api.delete(`${firewall}/devices/${String(device?.['id'])}`)).errors).toEqual(['Not found']);
  await api.made(`${firewall}/devices`, { id: vm, type: 'vm' });
  expect((await api.delete(firewall)).body).toEqual({});
  expect((await api.get(firewall)).status).toBe(404);
  expect((await api.get(`/vm/instances/${vm}/firewalls`)).data).toEqual([]);
  expect((await api.log()).slice(-3)).toEqual([
    'firewall_device_remove notification',
    'firewall_device_add notification',
    'firewall_delete notification',
  ]);
});

test('a device disappears with its instance', async () => {
  const api = testAccount();
  const vm = await emptyInstance(api);
  const firewall = `${base}/${String((await api.made(base, { label: 'web', rules, devices: { vms: [vm] } }))['id'])}`;
  await api.delete(`/vm/instances/${vm}`);
  expect((await api.get(`${firewall}/devices`)).data).toEqual([]);
});

test('GET /networking/firewalls/{firewallId}/rules PUT /networking/firewalls/{firewallId}/rules replace whole directions', async () => {
  const api = testAccount();
  const path = `${base}/${String((await api.made(base, { label: 'web', rules }))['id'])}/rules`;
  const ping = { action: 'ACCEPT', protocol: 'ICMP', addresses: { ipv4: ['192.0.2.0/24'] }, label: 'ping' };
  expect((await api.put(path, { inbound: [ping] })).body).toEqual({ ...rules, inbound: [ping] });
  expect(await api.seen(path)).toEqual({ ...rules, inbound: [ping] });
  expect((await api.put(path, { inbound: [{ ...ping, ports: '8' }], more: 1 })).errors).toEqual([
    'rules: Keys must be one of: inbound, inbound_policy, outbound, outbound_policy',
    'rules.inbound[0].ports: ports is not valid',
  ]);
  await api.put(path, { outbound: [], outbound_policy: 'DROP' });
  expect(await api.seen(path)).toEqual({ inbound: [ping], inbound_policy: 'DROP', outbound: [], outbound_policy: 'DROP' });
  expect((await api.log()).slice(-1)).toEqual(['firewall_update notification']);
});
