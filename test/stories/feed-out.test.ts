import { beforeEach, describe, expect, it } from 'vitest';
import { World } from '../support/world.ts';

const minute = 60_000;
let world: World;
beforeEach(async () => {
  world = await World.create();
  await world.account();
  await world.start();
  await world.ready('CloudAccount', 'default');
});
type Fault = Parameters<World['emulator']['control']['addFault']>[0];
const spoil = (fault: Fault): number => world.emulator.control.addFault(fault);
const events = { method: 'GET', path: '/account/events', username: 'admin' };
const losesAnswer: Fault = { match: { method: 'POST', path: '/volumes', username: 'admin' }, times: 1, effect: { kind: 'lose-answer' } };
const feedIsOut = (): number =>
  spoil({ match: events, effect: { kind: 'answer', status: 500, body: JSON.stringify({ errors: [{ reason: 'Internal error' }] }) } });
const looks = (): number => world.emulator.control.requests().filter(({ method, path }) => method === 'GET' && path === '/volumes').length;
const begin = () => world.apply('CloudVolume', 'data', { region: 'eu-central', lifecycle: { onDelete: 'Delete' } });

describe('a create in doubt, of which the feed of events tells who made what', () => {
  it('is looked for every quarter of a minute at most while the feed is out', async () => {
    feedIsOut();
    spoil(losesAnswer);
    await begin();
    await world.reason('CloudVolume', 'data', 'UnknownOutcome');
    await world.clock.advance(minute);
    const before = looks();
    await world.clock.advance(10 * minute);
    expect(looks() - before).toBeLessThanOrEqual(40);
    expect(looks() - before).toBeGreaterThan(0);
  });
  it('is looked for no more often when its object is deleted', async () => {
    const fault = feedIsOut();
    spoil(losesAnswer);
    await begin();
    await world.reason('CloudVolume', 'data', 'UnknownOutcome');
    await world.delete('CloudVolume', 'data');
    await world.clock.advance(minute);
    const before = looks();
    await world.clock.advance(10 * minute);
    expect(looks() - before).toBeLessThanOrEqual(42);
    expect(looks() - before).toBeGreaterThan(0);
    world.emulator.control.removeFault(fault);
    await world.gone('CloudVolume', 'data', 2 * minute);
    expect(world.emulator.control.rows('volumes')).toEqual([]);
  });
  it('is taken soon after the feed is back', async () => {
    const fault = feedIsOut();
    spoil(losesAnswer);
    await begin();
    await world.reason('CloudVolume', 'data', 'UnknownOutcome');
    await world.clock.advance(10 * minute);
    world.emulator.control.removeFault(fault);
    await world.ready('CloudVolume', 'data', 2 * minute);
    expect(world.emulator.control.rows('volumes')).toHaveLength(1);
  });
  it('is found within seconds while the feed is well', async () => {
    spoil(losesAnswer);
    await begin();
    await world.reason('CloudVolume', 'data', 'UnknownOutcome');
    await world.ready('CloudVolume', 'data', 20_000);
  });
});
