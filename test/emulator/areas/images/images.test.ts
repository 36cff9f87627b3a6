import { expect, test } from 'vitest';
import type { TestAccount } from '../test-account.ts';
import { password, runningInstance, testAccount } from '../test-account.ts';

async function rootDisk(api: TestAccount): Promise<number> {
  const id = await runningInstance(api);
  return Number((await api.get(`/vm/instances/${id}/disks`)).data[0]?.['id']);
}

test('GET /images GET /images/{imageId}: public images need no credential', async () => {
  const api = testAccount();
  const listed = await api.send('GET', '/images', {});
  expect(listed.data).toHaveLength(14);
  expect((await api.send('GET', '/images/vm/debian11', {})).body).toMatchObject({
    label: 'Debian 11',
    vendor: 'Debian',
    size: 1300,
    is_public: true,
  });
  expect((await api.filter('/images', { deprecated: true })).body).toMatchObject({ results: 2 });
  expect((await api.filter('/images', { label: 'none' })).body).toMatchObject({ results: 0, pages: 0 });
  expect((await api.filter('/images', { '+order_by': 'status' })).status).toBe(400);
  api.emulator.control.edit({ collection: 'images', key: 'vm/debian11', row: { deprecated: true } });
  expect(await api.seen('/images/vm/debian11')).toMatchObject({ deprecated: true });
  const { image } = (await api.made('/images/upload', { label: 'mine', region: 'us-east' })) as { image: { id: string } };
  expect((await api.send('GET', '/images', {})).data).toHaveLength(14);
  expect((await api.get('/images')).data.map((row) => row['id'])).toContain(image.id);
});

test('POST /images captures a disk by a job of its instance', async () => {
  const api = testAccount();
  const disk = await rootDisk(api);
  expect((await api.post('/images', { disk_id: 1 })).errors).toEqual(['disk_id: disk_id is not valid']);
  const made = await api.made('/images', { disk_id: disk });
  expect(made).toMatchObject({
    label: 'Debian 11 Disk',
    status: 'creating',
    size: 81_408,
    description: '',
    is_public: false,
    vendor: null,
    eol: null,
    created_by: 'admin',
  });
  expect(made['id']).toMatch(/^private\/\d+$/);
  expect((await api.post('/images', { disk_id: disk })).errors).toEqual(['Linode busy.']);
  api.seconds(90);
  const number = Number(String(made['id']).slice('private/'.length));
  expect(await api.seen(`/images/private%2F${number}`)).toMatchObject({ status: 'available' });
  expect(await api.event('disk_imagize')).toMatchObject({ status: 'finished', secondary_entity: { id: number, type: 'image' } });
  const vm = await api.made('/vm/instances', { region: 'us-west', type: 'g6-nanode-1', image: made['id'], root_pass: password });
  expect((await api.get(`/vm/instances/${String(vm['id'])}/configs`)).data).toMatchObject([{ label: 'My Debian 11 Disk Disk Profile' }]);
});

test('a capture goes on to its end though its instance is deleted meanwhile', async () => {
  const api = testAccount();
  const disk = await rootDisk(api);
  const [vm] = (await api.get('/vm/instances')).data as readonly { readonly id: number }[];
  const { id } = await api.made('/images', { disk_id: disk });
  await api.delete(`/vm/instances/${String(vm?.id)}`);
  api.seconds(90);
  expect(await api.seen(`/images/${String(id)}`)).toMatchObject({ status: 'available' });
});

test('a capture that fails removes its image', async () => {
  const api = testAccount();
  const disk = await rootDisk(api);
  const { id } = await api.made('/images', { disk_id: disk });
  api.emulator.control.setKnobs({ jobFailureRate: 1 });
  api.seconds(90);
  expect((await api.get(`/images/${String(id)}`)).errors).toEqual(['Not found']);
  expect(await api.event('disk_imagize')).toMatchObject({ status: 'failed' });
});

