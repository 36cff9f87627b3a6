import { placeOf } from '../../engine/model/step.ts';
import { differences } from '../../engine/plan/diff.ts';
import { callOf } from '../../engine/plan/plan-update.ts';
import type { AnyKind, AnyWant, Call, Marks, Row } from '../../resource/index.ts';
import { unknownOwner } from '../../resource/index.ts';

/** In place of the key of an object that has marked nothing yet. */
const ownerToBe = '????????';

/**
 * What is sent once an object manages what it looks at now, though nothing differs: its mark on what is below it. `isNew`: it takes
 * that over, so that whatever mark is there is that of another object.
 */
export function marking(kind: AnyKind, want: AnyWant, remote: Row, isNew = false): readonly Call[] {
  if (kind.marked === undefined) return [];
  const known: Marks = { keys: [unknownOwner], mayTag: true, ...want.marks };
  const marks: Marks = isNew ? { ...known, keys: [ownerToBe], former: [unknownOwner] } : known;
  const differing = (looksOnly: boolean) => differences(kind, { ...want, marks: { ...marks, looksOnly } }, remote, () => true);
  const shown = new Set(differing(true).map(placeOf));
  return differing(false)
    .filter((one) => one.member !== undefined && !shown.has(placeOf(one)))
    .flatMap((one) => callOf(one, remote, { ...want, marks: { ...marks, looksOnly: false } }) ?? [])
    .map(withoutKey);
}
const withoutKey = (call: Call): Call => JSON.parse(JSON.stringify(call).replaceAll(ownerToBe, unknownOwner)) as Call;

/** The same in words. */
export function markingText(calls: readonly Call[], when = 'once it is managed, it marks'): string | undefined {
  if (calls.length === 0) return undefined;
  const sent = calls.map(({ method, path, body }) => `${method} ${path} ${JSON.stringify(body)}`);
  return `${when} by a tag which of these are its own, and changes nothing else: ${sent.join('; ')}`;
}

/** Tags that tell whose that is which it takes over. Of what is below it, of those that its spec names. */
export function marksBefore(kind: AnyKind, want: AnyWant, remote: Row): readonly string[] {
  const lists = Object.entries(kind.fields).filter(([, { members }]) => members !== undefined);
  const named = new Set(lists.flatMap(([field]) => ((want[field] ?? []) as readonly Row[]).map(({ name }) => String(name))));
  return kind.marked?.(remote).flatMap(({ tag, name }) => (lists.length === 0 || named.has(name) ? [tag] : [])) ?? [];
}

/** Fields whose value no answer of the service shows, and by which calls each would be sent. */
export function unshownIn(kind: AnyKind, want: AnyWant, remote: Row): ReadonlyMap<string, Call> {
  return new Map(
    Object.entries(kind.fields).flatMap(([field, rule]) => {
      const wanted = rule.applied === true ? want[field] : undefined;
      const call = wanted === undefined ? undefined : callOf({ field, rule, want: wanted, have: undefined }, remote, want);
      return call === undefined ? [] : [[field, call] as const];
    }),
  );
}
