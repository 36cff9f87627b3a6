import { expect, test } from 'vitest';
import { password, testAccount } from '../test-account.ts';

const script = '#!/bin/bash\n# <UDF name="token" label="Token" />\n# <udf NAME="size" Label="Size" oneOf="s,m" default="s">\necho ok\n';

test('POST /vm/stackscripts GET /vm/stackscripts/{stackscriptId}: fields are derived from the script', async () => {
  const api = testAccount();
  const made = await api.made('/vm/stackscripts', { label: 'setup', images: ['vm/debian11'], script });
  expect(made).toMatchObject({
    username: 'admin',
    is_public: false,
    mine: true,
    deployments_total: 0,
    ordinal: 0,
    logo_url: '',
    user_defined_fields: [
      { name: 'token', label: 'Token' },
      { name: 'size', label: 'Size', oneOf: 's,m', default: 's' },
    ],
  });
  expect(made).not.toHaveProperty('owner');
  expect(await api.seen(`/vm/stackscripts/${String(made['id'])}`)).toEqual(made);
  expect(await api.log()).toEqual(['stackscript_create notification']);
  expect((await api.as('token-other').get(`/vm/stackscripts/${String(made['id'])}`)).status).toBe(404);
});

test('a script that cannot be is refused', async () => {
  const api = testAccount();
  const create = async (body: object) => (await api.post('/vm/stackscripts', body)).errors;
  expect(await create({ label: 'abc', script })).toEqual(['images: images is required']);
  expect(await create({ label: 'ab', images: ['vm/none'], script: 'echo' })).toEqual([
    'label: Length must be 3-128 characters',
    'script: Invalid StackScript: the first line must be a shebang',
  ]);
  expect(await create({ label: 'abc', images: ['vm/none'], script })).toEqual(['images: images is not valid']);
  expect(await create({ label: 'abc', images: [], script })).toEqual([
    'images: StackScripts must be associated with at least one image or distro',
  ]);
  const twice = '#!/bin/sh\n# <UDF name="a" label="A"/> <UDF name="a" label="B"/>';
  expect(await create({ label: 'abc', images: ['any/all'], script: twice })).toEqual([
    'script: Invalid StackScript: UDF names must be unique',
  ]);
});

test('GET /vm/stackscripts: public ones for everybody, the filter mine for those with a credential', async () => {
  const api = testAccount();
  await api.made('/vm/stackscripts', { label: 'setup', images: ['any/all'], script });
  expect((await api.send('GET', '/vm/stackscripts', {})).data.map((row) => row['label'])).toEqual(['web-server', 'database-server']);
  expect((await api.filter('/vm/stackscripts', { mine: true })).data).toMatchObject([{ label: 'setup' }]);
  expect((await api.get('/vm/stackscripts')).body).toMatchObject({ results: 3 });
  const anonymous = await api.send('GET', '/vm/stackscripts', { 'x-filter': '{"mine":true}' });
  expect([anonymous.status, anonymous.errors]).toEqual([401, ['You must be authenticated to find your StackScripts.']]);
});

test('PUT /vm/stackscripts/{stackscriptId} DELETE /vm/stackscripts/{stackscriptId}: public is for ever', async () => {
  const api = testAccount();
  const { id } = await api.made('/vm/stackscripts', { label: 'setup', images: ['any/all'], script });
  const path = `/vm/stackscripts/${String(id)}`;
  await api.put(path, { script: '#!/bin/sh\n' });
  expect(await api.seen(path)).toMatchObject({ user_defined_fields: [], images: ['any/all'] });
  await api.put(path, { rev_note: 'note' });
  await api.put(path, { is_public: true });
  expect((await api.as('token-other').get(path)).body).toMatchObject({ mine: false, rev_note: 'note' });
  expect((await api.put(path, { is_public: false })).status).toBe(400);
  expect((await api.delete(path)).status).toBe(400);
  expect((await api.as('token-other').put(path, { label: 'stolen' })).status).toBe(403);
  expect((await api.log()).slice(1)).toEqual([
    'stackscript_revise notification',
    'stackscript_update notification',
    'stackscript_publicize notification',
  ]);
  const short = await api.made('/vm/stackscripts', { label: 'short', images: ['any/all'], script });
  await api.delete(`/vm/stackscripts/${String(short['id'])}`);
  expect((await api.get(`/vm/stackscripts/${String(short['id'])}`)).status).toBe(404);
});

test('an instance from a script needs its image and its data', async () => {
  const api = testAccount();
  const { id } = await api.made('/vm/stackscripts', { label: 'setup', images: ['vm/debian11'], script });
  const create = async (more: object) =>
    (await api.post('/vm/instances', { region: 'us-east', type: 'g6-nanode-1', root_pass: password, stackscript_id: id, ...more })).errors;
  expect(await create({ image: 'vm/debian10' })).toEqual([
    'The requested distribution is not supported by this stackscript.',
    'stackscript_data.token: token is required',
  ]);
  expect(await create({})).toContain('image: image is required');
  expect(await create({ image: 'vm/debian11', stackscript_data: { token: 'x'.repeat(65_600) } })).toEqual([
    'stackscript_data: Length must be 0-65535 characters',
  ]);
  expect(await create({ image: 'vm/debian11', stackscript_data: { token: 't' } })).toEqual([]);
  expect(await api.seen(`/vm/stackscripts/${String(id)}`)).toMatchObject({ deployments_total: 1, deployments_active: 1 });
});
