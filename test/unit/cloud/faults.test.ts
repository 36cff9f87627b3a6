import { expect, test } from 'vitest';
import { get } from '../../../src/resource/index.ts';
import type { Fault } from '../../emulator/core/faults.ts';
import { accountWorld, how, idOf, ownerOf, sent } from './account-world.ts';
import { settled } from './scripted.ts';

const effects: readonly Fault['effect'][] = [
  { kind: 'lose-request' },
  { kind: 'lose-answer' },
  { kind: 'delay', seconds: 20 },
  { kind: 'hang' },
  { kind: 'html', status: 502 },
  { kind: 'html', status: 429 },
  { kind: 'answer', status: 500 },
  { kind: 'answer', status: 408 },
  { kind: 'answer', status: 503, headers: { 'x-maintenance-mode': 'true' } },
  { kind: 'truncate' },
  { kind: 'close' },
  { kind: 'malformed' },
  { kind: 'wrong-type', field: 'id' },
  { kind: 'missing-field', field: 'data' },
  { kind: 'missing-field', field: 'status' },
  { kind: 'slow-body', seconds: 5 },
];

test.each(
  effects.map(
    (effect) => [`${effect.kind} ${'status' in effect ? effect.status : 'field' in effect ? effect.field : ''}`, effect] as const,
  ),
)('half of all answers %s for half an hour: nothing breaks, and everything is fresh again soon after', async (_, effect) => {
  const world = accountWorld();
  const { connection } = await world.open();
  const paths: string[] = [];
  for (let n = 0; n < 10; n += 1)
    paths.push(`/volumes/${idOf(await world.byColleague('POST', '/v4/volumes', { label: `v${n}`, region: 'us-east' }))}`);
  world.emulator.control.addFault({ match: {}, probability: 0.5, effect });
  paths.forEach((path, n) => {
    connection.cache.track(path, ownerOf('volume', `v${n}`, '/volumes'));
    connection.cache.requestSweep(ownerOf('volume', `v${n}`, '/volumes'));
  });
  await world.clock.advance(1_800_000);
  world.emulator.control.clearFaults();
  for (const path of paths) await world.byColleague('PUT', `/v4${path}`, { label: `x${path.split('/')[2]}` });
  await world.clock.advance(900_000);
  expect(connection.outage()).toBeUndefined();
  for (const path of paths) expect(connection.cache.get(path)?.remote['label']).toBe(`x${path.split('/')[2]}`);
  expect((await settled(world.clock, sent(connection, get('/account'), how))).body).toMatchObject({ euuid: connection.identity.account });
  world.connector.close();
  expect(world.dispatcher.inFlight).toBe(0);
});
