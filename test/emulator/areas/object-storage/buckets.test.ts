import { expect, test } from 'vitest';
import { testAccount } from '../test-account.ts';

const pem = (kind: string) => `-----BEGIN ${kind}-----\nMIIB\n-----END ${kind}-----\n`;
const base = '/object-storage/buckets';
const bucket = { label: 'my-bucket', cluster: 'us-east-1' };

test('GET /object-storage/clusters GET /object-storage/clusters/{clusterId} need no credential', async () => {
  const api = testAccount();
  expect((await api.send('GET', '/object-storage/clusters', {})).data.map((row) => row['id'])).toContain('eu-central-1');
  expect((await api.send('GET', '/object-storage/clusters/us-east-1', {})).body).toMatchObject({ region: 'us-east', status: 'available' });
  expect((await api.get('/object-storage/clusters/mars-1')).status).toBe(404);
  api.emulator.control.edit({ collection: 'object clusters', key: 'us-east-1', row: { status: 'unavailable' } });
  expect((await api.send('GET', '/object-storage/clusters', {})).data).toContainEqual(expect.objectContaining({ status: 'unavailable' }));
  expect(await api.seen('/object-storage/clusters/us-east-1')).toMatchObject({ status: 'unavailable' });
});

test('POST /object-storage/buckets GET /object-storage/buckets/{clusterId}/{bucket}: new, and again as if new', async () => {
  const api = testAccount();
  const made = await api.made(base, bucket);
  expect(made).toEqual({
    ...bucket,
    created: '2026-01-01T00:00:00',
    hostname: 'my-bucket.us-east-1.vmobjects.com',
    size: 0,
    objects: 0,
  });
  api.seconds(60);
  expect(await api.made(base, { ...bucket, acl: 'public-read' })).toEqual(made);
  expect(await api.seen(`${base}/us-east-1/my-bucket`)).toEqual(made);
  expect(await api.seen(`${base}/us-east-1/my-bucket/access`)).toMatchObject({ acl: 'private' });
  expect(await api.seen('/account/settings')).toMatchObject({ object_storage: 'active' });
});

test('labels are unique per cluster over all accounts', async () => {
  const api = testAccount();
  await api.made(base, bucket);
  expect((await api.as('token-other').post(base, bucket)).errors).toEqual(['label: Label must be unique']);
  expect((await api.as('token-other').post(base, { ...bucket, cluster: 'eu-central-1' })).status).toBe(200);
  expect((await api.as('token-other').get(`${base}/us-east-1/my-bucket`)).status).toBe(404);
});

test('a bucket is refused for its label and cluster', async () => {
  const api = testAccount();
  const create = async (label: string, cluster = 'us-east-1') => (await api.post(base, { label, cluster })).errors;
  for (const label of ['My-bucket', 'a_bucket', '-bucket', 'bucket-', 'a..b', 'a.-b', 'a-.b', '192.0.2.1']) {
    expect(await create(label)).toEqual(['label: label is not valid']);
  }
  expect(await create('ab')).toEqual(['label: Length must be 3-63 characters']);
  expect(await create('good.name', 'mars-1')).toEqual(['cluster: cluster is not valid']);
  expect((await api.post(base, { ...bucket, acl: 'custom' })).errors).toEqual(['acl: acl is not valid']);
});

test('GET /object-storage/buckets GET /object-storage/buckets/{clusterId} list all, and those of one cluster', async () => {
  const api = testAccount();
  await api.made(base, bucket);
  await api.made(base, { ...bucket, cluster: 'eu-central-1' });
  expect((await api.get(base)).body).toMatchObject({ results: 2 });
  expect((await api.get(`${base}/eu-central-1`)).data).toMatchObject([{ cluster: 'eu-central-1' }]);
});

test('POST /object-storage/buckets/{clusterId}/{bucket}/access PUT /object-storage/buckets/{clusterId}/{bucket}/access GET /object-storage/buckets/{clusterId}/{bucket}/access', async () => {
  const api = testAccount();
  await api.made(base, { ...bucket, cors_enabled: false });
  const path = `${base}/us-east-1/my-bucket/access`;
  expect(await api.seen(path)).toMatchObject({ acl: 'private', cors_enabled: false, cors_xml: null });
  expect((await api.post(path, { acl: 'public-read' })).body).toEqual({});
  expect(await api.seen(path)).toMatchObject({ acl: 'public-read', cors_enabled: false, acl_xml: expect.stringContaining('AllUsers') });
  expect((await api.put(path, { cors_enabled: true })).body).toEqual({});
  expect(await api.seen(path)).toMatchObject({ acl: 'public-read', cors_enabled: true });
  expect((await api.put(path, { acl: 'secret' })).errors).toEqual(['acl: acl is not valid']);
});

test('POST /object-storage/buckets/{clusterId}/{bucket}/ssl GET /object-storage/buckets/{clusterId}/{bucket}/ssl DELETE /object-storage/buckets/{clusterId}/{bucket}/ssl', async () => {
  const api = testAccount();
  await api.made(base, bucket);
  const path = `${base}/us-east-1/my-bucket/ssl`;
  expect((await api.post(path, { certificate: 'x', private_key: pem('PRIVATE KEY') })).errors).toEqual([
    'certificate: certificate is not valid',
  ]);
  expect(await api.seen(path)).toEqual({ ssl: false });
  const escaped = pem('PRIVATE KEY').replaceAll('\n', '\\n');
  expect(await api.made(path, { certificate: pem('CERTIFICATE'), private_key: escaped })).toEqual({ ssl: true });
  expect(await api.seen(path)).toEqual({ ssl: true });
  expect((await api.delete(path)).body).toEqual({});
  expect(await api.seen(path)).toEqual({ ssl: false });
});

test('DELETE /object-storage/buckets/{clusterId}/{bucket} frees the label for everybody', async () => {
  const api = testAccount();
  await api.made(base, bucket);
  expect((await api.delete(`${base}/us-east-1/my-bucket`)).body).toEqual({});
  expect((await api.get(`${base}/us-east-1/my-bucket`)).status).toBe(404);
  expect((await api.as('token-other').post(base, bucket)).status).toBe(200);
});

test('accounts with a balance below zero get no bucket and no key, where the document is read to the letter', async () => {
  const api = testAccount({ knobs: { creditRefusesObjectStorage: true } });
  api.emulator.control.edit({ collection: 'account', key: 'E1AF5EEC-526F-487D-B317EBEB34C87D71', row: { balance: -5 } });
  expect((await api.post(base, bucket)).status).toBe(400);
  expect((await api.post('/object-storage/keys', { label: 'key' })).status).toBe(400);
});

test('POST /object-storage/cancel removes everything', async () => {
  const api = testAccount();
  expect((await api.post('/object-storage/cancel')).errors).toEqual(['Object Storage is not enabled on your account']);
  await api.made(base, bucket);
  await api.made('/object-storage/keys', { label: 'key' });
  expect((await api.post('/object-storage/cancel')).body).toEqual({});
  expect((await api.get(base)).data).toEqual([]);
  expect((await api.get('/object-storage/keys')).data).toEqual([]);
  expect(await api.seen('/account/settings')).toMatchObject({ object_storage: 'disabled' });
});
