import type { Millis } from '../../lib/clock.ts';
import type { Row } from '../../resource/index.ts';
import type { Resource } from '../ports/index.ts';
import { annotation, intentAnnotation, recreateAnnotation, remoteAnnotation } from './annotations.ts';
import type { InstallationKey, ObjectName } from './identity.ts';
import type { Outcome, StatusDraft } from './outcome.ts';
import { canonical } from './values.ts';

/** Between an attempt's `at` and its socket write: a write to a slow API server may take its 15 s, and the POST another 5 s. */
export const sentWithin: Millis = 20_000;

/** How long a commit may take, and a listing to show it. */
export interface Bounds {
  readonly commitBound: Millis;
  readonly listLag: Millis;
}
/** When a commit of the last attempt must show in a listing, if it made anything; on the service's clock, ms since 1970. */
export const decidedAt = ({ attempts }: Intent, { commitBound, listLag }: Bounds): Millis =>
  Date.parse(attempts.at(-1)?.at ?? '') + sentWithin + commitBound + listLag;

/** One POST that was about to be sent. Struck when it is known not to have made anything. */
export interface Attempt {
  readonly n: number;
  /** The service's clock, RFC 3339, just before it is written down; the socket write follows {@link sentWithin} of it or not at all. */
  readonly at: string;
  readonly nonce?: string;
  /** Annotation `recreate` as it was then: what a person allows by it, each value of it allows once. */
  readonly wish?: string;
  /** The service said that it makes it, and not what (`appears` of the kind). */
  readonly taken?: true;
}

/** Persisted in one annotation before the first POST and removed with the identity's arrival (README: create). */
export interface Intent {
  /** Where to look (a collection) and what a match must equal. */
  readonly key: { readonly in: string; readonly is: Row };
  /** Ids that matched before the first attempt, and so are not ours. */
  readonly before: readonly (string | number)[];
  readonly attempts: readonly Attempt[];
  /** Path of the remote whose place it is to take; that one is the object's until then. */
  readonly renews?: string;
}

/** Whose intent it is, and the key that its mac is made with. */
export interface Holder {
  readonly key: InstallationKey;
  readonly name: ObjectName;
  readonly object: Resource;
}

/**
 * The create that is open, if any; one whose attempts were all struck is none. An annotation that is gone or cannot be read
 * is healed from its copy in status, which is there while an outcome is not known (README: unknown outcome).
 */
export function intentOf(holder: Holder): Intent | undefined {
  const { object } = holder;
  const told = parse(holder, annotation(object, intentAnnotation));
  if (told !== 'unreadable' && told !== undefined) return openOf(holder, told);
  return openOf(holder, copyOf(holder));
}

/** The create that is open of what is to take the place of this remote. */
export function renewalOf(holder: Holder, { path }: { readonly path: string }): Intent | undefined {
  const intent = intentOf(holder);
  return intent?.renews === path ? intent : undefined;
}

/** One that is over counts no more, whoever kept the annotation and wrote it back. A release that numbers each create from 1 may have been here since. */
function openOf(holder: Holder, intent: Intent | undefined): Intent | undefined {
  const [first, last] = [intent?.attempts[0], intent?.attempts.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  const over = lastOver(holder);
  return first.n <= over.n && Date.parse(last.at) <= Date.parse(over.at) ? undefined : intent;
}

/**
 * People can write annotations: what was not written by this operator for this very object is as good as unreadable. Its text alone
 * tells that, before it is read: thousands of long ones, which each create of their kind looks at, must cost nothing.
 */
function parse(holder: Holder, text: string | undefined): Intent | 'unreadable' | undefined {
  if (text === undefined) return undefined;
  const at = text.lastIndexOf(macField);
  const end = at + macField.length + macLength;
  const unsigned = `${text.slice(0, Math.max(0, at))}${text.slice(end + 1)}`;
  if (at < 0 || !holder.key.signed(holder.name, signedText(holder, unsigned), text.slice(at + macField.length, end))) return 'unreadable';
  try {
    return asIntent(JSON.parse(unsigned)) ?? 'unreadable';
  } catch {
    return 'unreadable';
  }
}
/** As it stands in canonical text, behind what comes before it in the alphabet; within a text there would be a backslash in it. */
const macField = ',"mac":"';
const macLength = 16;

function copyOf(holder: Holder): Intent | undefined {
  const { path, intent } = holder.object.status ?? {};
  const told = typeof intent === 'string' ? parse(holder, intent) : undefined;
  if (told === 'unreadable' || told === undefined) return undefined;
  const remote = annotation(holder.object, remoteAnnotation);
  const stands = told.renews === undefined ? path === undefined && remote === undefined : told.renews === path && !isAfter(remote, told);
  return stands ? told : undefined;
}
/** What it was to make has taken its place, by the annotation. */
const isAfter = (remote: string | undefined, { renews }: Intent): boolean => remote !== undefined && !remote.includes(`${renews}#`);

function asIntent(value: unknown): Intent | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { key, before, attempts, renews } = value as Intent;
  const whole = typeof key?.in === 'string' && typeof key.is === 'object' && Array.isArray(before) && Array.isArray(attempts);
  if (!whole || !attempts.every(({ at }: Attempt) => !Number.isNaN(Date.parse(at)))) return undefined;
  return { key, before, attempts, ...(typeof renews === 'string' && { renews }) };
}

