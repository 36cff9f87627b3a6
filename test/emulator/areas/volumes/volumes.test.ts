import { expect, test } from 'vitest';
import { emptyInstance, runningInstance, testAccount } from '../test-account.ts';

const region = 'us-east';

test('POST /volumes GET /volumes/{volumeId}: a volume is created and becomes active', async () => {
  const api = testAccount();
  const made = await api.made('/volumes', { label: 'data-1', region, tags: ['web', 'app', 'web'] });
  expect(made).toMatchObject({
    label: 'data-1',
    status: 'creating',
    size: 20,
    region,
    vm_id: null,
    vm_label: null,
    tags: ['app', 'web'],
    hardware_type: 'nvme',
    filesystem_path: '/dev/disk/by-id/scsi-0Vm_Volume_data-1',
  });
  expect(made).not.toHaveProperty('moving');
  api.seconds(20);
  expect(await api.seen(`/volumes/${String(made['id'])}`)).toMatchObject({ status: 'active' });
  expect(await api.log()).toEqual(['volume_create finished']);
  expect(await api.event('volume_create')).toMatchObject({ entity: { id: made['id'], type: 'volume', label: 'data-1' } });
});

test('a volume create names every bad field', async () => {
  const api = testAccount();
  expect((await api.post('/volumes', { region })).errors).toEqual(['label: label is required']);
  expect((await api.post('/volumes', { label: 'a' })).errors).toEqual(['Must provide a region or a Linode ID']);
  expect((await api.post('/volumes', { label: '9lives', size: 9, region })).errors).toEqual([
    'label: Must begin with a letter',
    'size: Must be 10-10240',
  ]);
  expect((await api.post('/volumes', { label: 'a--b', region })).errors).toEqual(['label: label is not valid']);
  expect((await api.post('/volumes', { label: 'x'.repeat(33), region })).errors).toEqual(['label: Length must be 1-32 characters']);
  expect((await api.post('/volumes', { label: 'ok', region: 'mars' })).errors).toEqual(['region: region is not valid']);
  expect((await api.post('/volumes', { label: 'ok', region, tags: ['no'] })).errors).toEqual(['tags[0]: Length must be 3-50 characters']);
  expect((await api.post('/volumes', { label: 'ok', region, config_id: 5 })).errors).toEqual(['config_id: config_id is not valid']);
  expect((await api.get('/volumes')).body).toMatchObject({ results: 0 });
});

test('labels of volumes are unique only where the knob says so', async () => {
  const lax = testAccount();
  await lax.made('/volumes', { label: 'twin', region });
  expect((await lax.post('/volumes', { label: 'twin', region })).status).toBe(200);
  const strict = testAccount({ knobs: { volumeLabelsUnique: true } });
  const first = await strict.made('/volumes', { label: 'twin', region });
  expect((await strict.post('/volumes', { label: 'twin', region })).errors).toEqual(['label: Label must be unique']);
  expect((await strict.put(`/volumes/${String(first['id'])}`, { label: 'twin' })).status).toBe(200);
});

test('PUT /volumes/{volumeId} GET /volumes: label and tags change, the path follows, lists filter by them', async () => {
  const api = testAccount();
  const { id } = await api.made('/volumes', { label: 'before', region, tags: ['old'] });
  expect((await api.put(`/volumes/${String(id)}`, { label: 'after', tags: ['new'], size: 99 })).body).toMatchObject({ size: 20 });
  const listed = await api.filter('/volumes', { label: 'after', tags: 'new' });
  expect(listed.data).toMatchObject([{ id, filesystem_path: '/dev/disk/by-id/scsi-0Vm_Volume_after' }]);
  expect((await api.filter('/volumes', { size: 20 })).errors).toEqual(['X-Filter: Cannot filter on size']);
  expect(await api.log()).toContain('volume_update notification');
  await api.put(`/volumes/${String(id)}`, { tags: [] });
  expect(await api.seen(`/volumes/${String(id)}`)).toMatchObject({ tags: [], label: 'after' });
});

