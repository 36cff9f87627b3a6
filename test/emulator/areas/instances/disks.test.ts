import { expect, test } from 'vitest';
import type { TestAccount } from '../test-account.ts';
import { emptyInstance, password, runningInstance, testAccount } from '../test-account.ts';

async function withDisk(api: TestAccount): Promise<{ readonly path: string; readonly disks: string; readonly disk: string }> {
  const path = `/vm/instances/${await emptyInstance(api)}`;
  const made = await api.made(`${path}/disks`, { label: 'data', size: 10_000 });
  api.seconds(20);
  return { path, disks: `${path}/disks`, disk: `${path}/disks/${String(made['id'])}` };
}

test('POST /vm/instances/{vmId}/disks GET /vm/instances/{vmId}/disks GET /vm/instances/{vmId}/disks/{diskId}: a disk becomes ready', async () => {
  const api = testAccount();
  const id = await emptyInstance(api);
  const made = await api.made(`/vm/instances/${id}/disks`, { label: 'data', size: 10_000 });
  expect(made).toMatchObject({ label: 'data', status: 'not ready', size: 10_000, filesystem: 'ext4' });
  expect(Object.keys(made).toSorted()).toEqual(['created', 'filesystem', 'id', 'label', 'size', 'status', 'updated']);
  api.seconds(10);
  expect(await api.seen(`/vm/instances/${id}/disks/${String(made['id'])}`)).toMatchObject({ status: 'ready' });
  expect((await api.filter(`/vm/instances/${id}/disks`, { size: { '+gte': 10_000 } })).data).toHaveLength(1);
  expect(await api.event('disk_create')).toMatchObject({
    status: 'finished',
    entity: { id, type: 'vm' },
    secondary_entity: { id: made['id'], type: 'disk', label: 'data' },
  });
});

test('disk create refuses what is missing, unknown or too large, and waits for jobs', async () => {
  const api = testAccount();
  const id = await emptyInstance(api);
  const create = async (body: object) => (await api.post(`/vm/instances/${id}/disks`, body)).errors;
  expect(await create({})).toEqual(['size: size is required']);
  expect(await create({ size: 0, label: 'x' })).toEqual(['size: Disk size must be at least 1 MB']);
  expect(await create({ size: 100 })).toEqual(['label: label is required']);
  expect(await create({ size: 5000, image: 'vm/debian11' })).toEqual(['root_pass: root_pass is required when deploying a distribution']);
  expect(await create({ size: 1000, image: 'vm/debian11', root_pass: password })).toEqual(['Distribution requires a minimum size of 1300']);
  expect(await create({ size: 5000, image: 'vm/none', root_pass: password })).toEqual(['image: image is not valid']);
  expect(await create({ size: 81_921, label: 'x' })).toEqual(['size: Must be 1-81920']);
  expect(await create({ size: 100, label: 'x', filesystem: 'ntfs' })).toEqual(['filesystem: filesystem is not valid']);
  expect(await create({ size: 100, label: 'first' })).toEqual([]);
  expect(await create({ size: 100, label: 'second' })).toEqual(['Linode busy.']);
});

test('PUT /vm/instances/{vmId}/disks/{diskId} renames', async () => {
  const api = testAccount();
  const { disk } = await withDisk(api);
  expect((await api.put(disk, { label: 'renamed', size: 1 })).body).toMatchObject({ label: 'renamed', size: 10_000 });
  expect(await api.seen(disk)).toMatchObject({ label: 'renamed' });
  expect((await api.put(disk, { label: '' })).errors).toEqual(['label: Length must be 1-48 characters']);
  expect(await api.log()).toContain('disk_update notification');
});

test('DELETE /vm/instances/{vmId}/disks/{diskId} takes its time and spares a disk in use', async () => {
  const api = testAccount();
  const { disk, disks } = await withDisk(api);
  expect((await api.delete(disk)).body).toEqual({});
  expect(await api.seen(disk)).toMatchObject({ status: 'deleting' });
  api.seconds(20);
  expect((await api.get(disk)).status).toBe(404);
  expect((await api.get(disks)).data).toEqual([]);
  expect(await api.log()).toContain('disk_delete finished');
  const running = await runningInstance(api);
  const [root] = (await api.get(`/vm/instances/${running}/disks`)).data;
  expect((await api.delete(`/vm/instances/${running}/disks/${String(root?.['id'])}`)).status).toBe(400);
});

