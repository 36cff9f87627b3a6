import type { Millis } from '../../../src/lib/clock.ts';
import { asOperation } from '../../../src/resource/index.ts';
import { type Case, caseId, type Family } from '../run/case.ts';
import type { Excuse } from '../oracles/oracle.ts';
import type { Interference } from '../run/perform.ts';
import type { Manifest, Reference, Scenario } from '../scenario/scenario.ts';
import { strangerTo } from '../scenario/stranger.ts';
import type { Stage } from '../stage/stage.ts';

const minute: Millis = 60_000;
const otherNamespace = 'team-b';
/** The target is made while the subject waits, so that what is made of it counts too. */
const together: Excuse = { rebirths: Infinity };
const others: Excuse = { ...together, otherEnd: true, leftovers: true };
const waits: Excuse = { ...others, stalls: ['ReferenceNotReady'] };
const circular: Excuse = { ...others, stalls: ['InvalidSpec'] };
/** Whatever a person must then decide; the status has to say it. */
const stranded: Excuse = {
  victims: true,
  ...together,
  otherEnd: true,
  corrected: true,
  stalls: ['ReferenceNotReady', 'RemoteMissing', 'Rejected', 'ImmutableField'],
};

/** What is done once is done as soon as its parameters are there: times are told to the second, so that a boot in the second in which a configuration was made is not known to be later. */
const atOnce = ({ kind }: Scenario): Excuse => (asOperation(kind) === undefined ? together : { ...together, otherEnd: true });

interface Mode {
  readonly interference: Interference;
  readonly excuse: Excuse;
  /** The target is not there when the subject is applied. */
  readonly absent?: true;
  /** What the subject writes in place of the target's name. */
  readonly writes?: Readonly<Record<string, unknown>>;
}

/** F12: what a reference leads to is absent, not ready, deleted, another one, itself, elsewhere, or of another kind. */
export const references: Family = ({ scenario }) =>
  scenario.reference === undefined
    ? []
    : Object.entries(modesOf(scenario, scenario.reference)).map(([id, mode]) =>
        caseOf(scenario, scenario.reference as Reference, { id, mode }),
      );

function caseOf(scenario: Scenario, reference: Reference, { id, mode }: { readonly id: string; readonly mode: Mode }): Case {
  const { target, naming } = reference;
  const needs =
    mode.absent === true ? scenario.needs.filter(({ kind, name }) => kind !== target.kind || name !== target.name) : scenario.needs;
  const subject = mode.writes === undefined ? scenario.subject : { ...scenario.subject, spec: naming(mode.writes) };
  return {
    id: caseId('F12', scenario, id),
    family: 'F12',
    scenario: { ...scenario, needs, subject },
    interference: mode.interference,
    excuse: mode.excuse,
    mustStrike: false,
  };
}

function modesOf(scenario: Scenario, reference: Reference): Readonly<Record<string, Mode>> {
  const { target } = reference;
  const isChosen = target.labels !== undefined;
  return {
    absent: { absent: true, excuse: atOnce(scenario), interference: { after: (stage) => later(stage, target) } },
    'not-ready': { absent: true, excuse: atOnce(scenario), interference: { after: (stage) => stage.apply(target) } },
    'deleted-while-used': { excuse: stranded, interference: { whenDone: (stage) => deleted(stage, target), removesAnyway: true } },
    replaced: { excuse: stranded, interference: { whenDone: (stage) => replaced(stage, target), removesAnyway: true } },
    ...(!isChosen && {
      'wrong-kind': {
        absent: true,
        excuse: others,
        interference: { before: (stage) => stage.apply(strangerTo(target)), after: (stage) => later(stage, target) },
      },
      'cross-namespace-refused': { ...across(reference), absent: true, excuse: waits },
    }),
    ...(reference.shared && { 'cross-namespace-allowed': admitted(reference) }),
    ...(reference.same && !isChosen && cycles(scenario, reference)),
  };
}

/** The subject waits, and says so; then the target comes. */
async function later(stage: Stage, target: Manifest): Promise<void> {
  await stage.pass(3 * minute);
  await expectWaiting(stage);
  stage.wire.mark(`${target.kind} ${target.name} is made at last`);
  await stage.apply(target);
}

async function expectWaiting(stage: Stage): Promise<void> {
  const object = await stage.subject();
  // A list of references goes on with what there is; it still names what is missing.
  if (object?.status?.['waitingFor'] === undefined)
    stage.sampler.problems.add(`the subject does not say that it waits for its reference: ${JSON.stringify(object?.status ?? null)}`);
}

async function deleted(stage: Stage, { kind, name }: Manifest): Promise<void> {
  stage.wire.mark(`${kind} ${name} is deleted while it is used`);
  await stage.world.delete(kind, name);
  await stage.pass(20 * minute);
}

async function replaced(stage: Stage, target: Manifest): Promise<void> {
  await deleted(stage, target);
  await stage.pass(5 * minute);
  if ((await stage.world.find(target.kind, target.name)) !== undefined) return;
  stage.wire.mark(`${target.kind} ${target.name} is made anew`);
  await stage.apply(target);
  await stage.pass(20 * minute);
}

/** The target is in another namespace, under an account object of its own. */
async function elsewhere(stage: Stage, all: readonly Manifest[]): Promise<void> {
  await stage.secondNamespace(otherNamespace);
  for (const { kind, name, spec, ...named } of all) {
    await stage.world.provide(named, otherNamespace);
    await stage.world.apply(kind, name, spec, otherNamespace);
    await stage.world.ready(kind, name, 10 * minute, otherNamespace);
  }
}

const across = ({ target, targetNeeds }: Reference): Omit<Mode, 'excuse'> => ({
  writes: { name: target.name, namespace: otherNamespace },
  interference: {
    patience: 15 * minute,
    removesAnyway: true,
    before: (stage) => elsewhere(stage, [...targetNeeds, target]),
    after: async (stage) => {
      await stage.pass(5 * minute);
      await expectWaiting(stage);
    },
  },
});

const admitted = ({ target, targetNeeds }: Reference): Mode => {
  const open = { ...target, spec: { ...target.spec, allowedRefs: { namespaces: ['team-a'] } } };
  return {
    absent: true,
    writes: { name: target.name, namespace: otherNamespace },
    excuse: others,
    interference: { before: (stage) => elsewhere(stage, [...targetNeeds, open]) },
  };
};

/** A kind that refers to itself: to the very object, and in a ring of two. */
function cycles({ subject }: Scenario, { target, naming }: Reference): Readonly<Record<string, Mode>> {
  const patience = 15 * minute;
  const ring = { ...target, spec: naming({ name: subject.name }) };
  return {
    'refers-to-itself': {
      absent: true,
      writes: { name: subject.name },
      excuse: circular,
      interference: { patience, removesAnyway: true, after: expectCircle },
    },
    'refers-to-each-other': {
      absent: true,
      excuse: circular,
      interference: { patience, removesAnyway: true, before: (stage) => stage.apply(ring), after: expectCircle },
    },
  };
}
/** Nothing that comes later would end it, so a person is told which objects make the circle. */
async function expectCircle(stage: Stage): Promise<void> {
  await stage.pass(5 * minute);
  const object = await stage.subject();
  if (!JSON.stringify(object?.status ?? null).includes('refers in a circle'))
    stage.sampler.problems.add(`the subject does not say that its reference is circular: ${JSON.stringify(object?.status ?? null)}`);
}
