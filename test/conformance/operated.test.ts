import { describe, expect, it } from 'vitest';
import { type AnyKind, hasEnded, type Row } from '../../src/resource/index.ts';
import { canGo } from '../support/samples/whole-lifecycle.ts';
import type { World } from '../support/world/world.ts';
import { named } from './case.ts';
import { begin, edited, specOf } from './operated.ts';

/** What the account holds besides what it logs and what is over; tags outlive what they are put on. */
const standing = (world: World, kind: AnyKind): readonly string[] =>
  world.emulator.control
    .objects()
    .filter(({ diedAt, collection }) => diedAt === undefined && !['events', 'tags', 'ticket replies'].includes(collection))
    .filter(({ row }) => !hasEnded(kind, row as Row))
    .map(({ collection, key }) => `${collection}/${String(key)}`);

/** What is always there goes without a trace where it can be put back. */
const leaving = named.filter(([, { kind }]) => canGo(kind));

describe('under a whole operator', () => {
  it.each(leaving)('%s: its sample becomes Ready, takes every edit, and goes without a trace', { timeout: 120_000 }, async (kind, one) => {
    const { name } = one.fixture.sample;
    const { world } = await begin(one.fixture);
    const before = standing(world, one.kind);
    await world.apply(kind, name, specOf(one.fixture));
    await world.ready(kind, name);
    for (const change of edited(one)) {
      await world.apply(kind, name, change);
      await world.ready(kind, name);
    }
    await world.delete(kind, name);
    await world.gone(kind, name);
    // What the service takes along goes a little later.
    await world.clock.advance(30_000);
    expect(standing(world, one.kind)).toEqual(before);
    expect(world.panics).toEqual([]);
  });
});
