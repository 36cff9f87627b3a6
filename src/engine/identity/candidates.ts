import { appearsWithin, type Duration, madeAt, type Row, seconds } from '../../resource/index.ts';
import type { AccountContext } from '../context.ts';
import { type Attempt, type Intent, newWish, sentWithin } from '../model/intent.ts';
import { isBirthTold, isBornOtherwise, witnessWithin } from './birth.ts';
import { type Found, idsOf, labelsSent } from './lookup.ts';
import { claimedBy, hasForeignTag, isOwn, lacksOurTag } from './ownership.ts';

/** What an attempt of unknown outcome may have made (README: unknown outcome): suspects of the time in which one of them could be carried out. */
export const candidates = (context: AccountContext, intent: Intent, found: readonly Found[]): readonly Found[] =>
  suspects(context, intent, found).filter(({ row }) => bearsNonce(context, intent, row) || inWindow(context, intent, row));

/** Its label says which attempt made it: nothing else need be known of it. */
export function bearsNonce(context: AccountContext, intent: Intent, row: Row): boolean {
  const { label } = context.kind;
  return label !== undefined && labelsSent(context, intent)?.has(row[label.field]) === true;
}

/** A person has said that what nothing proves to be ours is somebody else's. */
const isDisowned = (context: AccountContext, intent: Intent, found: Found): boolean =>
  newWish(context, intent) !== undefined && !isProven(context, found);

/** Matches, without what was there before, is claimed, foreign, disowned, without the tag that was sent, made by another user, or before or after all attempts. */
export function suspects(context: AccountContext, intent: Intent, found: readonly Found[]): readonly Found[] {
  return newSince(intent, found).filter(
    (one) => claimedBy(context, one.path) === undefined && (bearsNonce(context, intent, one.row) || mayBeOfAttempt(context, intent, one)),
  );
}

const mayBeOfAttempt = (context: AccountContext, intent: Intent, found: Found): boolean =>
  !hasForeignTag(context, found.row) &&
  !lacksOurTag(context, found.row) &&
  mayBeOurs(context, found) &&
  isByUs(context, found.row) &&
  amongAttempts(context, intent, found.row) &&
  !isDisowned(context, intent, found);

/** Matches that were not there before the first attempt. */
export function newSince(intent: Intent, found: readonly Found[]): readonly Found[] {
  const before = new Set(intent.before);
  return found.filter((one) => !idsOf([one]).some((id) => before.has(id)));
}

/** Nobody can tell which of several is ours, but by their mark: each attempt may have made one. */
export const cannotBeTold = (context: AccountContext, intent: Intent, found: readonly Found[]): boolean =>
  found.length > 1 &&
  !found.every(({ row }) => bearsNonce(context, intent, row)) &&
  (found.length > intent.attempts.length || !found.every(({ row }) => isOwn(context, row)));

/** False when events tell who made it, and name others alone, or that it was made another way (README: unknown outcome). */
export function mayBeOurs(context: AccountContext, found: Found): boolean {
  if (isBornOtherwise(context, found)) return false;
  const creators = creatorsOf(context, found);
  const { user } = context.account.connection.identity;
  return creators.length === 0 || creators.some((creator) => creator === null || creator === user);
}

const creatorsOf = ({ account, kind }: AccountContext, { path, row }: Found): readonly (string | null)[] =>
  account.connection.cache.creators(path, madeAt(kind, row));

/** The row names who made it, where it does. */
const isByUs = ({ kind, account }: AccountContext, row: Row): boolean =>
  kind.createdBy === undefined || row[kind.createdBy] === account.connection.identity.user;

/** No row of it tells when it was made, by whom, or (a label with a nonce) by which attempt. */
export const isUndated = ({ createdAt, createdBy, label }: AccountContext['kind']): boolean =>
  createdAt === undefined && createdBy === undefined && label?.nonce !== true;

/**
 * Something tells that our user made this when it was sent: its mark, its time, its maker, or an event. What only equals what was
 * asked for may be anybody's.
 */
export const isProven = (context: AccountContext, found: Found): boolean =>
  !isUndated(context.kind) || isOwn(context, found.row) || creatorsOf(context, found).includes(context.account.connection.identity.user);

/**
 * It is known who made this: a row can be listed before the event is read that names somebody else. Where no event names the
 * thing itself, or none came in time, nobody will tell.
 */
export function isWitnessed(context: AccountContext, found: Found): boolean {
  const { kind } = context;
  const told = kind.events.some(({ creates = [] }) => creates.length > 0);
  if (!told || creatorsOf(context, found).length > 0) return true;
  return isBirthTold(context, found.row);
}

/** When to look again for who made it: soon while the event may still come, and rarely when it should have and the feed tells nothing. */
export function witnessIn(context: AccountContext, { row }: Found): Duration {
  const age = context.account.connection.apiNow() - (madeAt(context.kind, row) ?? 0);
  return age > witnessWithin ? witnessRarely : seconds(2);
}
export const witnessRarely = seconds(15);

/** One attempt could be carried out then. Between two of them people work in the account, for hours where the operator was down. */
export function inWindow(context: AccountContext, intent: Intent, row: Row): boolean {
  return intent.attempts.some((attempt) => isBetween(context, row, attempt, attempt));
}

/** Later than its bound an attempt may have made something all the same, which no listing showed before the next one was sent. */
const amongAttempts = (context: AccountContext, { attempts }: Intent, row: Row): boolean =>
  isBetween(context, row, attempts[0], attempts.at(-1));

function isBetween({ kind, engine }: AccountContext, row: Row, first: Attempt | undefined, last: Attempt | undefined): boolean {
  const made = madeAt(kind, row);
  // Only of a counted kind is it noted what was there before; for any other a time that is not shown proves nothing.
  if (made === undefined) return kind.key?.enforced === 'counted';
  const until = Date.parse(last?.at ?? '') + sentWithin + engine.settings.commitBound + appearsWithin(kind) + 2000;
  return made >= Date.parse(first?.at ?? '') - 2000 && made <= until;
}
