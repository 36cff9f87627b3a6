import type { Millis } from '../../lib/clock.ts';
import { fixedPath, type Row } from '../../resource/index.ts';
import type { AccountContext } from '../context.ts';
import { type Intent, sentWithin } from '../model/intent.ts';
import { type Found, idsOf } from './lookup.ts';
import { claimedBy, hasForeignTag, lacksOurTag } from './ownership.ts';

/** What an attempt of unknown outcome may have made (README: unknown outcome): matches, without what was there before, is claimed, foreign, without the tag that was sent, made by another user, or of another time. */
export function candidates(context: AccountContext, intent: Intent, found: readonly Found[]): readonly Found[] {
  const before = new Set(intent.before);
  return found.filter(
    (one) =>
      !idsOf([one]).some((id) => before.has(id)) &&
      claimedBy(context, one.path) === undefined &&
      !hasForeignTag(context, one.row) &&
      !lacksOurTag(context, one.row) &&
      mayBeOurs(context, one.path) &&
      isByUs(context, one.row) &&
      inWindow(context, intent, one.row),
  );
}

/** False when the event of its creation is known and names another user (README: unknown outcome). */
export function mayBeOurs({ account }: AccountContext, path: string): boolean {
  const { cache, identity } = account.connection;
  const creator = cache.creator(path);
  return creator === undefined || creator === identity.user;
}

/** The row names who made it, where it does. */
const isByUs = ({ kind, account }: AccountContext, row: Row): boolean =>
  kind.createdBy === undefined || row[kind.createdBy] === account.connection.identity.user;

/** So long the event of a creation may take to be read, while events are asked for every two seconds. */
const witnessWithin: Millis = 20_000;

/**
 * It is known who made this: a row can be listed before the event is read that names somebody else. Where no event names the
 * thing itself, or none came in time, nobody will tell.
 */
export function isWitnessed({ kind, account }: AccountContext, { path, row }: Found): boolean {
  const { cache } = account.connection;
  const named = fixedPath(kind) !== undefined && kind.accountLevel !== true && kind.events.length > 0;
  if (!named || cache.creator(path) !== undefined) return true;
  const made = madeAt(kind, row);
  return made === undefined || account.connection.apiNow() - made > witnessWithin;
}

/** Wall clock of the service; undefined where the row does not show it. */
export function madeAt({ createdAt }: AccountContext['kind'], row: Row): Millis | undefined {
  const made = createdAt === undefined ? undefined : row[createdAt];
  if (typeof made !== 'string') return undefined;
  const at = Date.parse(made.endsWith('Z') ? made : `${made}Z`);
  return Number.isNaN(at) ? undefined : at;
}

function inWindow(context: AccountContext, intent: Intent, row: Row): boolean {
  const made = madeAt(context.kind, row);
  // Only of a counted kind is it noted what was there before; for any other a time that is not shown proves nothing.
  if (made === undefined) return context.kind.key?.enforced === 'counted';
  const first = Date.parse(intent.attempts[0]?.at ?? '');
  const last = Date.parse(intent.attempts.at(-1)?.at ?? '');
  return made >= first - 2000 && made <= last + sentWithin + context.engine.settings.commitBound + 2000;
}
