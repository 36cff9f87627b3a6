import { expect, test } from 'vitest';
import { emptyInstance, password, runningInstance, testAccount } from '../test-account.ts';

const plan = { region: 'us-east', type: 'g6-standard-2' };
const debian = { ...plan, image: 'vm/debian11', root_pass: password };

test('POST /vm/instances GET /vm/instances/{vmId}: an empty instance answers provisioning and goes offline', async () => {
  const api = testAccount();
  const made = await api.made('/vm/instances', plan);
  expect(made).toMatchObject({
    label: `vm${String(made['id'])}`,
    status: 'provisioning',
    image: null,
    group: '',
    hypervisor: 'kvm',
    specs: { disk: 81_920, memory: 4096, vcpus: 2, gpus: 0, transfer: 4000 },
    alerts: { cpu: 180, io: 10_000, network_in: 10, network_out: 10, transfer_quota: 80 },
    backups: { enabled: false, available: false, schedule: { day: null, window: null }, last_successful: null },
    watchdog_enabled: true,
    tags: [],
  });
  expect(made['host_uuid']).toMatch(/^[0-9a-f]{40}$/);
  expect(made['ipv4']).toHaveLength(1);
  expect(made['ipv6']).toMatch(/^2600:3c[0-9a-f]{2}::f03c:91ff:fe[0-9a-f]{2}:[0-9a-f]+\/128$/);
  api.seconds(10);
  expect(await api.seen(`/vm/instances/${String(made['id'])}`)).toMatchObject({ status: 'offline' });
  expect(await api.log()).toEqual(['vm_create finished']);
  expect((await api.get(`/vm/instances/${String(made['id'])}/disks`)).data).toEqual([]);
});

test('an instance from an image gets the default config and disks, and boots', async () => {
  const api = testAccount();
  const made = await api.made('/vm/instances', { ...debian, label: 'web-1', tags: ['web'] });
  const path = `/vm/instances/${String(made['id'])}`;
  expect(made).toMatchObject({ status: 'provisioning', image: 'vm/debian11' });
  expect(await api.log()).toEqual(['vm_create scheduled', 'vm_boot scheduled']);
  expect((await api.get(`${path}/disks`)).data).toMatchObject([
    { label: 'Debian 11 Disk', size: 81_408, filesystem: 'ext4', status: 'not ready' },
    { label: '512 MB Swap Image', size: 512, filesystem: 'swap' },
  ]);
  api.seconds(10);
  expect(await api.log()).toEqual(['vm_create started', 'vm_boot scheduled']);
  api.seconds(10);
  expect(await api.seen(path)).toMatchObject({ status: 'booting' });
  api.seconds(20);
  expect(await api.seen(path)).toMatchObject({ status: 'running' });
  const [config] = (await api.get(`${path}/configs`)).data;
  const disks = (await api.get(`${path}/disks`)).data;
  expect(disks.map((disk) => disk['status'])).toEqual(['ready', 'ready']);
  expect(config).toMatchObject({
    label: 'My Debian 11 Disk Profile',
    kernel: 'vm/grub2',
    root_device: '/dev/sda',
    memory_limit: 0,
    devices: { sda: { disk_id: disks[0]?.['id'], volume_id: null }, sdb: { disk_id: disks[1]?.['id'] }, sdc: null },
    interfaces: [],
  });
  expect(await api.event('vm_create')).toMatchObject({
    status: 'finished',
    percent_complete: 100,
    entity: { type: 'vm', id: made['id'], url: `/v4/vm/instances/${String(made['id'])}` },
    secondary_entity: { id: 'vm/debian11', type: 'image' },
  });
  expect(await api.event('vm_boot')).toMatchObject({ secondary_entity: { id: config?.['id'], type: 'vm_config' } });
});

test('an instance create answers every bad field at once', async () => {
  const api = testAccount();
  expect((await api.post('/vm/instances', {})).errors).toEqual(['region: region is required', 'type: type is required']);
  expect((await api.post('/vm/instances', { region: 'mars', type: 'huge' })).errors).toEqual([
    'region: region is not valid',
    'type: A valid plan type by that ID was not found',
  ]);
  expect((await api.post('/vm/instances', { ...plan, image: 'vm/debian11' })).errors).toEqual(['root_pass: root_pass is required']);
  expect((await api.post('/vm/instances', { ...debian, root_pass: 'short' })).errors).toEqual([
    'root_pass: Length must be 11-128 characters',
    'root_pass: Password does not meet strength requirement.',
  ]);
  expect((await api.post('/vm/instances', { ...debian, image: 'vm/none' })).errors).toEqual(['image: image is not valid']);
  for (const label of ['-web', 'web-', 'a--b', 'a..b', 'a b']) {
    expect((await api.post('/vm/instances', { ...plan, label })).errors).toEqual(['label: label is not valid']);
  }
  expect((await api.post('/vm/instances', { ...plan, label: 'ab' })).errors).toEqual(['label: Length must be 3-64 characters']);
  expect((await api.post('/vm/instances', { ...plan, group: 'g'.repeat(51) })).errors).toEqual(['group: Length must be 1-50 characters']);
  expect((await api.post('/vm/instances', { ...debian, authorized_users: ['admin'] })).errors).toEqual([
    'authorized_users: authorized_users is not valid',
  ]);
  expect((await api.get('/vm/instances')).body).toMatchObject({ results: 0 });
});

