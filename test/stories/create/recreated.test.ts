import { expect, it } from 'vitest';
import { World } from '../../support/world/world.ts';

const deleted = { lifecycle: { onDelete: 'Delete' } };

it.each([0, 30])('an object that is deleted and applied again at once becomes Ready while lists are %i s old', async (listLagSeconds) => {
  const world = await World.create({ emulator: { knobs: { listLagSeconds } } });
  await world.account();
  let operator = await world.start();
  await world.apply('CloudDomain', 'example', { domain: 'example.com', type: 'master', soaEmail: 'admin@example.com', ...deleted });
  await world.ready('CloudDomain', 'example');
  const record = { domainRef: { name: 'example' }, type: 'A', host: 'www', target: '203.0.113.7', ...deleted };
  const volume = { region: 'eu-central', sizeGiB: 20, ...deleted };
  const ids = new Set<unknown>();
  for (let round = 0; round < 3; round += 1) {
    await world.apply('CloudDomainRecord', 'www', record);
    await world.apply('CloudVolume', 'data', volume);
    ids.add((await world.ready('CloudDomainRecord', 'www', 120_000)).status?.['id']);
    await world.ready('CloudVolume', 'data', 120_000);
    // A new operator lists everything, so that its listings are young when the object comes again.
    operator.kill();
    operator = await world.start();
    await world.clock.runUntil(() => operator.operator.phase === 'leading', 60_000);
    await world.clock.advance(1000);
    await world.delete('CloudDomainRecord', 'www');
    await world.delete('CloudVolume', 'data');
    await world.gone('CloudDomainRecord', 'www');
    await world.gone('CloudVolume', 'data');
  }
  expect(ids.size).toBe(3);
  const alive = world.emulator.control
    .objects()
    .filter(({ diedAt, collection }) => diedAt === undefined && /^(domain records|volumes)$/.test(collection));
  expect(alive).toEqual([]);
});
