import { expect, test } from 'vitest';
import { emptyInstance, testAccount } from '../test-account.ts';

const slot = (volume: unknown) => ({ devices: { sdb: { volume_id: volume, disk_id: null } } });

test('POST /vm/instances/{vmId}/configs GET /vm/instances/{vmId}/configs GET /vm/instances/{vmId}/configs/{configId}: defaults as recorded', async () => {
  const api = testAccount();
  const id = await emptyInstance(api);
  const path = `/vm/instances/${id}/configs`;
  const disk = await api.made(`/vm/instances/${id}/disks`, { label: 'root', size: 5000 });
  const made = await api.made(path, { label: 'main', devices: { sda: { disk_id: disk['id'] } }, interfaces: null });
  expect(made).toMatchObject({
    kernel: 'vm/latest-64bit',
    root_device: '/dev/sda',
    comments: '',
    memory_limit: 0,
    run_level: 'default',
    virt_mode: 'paravirt',
    initrd: null,
    interfaces: [],
    helpers: { updatedb_disabled: true, distro: true, modules_dep: true, devtmpfs_automount: true },
    devices: { sda: { disk_id: disk['id'], volume_id: null }, sdb: null, sdh: null },
  });
  expect(made).not.toHaveProperty('vm_id');
  expect((await api.filter(path, { label: 'main' })).data).toEqual([made]);
  expect(await api.seen(`${path}/${String(made['id'])}`)).toEqual(made);
  expect(await api.event('vm_config_create')).toMatchObject({
    status: 'notification',
    secondary_entity: { id: made['id'], type: 'vm_config' },
  });
  api.seconds(20);
  await api.made(`/vm/instances/${id}/boot`, {});
  api.seconds(30);
  expect(await api.seen(`/vm/instances/${id}`)).toMatchObject({ status: 'running' });
});

test('PUT /vm/instances/{vmId}/configs/{configId} changes what is sent and attaches volumes by slots', async () => {
  const api = testAccount();
  const id = await emptyInstance(api);
  const path = `/vm/instances/${id}/configs`;
  const { id: config } = await api.made(path, { label: 'main', devices: {} });
  const near = await api.made('/volumes', { label: 'near', region: 'us-east' });
  const far = await api.made('/volumes', { label: 'far', region: 'eu-west' });
  expect((await api.put(`${path}/${String(config)}`, slot(far['id']))).errors).toEqual([
    `devices.sdb.volume_id: Volume ${String(far['id'])} is not in the same region as Linode ${id}`,
  ]);
  expect((await api.put(`${path}/${String(config)}`, { kernel: 'vm/none', devices: { sdz: null } })).errors).toEqual([
    'devices: Keys must be one of: sda, sdb, sdc, sdd, sde, sdf, sdg, sdh',
  ]);
  expect((await api.put(`${path}/${String(config)}`, { kernel: 'vm/none' })).errors).toEqual(['kernel: kernel is not valid']);
  expect((await api.put(`${path}/${String(config)}`, { devices: { sda: { disk_id: 5 } } })).errors).toEqual([
    'devices.sda.disk_id: disk_id is not valid',
  ]);
  await api.put(`${path}/${String(config)}`, { ...slot(near['id']), comments: 'c', helpers: { distro: false } });
  expect(await api.seen(`${path}/${String(config)}`)).toMatchObject({
    label: 'main',
    comments: 'c',
    helpers: { distro: false, modules_dep: true },
  });
  expect(await api.seen(`/volumes/${String(near['id'])}`)).toMatchObject({ vm_id: id });
});

test('with several configs and no boot yet a volume cannot choose one', async () => {
  const api = testAccount();
  const id = await emptyInstance(api);
  const first = await api.made(`/vm/instances/${id}/configs`, { label: 'one', devices: {} });
  await api.made(`/vm/instances/${id}/configs`, { label: 'two', devices: {} });
  expect((await api.post('/volumes', { label: 'data', vm_id: id })).errors[0]).toMatch(/^config_id: Couldn't choose/);
  expect((await api.post('/volumes', { label: 'data', vm_id: id, config_id: 1 })).errors).toEqual(['config_id: config_id is not valid']);
  expect((await api.post('/volumes', { label: 'data', vm_id: id, config_id: first['id'] })).status).toBe(200);
  await api.made(`/vm/instances/${id}/boot`, { config_id: first['id'] });
  api.seconds(30);
  expect((await api.post('/volumes', { label: 'more', vm_id: id })).status).toBe(200);
});

test('a filter on interfaces names a VLAN', async () => {
  const api = testAccount();
  const path = `/vm/instances/${await emptyInstance(api, { region: 'eu-west' })}/configs`;
  await api.made(path, { label: 'main', devices: {}, interfaces: [{ purpose: 'vlan', label: 'lan-1' }] });
  expect((await api.filter(path, { interfaces: 'lan-1' })).data).toHaveLength(1);
  expect((await api.filter(path, { interfaces: 'lan-2' })).data).toEqual([]);
});

test('DELETE /vm/instances/{vmId}/configs/{configId} removes it', async () => {
  const api = testAccount();
  const path = `/vm/instances/${await emptyInstance(api)}/configs`;
  const { id } = await api.made(path, { label: 'main', devices: {} });
  expect((await api.delete(`${path}/${String(id)}`)).body).toEqual({});
  expect((await api.get(path)).data).toEqual([]);
  expect(await api.log()).toContain('vm_config_delete notification');
});
