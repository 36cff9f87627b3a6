import { expect, test } from 'vitest';
import { emptyInstance, runningInstance, testAccount } from '../test-account.ts';

test('POST /vm/instances/{vmId}/backups/enable POST /vm/instances/{vmId}/backups/cancel switch backups; cancel destroys them', async () => {
  const api = testAccount();
  const id = await runningInstance(api);
  const path = `/vm/instances/${id}`;
  expect((await api.post(`${path}/backups`, { label: 'before' })).status).toBe(400);
  await api.made(`${path}/backups/enable`);
  expect(await api.seen(path)).toMatchObject({ backups: { enabled: true, available: false } });
  await api.made(`${path}/backups`, { label: 'snap' });
  api.seconds(60);
  expect(await api.seen(path)).toMatchObject({ backups: { available: true } });
  await api.made(`${path}/backups/cancel`);
  expect(await api.seen(path)).toMatchObject({ backups: { enabled: false, available: false, last_successful: null } });
  expect(await api.seen(`${path}/backups`)).toEqual({ automatic: [], snapshot: { current: null, in_progress: null } });
  expect((await api.log()).slice(-1)).toEqual(['backups_cancel notification']);
});

test('POST /vm/instances/{vmId}/backups GET /vm/instances/{vmId}/backups GET /vm/instances/{vmId}/backups/{backupId}: a snapshot passes its states and replaces the former', async () => {
  const api = testAccount();
  const id = await runningInstance(api, { backups_enabled: true });
  const path = `/vm/instances/${id}/backups`;
  const first = await api.made(path, { label: 'first' });
  expect(first).toMatchObject({
    type: 'snapshot',
    status: 'pending',
    finished: null,
    label: 'first',
    region: 'us-east',
    configs: [],
    disks: [],
  });
  expect((await api.post(path, { label: 'next' })).errors).toEqual(['Linode busy.']);
  expect((await api.post(`${path}/${String(first['id'])}/restore`, { vm_id: id })).errors).toEqual(['Unable to restore pending backups.']);
  api.seconds(30);
  expect(await api.seen(path)).toMatchObject({ snapshot: { current: null, in_progress: { status: 'needsPostProcessing' } } });
  api.seconds(30);
  expect(await api.seen(`${path}/${String(first['id'])}`)).toMatchObject({
    status: 'successful',
    configs: ['My Debian 11 Disk Profile'],
    disks: [{ label: 'Debian 11 Disk', size: 81_408, filesystem: 'ext4' }, { label: '512 MB Swap Image' }],
  });
  const second = await api.made(path, { label: 'second' });
  api.seconds(60);
  expect(await api.seen(path)).toMatchObject({ snapshot: { current: { id: second['id'] }, in_progress: null } });
  expect((await api.get(`${path}/${String(first['id'])}`)).status).toBe(404);
  expect(await api.log()).toContain('backups_enable notification');
});

test('POST /vm/instances/{vmId}/backups/{backupId}/restore fills another instance', async () => {
  const api = testAccount();
  const source = await runningInstance(api, { backups_enabled: true });
  const backup = String((await api.made(`/vm/instances/${source}/backups`, { label: 'snap' }))['id']);
  api.seconds(60);
  const path = `/vm/instances/${source}/backups/${backup}/restore`;
  expect((await api.post(path, { vm_id: source })).errors[0]).toMatch(/^Not enough free space on/);
  const target = await emptyInstance(api);
  expect((await api.post(path, { vm_id: target })).body).toEqual({});
  api.seconds(5);
  expect(await api.seen(`/vm/instances/${target}`)).toMatchObject({ status: 'restoring' });
  expect((await api.delete(`/vm/instances/${target}`)).errors).toEqual([
    'Linode is restoring a backup. Please wait for restore to finish before deleting.',
  ]);
  api.seconds(30);
  expect((await api.get(`/vm/instances/${target}/disks`)).data).toMatchObject([{ label: 'Debian 11 Disk', status: 'ready' }, {}]);
  expect((await api.get(`/vm/instances/${target}/configs`)).data).toMatchObject([
    { label: 'My Debian 11 Disk Profile', kernel: 'vm/grub2' },
  ]);
  expect(await api.event('backups_restore')).toMatchObject({ status: 'finished', entity: { id: target } });
});

test('day and window are chosen when nobody sets them', async () => {
  const api = testAccount();
  const id = await emptyInstance(api, { backups_enabled: true });
  expect(await api.seen(`/vm/instances/${id}`)).toMatchObject({ backups: { schedule: { day: null, window: null } } });
  await api.put(`/vm/instances/${id}`, { backups: { schedule: { day: 'Monday' } } });
  api.seconds(300);
  expect(await api.seen(`/vm/instances/${id}`)).toMatchObject({ backups: { schedule: { day: 'Monday', window: 'W2' } } });
});

test('an instance can be made from a backup', async () => {
  const api = testAccount();
  const source = await runningInstance(api, { backups_enabled: true });
  const backup = Number((await api.made(`/vm/instances/${source}/backups`, { label: 'snap' }))['id']);
  const create = async (more: object) =>
    (await api.post('/vm/instances', { region: 'us-east', type: 'g6-standard-2', backup_id: backup, ...more })).errors;
  expect(await create({})).toEqual(['Unable to restore pending backups.']);
  api.seconds(60);
  expect(await create({ region: 'us-west' })).toEqual(['region: region is not valid']);
  expect(await create({ type: 'g6-nanode-1' })).toEqual(['type: type is not valid']);
  expect(await create({ label: 'from-backup' })).toEqual([]);
  api.seconds(60);
  const [made] = (await api.filter('/vm/instances', { label: 'from-backup' })).data;
  expect(made).toMatchObject({ status: 'running', image: null });
  expect((await api.get(`/vm/instances/${String(made?.['id'])}/disks`)).data).toHaveLength(2);
});