test('POST /volumes/{volumeId}/attach and POST /volumes/{volumeId}/detach take time while the instance runs', async () => {
  const api = testAccount();
  const vm = await runningInstance(api);
  const { id } = await api.made('/volumes', { label: 'disk', region });
  expect(await api.made(`/volumes/${String(id)}/attach`, { vm_id: vm })).toMatchObject({ vm_id: null });
  expect((await api.post(`/volumes/${String(id)}/attach`, { vm_id: vm })).errors).toEqual([`Volume ${String(id)} is already attached`]);
  api.seconds(10);
  expect(await api.seen(`/volumes/${String(id)}`)).toMatchObject({ vm_id: vm, vm_label: `vm${vm}` });
  expect((await api.get(`/vm/instances/${vm}/configs`)).data).toMatchObject([{ devices: { sdc: { disk_id: null, volume_id: id } } }]);
  expect((await api.delete(`/volumes/${String(id)}`)).errors).toEqual(['This volume must be detached before it can be deleted.']);
  expect((await api.post(`/volumes/${String(id)}/detach`)).body).toEqual({});
  expect(await api.seen(`/volumes/${String(id)}`)).toMatchObject({ vm_id: vm });
  expect((await api.post(`/volumes/${String(id)}/attach`, { vm_id: vm })).errors).toEqual([`Volume ${String(id)} is already attached`]);
  api.seconds(10);
  expect(await api.seen(`/volumes/${String(id)}`)).toMatchObject({ vm_id: null, vm_label: null });
  expect((await api.get(`/vm/instances/${vm}/configs`)).data).toMatchObject([{ devices: { sdc: null } }]);
  expect((await api.log()).slice(-2)).toEqual(['volume_attach finished', 'volume_detach finished']);
});

test('GET /vm/instances/{vmId}/volumes: attaching right after create sets vm_id at once on an instance that does not run', async () => {
  const api = testAccount();
  const vm = await emptyInstance(api, { image: 'vm/debian11', root_pass: 'correct-Horse-7', booted: false });
  const made = await api.made('/volumes', { label: 'disk', vm_id: vm });
  expect(made).toMatchObject({ vm_id: vm, status: 'creating', region });
  expect((await api.get(`/vm/instances/${vm}/volumes`)).data).toMatchObject([{ id: made['id'] }]);
});

test('attachment asks for the region, the config and the limit', async () => {
  const api = testAccount();
  const far = await api.made('/volumes', { label: 'far', region: 'eu-west' });
  const bare = await emptyInstance(api);
  const near = await api.made('/volumes', { label: 'near', region });
  expect((await api.post(`/volumes/${String(near['id'])}/attach`, { vm_id: bare })).errors[0]).toMatch(
    /^config_id: Couldn't choose a configuration profile/,
  );
  const vm = await emptyInstance(api, { image: 'vm/debian11', root_pass: 'correct-Horse-7' });
  expect((await api.post(`/volumes/${String(far['id'])}/attach`, { vm_id: vm })).errors).toEqual([
    `vm_id: Volume ${String(far['id'])} is not in the same region as Linode ${vm}`,
  ]);
  for (let index = 0; index < 8; index += 1) {
    await api.made('/volumes', { label: `v${index}`, vm_id: vm });
    api.seconds(10);
  }
  expect((await api.post('/volumes', { label: 'v9', vm_id: vm })).errors).toEqual(['vm_id: Must be 0-8 volumes']);
  const foreign = api.as('token-other');
  const theirs = await foreign.post('/vm/instances', { region, type: 'g6-nanode-1' });
  const refused = await api.post('/volumes', { label: 'vx', vm_id: theirs.body['id'] });
  expect([refused.status, refused.errors]).toEqual([403, ['vm_id: You do not have permission to access this Linode']]);
  expect((await api.post(`/volumes/${String(near['id'])}/attach`, { vm_id: 999_999 })).errors).toEqual([
    'vm_id: A valid Linode by that ID was not found',
  ]);
});

