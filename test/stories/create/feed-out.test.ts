import { beforeEach, describe, expect, it } from 'vitest';
import { type RunningOperator, World } from '../../support/world/world.ts';

const minute = 60_000;
let world: World;
let operator: RunningOperator;
beforeEach(async () => {
  world = await World.create();
  await world.account();
  operator = await world.start();
  await world.ready('CloudAccount', 'default');
});
type Fault = Parameters<World['emulator']['control']['addFault']>[0];
const spoil = (fault: Fault): number => world.emulator.control.addFault(fault);
const events = { method: 'GET', path: '/account/events', username: 'admin' };
const losesAnswer: Fault = { match: { method: 'POST', path: '/volumes', username: 'admin' }, times: 1, effect: { kind: 'lose-answer' } };
const feedIsOut = (): number =>
  spoil({ match: events, effect: { kind: 'answer', status: 500, body: JSON.stringify({ errors: [{ reason: 'Internal error' }] }) } });
const looks = (): number => world.emulator.control.requests().filter(({ method, path }) => method === 'GET' && path === '/volumes').length;
const feedFails =
  /The events of the account, which tell who made it, cannot be read since 20\S+Z \(GET \/account\/events: 500 "Internal error"\); it goes on once they can/;
const begin = () => world.apply('CloudVolume', 'data', { region: 'eu-central', lifecycle: { onDelete: 'Delete' } });

it('what was stripped and deleted while the feed is out says that it waits for that, and since when', async () => {
  await begin();
  await world.ready('CloudVolume', 'data');
  operator.kill();
  const { status: _, ...live } = await world.get('CloudVolume', 'data');
  const path = world.path('CloudVolume', 'team-a', 'data');
  await world.admin('PUT', `${path}/status`, { ...live, status: {} });
  const { status: __, ...now } = await world.get('CloudVolume', 'data');
  await world.admin('PUT', path, { ...now, metadata: { ...now.metadata, annotations: {} } });
  await world.delete('CloudVolume', 'data');
  const fault = feedIsOut();
  await world.start();
  await world.reason('CloudVolume', 'data', 'Deleting');
  await world.clock.advance(minute);
  const said = await world.condition('CloudVolume', 'data', 'Synced');
  expect(said?.message).toMatch(feedFails);
  await world.clock.advance(10 * minute);
  expect((await world.condition('CloudVolume', 'data', 'Synced'))?.message).toBe(said?.message);
  world.emulator.control.removeFault(fault);
  await world.gone('CloudVolume', 'data', 2 * minute);
});

describe('a create in doubt, of which the feed of events tells who made what', () => {
  it('is looked for every quarter of a minute at most while the feed is out', async () => {
    feedIsOut();
    spoil(losesAnswer);
    await begin();
    await world.reason('CloudVolume', 'data', 'UnknownOutcome');
    await world.clock.advance(minute);
    expect((await world.condition('CloudVolume', 'data', 'Synced'))?.message).toMatch(feedFails);
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
    expect((await world.condition('CloudVolume', 'data', 'Synced'))?.message).toMatch(feedFails);
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
    const { status } = await world.ready('CloudVolume', 'data', 2 * minute);
    expect(JSON.stringify(status)).not.toMatch(feedFails);
    expect(world.emulator.control.rows('volumes')).toHaveLength(1);
  });
  it('is found within seconds while the feed is well', async () => {
    spoil(losesAnswer);
    await begin();
    await world.reason('CloudVolume', 'data', 'UnknownOutcome');
    await world.ready('CloudVolume', 'data', 20_000);
  });
});
