import { expect, test } from 'vitest';
import type { TestAccount } from '../test-account.ts';
import { testAccount } from '../test-account.ts';
import { plantMongodb } from './database-rows.ts';
import { activate } from './life.ts';

const base = '/databases/mongodb/instances';

function planted(api: TestAccount, label = 'docs-db'): string {
  const world = api.emulator.world('E1AF5EEC-526F-487D-B317EBEB34C87D71', 'admin');
  return api.emulator.run(world, () => {
    const { id } = plantMongodb(world, label);
    activate(world, id);
    return `${base}/${id}`;
  });
}

test('GET /databases/mongodb/instances GET /databases/mongodb/instances/{instanceId}: existing ones only', async () => {
  const api = testAccount();
  const path = planted(api);
  const seen = await api.seen(path);
  expect(seen).toMatchObject({ engine: 'mongodb', storage_engine: 'wiredtiger', compression_type: 'none', hosts: { secondary: null } });
  expect((seen['hosts'] as { primary: string }).primary).toBe((seen['peers'] as string[])[0]);
  expect((await api.get(base)).data).toEqual([seen]);
  expect((await api.get(path.replace('mongodb', 'mysql'))).status).toBe(404);
  expect((await api.post(base, { label: 'new' })).status).toBe(405);
});

test('PUT /databases/mongodb/instances/{instanceId} DELETE /databases/mongodb/instances/{instanceId}', async () => {
  const api = testAccount();
  const path = planted(api);
  await api.put(path, { label: 'renamed' });
  api.seconds(100);
  expect(await api.seen(path)).toMatchObject({ label: 'renamed', status: 'active' });
  expect((await api.as('token-readonly').delete(path)).status).toBe(200);
  expect((await api.get(path)).status).toBe(404);
});

test('POST /databases/mongodb/instances/{instanceId}/backups GET /databases/mongodb/instances/{instanceId}/backups GET /databases/mongodb/instances/{instanceId}/backups/{backupId} DELETE /databases/mongodb/instances/{instanceId}/backups/{backupId}', async () => {
  const api = testAccount();
  const path = planted(api);
  await api.made(`${path}/backups`, { label: 'snap', target: 'secondary' });
  api.seconds(300);
  const [backup] = (await api.get(`${path}/backups`)).data;
  expect(await api.seen(`${path}/backups/${String(backup?.['id'])}`)).toEqual(backup);
  await api.delete(`${path}/backups/${String(backup?.['id'])}`);
  expect((await api.get(`${path}/backups`)).data).toEqual([]);
});

test('POST /databases/mongodb/instances/{instanceId}/backups/{backupId}/restore brings the database back', async () => {
  const api = testAccount();
  const path = planted(api);
  await api.made(`${path}/backups`, { label: 'snap' });
  api.seconds(300);
  const [backup] = (await api.get(`${path}/backups`)).data;
  await api.made(`${path}/backups/${String(backup?.['id'])}/restore`);
  expect(await api.seen(path)).toMatchObject({ status: 'restoring' });
  api.seconds(400);
  expect(await api.seen(path)).toMatchObject({ status: 'active' });
});

test('GET /databases/mongodb/instances/{instanceId}/credentials POST /databases/mongodb/instances/{instanceId}/credentials/reset POST /databases/mongodb/instances/{instanceId}/patch GET /databases/mongodb/instances/{instanceId}/ssl', async () => {
  const api = testAccount();
  const path = planted(api);
  const before = await api.seen(`${path}/credentials`);
  expect((await api.as('token-limited').post(`${path}/credentials/reset`)).status).toBe(403);
  expect((await api.as('token-readonly').post(`${path}/credentials/reset`)).status).toBe(200);
  api.seconds(10);
  expect(await api.seen(`${path}/credentials`)).not.toEqual(before);
  expect((await api.seen(`${path}/ssl`))['ca_certificate']).toEqual(expect.any(String));
  await api.made(`${path}/patch`);
  expect((await api.get(`${path}/ssl`)).status).toBe(400);
  expect(await api.seen(path)).toMatchObject({ status: 'updating' });
});
