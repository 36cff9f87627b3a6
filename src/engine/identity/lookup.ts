import type { Millis } from '../../lib/clock.ts';
import { type AnyKind, type AnyWant, hasNonce, itemOf, nonceOff, readRemote, type Row, withNonce } from '../../resource/index.ts';
import { callOptions, type AccountContext } from '../context.ts';
import type { Intent } from '../model/intent.ts';
import { CloudError } from '../ports/index.ts';
import { isMarked } from '../model/identity.ts';
import { retiringOf } from '../model/replacing.ts';
import { claimedBy, hasKey, isOwn } from './ownership.ts';

export interface Found {
  readonly row: Row;
  readonly path: string;
  /** Out of a sweep: the cache has the row, and knows how old it is. */
  readonly swept?: true;
}

/** Rows of a collection that equal the natural key. A parent that is not there has none. */
export async function matching(context: AccountContext, key: Intent['key'], want: AnyWant, notBefore: Millis): Promise<readonly Found[]> {
  const rows = await listing(context, key.in, notBefore);
  const came = cameBefore(context, want);
  return rows
    .filter((row) => hasKey(context, key.is, want, row))
    .map((row) => foundIn(context, key.in, row))
    .filter(({ path }) => !came.includes(path));
}

/** A row that lacks what names it, or cannot be read, is neither taken nor passed over. */
function foundIn({ kind }: Pick<AccountContext, 'kind'>, collection: string, row: Row): Found {
  const read = readRemote(kind, row);
  if ('malformed' in read) throw new CloudError('Malformed', `GET ${collection}: ${read.malformed}`);
  return { row, path: itemOf(kind, row, collection) };
}

/** What is not of its making, whatever it looks like. Noted with the intent, as it is told of what the spec refers to now. */
export const cameBefore = ({ kind }: Pick<AccountContext, 'kind'>, want: AnyWant): readonly string[] => kind.key?.cameBefore?.(want) ?? [];

/** Rows that an attempt of this intent may have made: that equal its key, or bear the very label that one of them sent. */
export async function matchingIntent(context: AccountContext, intent: Intent, want: AnyWant, notBefore: Millis): Promise<readonly Found[]> {
  const labels = labelsSent(context, intent);
  const { label: rule } = context.kind;
  if (labels === undefined || rule === undefined) return matching(context, intent.key, want, notBefore);
  const rows = await listing(context, intent.key.in, notBefore);
  return rows.filter((row) => labels.has(row[rule.field])).map((row) => foundIn(context, intent.key.in, row));
}

/** Labels that only these attempts sent; undefined of kinds whose labels tell no attempt from others. */
export function labelsSent({ kind }: Pick<AccountContext, 'kind'>, { key, attempts }: Intent): ReadonlySet<unknown> | undefined {
  const rule = kind.label;
  if (rule?.nonce !== true) return undefined;
  const wanted = String(key.is[rule.field]);
  return new Set(attempts.flatMap(({ nonce }) => (nonce === undefined ? [] : [withNonce(rule, wanted, nonce)])));
}

/** A listing this old is still good as a baseline: what we made since is known, what others made shows as an event within seconds. */
export const baselineGoodFor: Millis = 30_000;

/** What had to be there before a create. */
export async function baseline(context: AccountContext, key: Intent['key'], want: AnyWant): Promise<readonly Found[]> {
  const listed = await matching(context, key, want, context.engine.clock.monotonic() - baselineGoodFor);
  return [...listed, ...madeSince(context, key.in, listed).filter(({ row }) => hasKey(context, key.is, want, row))];
}

/** What a collection had of such rows right before a create. */
export async function lately(context: AccountContext, collection: string, isMeant: (row: Row) => boolean): Promise<readonly Found[]> {
  const rows = await listing(context, collection, context.engine.clock.monotonic() - baselineGoodFor);
  const listed = rows.filter(isMeant).map((row) => foundIn(context, collection, row));
  return [...listed, ...madeSince(context, collection, listed).filter(({ row }) => isMeant(row))];
}

