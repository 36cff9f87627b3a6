import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import type { TestAccount } from '../test-account.ts';
import { testAccount } from '../test-account.ts';

const base = '/object-storage/buckets/us-east-1/my-bucket';

interface Data {
  readonly status: number;
  readonly text: string;
  readonly headers: Readonly<Record<string, string>>;
}

async function use(api: TestAccount, method: string, url: unknown, { body, type }: { body?: string; type?: string } = {}): Promise<Data> {
  const path = String(url).replace(/^https?:\/\/[^/]+/, '');
  const headers = type === undefined ? {} : { 'content-type': type };
  const answer = await api.emulator.handle({ method, path, headers, body });
  return { status: answer.status, text: String(answer.body), headers: answer.headers };
}

async function bucket(): Promise<TestAccount> {
  const api = testAccount();
  await api.made('/object-storage/buckets', { label: 'my-bucket', cluster: 'us-east-1' });
  return api;
}

async function stored(api: TestAccount, name: string, data = 'hello'): Promise<Data> {
  const { url } = await api.made(`${base}/object-url`, { name, method: 'PUT', content_type: 'text/plain' });
  return use(api, 'PUT', url, { body: data, type: 'text/plain' });
}

test('POST /object-storage/buckets/{clusterId}/{bucket}/object-url PUT /object-data/{cluster}/{bucket}/{name*} GET /object-data/{cluster}/{bucket}/{name*} DELETE /object-data/{cluster}/{bucket}/{name*}', async () => {
  const api = await bucket();
  const put = await api.made(`${base}/object-url`, { name: 'a/b c.txt', method: 'PUT', content_type: 'text/plain' });
  expect(put).toMatchObject({
    exists: false,
    url: expect.stringMatching(/\/a\/b%20c\.txt\?Signature=\w+&Expires=\d+&AWSAccessKeyID=\w+$/),
  });
  expect((await use(api, 'PUT', put['url'], { body: 'hello', type: 'text/html' })).status).toBe(403);
  const sent = await use(api, 'PUT', put['url'], { body: 'hello', type: 'text/plain' });
  expect(sent).toMatchObject({ status: 200, text: '', headers: { etag: `"${createHash('md5').update('hello').digest('hex')}"` } });
  expect(await api.seen(base)).toMatchObject({ size: 5, objects: 1 });
  const get = await api.made(`${base}/object-url`, { name: 'a/b c.txt', method: 'GET' });
  expect(get).toMatchObject({ exists: true });
  expect(await use(api, 'GET', get['url'])).toMatchObject({ status: 200, text: 'hello' });
  expect((await use(api, 'DELETE', get['url'])).status).toBe(403);
  expect((await api.delete(base)).status).toBe(400);
  const erase = await api.made(`${base}/object-url`, { name: 'a/b c.txt', method: 'DELETE', expires_in: 360 });
  expect((await use(api, 'DELETE', erase['url'])).status).toBe(204);
  expect((await use(api, 'GET', get['url'])).status).toBe(404);
  expect((await api.delete(base)).status).toBe(200);
});

test('a signed address is for its time and its bounds', async () => {
  const api = await bucket();
  await stored(api, 'a');
  expect((await api.post(`${base}/object-url`, { name: 'a', method: 'PUT' })).errors).toEqual(['content_type: content_type is required']);
  expect((await api.post(`${base}/object-url`, { name: 'a', method: 'GET', expires_in: 359 })).errors).toEqual([
    'expires_in: Must be 360-86400',
  ]);
  expect((await api.post(`${base}/object-url`, {})).errors).toEqual(['name: name is required', 'method: method is required']);
  const { url } = await api.made(`${base}/object-url`, { name: 'a', method: 'GET', expires_in: 360 });
  expect((await use(api, 'GET', url)).status).toBe(200);
  api.seconds(361);
  expect((await use(api, 'GET', url)).status).toBe(403);
});

test('GET /object-storage/transfer counts what left', async () => {
  const api = await bucket();
  await stored(api, 'a', 'x'.repeat(1000));
  const { url } = await api.made(`${base}/object-url`, { name: 'a', method: 'GET' });
  expect(await api.seen('/object-storage/transfer')).toEqual({ used: 0 });
  await use(api, 'GET', url);
  await use(api, 'GET', url);
  expect(await api.seen('/object-storage/transfer')).toEqual({ used: 2000 });
});

