import { group, version } from '../../../generate/names.ts';
import type { AnyKind, AnyWant, Row } from '../../../resource/index.ts';
import { type Refused, refusalsOf } from '../../admission/refusals.ts';
import { type About, disagreement } from '../../dry/agrees.ts';
import { yamlOf } from '../../output/yaml.ts';
import { type Draft, isNoise } from '../spec-of.ts';

/** What every manifest of a line has in common. */
export interface Style {
  readonly namespace: string;
  readonly accountRef?: Row;
  readonly management: 'Observe' | 'Manage';
  readonly onDelete?: 'Retain' | 'Delete';
  /** Fields that say nothing are written too. */
  readonly strict: boolean;
}

/** A spec that the API server takes and with which the operator would do nothing, or why there is none. */
export type Proof = { readonly spec: Row } | { readonly why: string };

/** The fewest fields that prove right: first without what says nothing, then with all. */
export function proved(about: About, draft: Draft, common: Row, strict: boolean): Proof {
  const lean = strict
    ? undefined
    : attempt(
        about,
        filtered(draft, (value) => !isNoise(value)),
        common,
      );
  return lean !== undefined && 'spec' in lean ? lean : attempt(about, draft, common);
}

function attempt(about: About, draft: Draft, common: Row): Proof {
  const taken = admissible(about.kind, draft, common);
  if ('why' in taken) return taken;
  const why = disagreement(about, taken.want);
  return why === undefined ? { spec: { ...common, ...taken.spec } } : { why };
}

/** Leaves out what the API server would refuse, as long as that helps: a field that no schema takes, or those that a rule names. */
export function admissible(kind: AnyKind, draft: Draft, common: Row): Draft | { readonly why: string } {
  let now = draft;
  for (;;) {
    const refusals = refusalsOf(kind, { ...common, ...now.spec });
    const [first] = refusals;
    if (first === undefined) return now;
    const less = without(now, first) ?? helpful(kind, now, common, refusals);
    if (less === undefined) return { why: first.message };
    now = less;
  }
}

/** What the account has and no spec may say. */
const without = (draft: Draft, { field }: Refused): Draft | undefined =>
  field !== undefined && field in draft.spec ? filtered(draft, (_, name) => name !== field) : undefined;

function helpful(kind: AnyKind, draft: Draft, common: Row, refusals: readonly Refused[]): Draft | undefined {
  const words = new Set(refusals.flatMap(({ message }) => message.split(/[^A-Za-z0-9]+/)));
  const fields = Object.keys(draft.spec)
    .toReversed()
    .filter((field) => kind.spec.shape[field]?.safeParse(undefined).success);
  const named = fields.filter((field) => words.has(field));
  const tries = [...named.map((field) => [field]), named, ...fields.map((field) => [field])];
  return tries
    .map((those) => filtered(draft, (_, name) => !those.includes(name)))
    .find((less) => refusalsOf(kind, { ...common, ...less.spec }).length < refusals.length);
}

/** Both forms without some fields. */
export const filtered = ({ want, spec }: Draft, keeps: (value: unknown, field: string) => boolean): Draft => {
  const kept = (from: Row): Row =>
    Object.fromEntries(Object.entries(from).filter(([field, value]) => field === 'name' || keeps(value, field)));
  const less = Object.fromEntries(Object.entries(spec).filter(([field, value]) => keeps(value, field)));
  return { want: kept(want) as AnyWant, spec: less };
};

/** What comes before the fields of the kind. */
export const commonOf = (
  kind: AnyKind,
  id: string | number,
  { accountRef, management, onDelete }: Style,
  ignored: readonly string[] = [],
): Row => ({
  ...(accountRef && { accountRef }),
  adopt: { id },
  ...((management === 'Observe' || onDelete !== undefined || ignored.length > 0) && {
    lifecycle: {
      ...(management === 'Observe' && { management }),
      ...(onDelete !== undefined && { onDelete }),
      ...(ignored.length > 0 && { ignoreFields: [...ignored] }),
    },
  }),
});

export type Verb = 'export' | 'import';
/** The first line of what this program writes, and alone overwrites. */
export const markerOf = (verb: Verb): string => `# Written by kubectl cloud ${verb}.`;
/** The same of a text for people, where `#` begins a heading. */
export const headOf = (verb: Verb): string => `<!-- Written by kubectl cloud ${verb}. -->`;
const verbs: readonly Verb[] = ['export', 'import'];
export const isOurs = (text: string): boolean => verbs.some((verb) => text.includes(markerOf(verb)) || text.includes(headOf(verb)));

export function manifestText({ kind }: AnyKind, name: string, spec: Row, { namespace }: Style): string {
  return textOf('export', { kind, metadata: { name, namespace }, spec });
}

/** Behind `management: Observe` where it has to stay. */
export const partlyKnown = '# and no more: this release knows a part of it';

/** With where Terraform has it, for people. */
export function importedText(
  { kind }: AnyKind,
  of: { readonly name: string; readonly address: string; readonly observed: boolean },
  spec: Row,
  { namespace }: Style,
): string {
  const annotations = { [`${group}/terraform-address`]: of.address };
  const text = textOf('import', { kind, metadata: { name: of.name, namespace, annotations }, spec });
  // export --promote takes out the line as it is written, and not this one.
  return of.observed ? text.replace(/^ {4}management: Observe$/m, `$& ${partlyKnown}`) : text;
}
/** `On` is quoted: kubectl reads YAML 1.1, where it means true. */
const textOf = (verb: Verb, object: Row): string =>
  `${markerOf(verb)}\n${yamlOf({ apiVersion: `${group}/${version}`, ...object }, { compat: 'yaml-1.1' })}`;
