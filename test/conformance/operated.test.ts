import { describe, expect, it } from 'vitest';
import { type AnyKind, hasEnded, type Row } from '../../src/resource/index.ts';
import { World } from '../support/world.ts';
import { type Case, fixtures, merged, named } from './case.ts';
import type { AnyFixture, Need } from './fixture.ts';

const lifecycle = { onDelete: 'Delete', approve: ['InPlace', 'Reboot', 'Rebuild', 'Replace'] };
const specOf = (fixture: AnyFixture, change: Row = {}): Record<string, unknown> => ({ ...merged(fixture.sample.spec, change), lifecycle });
const kindOf = ({ kind }: AnyFixture): AnyKind => kind as AnyKind;
const fixtureOf = ({ kind }: Need): AnyFixture => fixtures.find((one) => kindOf(one).kind === kind) ?? missing(kind);
const missing = (kind: string): never => {
  throw new Error(`no fixture of ${kind}`);
};

/** A cluster with an operator, an account, and everything that the fixture names. */
async function begin(fixture: AnyFixture): Promise<World> {
  const world = await World.create();
  await world.account();
  const needs = Object.entries(fixture.needs ?? {});
  for (const one of [fixture, ...needs.map(([, need]) => fixtureOf(need))]) await world.provide(one);
  for (const [name, need] of needs) await world.apply(need.kind, name, specOf(fixtureOf(need), need.spec));
  await world.start();
  for (const [name, need] of needs) await world.ready(need.kind, name);
  return world;
}

/** What the account holds besides what it logs and what is over; tags outlive what they are put on. */
const standing = (world: World, kind: AnyKind): readonly string[] =>
  world.emulator.control
    .objects()
    .filter(({ diedAt, collection }) => diedAt === undefined && !['events', 'tags', 'ticket replies'].includes(collection))
    .filter(({ row }) => !hasEnded(kind, row as Row))
    .map(({ collection, key }) => `${collection}/${String(key)}`);

/** The spec after each edit that is no refusal; what can only grow stays grown. */
function* edited({ kind, fixture }: Case): Iterable<Record<string, unknown>> {
  const grown: Record<string, unknown> = {};
  for (const { field, to, spec, with: more, refused } of fixture.edits) {
    if (refused) continue;
    const value = spec ?? to;
    if (kind.fields[field]?.only === 'grows') grown[field] = value;
    yield specOf(fixture, { ...grown, ...more, [field]: value });
  }
}

/** What is always there goes without a trace where it can be put back. */
const leaving = named.filter(([, { kind }]) => kind.mode === 'collection' || kind.deletion !== undefined);

describe('under a whole operator', () => {
  it.each(leaving)('%s: its sample becomes Ready, takes every edit, and goes without a trace', { timeout: 120_000 }, async (kind, one) => {
    const { name, spec } = one.fixture.sample;
    const world = await begin(one.fixture);
    const before = standing(world, one.kind);
    await world.apply(kind, name, { ...spec, lifecycle });
    await world.ready(kind, name);
    for (const change of edited(one)) {
      await world.apply(kind, name, change);
      await world.ready(kind, name);
    }
    await world.delete(kind, name);
    await world.gone(kind, name);
    expect(standing(world, one.kind)).toEqual(before);
    expect(world.panics).toEqual([]);
  });
});
