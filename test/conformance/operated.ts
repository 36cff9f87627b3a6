import type { AnyKind, Row } from '../../src/resource/index.ts';
import { planted } from '../support/samples/planted.ts';
import { wholeLifecycle } from '../support/samples/whole-lifecycle.ts';
import { type RunningOperator, World, type WorldOptions } from '../support/world/world.ts';
import { type Case, fixtures, merged } from './case.ts';
import type { AnyFixture, Need } from './fixture.ts';

export const specOf = (fixture: AnyFixture, change: Row = {}): Record<string, unknown> => ({
  ...merged(fixture.sample.spec, change),
  lifecycle: wholeLifecycle(kindOf(fixture)),
});
const kindOf = ({ kind }: AnyFixture): AnyKind => kind as AnyKind;
const fixtureOf = ({ kind }: Need): AnyFixture => fixtures.find((one) => kindOf(one).kind === kind) ?? missing(kind);
const missing = (kind: string): never => {
  throw new Error(`no fixture of ${kind}`);
};

export interface Begun {
  readonly world: World;
  readonly operator: RunningOperator;
}

/** `speed`: of the account's jobs. */
interface Around extends Pick<WorldOptions, 'sources' | 'between'> {
  readonly speed?: number;
}
/** A cluster with an operator, an account, and everything that the fixture names. */
export async function begin(fixture: AnyFixture, { speed = 1, ...around }: Around = {}): Promise<Begun> {
  const world = await World.create({ ...around, emulator: { knobs: planted, speed } });
  await world.account();
  const needs = Object.entries(fixture.needs ?? {});
  for (const one of [fixture, ...needs.map(([, need]) => fixtureOf(need))]) await world.provide(one);
  for (const [name, need] of needs) await world.apply(need.kind, name, specOf(fixtureOf(need), need.spec));
  const operator = await world.start();
  for (const [name, need] of needs) await world.ready(need.kind, name);
  return { world, operator };
}

/** The spec after each edit that is no refusal; what can only grow stays grown. */
export function* edited({ kind, fixture }: Case): Iterable<Record<string, unknown>> {
  const grown: Record<string, unknown> = {};
  for (const { field, to, spec, with: more, refused } of fixture.edits) {
    if (refused) continue;
    const value = spec ?? to;
    if (kind.fields[field]?.only === 'grows') grown[field] = value;
    yield specOf(fixture, { ...grown, ...more, [field]: value });
  }
}
