import type { Case, Family } from './case.ts';
import { type Corner, corners } from './corner.ts';
import { badAnswers } from './families/bad-answers.ts';
import { kubeWrites } from './families/kube-writes.ts';
import { lostCalls } from './families/lost-calls.ts';
import { concurrent, credentials } from './families/meddled.ts';
import { events, watches } from './families/news.ts';
import { clocks } from './families/clocks.ts';
import { editScenarioOf } from './edit.ts';
import { edits } from './families/edits.ts';
import { references } from './families/references.ts';
import { referenceScenariosOf } from './reference-field.ts';
import { outOfBand } from './families/out-of-band.ts';
import { frozen, terminated } from './families/stopped.ts';
import { killed } from './families/killed.ts';
import { circumstances } from './families/situations.ts';
import { type Reference, referenceOf } from './reference.ts';
import { fixturesOf, type Scenario, scenarioId, scenariosOf } from './scenario.ts';

export interface FamilyPlan {
  readonly cases: Family;
  /** Which scenarios it is planned for, and at which corners. */
  readonly at: (scenario: Scenario) => boolean;
}

const onlyPlain = ({ corner }: Scenario): boolean => corner.id === '';
/** What is not known of the service matters to creating and deleting; edits are looked at from where they are. */
const creationAtCorners = (scenario: Scenario): boolean => onlyPlain(scenario) || scenario.operation.is !== 'update';

export const families: Readonly<Record<string, FamilyPlan>> = {
  F1: { cases: killed, at: creationAtCorners },
  F2: { cases: frozen, at: onlyPlain },
  F3: { cases: lostCalls, at: creationAtCorners },
  F4: { cases: badAnswers, at: onlyPlain },
  F5: { cases: kubeWrites, at: onlyPlain },
  F6: { cases: watches, at: onlyPlain },
  F7: { cases: events, at: onlyPlain },
  F8: { cases: outOfBand, at: onlyPlain },
  F9: { cases: concurrent, at: onlyPlain },
  F10: { cases: credentials, at: onlyPlain },
  F11: { cases: clocks, at: onlyPlain },
  F12: { cases: references, at: onlyPlain },
  F13: { cases: terminated, at: onlyPlain },
  F14: { cases: edits, at: onlyPlain },
  F16: {
    cases: circumstances,
    at: ({ operation, corner }) => operation.is === 'create' && (corner.id === '' || corner.restricted === true),
  },
};

export interface Filter {
  readonly kind?: string | undefined;
  readonly family?: string | undefined;
  readonly case?: string | undefined;
}
export interface Planned {
  readonly one: Case;
  readonly reference: Reference;
}
export interface Plan {
  readonly cases: readonly Planned[];
  readonly skipped: readonly { readonly scenario: string; readonly reason: string }[];
}

/** Records every scenario that the filter lets through, or of them every n-th, and derives the cases from the recordings. */
export async function planned(filter: Filter, part = { index: 1, of: 1 }): Promise<Plan> {
  const cases: Planned[] = [];
  const skipped: { scenario: string; reason: string }[] = [];
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
    for (const [, family] of wanted) for (const one of family.cases(reference)) cases.push({ one, reference });
  }
  return { cases: cases.filter(({ one }) => (filter.case ?? one.id) === one.id), skipped };
}

function scenariosFor(filter: Filter): readonly Scenario[] {
  const all = fixturesOf(filter.kind).flatMap((fixture) => [
    ...corners.flatMap((corner: Corner) => scenariosOf(fixture, corner)),
    ...referenceScenariosOf(fixture),
    editScenarioOf(fixture),
  ]);
  return filter.case === undefined ? all : all.filter((scenario) => filter.case?.includes(`/${scenarioId(scenario)}/`));
}
