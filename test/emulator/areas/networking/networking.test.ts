import { expect, test } from 'vitest';
import type { TestAccount } from '../test-account.ts';
import { emptyInstance, password, testAccount } from '../test-account.ts';

const granted = () => testAccount({ knobs: { extraPublicAddresses: true } });

async function addressesOf(api: TestAccount, vm: number): Promise<readonly string[]> {
  return (await api.seen(`/vm/instances/${vm}`))['ipv4'] as string[];
}

test('GET /networking/ips lists public and SLAAC addresses, no private ones; POST /networking/ips allocates', async () => {
  const api = granted();
  const vm = await emptyInstance(api, { private_ip: true });
  expect((await api.get('/networking/ips')).data.map((row) => row['type'])).toEqual(['ipv4', 'ipv6']);
  expect((await api.post('/networking/ips', { vm_id: vm, type: 'ipv4' })).errors).toEqual(['public: public is required']);
  const made = await api.made('/networking/ips', { vm_id: vm, type: 'ipv4', public: true });
  expect((await api.filter('/networking/ips', { region: 'us-east', vm_id: vm })).data).toHaveLength(3);
  expect(await addressesOf(api, vm)).toContain(made['address']);
});

test('GET /networking/ips/{address} PUT /networking/ips/{address}: the address of somebody else does not exist', async () => {
  const api = testAccount();
  const [address] = await addressesOf(api, await emptyInstance(api));
  const path = `/networking/ips/${String(address)}`;
  expect(await api.seen(path)).toMatchObject({ address, region: 'us-east', public: true });
  expect((await api.as('token-other').get(path)).status).toBe(404);
  expect((await api.as('token-other').put(path, { rdns: null })).status).toBe(404);
  expect((await api.put(path, { rdns: null })).body).toMatchObject({
    rdns: `${String(address).replaceAll('.', '-')}.ip.vmusercontent.com`,
  });
  expect((await api.get('/account/events')).data.map((event) => event['action'])).toContain('ipaddress_update');
});

test('POST /networking/ips/assign POST /networking/ipv4/assign move addresses, and leave everybody one', async () => {
  for (const path of ['/networking/ips/assign', '/networking/ipv4/assign']) {
    const api = granted();
    const [from, to] = [await emptyInstance(api), await emptyInstance(api)];
    const [only] = await addressesOf(api, from);
    const assign = async (address: unknown, vm: number, region = 'us-east') =>
      (await api.post(path, { region, assignments: [{ address, vm_id: vm }] })).errors;
    expect(await assign(only, to)).toEqual([`assignments: Linode ${from} must have at least one public IPv4.`]);
    const { address: extra } = await api.made('/networking/ips', { vm_id: from, type: 'ipv4', public: true });
    expect(await assign(extra, to, 'eu-west')).toEqual([`Invalid Linode ID ${to}`]);
    expect(await assign('203.0.113.9', to)).toEqual(['IP Address not found.']);
    expect(await assign(extra, 999_999)).toEqual(['Invalid Linode ID 999999']);
    expect(await assign(extra, to)).toEqual([]);
    expect(await addressesOf(api, from)).toEqual([only]);
    expect(await addressesOf(api, to)).toContain(extra);
    expect(await api.seen(`/networking/ips/${String(extra)}`)).toMatchObject({ vm_id: to });
  }
});

test('two addresses can change places in one call', async () => {
  const api = testAccount();
  const [left, right] = [await emptyInstance(api), await emptyInstance(api)];
  const [mine] = await addressesOf(api, left);
  const [theirs] = await addressesOf(api, right);
  await api.made('/networking/ips/assign', {
    region: 'us-east',
    assignments: [
      { address: mine, vm_id: right },
      { address: theirs, vm_id: left },
    ],
  });
  expect(await addressesOf(api, left)).toEqual([theirs]);
});

