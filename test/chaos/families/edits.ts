import type { Millis } from '../../../src/lib/clock.ts';
import type { Row } from '../../../src/resource/index.ts';
import { type Case, caseId, type Family } from '../run/case.ts';
import { type Edit, editsOf } from '../scenario/edit.ts';
import type { Excuse } from '../oracles/oracle.ts';
import type { Interference } from '../run/perform.ts';
import { fixturesOf, type Scenario } from '../scenario/scenario.ts';
import type { Stage } from '../stage/stage.ts';
import { changesSomething } from '../stage/step.ts';
import { withEffect } from '../stage/strike.ts';

const minute: Millis = 60_000;
const patience: Millis = 40 * minute;

/**
 * F14, after Acto: every field that may change is set, changed, unset, set to its bounds and to what admission refuses; then
 * the first spec comes back, and with it the first state. Also out of the states of error that an edit can lead to.
 */
export const edits: Family = ({ scenario }) => {
  if (scenario.operation.is === 'update') return [plainly(scenario)];
  return scenario.only === 'F14' ? editsOf(scenario).flatMap((edit) => casesOf(scenario, edit)) : [];
};

/** The recorded run of an edit is itself judged. */
const plainly = (scenario: Scenario): Case => ({
  id: caseId('F14', scenario, 'change'),
  family: 'F14',
  scenario,
  interference: {},
  excuse: {},
  mustStrike: false,
});

function casesOf(scenario: Scenario, edit: Edit): readonly Case[] {
  const excuse = excuseFor(scenario, edit);
  const one = (point: string, interference: Interference, other: Excuse = {}): Case => ({
    id: caseId('F14', scenario, edit.id, point),
    family: 'F14',
    scenario,
    interference,
    excuse: { ...excuse, ...other },
    mustStrike: false,
  });
  if (edit.is === 'invalid') return [one('refused', { whenDone: (stage) => expectRefused(stage, edit.spec) })];
  const back = [one('and-back', { whenDone: (stage) => thereAndBack(stage, edit.spec) })];
  if (edit.is !== 'change' || !edit.calls) return back;
  return [
    ...back,
    one('refused-and-back', { whenDone: (stage) => thereAndBack(stage, edit.spec, refusing(400)) }),
    one('forbidden-and-back', { whenDone: (stage) => thereAndBack(stage, edit.spec, refusing(403)) }),
    one('unapproved-and-back', { whenDone: (stage) => thereAndBack(stage, unapproved(edit.spec)) }),
  ];
}

/** What an absent field means is not undone by taking it away again, what only grows stays grown, and some the service sets itself. */
function excuseFor({ kind, subject }: Scenario, { field, fields, spec }: Edit): Excuse {
  const rule = kind.fields[field];
  const stays = fields.some((one) => adds(subject.spec[one], spec[one]) && kind.fields[one]?.unset !== 'clear');
  const grows = rule?.only === 'grows';
  const left = fixturesOf(kind.kind).some(({ leftToService = [] }) => fields.some((one) => leftToService.includes(one)));
  return {
    edited: true,
    // Once for the edit and once for the way back.
    rebirths: 2,
    ...(grows && { stalls: ['ImmutableField'], additions: 1 }),
    ...((stays || grows || left) && { otherEnd: true }),
    // What was turned on for good may stand in the way of a deletion, which then waits for a person.
    ...(grows && spec[field] === true && { leftovers: true }),
  };
}

/** Something is set that was not, at any depth. */
function adds(before: unknown, after: unknown): boolean {
  if (isRow(before) && isRow(after)) return Object.keys(after).some((name) => adds(before[name], after[name]));
  // Of elements that are in both, not of one more.
  if (Array.isArray(before) && Array.isArray(after)) return before.some((one, index) => index < after.length && adds(one, after[index]));
  return before === undefined;
}
const isRow = (value: unknown): value is Row => typeof value === 'object' && value !== null && !Array.isArray(value);

const unapproved = (spec: Row): Row => ({ ...spec, lifecycle: { ...(spec['lifecycle'] as Row), approve: ['InPlace'] } });

interface Obstacle {
  set(stage: Stage): void;
  clear(stage: Stage): void;
}
/** The API refuses every change for as long as the edit stands. */
const refusing = (status: number): Obstacle => ({
  set: (stage) =>
    stage.wire.arm(
      ({ server, request }) => server === 'cloud' && changesSomething(request),
      withEffect(stage, { kind: 'answer', status, body: '{"errors":[{"reason":"This value is refused."}]}' }),
      true,
    ),
  clear: (stage) => stage.wire.disarm(),
});

async function thereAndBack(stage: Stage, spec: Row, obstacle?: Obstacle): Promise<void> {
  obstacle?.set(stage);
  stage.wire.mark(`edited: ${JSON.stringify(spec).slice(0, 300)}`);
  await stage.edit(spec);
  if (!(await stage.settled(patience))) stage.sampler.problems.add('no verdict on the edit within 40 minutes');
  await stage.pass(2 * minute);
  obstacle?.clear(stage);
  stage.wire.mark('edited back');
  await stage.edit(obstacle === undefined ? firstSpec(stage.scenario, spec) : stage.scenario.subject.spec);
  if (!(await stage.settled(patience))) stage.sampler.problems.add('no verdict on the first spec within 40 minutes');
}

/** What can only grow stays as it is. */
function firstSpec({ kind, subject }: Scenario, edited: Row): Row {
  const grown = Object.keys(kind.fields).filter((field) => kind.fields[field]?.only === 'grows' && edited[field] !== undefined);
  return { ...subject.spec, ...Object.fromEntries(grown.map((field) => [field, edited[field]])) };
}

async function expectRefused(stage: Stage, spec: Row): Promise<void> {
  const { kind, name } = stage.scenario.subject;
  const edited = { ...(await stage.subject()), spec };
  const { status } = await stage.world.server.as('admin', 'PUT', stage.world.path(kind, undefined, name), edited);
  stage.wire.mark(`edited: ${JSON.stringify(spec).slice(0, 300)} -> ${status}`);
  if (status !== 422) stage.sampler.problems.add(`admission answered ${status} instead of 422 to ${JSON.stringify(spec).slice(0, 500)}`);
}