test('GET /object-storage/buckets/{clusterId}/{bucket}/object-list pages by marker, and rolls up by delimiter', async () => {
  const api = await bucket();
  for (let index = 10; index < 40; index += 1) await stored(api, `logs/${index}`);
  await stored(api, 'readme');
  const list = async (query: string) => api.seen(`${base}/object-list?${query}`);
  const first = await list('page_size=25');
  expect(first).toMatchObject({ is_truncated: true, next_marker: 'logs/34' });
  const second = await list(`page_size=25&marker=${String(first['next_marker'])}`);
  expect(second).toMatchObject({ is_truncated: false, next_marker: null });
  expect((second['data'] as object[]).at(-1)).toMatchObject({ name: 'readme', size: 5, last_modified: '2026-01-01T00:00:00.000Z' });
  expect(await list('delimiter=/')).toMatchObject({
    data: [{ name: 'logs/', size: null, etag: null, owner: null, last_modified: null }, { name: 'readme' }],
  });
  expect((await list('prefix=logs/1'))['data']).toHaveLength(10);
  expect((await api.get(`${base}/object-list?page_size=501`)).errors).toEqual(['page_size: Must be 25-500']);
});

test('GET /object-storage/buckets/{clusterId}/{bucket}/object-acl PUT /object-storage/buckets/{clusterId}/{bucket}/object-acl', async () => {
  const api = await bucket();
  await stored(api, 'a');
  expect(await api.seen(`${base}/object-acl?name=a`)).toMatchObject({ acl: 'private' });
  expect((await api.put(`${base}/object-acl`, { name: 'a', acl: 'public-read' })).body).toEqual({});
  expect(await api.seen(`${base}/object-acl?name=a`)).toMatchObject({ acl: 'public-read', acl_xml: expect.stringContaining('READ') });
  expect((await api.put(`${base}/object-acl`, { name: 'b', acl: 'private' })).status).toBe(404);
  expect((await api.put(`${base}/object-acl`, {})).errors).toEqual(['name: name is required', 'acl: acl is required']);
});

test('POST /object-storage/keys GET /object-storage/keys/{keyId} GET /object-storage/keys: the secret is shown once', async () => {
  const api = await bucket();
  const made = await api.made('/object-storage/keys', { label: 'backup-key', bucket_access: null });
  expect(made).toMatchObject({ label: 'backup-key', limited: false, bucket_access: null });
  expect(made['secret_key']).toMatch(/^[0-9a-f]{40}$/);
  expect(await api.seen(`/object-storage/keys/${String(made['id'])}`)).toEqual({ ...made, secret_key: '[REDACTED]' });
  expect((await api.get('/object-storage/keys')).data).toMatchObject([{ access_key: made['access_key'], secret_key: '[REDACTED]' }]);
  const granted = [{ cluster: 'us-east-1', bucket_name: 'my-bucket', permissions: 'read_only' }];
  expect(await api.made('/object-storage/keys', { label: 'limited', bucket_access: granted })).toMatchObject({
    limited: true,
    bucket_access: granted,
  });
  expect(await api.made('/object-storage/keys', { label: 'nothing', bucket_access: [] })).toMatchObject({
    limited: true,
    bucket_access: [],
  });
  const missing = [{ cluster: 'us-east-1', bucket_name: 'none', permissions: 'read_only' }];
  expect((await api.post('/object-storage/keys', { label: 'bad', bucket_access: missing })).errors).toEqual([
    'bucket_access[0].bucket_name: Bucket not found',
  ]);
  expect((await api.post('/object-storage/keys', { label: 'ab' })).errors).toEqual(['label: Length must be 3-50 characters']);
});

test('PUT /object-storage/keys/{keyId} DELETE /object-storage/keys/{keyId}', async () => {
  const api = await bucket();
  const { id } = await api.made('/object-storage/keys', { label: 'before' });
  await api.put(`/object-storage/keys/${String(id)}`, { label: 'after' });
  expect(await api.seen(`/object-storage/keys/${String(id)}`)).toMatchObject({ label: 'after', secret_key: '[REDACTED]' });
  expect((await api.delete(`/object-storage/keys/${String(id)}`)).body).toEqual({});
  expect((await api.get(`/object-storage/keys/${String(id)}`)).status).toBe(404);
});

test('knob bucketsHold: an object that others put into every bucket, which neither counts nor keeps it', async () => {
  const api = testAccount({ knobs: { bucketsHold: 'img/logo.png' } });
  await api.made('/object-storage/buckets', { label: 'my-bucket', cluster: 'us-east-1' });
  const acl = `${base}/object-acl?name=img%2Flogo.png`;
  await api.put(`${base}/object-acl`, { name: 'img/logo.png', acl: 'public-read' });
  expect(await api.seen(acl)).toMatchObject({ acl: 'public-read' });
  expect(await api.seen(base)).toMatchObject({ objects: 0, size: 0 });
  expect((await api.delete(base)).status).toBe(200);
  await api.made('/object-storage/buckets', { label: 'my-bucket', cluster: 'us-east-1' });
  expect(await api.seen(acl)).toMatchObject({ acl: 'private' });
  await stored(api, 'img/logo.png');
  expect(await api.seen(base)).toMatchObject({ objects: 1, size: 5 });
  expect((await api.delete(base)).status).toBe(400);
});
