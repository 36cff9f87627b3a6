import { expect, test } from 'vitest';
import { createEmulator } from '../emulator.ts';
import { testClock } from '../test-clock.ts';

async function get(path: string, headers: Record<string, string> = {}): Promise<{ status: number; body: Record<string, unknown> }> {
  const answer = await createEmulator({ clock: testClock() }).handle({ method: 'GET', path, headers });
  return { status: answer.status, body: JSON.parse(answer.body.toString()) as Record<string, unknown> };
}

test('GET /regions, GET /regions/{regionId}, GET /vm/types, GET /vm/types/{typeId} need no credential and hold the recorded rows', async () => {
  expect((await get('/v4/regions')).body).toMatchObject({ page: 1, pages: 1, results: 11 });
  expect((await get('/v4/regions/us-east')).body).toMatchObject({ country: 'us', status: 'ok' });
  expect((await get('/v4beta/vm/types?page_size=25')).body).toMatchObject({ results: 20 });
  expect((await get('/v4/vm/types/g6-standard-2')).body).toMatchObject({ vcpus: 2, price: { hourly: 0.03, monthly: 20 } });
});

test('GET /vm/kernels, GET /vm/kernels/{kernelId}: ids with a slash are accepted raw and escaped', async () => {
  expect((await get('/v4/vm/kernels')).body).toMatchObject({ results: 6 });
  expect((await get('/v4/vm/kernels/vm/latest-64bit')).body).toMatchObject({ id: 'vm/latest-64bit' });
  expect((await get('/v4/vm/kernels/vm%2Fgrub2')).body).toMatchObject({ id: 'vm/grub2', built: null });
});

test('filters choose and order types', async () => {
  const filter = JSON.stringify({ '+or': [{ class: 'gpu' }, { memory: { '+lte': 2048 } }], '+order_by': 'memory', '+order': 'desc' });
  const { body } = await get('/v4/vm/types', { 'X-Filter': filter });
  expect((body['data'] as { id: string }[]).map((type) => type.id)).toEqual(['g1-gpu-rtx6000-1', 'g6-standard-1', 'g6-nanode-1']);
  const refused = await get('/v4/vm/types', { 'X-Filter': '{"price":1}' });
  expect(refused).toEqual({ status: 400, body: { errors: [{ reason: 'Cannot filter on price', field: 'X-Filter' }] } });
});

test('what does not exist is not found', async () => {
  expect(await get('/v4/vm/types/g9-none')).toEqual({ status: 404, body: { errors: [{ reason: 'Not found' }] } });
});
