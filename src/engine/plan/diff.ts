import { type AnyKind, type AnyRule, type AnyWant, hasPart, type Row, Sensitive } from '../../resource/index.ts';
import { own } from '../../lib/own.ts';
import { installationTagPrefix } from '../model/identity.ts';
import type { Drift } from '../model/outcome.ts';
import { type Difference, placeOf } from '../model/step.ts';
import { canonical, covers, isEmpty, shown, shownText } from '../model/values.ts';

/** Tells whether the secret value of a field was applied already (of no value: false where another was); undefined when nothing is remembered. */
export type Applied = (field: string, value: unknown) => boolean | undefined;

/** Every field that differs, in the order of the kind's rules. Fields without a verdict (unread parts, states in between) are left out. */
export function differences(kind: AnyKind, want: AnyWant, remote: Row, applied: Applied): readonly Difference[] {
  return Object.entries(kind.fields).flatMap(([field, rule]) =>
    rule.members === undefined
      ? (difference({ kind, field, rule }, want, remote, applied) ?? [])
      : memberDifferences({ kind, field, rule }, want, remote),
  );
}

/** What is missing first, what is one too many last: something must be there for what goes. */
function memberDifferences({ field, rule }: Place, want: AnyWant, remote: Row): readonly Difference[] {
  const wanted = want[field] as readonly Row[] | undefined;
  const seen = rule.part === undefined || rule.part in remote ? rule.members?.read(remote, want) : undefined;
  if (wanted === undefined || seen === undefined) return [];
  const byName = new Map(wanted.map((member) => [String(member['name']), member]));
  const all = [...byName].map(([member, one]): Difference => ({ field, rule, member, want: one, have: own(seen, member) ?? null }));
  const differing = all.filter((one) => !covers(one.want, one.have));
  const more = Object.entries(seen).filter(([name]) => !byName.has(name));
  return [
    ...differing.filter(({ have }) => have === null),
    ...differing.filter(({ have }) => have !== null),
    ...more.map(([member, have]): Difference => ({ field, rule, member, want: undefined, have })),
  ];
}

/** It differed before, from this very wish. */
export const isKnownDrift = (change: Difference, drift: readonly Drift[]): boolean =>
  drift.some((known) => known.field === placeOf(change) && canonical(known.was) === canonical(shown(change.want)));

/** No change that anybody wished for: the end of the create. */
export const isLeftByCreate = ({ rule, want, have }: Difference): boolean => rule.leftByCreate?.(have, want) === true;

/** Nobody else made the difference, also where the spec is as it was. */
export const isNoDrift = (change: Difference): boolean => change.renewed === true || isLeftByCreate(change);

/** Parts that must be read before the fields that depend on them can be compared. `wasSent`: this operator has put a value there. */
export function unreadParts(kind: AnyKind, want: AnyWant, remote: Row, wasSent: (field: string) => boolean): readonly string[] {
  const mayClear = (field: string, rule: AnyRule): boolean => rule.unset === 'clear' && (rule.applied !== true || wasSent(field));
  const needed = Object.entries(kind.fields).flatMap(([field, rule]) =>
    rule.part !== undefined && (want[field] !== undefined || mayClear(field, rule)) ? [rule.part] : [],
  );
  return [...new Set(needed)].filter((part) => !(part in remote) && hasPart(kind, remote, part));
}

/** What the account has in a field that can be told by looking; undefined when that is not known now. */
export function shownIn(kind: AnyKind, field: string, want: AnyWant, remote: Row): string | undefined {
  const rule = kind.fields[field];
  const have = rule === undefined || rule.applied === true ? undefined : haveOf({ kind, field, rule }, want, remote);
  return have === undefined ? undefined : canonical(have);
}

/** What the account has in a field, as people may see it; undefined where that is nothing, or is not known. */
export function seenIn(kind: AnyKind, field: string, want: AnyWant, remote: Row): string | undefined {
  const rule = kind.fields[field];
  const have = rule === undefined || rule.applied === true ? undefined : haveOf({ kind, field, rule }, want, remote);
  return isEmpty(have) ? undefined : shownText(have);
}

