import { expect, test } from 'vitest';
import type { TestClient } from './test-client.ts';
import { testClient } from './test-client.ts';
import { probeAreas } from './core/probe-area.ts';

/** Milliseconds of the fastest of some runs: what the code can do, whatever else the machine does. */
async function fastest(runs: number, act: () => Promise<unknown>): Promise<number> {
  let best = Infinity;
  for (let run = 0; run < runs; run += 1) {
    const began = performance.now();
    await act();
    best = Math.min(best, performance.now() - began);
  }
  return best;
}

async function filled(count: number): Promise<TestClient> {
  const api = testClient({ areas: probeAreas });
  for (let index = 0; index < count; index += 1) await api.post('/vm/probes', { label: `abc${index}`, tags: ['k8s'] });
  return api;
}

test('10,000 objects: pages, filters and the event feed stay quick', async () => {
  const api = await filled(10_000);
  const handle = (path: string, filter = '{}') =>
    api.emulator.handle({ method: 'GET', path, headers: { authorization: 'Bearer token-admin', 'x-filter': filter } });
  expect(await fastest(20, () => handle('/v4/vm/probes?page_size=500&page=7'))).toBeLessThan(15);
  expect(await fastest(20, () => handle('/v4/vm/probes?page_size=500', '{"tags":"k8s"}'))).toBeLessThan(15);
  expect(await fastest(20, () => handle('/v4/account/events?page_size=500', '{"id":{"+gte":109900}}'))).toBeLessThan(5);
  expect(await fastest(20, () => handle('/v4/vm/probes', '{"label":"abc77"}'))).toBeLessThan(5);
  const hundred = async () => {
    for (let call = 0; call < 100; call += 1) await handle('/v4/vm/probes/77');
  };
  expect(await fastest(20, hundred)).toBeLessThan(20);
}, 60_000);