test('POST /vm/instances/{vmId}/disks/{diskId}/clone copies within the free space', async () => {
  const api = testAccount();
  const { disk, disks, path } = await withDisk(api);
  expect(await api.made(`${disk}/clone`)).toMatchObject({ label: 'Copy of data', status: 'ready', size: 10_000 });
  expect((await api.post(`${disk}/clone`)).errors).toEqual(['Linode busy.']);
  api.seconds(20);
  expect((await api.get(disks)).body).toMatchObject({ results: 2 });
  expect((await api.log()).slice(-1)).toEqual(['disk_duplicate finished']);
  await api.made(`${path}/disks`, { label: 'rest', size: 60_000 });
  api.seconds(20);
  expect((await api.post(`${disk}/clone`)).errors[0]).toMatch(/^Not enough free space on vm\d+\.$/);
});

test('POST /vm/instances/{vmId}/disks/{diskId}/resize changes the size when its job ends, and fails on a disk in use', async () => {
  const api = testAccount();
  const { disk } = await withDisk(api);
  expect((await api.post(`${disk}/resize`, { size: 0 })).errors).toEqual(['size: Must be at least 1']);
  expect((await api.post(`${disk}/resize`, { size: 90_000 })).errors).toEqual(['size: Must be 1-81920']);
  expect((await api.post(`${disk}/resize`, { size: 20_000 })).body).toEqual({});
  expect(await api.seen(disk)).toMatchObject({ size: 10_000 });
  api.seconds(30);
  expect(await api.seen(disk)).toMatchObject({ size: 20_000 });
  const running = `/vm/instances/${await runningInstance(api)}`;
  const swap = (await api.get(`${running}/disks`)).data[1];
  expect((await api.post(`${running}/disks/${String(swap?.['id'])}/resize`, { size: 256 })).status).toBe(200);
  api.seconds(30);
  expect(await api.seen(`${running}/disks/${String(swap?.['id'])}`)).toMatchObject({ size: 512 });
  expect(await api.event('disk_resize')).toMatchObject({ status: 'failed', percent_complete: 100 });
});

test('a disk is busy while a job runs, whatever is asked of its size', async () => {
  const api = testAccount();
  const { disk, path } = await withDisk(api);
  await api.made(`${path}/disks`, { label: 'second', size: 100 });
  expect((await api.post(`${disk}/resize`, { size: 90_000 })).errors).toEqual(['Linode busy.']);
  expect((await api.post(`${path}/disks`, { label: 'third', size: 90_000 })).errors).toEqual(['Linode busy.']);
  expect((await api.post(`${disk}/clone`)).errors).toEqual(['Linode busy.']);
});

test('POST /vm/instances/{vmId}/disks/{diskId}/password asks for a strong one and sets it by a job', async () => {
  const api = testAccount();
  const { disk } = await withDisk(api);
  expect((await api.post(`${disk}/password`, { password: 'aaaaaaaaaaaa' })).errors).toEqual([
    'password: Password does not meet strength requirement.',
  ]);
  expect((await api.post(`${disk}/password`, { password })).body).toEqual({});
  api.seconds(20);
  expect((await api.get('/account/events')).data.map((event) => event['action'])).toContain('password_reset');
  expect(await api.event('password_reset')).toMatchObject({ status: 'finished' });
});

test('a new disk may be unseen by id while the list has it', async () => {
  const api = testAccount({ knobs: { newDiskUnseenSeconds: 5 } });
  const id = await emptyInstance(api);
  const made = await api.made(`/vm/instances/${id}/disks`, { label: 'data', size: 100 });
  expect((await api.get(`/vm/instances/${id}/disks/${String(made['id'])}`)).status).toBe(404);
  expect((await api.get(`/vm/instances/${id}/disks`)).data).toHaveLength(1);
  api.seconds(6);
  expect(await api.seen(`/vm/instances/${id}/disks/${String(made['id'])}`)).toMatchObject({ label: 'data' });
});

test('disks belong to their instance', async () => {
  const api = testAccount();
  const { disk } = await withDisk(api);
  const other = await emptyInstance(api);
  expect((await api.get(disk.replace(/instances\/\d+/, `instances/${other}`))).status).toBe(404);
});
