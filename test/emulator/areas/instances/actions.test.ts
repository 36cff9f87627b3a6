import { expect, test } from 'vitest';
import { emptyInstance, password, runningInstance, testAccount } from '../test-account.ts';

test('POST /vm/instances/{vmId}/boot POST /vm/instances/{vmId}/shutdown POST /vm/instances/{vmId}/reboot move the status, one at a time', async () => {
  const api = testAccount();
  const id = await emptyInstance(api, { image: 'vm/debian11', root_pass: password, booted: false });
  const status = async () => (await api.seen(`/vm/instances/${id}`))['status'];
  const act = async (verb: string) => (await api.post(`/vm/instances/${id}/${verb}`)).errors;
  expect(await status()).toBe('offline');
  expect(await act('boot')).toEqual([]);
  expect(await act('boot')).toEqual(['Linode busy.']);
  expect(await status()).toBe('offline');
  api.seconds(5);
  expect(await status()).toBe('booting');
  api.seconds(20);
  expect(await status()).toBe('running');
  expect(await act('reboot')).toEqual([]);
  api.seconds(5);
  expect(await status()).toBe('rebooting');
  api.seconds(60);
  expect(await act('shutdown')).toEqual([]);
  api.seconds(5);
  expect(await status()).toBe('shutting_down');
  expect(await act('reboot')).toEqual(['Linode busy.']);
  api.seconds(20);
  expect(await status()).toBe('offline');
  expect((await api.log()).slice(-3)).toEqual(['vm_boot finished', 'vm_reboot finished', 'vm_shutdown finished']);
});

test('boot needs a config', async () => {
  const api = testAccount();
  const id = await emptyInstance(api);
  expect((await api.post(`/vm/instances/${id}/boot`)).errors).toEqual(['config_id: config_id is required']);
  expect((await api.post(`/vm/instances/${id}/boot`, { config_id: 7 })).errors).toEqual(['config_id: config_id is not valid']);
});

test('POST /vm/instances/{vmId}/resize: the plan changes, the only ext disk follows, the boot again is a knob', async () => {
  for (const resizeBootsAgain of [true, false]) {
    const api = testAccount({ knobs: { resizeBootsAgain } });
    const id = await runningInstance(api);
    const resize = (type: string, more = {}) => api.post(`/vm/instances/${id}/resize`, { type, ...more });
    expect((await resize('g6-standard-2')).errors).toEqual(['Linode is already running this service plan.']);
    expect((await resize('huge')).errors).toEqual(['type: A valid plan type by that ID was not found']);
    expect((await resize('g6-nanode-1', { allow_auto_disk_resize: false })).errors).toEqual([
      'Linode has allocated more disk than the new service plan allows. Delete or resize disks smaller.',
    ]);
    expect((await resize('g6-standard-4')).body).toEqual({});
    api.seconds(5);
    expect(await api.seen(`/vm/instances/${id}`)).toMatchObject({ status: 'resizing', type: 'g6-standard-2' });
    expect((await resize('g6-standard-6')).errors).toEqual(['Linode busy.']);
    api.seconds(60);
    expect(await api.seen(`/vm/instances/${id}`)).toMatchObject({ type: 'g6-standard-4', specs: { disk: 163_840, vcpus: 4 } });
    expect((await api.get(`/vm/instances/${id}/disks`)).data).toMatchObject([{ size: 163_840 - 512 }, { size: 512 }]);
    api.seconds(20);
    expect(await api.seen(`/vm/instances/${id}`)).toMatchObject({ status: resizeBootsAgain ? 'running' : 'offline' });
    expect((await api.log()).slice(-2)).toEqual(['vm_resize_create notification', 'vm_resize finished']);
  }
});

test('POST /vm/instances/{vmId}/rebuild replaces disks and configs', async () => {
  const api = testAccount();
  const id = await runningInstance(api);
  const before = (await api.get(`/vm/instances/${id}/disks`)).data.map((disk) => disk['id']);
  expect((await api.post(`/vm/instances/${id}/rebuild`, { root_pass: password })).errors).toEqual(['You must specify an image']);
  expect((await api.post(`/vm/instances/${id}/rebuild`, { image: 'vm/debian10' })).errors).toEqual(['root_pass: root_pass is required']);
  expect(await api.made(`/vm/instances/${id}/rebuild`, { image: 'vm/debian10', root_pass: password })).toMatchObject({
    status: 'rebuilding',
    image: 'vm/debian10',
  });
  api.seconds(60);
  expect(await api.seen(`/vm/instances/${id}`)).toMatchObject({ status: 'running' });
  const after = (await api.get(`/vm/instances/${id}/disks`)).data;
  expect(after[0]).toMatchObject({ label: 'Debian 10 Disk', status: 'ready' });
  expect(before).not.toContain(after[0]?.['id']);
  expect((await api.log()).slice(-2)).toEqual(['vm_rebuild finished', 'vm_boot finished']);
});

test('POST /vm/instances/{vmId}/clone copies disks and configs onto a new instance', async () => {
  const api = testAccount();
  const id = await runningInstance(api);
  const copy = await api.made(`/vm/instances/${id}/clone`, { label: 'copy' });
  expect(copy).toMatchObject({ label: 'copy', status: 'offline', type: 'g6-standard-2' });
  api.seconds(5);
  expect((await api.delete(`/vm/instances/${id}`)).status).toBe(400);
  api.seconds(90);
  expect((await api.get(`/vm/instances/${String(copy['id'])}/disks`)).data).toMatchObject([
    { label: 'Debian 11 Disk', status: 'ready' },
    {},
  ]);
  expect(await api.event('vm_clone')).toMatchObject({ status: 'finished', entity: { id }, secondary_entity: { id: copy['id'] } });
});