/** Value of annotation `recreate` that nothing was done about yet, also not by an attempt of this create. */
export function newWish(holder: Pick<Holder, 'object'> & { readonly status: StatusDraft }, { attempts }: Intent): string | undefined {
  const { object, status } = holder;
  const wish = annotation(object, recreateAnnotation);
  const spent = [object.status?.['recreated'], status['recreated'], ...attempts.map((attempt) => attempt.wish)];
  return spent.includes(wish) ? undefined : wish;
}

/** Something may have been sent, and what it was is lost: only a person can tell whether it made anything. */
export function intentIsLost(holder: Holder): Outcome | undefined {
  if (parse(holder, annotation(holder.object, intentAnnotation)) !== 'unreadable' || intentOf(holder) !== undefined) return undefined;
  return {
    is: 'Stalled',
    reason: 'IdentityConflict',
    message: `annotation ${intentAnnotation} cannot be read, or was not signed by this operator for this object (it came with a backup or a copy of another object, or out of another cluster; an earlier release signed otherwise, too), so a create may be open of which nobody knows. Nothing is made or deleted. Look into the account for what this object may have made, delete it or write spec.adopt, and remove the annotation`,
  };
}

/** The annotation as it stands where it says this: a key before this one may have signed it. */
export function intentText(holder: Holder, intent: Intent): string {
  const text = annotation(holder.object, intentAnnotation);
  const told = parse(holder, text);
  const stands = text !== undefined && told !== 'unreadable' && canonical(told) === canonical(intent);
  return stands ? text : formatIntent(holder, intent);
}

/** The text of annotation and status alike, with a mac over the rest of it like that of an identity (README: identity). */
export const formatIntent = (holder: Holder, intent: Intent): string =>
  canonical({ ...intent, mac: holder.key.mac(holder.name, signedText(holder, canonical(intent))) });

/** Only of this very object: whoever made an earlier one of this name may have kept its intent. */
const signedText = ({ object }: Holder, intent: string): string => `intent ${intent} of ${object.metadata.uid}`;

interface Over {
  readonly n: number;
  /** The service's clock, RFC 3339, when it was known to be over. */
  readonly at: string;
}

/** The last attempt that is over; number 0 before the first. In status, which people cannot write, and signed, because a status can be copied. */
export function lastOver(holder: Holder): Over {
  const [number, at = '', mac = ''] = String(holder.object.status?.['lastAttempt'] ?? '').split(' ');
  const over = { n: Number(number), at };
  return over.n > 0 && holder.key.signed(holder.name, overText(holder, over), mac) ? over : { n: 0, at: '' };
}
/** For status: creates are over up to these attempts, and of none of them the annotation counts any more. */
export function overNote(holder: Holder, attempts: readonly Pick<Attempt, 'n'>[], now: Millis): Row {
  const over = { n: Math.max(lastOver(holder).n, ...attempts.map(({ n }) => n)), at: new Date(now).toISOString() };
  return { lastAttempt: `${over.n} ${over.at} ${holder.key.mac(holder.name, overText(holder, over))}` };
}
/** The same where nothing tells any more how many attempts there were: no create has that many. */
export const overNow = (holder: Holder, now: Millis): Row => overNote(holder, [{ n: lastOver(holder).n + 1000 }], now);
const overText = ({ object }: Holder, { n, at }: Over): string => `attempts of ${object.metadata.uid} until ${n} at ${at}`;