test('POST /networking/ips/share replaces what an instance shares, under v4beta only', async () => {
  const api = testAccount();
  const [owner, sharer] = [await emptyInstance(api), await emptyInstance(api)];
  const [address] = await addressesOf(api, owner);
  const authorization = { authorization: 'Bearer token-admin' };
  const share = (ips: unknown, path = 'beta/networking/ips/share') => api.send('POST', path, authorization, { vm_id: sharer, ips });
  expect((await share([address], '/networking/ips/share')).status).toBe(404);
  expect((await share(['203.0.113.9'])).errors).toEqual(['ips: IP Address not found.']);
  const far = await emptyInstance(api, { region: 'eu-west' });
  expect((await share(await addressesOf(api, far))).errors).toEqual(['ips: ips is not valid']);
  expect((await share([address])).body).toEqual({});
  const shared = async () => ((await api.seen(`/vm/instances/${sharer}/ips`))['ipv4'] as { shared: object[] }).shared;
  expect(await shared()).toMatchObject([{ address, vm_id: owner }]);
  await share([]);
  expect(await shared()).toEqual([]);
});

test('POST /networking/ipv6/ranges GET /networking/ipv6/ranges GET /networking/ipv6/ranges/{range} DELETE /networking/ipv6/ranges/{range}: one per instance and region', async () => {
  const api = testAccount();
  const vm = await emptyInstance(api);
  const made = await api.made('/networking/ipv6/ranges', { prefix_length: 64, vm_id: vm });
  const range = String(made['range']).replace('/64', '');
  const slaac = String((await api.seen(`/vm/instances/${vm}`))['ipv6']).replace('/128', '');
  expect((await api.get('/networking/ipv6/ranges')).data).toEqual([{ range, prefix: 64, region: 'us-east', route_target: slaac }]);
  expect(await api.seen(`/networking/ipv6/ranges/${range}`)).toMatchObject({ vms: [vm], is_bgp: false });
  expect((await api.post('/networking/ipv6/ranges', { prefix_length: 64, vm_id: vm })).status).toBe(400);
  expect((await api.post('/networking/ipv6/ranges', { prefix_length: 48 })).errors).toEqual(['prefix_length: prefix_length is not valid']);
  const other = await emptyInstance(api);
  await api.made('/networking/ips/assign', { region: 'us-east', assignments: [{ address: `${range}/64`, vm_id: other }] });
  const { ipv6 } = (await api.seen(`/vm/instances/${other}/ips`)) as { ipv6: { global: object[] } };
  expect(ipv6.global).toMatchObject([
    { range, route_target: String((await api.seen(`/vm/instances/${other}`))['ipv6']).replace('/128', '') },
  ]);
  await api.delete(`/networking/ipv6/ranges/${range}`);
  expect((await api.get(`/networking/ipv6/ranges/${range}`)).status).toBe(404);
});

test('GET /networking/vlans: a VLAN is there as long as an instance has it', async () => {
  const api = testAccount();
  const interfaces = [{ purpose: 'vlan', label: 'lan-1', ipam_address: '10.0.0.1/24' }];
  const vm = await emptyInstance(api, { region: 'eu-west', image: 'vm/debian11', root_pass: password, interfaces });
  expect((await api.filter('/networking/vlans', { label: 'lan-1', region: 'eu-west' })).data).toMatchObject([
    { label: 'lan-1', vms: [vm] },
  ]);
  await api.delete(`/vm/instances/${vm}`);
  expect((await api.get('/networking/vlans')).data).toEqual([]);
});

const vlan = (label: string) => ({ label, devices: {}, interfaces: [{ purpose: 'vlan', label }] });

test('a region holds ten VLANs', async () => {
  const api = testAccount();
  const path = `/vm/instances/${await emptyInstance(api, { region: 'eu-west' })}/configs`;
  for (let index = 0; index < 10; index += 1) await api.made(path, vlan(`lan-${index}`));
  expect((await api.post(path, vlan('lan-10'))).errors).toEqual(['interfaces: Must be 0-10 VLANs']);
  expect((await api.post(path, vlan('lan-1'))).status).toBe(200);
});