test('POST /volumes/{volumeId}/resize grows only, and keeps the volume busy', async () => {
  const api = testAccount();
  const { id } = await api.made('/volumes', { label: 'data', region });
  api.seconds(20);
  const resize = (size: number) => api.post(`/volumes/${String(id)}/resize`, { size });
  expect((await resize(20)).errors).toEqual(['Storage volumes can only be resized up']);
  expect((await resize(10_241)).errors).toEqual(['Storage volumes cannot be resized larger than 10240 gigabytes']);
  expect((await resize(30)).body).toMatchObject({ size: 30, status: 'resizing' });
  const busy = 'This volume is busy; please try again when the volume is active.';
  expect((await api.delete(`/volumes/${String(id)}`)).errors).toEqual([busy]);
  expect((await resize(40)).errors).toEqual([busy]);
  expect((await api.post(`/volumes/${String(id)}/clone`, { label: 'copy' })).errors).toEqual([busy]);
  api.seconds(20);
  expect(await api.seen(`/volumes/${String(id)}`)).toMatchObject({ size: 30, status: 'active' });
  expect(await api.log()).toContain('volume_resize notification');
});

test('POST /volumes/{volumeId}/clone makes a second volume of the same size', async () => {
  const api = testAccount();
  const { id } = await api.made('/volumes', { label: 'data', region, size: 55 });
  api.seconds(20);
  const copy = await api.made(`/volumes/${String(id)}/clone`, { label: 'copy' });
  expect(copy).toMatchObject({ label: 'copy', size: 55, status: 'creating', region });
  api.seconds(20);
  expect((await api.get('/volumes')).data).toMatchObject([{ label: 'data' }, { label: 'copy', status: 'active' }]);
  expect((await api.log()).slice(-1)).toEqual(['volume_clone notification']);
});

test('DELETE /volumes/{volumeId} removes it for good', async () => {
  const api = testAccount();
  const { id } = await api.made('/volumes', { label: 'data', region });
  expect((await api.delete(`/volumes/${String(id)}`)).body).toEqual({});
  expect((await api.get(`/volumes/${String(id)}`)).status).toBe(404);
  expect((await api.delete(`/volumes/${String(id)}`)).errors).toEqual(['Not found']);
  expect((await api.get('/volumes')).body).toMatchObject({ results: 0, pages: 1 });
});

test('a failed create leaves a volume that says so', async () => {
  const api = testAccount({ knobs: { jobFailureRate: 1 } });
  const { id } = await api.made('/volumes', { label: 'data', region });
  api.seconds(20);
  expect(await api.seen(`/volumes/${String(id)}`)).toMatchObject({ status: 'contact_support' });
  expect(await api.log()).toEqual(['volume_create failed']);
});

test('restricted users see and change only what they were granted, and set no tags', async () => {
  const api = testAccount();
  const { id } = await api.made('/volumes', { label: 'theirs', region });
  const limited = api.as('token-limited');
  expect((await limited.get(`/volumes/${String(id)}`)).status).toBe(404);
  const own = await limited.post('/volumes', { label: 'mine', region });
  expect((await limited.get('/volumes')).data).toMatchObject([{ label: 'mine' }]);
  expect((await limited.put(`/volumes/${String(own.body['id'])}`, { label: 'still-mine' })).status).toBe(200);
  expect((await limited.put(`/volumes/${String(own.body['id'])}`, { tags: ['abc'] })).status).toBe(403);
  expect((await api.as('token-readonly').post('/volumes', { label: 'no', region })).status).toBe(401);
});

test('a quota of the account ends its creates, of volumes and of instances', async () => {
  const api = testAccount();
  for (const id of ['volumes', 'instances']) api.emulator.control.edit({ collection: 'quotas', row: { id, most: 1 } });
  const limit = ['Account Limit reached. Please open a support ticket.'];
  const vm = { region: 'us-east', type: 'g6-nanode-1' };
  const { id } = await api.made('/volumes', { label: 'one', region: 'us-east' });
  await api.made('/vm/instances', vm);
  api.seconds(60);
  expect((await api.post('/volumes', { label: 'two', region: 'us-east' })).errors).toEqual(limit);
  expect((await api.post(`/volumes/${String(id)}/clone`, { label: 'two' })).errors).toEqual(limit);
  expect((await api.post('/vm/instances', vm)).errors).toEqual(limit);
  await api.delete(`/volumes/${String(id)}`);
  expect((await api.post('/volumes', { label: 'two', region: 'us-east' })).status).toBe(200);
});