/** Of a field that is put right element by element, how many differ; of any other one. */
export function howManyDiffer(kind: AnyKind, field: string, want: AnyWant, remote: Row): number {
  const rule = kind.fields[field];
  if (rule?.members !== undefined) return memberDifferences({ kind, field, rule }, want, remote).length;
  if (rule?.as !== 'set') return 1;
  const [left, right] = [want[field], haveOf({ kind, field, rule }, want, remote)].map((one) => new Set(list(one).map(canonical)));
  return (left ?? new Set()).symmetricDifference(right ?? new Set()).size;
}

interface Place {
  readonly kind: AnyKind;
  readonly field: string;
  readonly rule: AnyRule;
}

function difference(place: Place, want: AnyWant, remote: Row, applied: Applied): Difference | undefined {
  const { field, rule } = place;
  const wanted = want[field];
  if (rule.local === true || (wanted === undefined && rule.unset !== 'clear')) return undefined;
  const have = haveOf(place, want, remote);
  if (rule.applied === true) return toApply({ field, rule }, { wanted, have, was: applied(field, wanted) });
  return have === undefined || equal(wanted ?? null, have, rule) ? undefined : { field, rule, want: wanted, have };
}

/** What no answer shows. */
function toApply(place: Pick<Place, 'field' | 'rule'>, kept: Kept): Difference | undefined {
  if (!isToApply(kept)) return undefined;
  const { wanted, have } = kept;
  return { ...place, want: wanted, have: new Sensitive(''), ...(wanted !== undefined && have !== null && { renewed: true }) };
}

interface Kept {
  readonly wanted: unknown;
  readonly have: unknown;
  readonly was: boolean | undefined;
}
/** What was applied is taken away only where something is there; what nobody applied is somebody else's. */
const isToApply = ({ wanted, have, was }: Kept): boolean =>
  wanted === undefined ? was === false && !isEmpty(have) : have === null || was === false;

/** A part that the remote has not got is nothing that could be read: its rule says what that means. */
const isUnread = (kind: AnyKind, { part }: AnyRule, remote: Row): boolean =>
  part !== undefined && !(part in remote) && hasPart(kind, remote, part);

/** What the account has in this field; undefined when that is not known now. */
function haveOf({ kind, field, rule }: Place, want: AnyWant, remote: Row): unknown {
  if (rule.read === undefined || isUnread(kind, rule, remote)) return undefined;
  const read = rule.read(remote, want);
  return field === kind.tags ? withoutInstallationTags(read) : read;
}

function equal(want: unknown, have: unknown, rule: AnyRule): boolean {
  if (typeof rule.as === 'function') return covers(rule.as(want), rule.as(have));
  if (rule.as === 'set') return sameSet(want, have);
  return covers(want, have);
}

function sameSet(want: unknown, have: unknown): boolean {
  const left = new Set(list(want).map(canonical));
  const right = new Set(list(have).map(canonical));
  return left.size === right.size && [...left].every((item) => right.has(item));
}

const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : isEmpty(value) ? [] : [value]);

const withoutInstallationTags = (tags: unknown): unknown =>
  Array.isArray(tags) ? tags.filter((tag) => !String(tag).startsWith(installationTagPrefix)) : tags;

/** A PUT of tags replaces them all, so the marks of installations that are there must be sent along (README: identity). */
export function keepInstallationTags(kind: AnyKind, body: Row, remote: Row): Row {
  const marks = list(remote['tags']).filter((tag) => String(tag).startsWith(installationTagPrefix));
  const sent = body['tags'];
  return kind.tags !== undefined && Array.isArray(sent) && marks.length > 0
    ? { ...body, tags: [...new Set([...(sent as unknown[]), ...marks])] }
    : body;
}