/** What was made since by this process, which a listing that may be a little old may lack. */
function madeSince(context: AccountContext, collection: string, listed: readonly Found[]): readonly Found[] {
  const since = context.engine.clock.monotonic() - baselineGoodFor - context.engine.settings.listLag;
  const made = context.engine.recentCreates.since(placeOf(context, collection), since);
  return made.filter(({ path }) => !listed.some((one) => one.path === path));
}

/**
 * What an attempt of this object has left half made before its cluster was rebuilt: its label is not put right yet, so that it does
 * not equal the key. What is behind it tells whether this object's key made it; any other is known only while it is not done,
 * because a finished one may as well be called so by another object.
 */
export async function halfMade(context: AccountContext, key: Intent['key'], want: AnyWant): Promise<readonly Found[]> {
  const { kind, engine } = context;
  const rule = kind.label;
  const wanted = rule && key.is[rule.field];
  if (rule?.nonce !== true || typeof wanted !== 'string') return [];
  const rows = await listing(context, key.in, engine.clock.monotonic() - baselineGoodFor);
  return rows.flatMap((row) => {
    const label = String(row[rule.field]);
    const named = { ...row, [rule.field]: wanted };
    if (!hasNonce(rule, label, wanted) || !hasKey(context, key.is, want, named)) return [];
    const found = foundIn(context, key.in, row);
    if (claimedBy(context, found.path) !== undefined) return [];
    if (isOwn(context, row)) return [{ ...found, swept: true as const }];
    return isMarked(rule, context, nonceOff(rule, label) ?? '') || isReady(kind, row, want) ? [] : [found];
  });
}

function isReady(kind: AnyKind, row: Row, want: AnyWant): boolean {
  const read = readRemote(kind, row);
  return 'remote' in read && kind.health(read.remote, want).state === 'Ready';
}

const placeOf = (context: AccountContext, collection: string): string => `${context.account.connection.identity.account}${collection}`;

/** Notes an answered create for the baselines of others. */
export function noteRecentCreate(context: AccountContext, collection: string, { path, row }: Found): void {
  const { recentCreates, clock, settings } = context.engine;
  const at = clock.monotonic();
  recentCreates.note(placeOf(context, collection), { path, row, at }, at - baselineGoodFor - settings.listLag);
}

/**
 * Those that a read by id finds too: a listing shows what was deleted since, and for as long as lists lag. What this object has on its way
 * out stands in its own way no more.
 */
export async function stillThere(context: AccountContext, all: readonly Found[]): Promise<readonly Found[]> {
  const retiring = new Set(retiringOf(context).map(({ path }) => path));
  const found = all.filter(({ path }) => !retiring.has(path));
  const reads = found.map(({ path }) => context.account.connection.cache.read(path, context.kind, callOptions(context, 'create')));
  const seen = await Promise.all(reads);
  return found.filter((_, i) => seen[i] !== undefined);
}

/** Rejects where rows may have been missed: whatever asks for a listing here takes what it lacks for a fact. */
export async function listing(context: AccountContext, collection: string, notBefore: Millis): Promise<readonly Row[]> {
  try {
    const { rows, complete } = await context.account.connection.list(collection, { ...callOptions(context, 'wait'), notBefore });
    if (complete) return rows;
    throw new CloudError('Unavailable', `GET ${collection}: the list changed each time while it was read, so what it lacks proves nothing`);
  } catch (error) {
    if (error instanceof CloudError && error.fault === 'NotFound') return [];
    throw error;
  }
}

/** What `spec.adopt` calls it. */
export const idIn = ({ kind }: Pick<AccountContext, 'kind'>, found: Found): string | number | undefined =>
  kind.id?.(found.row) ?? idsOf([found])[0];

/** The ids that an intent notes, so that what was there before is never taken for ours. */
export const idsOf = (found: readonly Found[]): readonly (string | number)[] =>
  found.map(({ row, path }) => (typeof row['id'] === 'number' || typeof row['id'] === 'string' ? row['id'] : path));
