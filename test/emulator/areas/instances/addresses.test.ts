import { expect, test } from 'vitest';
import { emptyInstance, testAccount } from '../test-account.ts';

test('GET /vm/instances/{vmId}/ips GET /vm/instances/{vmId}/ips/{address}: one public IPv4, link-local and SLAAC', async () => {
  const api = testAccount();
  const id = await emptyInstance(api);
  const seen = await api.seen(`/vm/instances/${id}/ips`);
  const vm = await api.seen(`/vm/instances/${id}`);
  const [address] = vm['ipv4'] as string[];
  expect(seen).toMatchObject({
    ipv4: {
      public: [{ address, prefix: 24, subnet_mask: '255.255.255.0', public: true, type: 'ipv4', vm_id: id }],
      private: [],
      shared: [],
      reserved: [],
    },
    ipv6: { slaac: { prefix: 64, public: true, rdns: null }, link_local: { public: false, gateway: 'fe80::1' }, global: [] },
  });
  expect(await api.seen(`/vm/instances/${id}/ips/${String(address)}`)).toMatchObject({
    gateway: String(address).replace(/\d+$/, '1'),
    rdns: `${String(address).replaceAll('.', '-')}.ip.vmusercontent.com`,
  });
  const { ipv6 } = seen as { ipv6: { slaac: { address: string }; link_local: { address: string } } };
  expect(`${ipv6.slaac.address}/128`).toBe(vm['ipv6']);
  expect(ipv6.link_local.address).toMatch(/^fe80::f03c:91ff:fe/);
});

test('POST /vm/instances/{vmId}/ips: one private address; public ones by support only', async () => {
  const api = testAccount();
  const id = await emptyInstance(api);
  const path = `/vm/instances/${id}/ips`;
  expect((await api.post(path, { type: 'ipv6' })).errors).toEqual(['type: type is not valid', 'public: public is required']);
  expect((await api.post(path, { type: 'ipv4', public: true })).errors).toEqual([
    'Additional IPv4 addresses require technical justification.  Please contact support describing your requirement',
  ]);
  const made = await api.made(path, { type: 'ipv4', public: false });
  expect(made).toMatchObject({ prefix: 17, subnet_mask: '255.255.128.0', gateway: null, rdns: null, public: false });
  expect(made['address']).toMatch(/^192\.168\.(12[89]|1[3-9]\d|2\d\d)\.\d+$/);
  expect((await api.post(path, { type: 'ipv4', public: false })).status).toBe(400);
  expect(await api.seen(`/vm/instances/${id}`)).toMatchObject({ ipv4: [expect.any(String), made['address']] });
  expect(await api.log()).toContain('vm_addip notification');
  const granted = testAccount({ knobs: { extraPublicAddresses: true } });
  const other = await emptyInstance(granted);
  expect((await granted.post(`/vm/instances/${other}/ips`, { type: 'ipv4', public: true })).body).toMatchObject({ public: true });
});

test('DELETE /vm/instances/{vmId}/ips/{address} spares the last public one', async () => {
  const api = testAccount({ knobs: { extraPublicAddresses: true } });
  const id = await emptyInstance(api, { private_ip: true });
  const path = `/vm/instances/${id}/ips`;
  const [first, internal] = (await api.seen(`/vm/instances/${id}`))['ipv4'] as string[];
  expect((await api.delete(`${path}/${String(first)}`)).status).toBe(400);
  await api.made(path, { type: 'ipv4', public: true });
  expect((await api.delete(`${path}/${String(first)}`)).body).toEqual({});
  expect((await api.get(`${path}/${String(first)}`)).status).toBe(404);
  expect((await api.seen(`/vm/instances/${id}`))['ipv4']).toHaveLength(2);
  expect((await api.delete(`${path}/${String(internal)}`)).status).toBe(200);
  expect(await api.log()).toContain('vm_deleteip notification');
});

test('GET /vm/instances/{vmId}/firewalls lists the firewalls of this instance only', async () => {
  const api = testAccount();
  const id = await emptyInstance(api);
  expect((await api.get(`/vm/instances/${id}/firewalls`)).body).toMatchObject({ data: [], results: 0 });
  const firewall = { label: 'web', rules: { inbound_policy: 'DROP', outbound_policy: 'DROP' } };
  const { id: own } = await api.made('/networking/firewalls', { ...firewall, devices: { vms: [id] } });
  await api.made('/networking/firewalls', { ...firewall, label: 'other' });
  expect((await api.get(`/vm/instances/${id}/firewalls`)).data.map((row) => row['id'])).toEqual([own]);
  expect((await api.get('/vm/instances/1/firewalls')).status).toBe(404);
});

test('PUT /vm/instances/{vmId}/ips/{address} needs a forward entry first', async () => {
  const api = testAccount();
  const id = await emptyInstance(api);
  const [address] = (await api.seen(`/vm/instances/${id}`))['ipv4'] as string[];
  const path = `/vm/instances/${id}/ips/${String(address)}`;
  expect((await api.put(path, { rdns: 'not a name' })).errors).toEqual(['rdns: Domain is not valid.']);
  expect((await api.put(path, { rdns: 'www.example.org' })).errors).toEqual([
    "rdns: We were unable to perform a lookup for 'www.example.org' at this time.",
  ]);
  expect((await api.put(path, {})).errors).toEqual(['rdns: rdns is required']);
  const { id: domain } = await api.made('/domains', { type: 'master', domain: 'example.org', soa_email: 'a@example.org' });
  await api.made(`/domains/${String(domain)}/records`, { type: 'A', name: 'www', target: address });
  api.seconds(300);
  expect((await api.put(path, { rdns: 'www.example.org' })).status).toBe(200);
  expect(await api.seen(`/networking/ips/${String(address)}`)).toMatchObject({ rdns: 'www.example.org' });
});