test('an account has room for so many instances', async () => {
  const api = testAccount({ knobs: { instanceLimit: 1 } });
  await emptyInstance(api);
  expect((await api.post('/vm/instances', plan)).errors).toEqual(['Account Limit reached. Please open a support ticket.']);
});

test('labels are unique until the delete job of the former has ended', async () => {
  const api = testAccount();
  const id = await emptyInstance(api, { label: '1st-web' });
  const twin = () => api.post('/vm/instances', { ...plan, label: '1st-web' });
  expect((await twin()).errors).toEqual(['label: Label must be unique among your linodes']);
  await api.delete(`/vm/instances/${id}`);
  expect((await api.get(`/vm/instances/${id}`)).status).toBe(404);
  expect((await twin()).errors).toEqual(['label: Label must be unique among your linodes']);
  api.seconds(20);
  expect((await twin()).status).toBe(200);
});

test('DELETE /vm/instances/{vmId} lets volumes go when its job has ended', async () => {
  const api = testAccount();
  const id = await runningInstance(api);
  const volume = String((await api.made('/volumes', { label: 'data', region: 'us-east' }))['id']);
  await api.made(`/volumes/${volume}/attach`, { vm_id: id });
  api.seconds(30);
  await api.delete(`/vm/instances/${id}`);
  expect((await api.get(`/vm/instances/${id}/disks`)).status).toBe(404);
  expect(await api.seen(`/volumes/${volume}`)).toMatchObject({ vm_id: id });
  api.seconds(20);
  expect(await api.seen(`/volumes/${volume}`)).toMatchObject({ vm_id: null, vm_label: null });
  expect((await api.log()).at(-1)).toBe('vm_delete finished');
  expect((await api.delete(`/vm/instances/${id}`)).errors).toEqual(['Not found']);
});

test('PUT /vm/instances/{vmId} GET /vm/instances: only what is sent changes; volumes show the new label', async () => {
  const api = testAccount();
  const id = await emptyInstance(api, { image: 'vm/debian11', root_pass: password, booted: false });
  await api.made('/volumes', { label: 'data', vm_id: id });
  const change = { label: 'renamed', alerts: { cpu: 50 }, watchdog_enabled: false, backups: { schedule: { day: 'Sunday', window: 'W2' } } };
  expect((await api.put(`/vm/instances/${id}`, { ...change, type: 'g6-nanode-1' })).body).toMatchObject({ type: 'g6-standard-2' });
  expect((await api.filter('/vm/instances', { label: 'renamed' })).data).toMatchObject([
    { alerts: { cpu: 50, io: 10_000 }, watchdog_enabled: false, backups: { schedule: { day: 'Sunday', window: 'W2' } } },
  ]);
  expect((await api.get('/volumes')).data).toMatchObject([{ vm_label: 'renamed' }]);
  expect((await api.put(`/vm/instances/${id}`, { backups: { schedule: { day: 'Someday' } } })).errors).toEqual([
    'backups.schedule.day: day is not valid',
  ]);
  expect(await api.log()).toContain('vm_update notification');
  expect((await api.filter('/vm/instances', { '+or': [{ ipv4: '203.0.113.1' }, { image: 'vm/debian11' }] })).data).toHaveLength(1);
});

test('interfaces and VLANs follow their rules', async () => {
  const api = testAccount();
  const create = async (interfaces: unknown, region = 'eu-west') =>
    (await api.post('/vm/instances', { ...debian, region, interfaces })).errors;
  expect(await create([{ purpose: 'public' }, { purpose: 'public' }])).toEqual([
    'interfaces: Only one public interface per config is allowed.',
  ]);
  expect(await create([{ purpose: 'vlan' }])).toEqual(['interfaces[0].label: label is required']);
  expect(await create([{ purpose: 'vlan', label: 'lan', ipam_address: '10.0.0.1' }])).toEqual([
    'interfaces[0].ipam_address: ipam_address is not valid',
  ]);
  expect(await create([{ purpose: 'vlan', label: 'lan' }], 'us-west')).toEqual([
    "interfaces: This Linode's region does not support VLANs at this time.",
  ]);
  expect(
    await create([
      { purpose: 'vlan', label: 'lan', ipam_address: '10.0.0.1/24' },
      { purpose: 'public', label: '' },
    ]),
  ).toEqual([]);
});
