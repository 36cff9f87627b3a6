import { digest, type Row } from '../../resource/index.ts';
import type { Millis } from '../../lib/clock.ts';
import { readTime, shownTime } from '../../lib/utc-time.ts';
import { annotation, operationsAnnotation } from '../model/annotations.ts';
import { canonical } from '../model/values.ts';
import type { Resource } from '../ports/index.ts';
import { longestWait } from './operation.ts';

/** Not of its target, which it is noted on, nor of how long its object stays. */
const notOfIt: ReadonlySet<string> = new Set(['target', 'accountRef', 'ttlSecondsAfterFinished']);
const wishIn = (spec: Row): string => digest(canonical(spec));
const asked = ({ spec }: Resource): Row => Object.fromEntries(Object.entries(spec).filter(([field]) => !notOfIt.has(field)));

/** Tells an operation that comes again, as another object, from one that was never done, however its time or what it does not ask for is written. */
export function wishOf(operation: Resource): string {
  return wishIn(toldApart(operation, asked(operation)));
}
function toldApart({ spec: { notAfter } }: Resource, said: Row): Row {
  const kept = Object.entries(said).filter(([, value]) => value !== false && value !== undefined);
  return { ...Object.fromEntries(kept), notAfter: readTime(String(notAfter)) ?? notAfter };
}
/** The same by what its references lead to: what it names may have been renamed before it comes again. */
function meantBy(operation: Resource, { given, onto }: Meant): string {
  return wishIn(toldApart(operation, { ...given, action: operation.spec['action'], onto }));
}
/** What its references lead to now. `onto`: where it is done in place of the target. */
export interface Meant {
  readonly given: Row;
  readonly onto: string | undefined;
}

/** As releases before this one noted it, too. */
const wishesOf = (operation: Resource): readonly string[] => [wishOf(operation), wishIn(asked(operation))];

interface Noted {
  readonly wish: string;
  readonly uid: string;
  readonly until: string;
  /** Which attempt noted it. */
  readonly at?: string | undefined;
  /** By what its references led to then; releases before this one did not note it. */
  readonly meant?: string | undefined;
}
const textOf = ({ wish, uid, until, at, meant }: Noted): string =>
  [wish, uid, until, meant === undefined ? (at ?? []) : [at ?? '', meant]].flat().join('/');
const textsIn = (target: Resource): readonly string[] =>
  (annotation(target, operationsAnnotation) ?? '').split(' ').filter((text) => text !== '');
const textsOf = ({ status }: Resource): readonly string[] => (status?.['operations'] ?? []) as readonly string[];

/** On the annotation, and in status, which no tool that writes manifests takes away: whatever is left of them counts. */
function notesOn(target: Resource): readonly Noted[] {
  return [...new Set([...textsIn(target), ...textsOf(target)])].flatMap((text) => {
    const [wish = '', uid = '', until = '', at, meant] = text.split('/');
    return readTime(until) === undefined ? [] : [{ wish, uid, until, at, meant }];
  });
}

/** The same was done, or begun, for another object: by its spec, or by what that leads to, where this is known. */
export function isNotedOn(target: Resource, operation: Resource, led?: Meant): boolean {
  const wishes = wishesOf(operation);
  const same = led && meantBy(operation, led);
  return notesOn(target).some(
    ({ wish, uid, meant }) => uid !== operation.metadata.uid && (wishes.includes(wish) || (meant !== undefined && meant === same)),
  );
}

/** Which attempts of this very object are noted; of an earlier release, without their time. */
export const attemptsOn = (target: Resource, { metadata: { uid } }: Resource): readonly string[] =>
  notesOn(target).flatMap((one) => (one.uid === uid ? [one.at ?? ''] : []));

/** Each stays until its time is over, so that there must not be any number of them. */
export const mostNotes = 200;
/** When there is room for one more; undefined: now. */
export function roomFrom(target: Resource, operation: Resource, now: Millis): Millis | undefined {
  const times = others(target, operation, now).map(({ until }) => readTime(until) ?? 0);
  return times.length < mostNotes ? undefined : Math.min(...times);
}
/** Without its own, without those that are too late by now, and without what no operation can have: people can write annotations. */
function others(target: Resource, { metadata: { uid } }: Resource, now: Millis): readonly Noted[] {
  const all = notesOn(target).filter((one) => one.uid !== uid && isTelling(one) && isAhead(readTime(one.until) ?? 0, now));
  return [...new Map(all.map((one) => [`${one.wish}/${one.uid}`, one])).values()];
}
const isTelling = ({ wish, uid, at = '', meant }: Noted): boolean =>
  (wish === taken || isDigest(wish)) &&
  /^[!-~]{1,64}$/.test(uid) &&
  /^[0-9TZ:.-]{0,30}$/.test(at) &&
  (meant === undefined || isDigest(meant));
const isDigest = (text: string): boolean => /^[0-9a-f]{16}$/.test(text);
/** Two clocks tell of it. */
const tolerance: Millis = 3_600_000;
const isAhead = (until: Millis, now: Millis): boolean => until > now && until <= now + longestWait + tolerance;

/** What the target shall note, with this attempt of this operation. */
export function notesWith(
  target: Resource,
  operation: Resource,
  { now, at, led }: { readonly now: Millis; readonly at: string; readonly led?: Meant },
): readonly string[] {
  const { metadata, spec } = operation;
  const meant = led && meantBy(operation, led);
  const own = { wish: wishOf(operation), uid: metadata.uid, until: String(spec['notAfter']), at, meant };
  return [...others(target, operation, now), own].map(textOf);
}
export const notesWithout = (target: Resource, operation: Resource, now: Millis): readonly string[] =>
  others(target, operation, now).map(textOf);

/** In place of a digest: the remote was found or adopted, so that what was noted before may be lost. It stands as long as an operation of before may come. */
const taken = 'taken';
export const notesTaken = (target: Resource, now: Millis): string =>
  [...notesWithout(target, target, now), textOf({ wish: taken, uid: target.metadata.uid, until: shownTime(now + longestWait) })].join(' ');
/** When that was last. */
function takenAt(target: Resource): Millis | undefined {
  const ends = notesOn(target).flatMap(({ wish, until }) => (wish === taken ? [readTime(until) ?? 0] : []));
  return ends.length === 0 ? undefined : Math.max(...ends) - longestWait;
}
/** The same, where what may be done until then can have been done before that, so that no note tells of it. */
export function takenWithin(target: Resource, notAfter: Millis): Millis | undefined {
  const taken = takenAt(target);
  return taken !== undefined && taken > notAfter - longestWait ? taken : undefined;
}

/** Annotation and status each restore the other, so that it needs two losses at once; undefined, or nothing: there is no need. */
export const healedAnnotation = (target: Resource): string | undefined =>
  textsIn(target).length === 0 && textsOf(target).length > 0 ? textsOf(target).join(' ') : undefined;
export function healedStatus(target: Resource): { readonly operations?: readonly string[] } {
  const shown = textsOf(target);
  const known = new Set(shown.map(whose));
  // Another attempt of what is there already is on its way into it.
  const lacking = textsIn(target).filter((text) => !known.has(whose(text)));
  return lacking.length === 0 ? {} : { operations: [...shown, ...lacking].slice(-mostNotes) };
}
const whose = (text: string): string => text.split('/').slice(0, 2).join('/');
