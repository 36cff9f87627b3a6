import { expect, test } from 'vitest';
import type { TestClient } from '../test-client.ts';
import { testClient } from '../test-client.ts';
import { probeAreas } from './probe-area.ts';

const client = (options = {}) => testClient({ areas: probeAreas, ...options });

async function create(api: TestClient, label = 'alpha'): Promise<void> {
  expect((await api.post('/vm/probes', { label })).status).toBe(200);
}

async function first(api: TestClient): Promise<Readonly<Record<string, unknown>>> {
  return (await api.get('/account/events')).data[0] ?? {};
}

test('a job is one event that is scheduled, started and finished', async () => {
  const api = client();
  await create(api);
  expect(await first(api)).toEqual({
    id: 100_000,
    created: '2026-01-01T00:00:00',
    action: 'vm_create',
    status: 'scheduled',
    entity: { id: 1, label: 'alpha', type: 'vm', url: '/v4/vm/probes/1' },
    secondary_entity: null,
    percent_complete: 0,
    time_remaining: null,
    rate: null,
    duration: null,
    seen: false,
    read: false,
    username: 'admin',
    message: '',
  });
  api.clock.advance(500);
  expect(await first(api)).toMatchObject({ status: 'started', percent_complete: 0, duration: 0.5 });
  api.clock.advance(5000);
  expect(await first(api)).toMatchObject({ status: 'started', percent_complete: 49, duration: 5.5, time_remaining: null });
  api.clock.advance(5000);
  expect(await first(api)).toMatchObject({ id: 100_000, status: 'finished', percent_complete: 100, duration: 11, time_remaining: 0 });
  expect((await api.get('/vm/probes/1')).body['status']).toBe('active');
});

test('speed divides durations; 0 is at once', async () => {
  for (const [speed, wait] of [
    [10, 1050],
    [0, 0],
  ] as const) {
    const api = client({ speed });
    await create(api);
    api.clock.advance(wait);
    expect(await first(api)).toMatchObject({ status: 'finished' });
  }
});

test('a thing is busy while its job is open', async () => {
  const api = client();
  await create(api);
  expect((await api.delete('/vm/probes/1')).errors).toEqual(['Linode busy.']);
  api.clock.advance(20_000);
  expect((await api.delete('/vm/probes/1')).status).toBe(200);
});

test('jobs of one key run one after the other, jobs of others beside them', () => {
  const api = client();
  const world = api.emulator.world('E1AF5EEC-526F-487D-B317EBEB34C87D71', 'admin');
  const log: string[] = [];
  const entity = { id: 1, label: 'a', type: 'vm', url: '' };
  const plan = (action: string, serialKey: string) => ({
    action,
    entity,
    serialKey,
    seconds: 10,
    onStart: () => log.push(`${action} starts`),
    onFinish: () => log.push(`${action} ends`),
  });
  api.emulator.run(world, () => {
    world.job(plan('vm_create', 'vm:1'));
    world.job(plan('vm_boot', 'vm:1'));
    world.job(plan('vm_reboot', 'vm:2'));
  });
  api.clock.advance(30_000);
  expect(log).toEqual(['vm_create starts', 'vm_reboot starts', 'vm_create ends', 'vm_reboot ends', 'vm_boot starts', 'vm_boot ends']);
  expect(world.busy('vm:1')).toBe(false);
});

test('feed faults: lost, late (below ids shown before), doubled, skewed, another entity', async () => {
  const api = client();
  const { control } = api.emulator;
  const match = { action: 'vm_create' };
  control.addFault({ match, times: 1, effect: { kind: 'lost' } });
  control.addFault({ match, times: 1, skip: 0, effect: { kind: 'late', seconds: 30 } });
  for (const label of ['lost', 'late', 'fine']) await create(api, label);
  const ids = async () => (await api.get('/account/events')).data.map((row) => row['id']);
  expect(await ids()).toEqual([100_002]);
  api.clock.advance(30_000);
  expect(await ids()).toEqual([100_001, 100_002]);
  control.addFault({ match, times: 1, effect: { kind: 'doubled' } });
  control.addFault({ match, times: 1, effect: { kind: 'skewed', seconds: -300 } });
  control.addFault({ match, times: 1, effect: { kind: 'other-entity', type: 'volume' } });
  for (const label of ['two', 'skewed', 'other']) await create(api, label);
  expect((await ids()).slice(2)).toEqual([100_003, 100_003, 100_004, 100_005]);
  expect((await api.get('/account/events/100004')).body['created']).toBe('2025-12-31T23:55:30');
  expect((await api.get('/account/events/100005')).body['entity']).toMatchObject({ type: 'volume' });
});

test('jobs may fail or never end', async () => {
  const api = client();
  api.emulator.control.addFault({ match: { action: 'vm_create', entityId: 1 }, effect: { kind: 'job-fails' } });
  api.emulator.control.addFault({ match: { action: 'vm_create', entityId: 2 }, effect: { kind: 'job-hangs' } });
  await create(api);
  await create(api, 'beta');
  api.clock.advance(86_400_000);
  const statuses = (await api.get('/account/events')).data.map((row) => [row['status'], row['percent_complete']]);
  expect(statuses).toEqual([
    ['failed', 100],
    ['started', 99],
  ]);
  expect((await api.delete('/vm/probes/2')).errors).toEqual(['Linode busy.']);
});
