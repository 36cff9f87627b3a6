import type { Case, Family, Trace } from '../run/case.ts';
import { type Corner, corners, plain } from '../scenario/corner.ts';
import { badAnswers } from '../families/bad-answers.ts';
import { beyondContainment, neighbours } from '../families/contained.ts';
import { kubeWrites } from '../families/kube-writes.ts';
import { lostCalls } from '../families/lost-calls.ts';
import { concurrent, credentials } from '../families/meddled.ts';
import { events, watches } from '../families/news.ts';
import { clocks } from '../families/clocks.ts';
import { editScenarioOf } from '../scenario/edit.ts';
import { edits } from '../families/edits.ts';
import { references } from '../families/references.ts';
import { referenceScenariosOf } from '../scenario/reference-field.ts';
import { outOfBand } from '../families/out-of-band.ts';
import { frozen, terminated } from '../families/stopped.ts';
import { killed } from '../families/killed.ts';
import { circumstances } from '../families/situations.ts';
import { type Reference, referenceOf } from '../run/reference.ts';
import { type Grid, gridOf } from './tally.ts';
import { fixturesOf, type Scenario, scenarioId, scenariosOf } from '../scenario/scenario.ts';

export interface FamilyPlan {
  /** What is done in it, for people. */
  readonly title: string;
  readonly cases: Family;
  /** Which scenarios it is planned for, and at which corners. */
  readonly at: (scenario: Scenario) => boolean;
  /** Faults that it leaves out at this scenario, by reason. */
  readonly leaves?: (trace: Trace) => Readonly<Record<string, number>>;
}

const onlyPlain = ({ corner }: Scenario): boolean => corner.id === '';
/** What is not known of the service matters to creating and deleting; edits are looked at from where they are. */
const creationAtCorners = (scenario: Scenario): boolean => onlyPlain(scenario) || scenario.operation.is !== 'update';

export const families: Readonly<Record<string, FamilyPlan>> = {
  F1: { title: 'killed with -9 at every point of every step, then restarted', cases: killed, at: creationAtCorners },
  F2: { title: 'stopped beyond its lease at every step, while another takes over', cases: frozen, at: onlyPlain },
  F3: { title: 'every call that changes something lost on either way, late, or delivered twice', cases: lostCalls, at: creationAtCorners },
  F4: { title: 'every call answered in every wrong way, once and for ten minutes', cases: badAnswers, at: onlyPlain },
  F5: { title: 'every write to Kubernetes refused, lost or late', cases: kubeWrites, at: onlyPlain },
  F6: { title: 'every watch closed, stalled, late, expired, or without the news', cases: watches, at: onlyPlain },
  F7: { title: "the account's events lost, doubled, late, misdated, or of something else", cases: events, at: onlyPlain },
  F8: { title: 'the remote deleted, changed, renamed, broken, locked or made anew by others', cases: outOfBand, at: onlyPlain },
  F9: { title: 'people and backups meddle with the object at every step', cases: concurrent, at: onlyPlain },
  F10: { title: 'the credential taken away, or leading elsewhere, at every step', cases: credentials, at: onlyPlain },
  F11: { title: 'clocks that are wrong, jump or drift in every wait', cases: clocks, at: onlyPlain },
  F12: { title: 'references to what is absent, not ready, deleted, another, elsewhere, of another kind', cases: references, at: onlyPlain },
  F13: { title: 'SIGTERM at every step', cases: terminated, at: onlyPlain },
  F14: { title: 'every field set, changed, unset, to its bounds, beyond them, and back', cases: edits, at: onlyPlain },
  F16: {
    title: 'situations among people, installations and the account',
    cases: circumstances,
    at: ({ operation, corner }) => operation.is === 'create' && (corner.id === '' || corner.restricted === true),
  },
  F17: {
    title: 'neighbours of an object, tenant or kind in trouble',
    cases: neighbours,
    at: (scenario) => onlyPlain(scenario) && scenario.operation.is !== 'delete',
    leaves: beyondContainment,
  },
};

export interface Filter {
  readonly kind?: string | undefined;
  readonly family?: string | undefined;
  readonly case?: string | undefined;
  /** Only at the corner that most cases run at. */
  readonly plain?: boolean;
}
export interface Planned {
  readonly one: Case;
  readonly reference: Reference;
}
export interface Plan {
  readonly cases: readonly Planned[];
  readonly skipped: readonly { readonly scenario: string; readonly reason: string }[];
  /** Faults that a family leaves out, by reason. */
  readonly leftOut: Grid;
}

/** Records every scenario that the filter lets through, or of them every n-th, and derives the cases from the recordings. */
export async function planned(filter: Filter, part = { index: 1, of: 1 }): Promise<Plan> {
  const cases: Planned[] = [];
  const skipped: { scenario: string; reason: string }[] = [];
  let leftOut: Grid = {};
  for (const scenario of scenariosFor(filter).filter((_, index) => index % part.of === part.index - 1)) {
    const wanted = Object.entries(families).filter(
      ([name, { at }]) => (filter.family ?? name) === name && (scenario.only ?? name) === name && at(scenario),
    );
    if (wanted.length === 0) continue;
    const reference = await referenceOf(scenario);
    if ('skipped' in reference) {
      skipped.push({ scenario: scenarioId(scenario), reason: reference.skipped });
      continue;
    }
    for (const [name, family] of wanted) {
      for (const one of family.cases(reference)) cases.push({ one, reference });
      leftOut = gridOf(leftOut, family.leaves === undefined ? {} : { [name]: family.leaves(reference) });
    }
  }
  return { cases: cases.filter(({ one }) => (filter.case ?? one.id) === one.id), skipped, leftOut };
}

function scenariosFor(filter: Filter): readonly Scenario[] {
  const all = fixturesOf(filter.kind).flatMap((fixture) => [
    ...(filter.plain === true ? [plain] : corners).flatMap((corner: Corner) => scenariosOf(fixture, corner)),
    ...referenceScenariosOf(fixture),
    editScenarioOf(fixture),
  ]);
  return filter.case === undefined ? all : all.filter((scenario) => filter.case?.includes(`/${scenarioId(scenario)}/`));
}
