import { describe, expect, it } from 'vitest';
import { planDelete } from '../../src/engine/plan/plan-delete.ts';
import type { DeleteStep } from '../../src/engine/model/step.ts';
import { type AnyWant, type Row, Sensitive } from '../../src/resource/index.ts';
import { type Case, contextFor, merged, named, type Next, next, nextOf, parsed, placed } from './case.ts';
import type { AnyFixture } from './fixture.ts';

const rowOf = (one: Case, change: Row): Row =>
  parsed(one.kind, merged(placed(one.fixture.remote, one.ids) as Row, placed(change, one.ids) as Row));
const wantOf = (one: Case, change: Row): AnyWant => placed(merged(one.fixture.want, change), one.ids) as AnyWant;

function stepOf(one: Case, row: AnyFixture['plans'][number]): Next | DeleteStep {
  const remote = row.remote === null ? undefined : rowOf(one, row.remote ?? {});
  if (row.deleting) return planDelete(one.kind, one.item, remote ?? {}, wantOf(one, row.want ?? {}));
  const context = contextFor(one.kind, row.context, row.policy);
  return nextOf(one.kind, wantOf(one, row.want ?? {}), remote, context);
}

/** What must come of an edit: a refusal, nothing, or the first of its calls. */
function expectedOf({ item, ids }: Case, { refused, admissionOnly, calls, body }: AnyFixture['edits'][number]): Row {
  if (refused && !admissionOnly) return { do: 'refuse', reason: 'ImmutableField' };
  const [method, path = ''] = calls?.[0]?.replace('{item}', item).split(' ') ?? [];
  if (method === undefined) return { do: 'nothing' };
  return {
    do: 'update',
    call: { method, path: expect.stringMatching(pathPattern(path)) as unknown, ...(body && { body: placed(body, ids) as Row }) },
  };
}

/** `*` stands for an id that only the account knows. */
const pathPattern = (path: string): RegExp => new RegExp(`^${path.replaceAll('.', '[.]').replaceAll('*', '[^/]+')}$`);

/** Steps for a want in which one immutable text that the account shows is another. */
function* frozenSteps(one: Case): Iterable<readonly [string, Next]> {
  for (const [field, rule] of Object.entries(one.kind.fields)) {
    const other = { ...one.want, [field]: 'something-else' };
    const compared = rule.immutable && typeof one.want[field] === 'string' && rule.read?.(one.remote, other) !== undefined;
    if (compared) yield [field, next(one, other, one.remote)];
  }
}

describe.each(named)('plan of %s', (_, one) => {
  const { kind, fixture } = one;

  it('plans nothing for a quiet remote', () => expect(next(one, one.want, one.remote)).toEqual({ do: 'nothing' }));
  it('says as much when asked again', () => expect(next(one, one.want, one.remote)).toEqual(next(one, one.want, one.remote)));
  it.each(fixture.plans.map((row) => [row.name, row] as const))('%s', (_, row) =>
    expect(stepOf(one, row)).toMatchObject(placed(row.step, one.ids) as Row),
  );

  it.each(fixture.edits.map((edit) => [`${edit.field} -> ${JSON.stringify(edit.to)}`, edit] as const))('edits %s', (_, edit) => {
    expect(next(one, wantOf(one, { ...edit.with, [edit.field]: edit.to }), one.remote)).toMatchObject(expectedOf(one, edit));
  });
  it('has an edit of every field that the account shows', () => {
    const shown = Object.entries(kind.fields).flatMap(([field, rule]) => ((rule.read ?? rule.members) && !rule.immutable ? [field] : []));
    expect(shown.filter((field) => !fixture.edits.some((edit) => edit.field === field) && !fixture.exempt?.[`edits ${field}`])).toEqual([]);
  });
  it('refuses what an immutable field shows otherwise', () => {
    const steps = [...frozenSteps(one)];
    expect(steps.filter(([, step]) => step.do !== 'refuse' || step.reason !== 'ImmutableField')).toEqual([]);
  });

  it('deletes nothing but what is below the item: how the item itself goes is not for a field to say', () => {
    const steps = fixture.edits.map((edit) => next(one, wantOf(one, { ...edit.with, [edit.field]: edit.to }), one.remote));
    const deleted = steps.flatMap((step) => (step.do === 'update' && step.call.method === 'DELETE' ? [step.call.path] : []));
    expect(deleted.filter((path) => !path.startsWith(`${one.item}/`))).toEqual([]);
  });
  it('keeps secrets in bodies only', () => {
    const steps = one.wants.map(([name, want]) => [name, next(one, want, undefined)] as const);
    expect(steps.filter(([, step]) => JSON.stringify(step).includes('canary'))).toEqual([]);
  });
  it('reads a remote with fields and enum members that it does not know', () => {
    for (const strange of strangers(one.remote)) {
      expect(kind.remote.safeParse(strange).error).toBeUndefined();
      const remote = parsed(kind, strange);
      expect(() => [kind.health(remote, one.want), kind.observe(remote, one.want)]).not.toThrow();
    }
    expect(kind.remote.safeParse({ ...one.remote, surprise: { a: [1] } }).success).toBe(true);
  });
});

/** The row with one text at a time that nobody has heard of. */
function* strangers(row: Row): Iterable<Row> {
  for (const [field, value] of Object.entries(row)) {
    if (value instanceof Sensitive) continue;
    if (typeof value === 'string') yield { ...row, [field]: 'brand-new' };
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      for (const inner of strangers(value as Row)) yield { ...row, [field]: inner };
  }
}
