import { beforeEach, expect, test } from 'vitest';
import type { TestClient } from '../test-client.ts';
import { testClient } from '../test-client.ts';
import { probeAreas } from './probe-area.ts';

let api: TestClient;

async function labels(path: string, filter?: unknown): Promise<unknown[]> {
  const reply = filter === undefined ? await api.get(path) : await api.filter(path, filter);
  expect(reply.errors).toEqual([]);
  return reply.data.map((row) => row['label']);
}

beforeEach(async () => {
  api = testClient({ areas: probeAreas });
  const rows = [
    { label: 'alpha', size: 10, tags: ['k8s', 'prod'], image: 'vm/debian11' },
    { label: 'beta', size: 30, tags: ['k8s'] },
    { label: 'gamma', size: 20, vm_id: 5 },
  ];
  for (const row of rows) {
    await api.post('/vm/probes', row);
    api.clock.advance(60_000);
  }
});

test('an empty collection is page 1 of 1', async () => {
  api = testClient({ areas: probeAreas });
  expect((await api.get('/vm/probes')).body).toEqual({ data: [], page: 1, pages: 1, results: 0 });
});

test('pages are cut by page and page_size, in ascending id', async () => {
  for (let count = 0; count < 50; count += 1) await api.post('/vm/probes', { label: `more${count}` });
  expect((await api.get('/vm/probes?page=3&page_size=25')).body).toMatchObject({ page: 3, pages: 3, results: 53 });
  expect((await api.get('/vm/probes?page=3&page_size=25')).data.map((row) => row['id'])).toEqual([51, 52, 53]);
  expect((await api.get('/vm/probes')).body).toMatchObject({ page: 1, pages: 1 });
});

test.each([
  ['page=0', ['page: Must be 1 or greater']],
  ['page=x&page_size=24', ['page: Must be 1 or greater', 'page_size: Must be 25-500']],
  ['page_size=501', ['page_size: Must be 25-500']],
])('bounds of %s', async (query, errors) => {
  const reply = await api.get(`/vm/probes?${query}`);
  expect([reply.status, reply.errors]).toEqual([400, errors]);
});

test('a page after the last is empty or refused by a knob; an absurd one is the last', async () => {
  expect((await api.get('/vm/probes?page=9')).body).toMatchObject({ data: [], page: 9, pages: 1, results: 3 });
  expect((await api.get('/vm/probes?page=999999999999999999')).body).toMatchObject({ page: 1 });
  api.emulator.control.setKnobs({ pastEndPage: 'refused' });
  expect((await api.get('/vm/probes?page=9')).status).toBe(404);
});

test.each([
  [{ label: 'beta' }, ['beta']],
  [{ label: 'beta', size: 10 }, []],
  [{ size: { '+gt': 10 } }, ['beta', 'gamma']],
  [{ size: { '+gte': 20, '+lt': 30 } }, ['gamma']],
  [{ size: { '+lte': 20 } }, ['alpha', 'gamma']],
  [{ label: { '+neq': 'beta' } }, ['alpha', 'gamma']],
  [{ label: { '+contains': 'A' } }, ['alpha', 'beta', 'gamma']],
  [{ label: { '+contains': 'mm' } }, ['gamma']],
  [{ '+or': [{ label: 'alpha' }, { size: 20 }] }, ['alpha', 'gamma']],
  [{ '+and': [{ tags: 'k8s' }, { tags: 'prod' }] }, ['alpha']],
  [{ tags: 'k8s' }, ['alpha', 'beta']],
  [{ tags: { '+contains': 'pro' } }, ['alpha']],
  [{ vm_id: 5 }, ['gamma']],
  [{ vm_id: null }, ['alpha', 'beta']],
  [{ created: { '+gte': '2026-01-01T00:01:00' } }, ['beta', 'gamma']],
  [{ size: { '+or': [10, 30] } }, ['alpha', 'beta']],
  [{ '+order_by': 'size', '+order': 'desc' }, ['beta', 'gamma', 'alpha']],
  [{ '+order_by': 'size', label: { '+neq': 'gamma' } }, ['alpha', 'beta']],
  [{ id: { '+gt': 1 }, '+order_by': 'id', '+order': 'desc' }, ['gamma', 'beta']],
  [{ id: 2 }, ['beta']],
])('filter %j', async (filter, expected) => {
  expect(await labels('/vm/probes', filter)).toEqual(expected);
});

test.each([
  [{ foo: 1 }, 'X-Filter: Cannot filter on foo'],
  [{ '+and': [{ filesystem_path: 'x' }] }, 'X-Filter: Cannot filter on filesystem_path'],
  [{ '+order_by': 'secret' }, 'X-Filter: Cannot order by "secret"'],
  [{ '+order_by': 'status' }, 'X-Filter: Cannot order by "status"'],
  [{ '+order': 'desc' }, 'X-Filter: Could not apply filter'],
  [{ size: { '+like': 1 } }, 'X-Filter: Could not apply filter'],
  [{ tags: ['a', 'b'] }, 'X-Filter: Tags filter must be a string or dict'],
  [{ tags: { '+neq': 'a' } }, 'X-Filter: Could not apply filter'],
  ['{"label":', 'X-Filter: Could not apply filter'],
  ['[1]', 'X-Filter: Could not apply filter'],
])('filter %j is refused', async (filter, error) => {
  const reply = await api.filter('/vm/probes', filter);
  expect([reply.status, reply.errors]).toEqual([400, [error]]);
});

test('unknown query parameters are ignored', async () => {
  expect(await labels('/vm/probes?label=beta')).toHaveLength(3);
});

test('lists lag behind writes, reads by id do not', async () => {
  api.emulator.control.setKnobs({ listLagSeconds: 60 });
  await api.post('/vm/probes', { label: 'delta' });
  await api.put('/vm/probes/2', { label: 'renamed' });
  await api.delete('/vm/probes/3');
  expect((await api.get('/vm/probes/2')).body['label']).toBe('renamed');
  expect(await labels('/vm/probes')).toEqual(['alpha', 'beta', 'gamma']);
  api.clock.advance(60_000);
  expect(await labels('/vm/probes')).toEqual(['alpha', 'renamed', 'delta']);
});

test('tag and label filters may lag while the rows are current', async () => {
  api.emulator.control.setKnobs({ filterLagSeconds: 3 });
  await api.put('/vm/probes/2', { label: 'renamed', tags: ['new-tag'] });
  expect([await labels('/vm/probes', { label: 'renamed' }), await labels('/vm/probes', { tags: 'new-tag' })]).toEqual([[], []]);
  expect(await labels('/vm/probes', { label: 'beta' })).toEqual(['renamed']);
  expect(await labels('/vm/probes', { size: 30 })).toEqual(['renamed']);
  api.clock.advance(3000);
  expect(await labels('/vm/probes', { label: 'renamed' })).toEqual(['renamed']);
});
