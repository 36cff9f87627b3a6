import type { Millis } from '../../lib/clock.ts';
import { type AnyWant, del, type Duration, seconds } from '../../resource/index.ts';
import type { Present } from '../converge/act.ts';
import { annotation, twinsAnnotation } from '../run/annotations.ts';
import { ambiguous } from '../create/unknown.ts';
import { differences } from '../converge/drift.ts';
import { claimedBy, hasForeignTag, isOwn } from './identify.ts';
import { type Intent, intentOf } from './intent.ts';
import { candidates, type Found, matching, mayBeOurs } from './lookup.ts';
import { type Identity, twinMac } from './marks.ts';
import type { Outcome } from '../outcome.ts';
import { CloudError } from '../ports.ts';
import { send } from '../run/send.ts';
import { how, keyOf, readRemote, type Turn } from '../run/turn.ts';
import { writeStruck, writeTwin } from '../create/writes.ts';

const lookEvery = seconds(300);
/** Fifteen minutes by default (design 4.4): a multiple of the bound, so that tests may scale both. */
const twinWatch = ({ engine }: Turn): Millis => 15 * engine.settings.commitBound;

/**
 * After more than one attempt, an earlier one may still turn out to have made something. For 15 minutes listings are
 * searched for it; a twin that was surely never used is deleted, any other is for a person to judge (design 4.4).
 */
export async function watchTwins(turn: Turn, present: Present): Promise<Outcome | undefined> {
  const intent = intentOf(turn);
  if (intent === undefined && notedTwins(turn).length === 0) return undefined;
  const found = await search(turn, intent, present, lookEvery);
  const doubt = await removeTwins(turn, present, found);
  if (doubt !== undefined) return doubt;
  if (notedTwins(turn).length > 0) await writeTwin(turn, twinsAnnotation, []);
  if (intent !== undefined && restOf(turn, intent) <= 0) await writeStruck(turn, undefined);
  else if (intent !== undefined)
    turn.engine.wake(turn.kind.kind, turn.object.metadata, { after: Math.min(lookEvery, restOf(turn, intent)) });
  return undefined;
}

/** The remote of a deleted object is gone: why the object may not go yet, because twins of it are there or may still come. */
export async function twinsLeft(turn: Turn, { want, identity }: Wanted): Promise<Outcome | undefined> {
  const intent = intentOf(turn);
  const open = intent !== undefined && intent.attempts.length > 1 ? intent : undefined;
  if (open === undefined && notedTwins(turn).length === 0) return undefined;
  const found = await search(turn, open, { want, identity }, 0);
  const doubt = await removeTwins(turn, { want, identity }, found);
  if (doubt !== undefined) return doubt;
  const rest = open === undefined ? 0 : restOf(turn, open);
  if (found.length === 0 && rest <= 0) return undefined;
  return {
    is: 'Working',
    reason: 'Deleting',
    message: `its create was sent more than once, so until ${minutesText(rest)} from now the account is watched for a second one of it, which is deleted too`,
    recheckAfter: found.length > 0 ? seconds(5) : (Math.min(lookEvery, rest) as Duration),
  };
}
const minutesText = (rest: Millis): string => `${Math.max(1, Math.ceil(rest / 60_000))} minutes`;

/** How long twins of the last attempt may still show up. */
const restOf = (turn: Turn, intent: Intent): Millis =>
  Date.parse(intent.attempts.at(-1)?.at ?? '') + twinWatch(turn) - turn.account.connection.apiNow();

type Wanted = Pick<Present, 'want' | 'identity'>;

async function search(turn: Turn, intent: Intent | undefined, { want, identity }: Wanted, maxAge: Millis): Promise<readonly Found[]> {
  const rows = intent === undefined ? [] : await matching(turn, intent.key, want, turn.engine.clock.monotonic() - maxAge);
  const found = intent === undefined ? [] : candidates(turn, intent, rows);
  const noted = await fetchNoted(turn, notedTwins(turn), identity);
  return [...found, ...noted].filter(
    ({ path }) => path !== identity.path && !turn.engine.evidence.wasDeleted(turn.object.metadata.uid, path),
  );
}

async function removeTwins(turn: Turn, { want, identity }: Wanted, twins: readonly Found[]): Promise<Outcome | undefined> {
  const used = twins.filter((twin) => !surelyOurs(turn, want, twin));
  if (used.length > 0) return ambiguous([{ row: {}, path: identity.path }, ...used]);
  for (const { path } of twins) await removeTwin(turn, path);
  return undefined;
}

async function removeTwin(turn: Turn, path: string): Promise<void> {
  const live = await turn.engine.objects.fetch(turn.kind.kind, keyOf(turn.object), turn.signal);
  if (live?.metadata.uid !== turn.object.metadata.uid) return;
  try {
    await send(turn, del(path), 'delete');
  } catch (error) {
    if (!(error instanceof CloudError) || error.fault !== 'NotFound') throw error;
  }
  turn.engine.evidence.deleted(turn.object.metadata.uid, path);
  turn.engine.log.info('a second remote of one object is deleted', { kind: turn.kind.kind, path });
}

/** Only what this operator noted of this very object: people can write annotations, and what is named here may be deleted. */
function notedTwins({ engine, name, object }: Turn): readonly string[] {
  try {
    const twins = JSON.parse(annotation(object, twinsAnnotation) ?? '[]') as { path?: unknown; mac?: unknown }[];
    return twins.flatMap(({ path, mac }) => (typeof path === 'string' && mac === twinMac(engine.key, name, path) ? [path] : []));
  } catch {
    return [];
  }
}

/** What is named must be free, and is judged like any other candidate. */
async function fetchNoted(turn: Turn, paths: readonly string[], identity: Identity): Promise<readonly Found[]> {
  const found: Found[] = [];
  const below = identity.path === '' && typeof turn.kind.path === 'string' ? `${turn.kind.path}/` : collectionOf(identity.path);
  for (const path of paths.filter((one) => below !== '' && one !== identity.path && one.startsWith(below))) {
    const seen = claimedBy(turn, path) === undefined ? await turn.account.connection.mirror.read(path, how(turn, 'wait')) : undefined;
    if (seen !== undefined && !hasForeignTag(turn, seen.remote)) found.push({ row: seen.remote, path });
  }
  return found;
}
const collectionOf = (path: string): string => path.slice(0, path.lastIndexOf('/') + 1);

/**
 * Never used, as far as can be seen, and ours: by its mark and equal in every field, nothing holds it, and no event says that
 * somebody else made it.
 */
function surelyOurs(turn: Turn, want: AnyWant, { row, path }: Found): boolean {
  if (!mayBeOurs(turn, path)) return false;
  const readable = readRemote(turn.kind, row);
  if ('malformed' in readable || turn.kind.release?.(readable.remote) !== undefined) return false;
  const equal = differences(turn.kind, want, readable.remote, () => true).length === 0;
  return turn.kind.label === undefined ? equal : isOwn(turn, row, want) && equal;
}
