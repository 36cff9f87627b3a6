import { beforeEach, describe, expect, it } from 'vitest';
import { World } from '../../support/world/world.ts';

/** Two teams with tokens of one user, whose rate windows are one. */
let world: World;
beforeEach(async () => {
  world = await World.create({ emulator: { knobs: { rateProfile: 'published-2026' } } });
  world.emulator.control.setToken({ token: 'token-b', username: 'admin', scopes: '*' });
  await world.namespace('team-b');
  await world.account({ budget: { sharePercent: 1 } });
  await world.account({}, 'team-b', 'token-b');
  await world.start();
  for (const namespace of ['team-a', 'team-b']) await world.ready('CloudAccount', 'default', 120_000, namespace);
});
const apply = async (count: number, namespace: string): Promise<void> => {
  for (let n = 0; n < count; n += 1) await world.apply('CloudVolume', `${namespace}-${n}`, { region: 'eu-central' }, namespace);
};
const made = (namespace: string): number =>
  (world.emulator.control.rows('volumes') as { label: string }[]).filter(({ label }) => label.startsWith(namespace)).length;
const polls = (since: number): number =>
  world.emulator.control.requests(since).filter(({ template }) => template === '/account/events').length;
interface UsedUp {
  readonly shareUsedUp?: { readonly sharePercent: number; readonly classes: readonly string[]; readonly since: string };
}
const usedUp = async (namespace: string): Promise<UsedUp['shareUsedUp']> =>
  ((await world.get('CloudAccount', 'default', namespace)).status as UsedUp).shareUsedUp;

describe('budget.sharePercent', () => {
  it('caps the account that names it, and nobody else', async () => {
    await apply(30, 'team-a');
    await apply(30, 'team-b');
    await world.clock.advance(120_000);
    expect(made('team-b')).toBe(30);
    for (let n = 0; n < 30; n += 1) await world.ready('CloudVolume', `team-b-${n}`, 60_000, 'team-b');
    // One create a minute is what one percent of a hundred comes to.
    expect(made('team-a')).toBeLessThanOrEqual(4);
    await world.clock.advance(10 * 60_000);
    expect(made('team-a')).toBeGreaterThanOrEqual(9);
    expect(made('team-a')).toBeLessThanOrEqual(15);
  });

  it('that is used up is said by the account, in its status and an Event, and taken back', async () => {
    await apply(4, 'team-a');
    await world.clock.advance(60_000);
    expect(await usedUp('team-a')).toMatchObject({ sharePercent: 1, classes: expect.arrayContaining(['volume-create']) as unknown });
    expect(await usedUp('team-b')).toBeUndefined();
    const events = world.server.objects('/events') as unknown as { reason: string; message: string }[];
    const told = events.filter(({ reason }) => reason === 'ShareUsedUp');
    expect(told.map(({ message }) => message)[0]).toContain('spec.budget.sharePercent');
    await world.clock.advance(20 * 60_000);
    expect(made('team-a')).toBe(4);
    expect(await usedUp('team-a')).toBeUndefined();
  });

  it('is not said of an account whose calls go through', async () => {
    await apply(5, 'team-b');
    await world.clock.advance(60_000);
    expect(await usedUp('team-b')).toBeUndefined();
  });

  it('that is small does not keep the events from being read', async () => {
    await world.delete('CloudAccount', 'default', 'team-b');
    await world.gone('CloudAccount', 'default', 60_000, 'team-b');
    await apply(60, 'team-a');
    await world.clock.advance(60_000);
    const from = world.emulator.control.requests().at(-1)?.seq ?? 0;
    await world.clock.advance(10 * 60_000);
    expect(polls(from)).toBeGreaterThanOrEqual(55);
  });

  it('raised again is in force at once', async () => {
    await apply(30, 'team-a');
    await world.clock.advance(60_000);
    await world.patch('CloudAccount', 'default', { spec: { budget: { sharePercent: 60 } } });
    await world.clock.advance(120_000);
    expect(made('team-a')).toBe(30);
  });
});
