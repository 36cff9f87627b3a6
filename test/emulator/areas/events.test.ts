import { expect, test } from 'vitest';
import type { TestClient } from '../test-client.ts';
import { testClient } from '../test-client.ts';
import { probeAreas } from '../core/probe-area.ts';

const client = () => testClient({ areas: probeAreas });

async function create(api: TestClient, label = 'alpha'): Promise<void> {
  expect((await api.post('/vm/probes', { label })).status).toBe(200);
}

const marks = async (who: TestClient) => (await who.get('/account/events')).data.map((row) => [row['seen'], row['read']]);

test('GET /account/events, GET /account/events/{eventId}, POST /account/events/{eventId}/read, POST /account/events/{eventId}/seen: marks are per user', async () => {
  const api = client();
  await create(api);
  await create(api, 'beta');
  expect((await api.filter('/account/events', { id: { '+gte': 100_001 } })).data.map((row) => row['id'])).toEqual([100_001]);
  expect((await api.filter('/account/events', { 'entity.id': 1, 'entity.type': 'vm' })).data.map((row) => row['id'])).toEqual([100_000]);
  expect((await api.filter('/account/events', { '+order_by': 'created', '+order': 'desc', action: 'vm_create' })).body['results']).toBe(2);
  expect((await api.post('/account/events/100001/seen')).body).toEqual({});
  await api.post('/account/events/100000/read');
  expect(await marks(api)).toEqual([
    [true, true],
    [true, false],
  ]);
  expect(await marks(api.as('token-colleague'))).toEqual([
    [false, false],
    [false, false],
  ]);
  expect((await api.filter('/account/events', { read: true })).data.map((row) => row['id'])).toEqual([100_000]);
  expect((await api.as('token-colleague').filter('/account/events', { seen: false })).body['results']).toBe(2);
  expect((await api.get('/account/events/100000')).body).toMatchObject({ id: 100_000, read: true });
  expect((await api.get('/account/events/99')).status).toBe(404);
});

test('restricted users see their own events and those of what they may read', async () => {
  const api = client();
  await api.put('/account', { city: 'Paris' });
  await create(api);
  await create(api.as('token-limited'), 'beta');
  api.emulator.control.setGrants('limited', { 'vm:1': 'read_only' });
  expect((await api.as('token-limited').get('/account/events')).data.map((row) => row['id'])).toEqual([100_001, 100_002]);
});

test('events older than 90 days are gone', async () => {
  const api = client();
  await api.put('/account', { city: 'Paris' });
  api.clock.advance(90 * 86_400_000);
  expect((await api.get('/account/events')).body['results']).toBe(1);
  api.clock.advance(1000);
  expect((await api.get('/account/events')).body['results']).toBe(0);
});
