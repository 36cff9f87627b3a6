import type { Row } from '../../../src/resource/index.ts';
import { plain } from '../scenario/corner.ts';
import { admits } from '../scenario/edit.ts';
import { type Reference, referenceOf } from '../run/reference.ts';
import { fixturesOf, type Manifest, type Scenario, scenariosOf } from '../scenario/scenario.ts';
import { editsOf, managedEdit, type RecordedCall, recordedEdit } from '../situations/recorded.ts';

/** One object that programs play with. */
export interface Member {
  readonly manifest: Manifest;
  readonly scenario: Scenario;
  /** Other members that it refers to. */
  readonly needs: readonly string[];
  /** Fields with values that may be set in any order, and the members that a value refers to. */
  readonly edits: readonly { readonly field: string; readonly value: unknown; readonly needs: readonly string[] }[];
  /** What a colleague does to it by the API. */
  readonly meddling: RecordedCall | undefined;
  readonly reference: Reference;
}
/** By `kind/name`; what others refer to comes first. */
export type Cast = ReadonlyMap<string, Member>;

export const nameOf = ({ kind, name }: Pick<Manifest, 'kind' | 'name'>): string => `${kind}/${name}`;

async function memberOf(scenario: Scenario, manifest: Manifest): Promise<Member | undefined> {
  const reference = await referenceOf(scenario);
  if ('skipped' in reference || scenario.kind.mode !== 'collection') return undefined;
  const edits = editsOf(reference, 'PUT {item}')
    .filter(({ field }) => field !== 'type')
    .map(({ field, scenario: { operation, needs } }) => ({ field, value: operation.spec[field], needs: needs.map(nameOf) }))
    .filter(({ value }) => value !== undefined);
  const meddling = managedEdit(reference) === undefined ? undefined : (await recordedEdit(reference)).call;
  return { manifest, scenario, reference, needs: scenario.needs.map(nameOf), edits, meddling };
}

/** Every kind's sample and what it needs; a kind that is added later is in by existing. */
export async function castOf(): Promise<Cast> {
  const scenarios = fixturesOf(undefined).flatMap((fixture) => scenariosOf(fixture, plain).slice(0, 1));
  const members = new Map<string, Member>();
  for (const { needs } of scenarios)
    for (const need of needs) {
      const own = scenarios.find(({ kind }) => kind.kind === need.kind);
      const member = own === undefined ? undefined : await memberOf(own, need);
      if (member !== undefined) members.set(nameOf(need), member);
    }
  for (const scenario of scenarios) {
    const member = members.has(nameOf(scenario.subject)) ? undefined : await memberOf(scenario, scenario.subject);
    if (member !== undefined) members.set(nameOf(scenario.subject), member);
  }
  return members;
}

export const meddlable = (cast: Cast, name: string): boolean => cast.get(name)?.meddling !== undefined;
export const recreatable = (cast: Cast, name: string): boolean => cast.get(name)?.scenario.kind.defaults?.onMissing === 'Recreate';
/** Undefined where admission refuses the edit beside earlier ones: of two fields only one may be set. */
export function edited(
  spec: Row,
  { edits, scenario: { kind } }: Member,
  edit: number,
): { readonly spec: Row; readonly needs: readonly string[] } | undefined {
  const chosen = edits[edit % Math.max(1, edits.length)];
  const next = chosen === undefined ? spec : { ...spec, [chosen.field]: chosen.value };
  return admits(kind, spec, next) ? { spec: next, needs: chosen?.needs ?? [] } : undefined;
}
