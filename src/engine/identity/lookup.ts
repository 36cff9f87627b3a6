import type { Millis } from '../../lib/clock.ts';
import type { AnyWant, Row } from '../../resource/index.ts';
import { claimedBy, hasForeignTag, hasKey, lacksOurTag } from './identify.ts';
import { type Intent, sentWithin } from './intent.ts';
import { itemOf } from '../converge/plan.ts';
import { CloudError } from '../ports.ts';
import { how, type Turn } from '../run/turn.ts';

export interface Found {
  readonly row: Row;
  readonly path: string;
}

/** Rows of a collection that equal the natural key. A parent that is not there has none. */
export async function matching(turn: Turn, key: Intent['key'], want: AnyWant, notBefore: Millis): Promise<readonly Found[]> {
  const rows = await listing(turn, key.in, notBefore);
  return rows.filter((row) => hasKey(turn, key.is, want, row)).map((row) => ({ row, path: itemOf(turn.kind, row, key.in) }));
}

/** A listing this old is still good as a baseline: what we made since is known, what others made shows as an event within seconds. */
export const baselineGoodFor: Millis = 30_000;

/** What had to be there before a create: rows of a listing that may be a little old, and what was made since, which it may lack. */
export async function baseline(turn: Turn, key: Intent['key'], want: AnyWant): Promise<readonly Found[]> {
  const now = turn.engine.clock.monotonic();
  const listed = await matching(turn, key, want, now - baselineGoodFor);
  const since = now - baselineGoodFor - turn.engine.settings.listLag;
  const made = turn.engine.evidence.newborn
    .since(placeOf(turn, key.in), since)
    .filter(({ path, row }) => hasKey(turn, key.is, want, row) && !listed.some((one) => one.path === path));
  return [...listed, ...made];
}

const placeOf = (turn: Turn, collection: string): string => `${turn.account.connection.identity.account}${collection}`;

/** Notes an answered create for the baselines of others. */
export function noteBirth(turn: Turn, collection: string, { path, row }: Found): void {
  const { evidence, clock, settings } = turn.engine;
  const at = clock.monotonic();
  evidence.newborn.note(placeOf(turn, collection), { path, row, at }, at - baselineGoodFor - settings.listLag);
}

/** Those that a read by id finds too: a listing shows what was deleted since, and for as long as lists lag. */
export async function stillThere(turn: Turn, found: readonly Found[]): Promise<readonly Found[]> {
  const reads = found.map(({ path }) => turn.account.connection.mirror.read(path, how(turn, 'create')));
  const seen = await Promise.all(reads);
  return found.filter((_, i) => seen[i] !== undefined);
}

/** Rejects where rows may have been missed: whatever asks for a listing here takes what it lacks for a fact. */
export async function listing(turn: Turn, collection: string, notBefore: Millis): Promise<readonly Row[]> {
  try {
    const { rows, complete } = await turn.account.connection.list(collection, { ...how(turn, 'wait'), notBefore });
    if (complete) return rows;
    throw new CloudError('Unavailable', `GET ${collection}: the list changed each time while it was read, so what it lacks proves nothing`);
  } catch (error) {
    if (error instanceof CloudError && error.fault === 'NotFound') return [];
    throw error;
  }
}

/** The ids that an intent notes, so that what was there before is never taken for ours. */
export const idsOf = (found: readonly Found[]): readonly (string | number)[] =>
  found.map(({ row, path }) => (typeof row['id'] === 'number' || typeof row['id'] === 'string' ? row['id'] : path));

/** What an attempt of unknown outcome may have made (design 4.4): matches, without what was there before, is claimed, foreign, without the tag that was sent, made by another user, or of another time. */
export function candidates(turn: Turn, intent: Intent, found: readonly Found[]): readonly Found[] {
  const before = new Set(intent.before);
  return found.filter(
    (one) =>
      !idsOf([one]).some((id) => before.has(id)) &&
      claimedBy(turn, one.path) === undefined &&
      !hasForeignTag(turn, one.row) &&
      !lacksOurTag(turn, one.row) &&
      mayBeOurs(turn, one.path) &&
      inWindow(turn, intent, one.row),
  );
}

/** False when the event of its creation is known and names another user (design 4.4). */
export function mayBeOurs({ account }: Turn, path: string): boolean {
  const { mirror, identity } = account.connection;
  const creator = mirror.creator(path);
  return creator === undefined || creator === identity.user;
}

/** So long the event of a creation may take to be read, while events are asked for every two seconds. */
const witnessWithin: Millis = 20_000;

/**
 * It is known who made this: a row can be listed before the event is read that names somebody else. Where no event names the
 * thing itself, or none came in time, nobody will tell.
 */
export function isWitnessed({ kind, account }: Turn, { path, row }: Found): boolean {
  const { mirror } = account.connection;
  const named = typeof kind.path === 'string' && kind.accountLevel !== true && kind.events.length > 0;
  if (!named || mirror.creator(path) !== undefined) return true;
  const made = madeAt(kind, row);
  return made === undefined || account.connection.apiNow() - made > witnessWithin;
}

/** Wall clock of the service; undefined where the row does not show it. */
function madeAt({ created }: Turn['kind'], row: Row): Millis | undefined {
  const made = created === undefined ? undefined : row[created];
  if (typeof made !== 'string') return undefined;
  const at = Date.parse(made.endsWith('Z') ? made : `${made}Z`);
  return Number.isNaN(at) ? undefined : at;
}

function inWindow(turn: Turn, intent: Intent, row: Row): boolean {
  const made = madeAt(turn.kind, row);
  // Only of a counted kind is it noted what was there before; for any other a time that is not shown proves nothing.
  if (made === undefined) return turn.kind.key.enforced === 'counted';
  const first = Date.parse(intent.attempts[0]?.at ?? '');
  const last = Date.parse(intent.attempts.at(-1)?.at ?? '');
  return made >= first - 2000 && made <= last + sentWithin + turn.engine.settings.commitBound + 2000;
}