test('POST /images/upload PUT /image-uploads/{number}: data put to the address becomes the image', async () => {
  const api = testAccount();
  expect((await api.post('/images/upload', { label: 'x' })).errors).toEqual(['region: region is required']);
  const { upload_to: target, image } = (await api.made('/images/upload', { label: 'mine', region: 'us-east' })) as {
    upload_to: string;
    image: { id: string };
  };
  expect(image).toMatchObject({ status: 'pending_upload', size: 0, label: 'mine' });
  const put = (data: Buffer, type = 'application/octet-stream', address = target) =>
    api.emulator.handle({ method: 'PUT', path: address.replace(/^https?:\/\/[^/]+/, ''), headers: { 'content-type': type }, body: data });
  expect((await put(Buffer.from([0x1f, 0x8b]), 'text/plain')).status).toBe(403);
  expect((await put(Buffer.from([0x1f, 0x8b]), undefined, target.replace(/Signature=\w+/, 'Signature=0'))).status).toBe(403);
  expect((await put(Buffer.concat([Buffer.from([0x1f, 0x8b]), Buffer.alloc(3 * 2 ** 20)]))).status).toBe(200);
  api.seconds(70);
  expect(await api.seen(`/images/${image.id}`)).toMatchObject({ status: 'available', size: 4 });
  expect(await api.log()).toEqual(['image_upload finished']);
  expect((await put(Buffer.from([0x1f, 0x8b]))).status).toBe(403);
});

test('an upload beyond the bound is refused, and the announced image waits for a smaller one', async () => {
  const api = testAccount({ knobs: { imageUploadBytes: 100 } });
  const { upload_to: target } = (await api.made('/images/upload', { label: 'big', region: 'us-east' })) as { upload_to: string };
  const put = (size: number) => {
    const body = Buffer.concat([Buffer.from([0x1f, 0x8b]), Buffer.alloc(size - 2)]);
    const path = target.replace(/^https?:\/\/[^/]+/, '');
    return api.emulator.handle({ method: 'PUT', path, headers: { 'content-type': 'application/octet-stream' }, body });
  };
  expect([(await put(101)).status, (await put(100)).status]).toEqual([400, 200]);
});

test('an announced image without data, or with data that is no gzip, goes away', async () => {
  const api = testAccount();
  const first = (await api.made('/images/upload', { label: 'late', region: 'us-east' })) as { image: { id: string } };
  api.seconds(86_401);
  expect((await api.get(`/images/${first.image.id}`)).status).toBe(404);
  const second = (await api.made('/images/upload', { label: 'raw', region: 'us-east' })) as { upload_to: string; image: { id: string } };
  const path = second.upload_to.replace(/^https?:\/\/[^/]+/, '');
  await api.emulator.handle({ method: 'PUT', path, headers: { 'content-type': 'application/octet-stream' }, body: 'no gzip' });
  api.seconds(70);
  expect((await api.get(`/images/${second.image.id}`)).status).toBe(404);
  expect(await api.log()).toEqual(['image_upload failed']);
});

test('PUT /images/{imageId} DELETE /images/{imageId}: private images only', async () => {
  const api = testAccount();
  const { image } = (await api.made('/images/upload', { label: 'mine', region: 'us-east' })) as { image: { id: string } };
  expect((await api.put(`/images/${image.id}`, { label: 'ours', description: 'd' })).body).toMatchObject({
    label: 'ours',
    description: 'd',
  });
  expect((await api.filter('/images', { label: 'ours' })).data).toHaveLength(1);
  expect((await api.put('/images/vm/debian11', { label: 'no' })).status).toBe(403);
  expect((await api.delete('/images/vm/debian11')).status).toBe(403);
  expect((await api.delete(`/images/${image.id}`)).body).toEqual({});
  expect((await api.get(`/images/${image.id}`)).errors).toEqual(['Not found']);
  expect(await api.log()).toEqual(['image_update notification', 'image_delete notification']);
});

test('a restricted user changes and deletes the images that this user made, and no others', async () => {
  const users = [{ username: 'admin' }, { username: 'limited', restricted: true, globalGrants: ['add_images' as const] }];
  const tokens = users.map(({ username }) => ({ token: `token-${username}`, username, scopes: '*' }));
  const api = testAccount({ accounts: [{ euuid: 'E1AF5EEC-526F-487D-B317EBEB34C87D71', users, tokens }] });
  const limited = api.as('token-limited');
  const { image: own } = (await limited.post('/images/upload', { label: 'mine', region: 'us-east' })).body as { image: { id: string } };
  const { image: theirs } = (await api.made('/images/upload', { label: 'theirs', region: 'us-east' })) as { image: { id: string } };
  expect((await limited.put(`/images/${own.id}`, { label: 'still-mine' })).status).toBe(200);
  expect((await limited.delete(`/images/${own.id}`)).status).toBe(200);
  expect((await limited.delete(`/images/${theirs.id}`)).status).toBe(404);
});
