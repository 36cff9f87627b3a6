import type { Millis } from '../../lib/clock.ts';
import { shownTime } from '../../lib/utc-time.ts';
import { type AnyWant, type Duration, hasEnded, madeAt, minutes, placesOf, readRemote, seconds } from '../../resource/index.ts';
import { writeDuplicates, writeStruck } from '../change/metadata.ts';
import { removeRemote } from '../change/remove-remote.ts';
import { callOptions, type ReconcileContext } from '../context.ts';
import { bearsNonce, inWindow, isWitnessed, mayBeOurs, suspects } from '../identity/candidates.ts';
import { type Found, labelsSent, matchingIntent } from '../identity/lookup.ts';
import { called, toName } from '../identity/called.ts';
import { unresolvedFor } from '../identity/open-create.ts';
import { claimedBy, hasForeignTag, isOwn } from '../identity/ownership.ts';
import { onlyRead } from './only-read.ts';
import { annotation, intentAnnotation, isDeleting, twinsAnnotation } from '../model/annotations.ts';
import { type Identity, isDuplicateMac } from '../model/identity.ts';
import { type Intent, intentOf } from '../model/intent.ts';
import type { Outcome } from '../model/outcome.ts';
import { policyOf } from '../model/policy.ts';
import type { BoundRemote } from '../model/step.ts';
import { differences, isLeftByCreate } from '../plan/diff.ts';

const lookEvery = seconds(300);

/** Fifteen minutes by default (README: unknown outcome): a multiple of the bound, so that tests may scale both. */
const duplicateWatch = ({ engine }: ReconcileContext): Millis => 15 * engine.settings.commitBound;

/**
 * After more than one attempt, an earlier one may still turn out to have made something. For 15 minutes listings are
 * searched for it; a duplicate that is surely ours and was never used is deleted, any other is for a person to judge
 * (README: unknown outcome).
 */
export async function watchDuplicates(context: ReconcileContext, present: BoundRemote): Promise<Outcome | undefined> {
  const intent = intentOf(context);
  // What it makes takes the place of this very remote, and is brought to its end elsewhere.
  if (intent?.renews === present.identity.path) return undefined;
  if (intent === undefined && notedDuplicates(context).length === 0) return undefined;
  const found = await search(context, intent, present, lookEvery);
  const doubt = await removeDuplicates(context, present, found);
  if (doubt !== undefined) return doubt;
  if (notedDuplicates(context).length > 0) await writeDuplicates(context, twinsAnnotation, []);
  if (intent !== undefined && restOf(context, intent) <= 0) await writeStruck(context, intent, []);
  else if (intent !== undefined)
    context.engine.wake(context.kind.kind, context.object.metadata, { after: Math.min(lookEvery, restOf(context, intent)) });
  return undefined;
}

/** Of several attempts each may have made one; of one whose label tells it, what it made is known, however many that is. */
function mayHaveMore(context: ReconcileContext, intent: Intent | undefined): Intent | undefined {
  if (intent === undefined) return undefined;
  return intent.attempts.length > 1 || labelsSent(context, intent) !== undefined ? intent : undefined;
}

/** The remote of a deleted object is gone: why the object may not go yet, because duplicates of it are there or may still come. */
export async function duplicatesLeft(context: ReconcileContext, { want, identity }: Wanted): Promise<Outcome | undefined> {
  const open = mayHaveMore(context, intentOf(context));
  if (open === undefined && notedDuplicates(context).length === 0) return undefined;
  // Between two attempts anybody may have made it, and no object waits for what is likely not its own.
  const found = (await search(context, open, { want, identity }, 0)).filter(
    ({ proven, row }) => proven || isOwn(context, row) || (open !== undefined && inWindow(context, open, row)),
  );
  const doubt = await removeDuplicates(context, { want, identity }, found);
  if (doubt !== undefined) return doubt;
  const rest = open === undefined ? 0 : restOf(context, open);
  if (found.length === 0 && rest <= 0) return undefined;
  return {
    is: 'Working',
    reason: 'Deleting',
    message: watchText(context, rest),
    recheckAfter: found.length > 0 ? seconds(5) : (Math.min(lookEvery, rest) as Duration),
  };
}

/** With the end, to the minute, and not with what is left: who waits for a window of list reads is not looked at, and would tell that for an hour. */
function watchText({ account }: ReconcileContext, rest: Millis): string {
  const sent = 'its create was sent more than once';
  if (rest <= 0) return `${sent}, and a second one of it is deleted, too`;
  const end = shownTime(Math.ceil((account.connection.apiNow() + rest) / 60_000) * 60_000);
  return `${sent}, so the account is watched for a second one of it, which is deleted too; it goes once that was looked for after ${end}`;
}

/** How long duplicates of the last attempt may still show up. */
const restOf = (context: ReconcileContext, intent: Intent): Millis =>
  intent.attempts.length > 1 ? watchedFor(context, intent) : unresolvedFor(context, intent);
const watchedFor = (context: ReconcileContext, intent: Intent): Millis =>
  Date.parse(intent.attempts.at(-1)?.at ?? '') + duplicateWatch(context) - context.account.connection.apiNow();

type Wanted = Pick<BoundRemote, 'want' | 'identity'>;

interface Duplicate extends Found {
  /** Made for this very object: an answer said so, or its mark and the time of an attempt do. That it equals what was asked for proves nothing. */
  readonly proven: boolean;
}

async function search(
  context: ReconcileContext,
  intent: Intent | undefined,
  { want, identity }: Wanted,
  maxAge: Millis,
): Promise<readonly Duplicate[]> {
  const rows = intent === undefined ? [] : await matchingIntent(context, intent, want, context.engine.clock.monotonic() - maxAge);
  const seen = intent === undefined ? [] : suspects(context, intent, rows).filter((one) => isWitnessed(context, one));
  const isMarked = ({ row }: Found): boolean =>
    intent !== undefined && (bearsNonce(context, intent, row) || (isOwn(context, row) && inWindow(context, intent, row)));
  const noted = await fetchNoted(context, notedDuplicates(context), identity);
  const found = seen.filter(({ path }) => !noted.some((one) => one.path === path)).map((one) => ({ ...one, proven: isMarked(one) }));
  return [...found, ...noted.map((one) => ({ ...one, proven: true }))].filter(
    ({ path, row }) =>
      path !== identity.path && !context.engine.objectMemory.wasDeleted(context.object.metadata.uid, path) && !hasEnded(context.kind, row),
  );
}

async function removeDuplicates(
  context: ReconcileContext,
  { want, identity }: Wanted,
  duplicates: readonly Duplicate[],
): Promise<Outcome | undefined> {
  const doubtful = duplicates.filter((duplicate) => !surelyOurs(context, want, duplicate));
  if (doubtful.length > 0) return forAPerson(context, identity, doubtful);
  const [first] = duplicates;
  const held = first && heldByPolicy(context, first.path);
  if (held !== undefined) return held;
  for (const duplicate of duplicates) {
    const waits = await removeDuplicate(context, identity.account, duplicate);
    if (waits !== undefined) return waits;
  }
  return undefined;
}

/** A protection is of what an object has; once that is to go, it is of all that was made for it. */
function heldByPolicy({ kind, object, account }: ReconcileContext, path: string): Outcome | undefined {
  const { management, protect } = policyOf(kind, object.spec, account, false);
  if (management === 'ReadOnly') return onlyRead(account, `${path} is a second remote of this object, and goes too`);
  const because = management === 'Observe' ? 'management is Observe' : protect && isDeleting(object) ? 'protect is true' : undefined;
  return (
    because && {
      is: 'Waiting',
      reason: 'DeletionHeld',
      message: `${path} is a second remote of this object, and is not deleted because spec.lifecycle.${because}. Change that, or delete it in the account`,
      on: ['spec.lifecycle'],
      recheckAfter: minutes(30),
    }
  );
}

const forAPerson = (context: ReconcileContext, { path }: Identity, doubtful: readonly Found[]): Outcome => ({
  is: 'Stalled',
  reason: 'Ambiguous',
  message: `the create of this object was sent more than once${path === '' ? '' : `, and it has ${path}`}. Another attempt may have made ${called(context, doubtful)}, or somebody else did, or it is in use; so it is not deleted. If nobody needs it, ${toName(context, doubtful, 'delete it in the account')}. If it is somebody else's, remove annotation ${intentAnnotation} from this object`,
});

/** Undefined: it is on its way, or its object is gone. */
async function removeDuplicate(context: ReconcileContext, account: string, { path, row }: Found): Promise<Outcome | undefined> {
  const removed = await removeRemote<'nothing'>(context, {
    why: 'duplicate',
    identity: { account, path, how: 'created' },
    judge: (live) => (live === undefined ? 'nothing' : undefined),
    uninstalled: 'nothing',
    read: () => Promise.resolve({ remote: row, readAt: 0 }),
  });
  if (removed.is === 'instead') return undefined;
  if (removed.is === 'waits') return removed.outcome;
  if (removed.is === 'kept')
    return { is: 'Stalled', reason: 'Ambiguous', message: `${path} is a second remote of this object and stays: ${removed.why}` };
  context.engine.log.info('a second remote of one object is deleted', { kind: context.kind.kind, path });
  return undefined;
}

interface Noted {
  readonly path: string;
  readonly at: string;
}

/** Only what this operator noted of this very object: people can write annotations, and what is named here may be deleted. */
export function notedDuplicates(context: Pick<ReconcileContext, 'key' | 'name' | 'object'>): readonly Noted[] {
  try {
    const noted = JSON.parse(annotation(context.object, twinsAnnotation) ?? '[]') as { path?: unknown; at?: unknown; mac?: unknown }[];
    return noted.flatMap(({ path, at, mac }) =>
      typeof path === 'string' && typeof at === 'string' && isDuplicateMac(context, { path, at, mac }) ? [{ path, at }] : [],
    );
  } catch {
    return [];
  }
}

/** What bears a name may have been made anew since. */
function isMadeSince({ kind }: ReconcileContext, { row }: Found, { at }: Noted): boolean {
  const made = madeAt(kind, row);
  return made !== undefined && made > Date.parse(at) + 2000;
}

/** What is named must be free, and is judged like any other candidate. */
async function fetchNoted(context: ReconcileContext, all: readonly Noted[], identity: Identity): Promise<readonly Found[]> {
  const found: Found[] = [];
  const isNear = whereItMayBe(context, identity);
  for (const noted of all.filter(({ path }) => path !== identity.path && isNear(path))) {
    const { path } = noted;
    const seen =
      claimedBy(context, path) === undefined
        ? await context.account.connection.cache.read(path, context.kind, callOptions(context, 'wait'))
        : undefined;
    if (seen === undefined || hasForeignTag(context, seen.remote)) continue;
    if (!isMadeSince(context, { row: seen.remote, path }, noted)) found.push({ row: seen.remote, path });
  }
  return found;
}
/** Of what is below parents and has no remote nothing says below which. */
function whereItMayBe({ kind }: ReconcileContext, { path: own }: Identity): (path: string) => boolean {
  const places = own === '' ? placesOf(kind).map((place) => `${place}/`) : [own.slice(0, own.lastIndexOf('/') + 1)];
  return (path) => places.some((place) => path.startsWith(place));
}

/** Proven to be ours, and never used as far as can be seen: equal in every field, nothing holds it, and no event says that somebody else made it. */
function surelyOurs(context: ReconcileContext, want: AnyWant, duplicate: Duplicate): boolean {
  if (!duplicate.proven || !mayBeOurs(context, duplicate)) return false;
  const readable = readRemote(context.kind, duplicate.row);
  if ('malformed' in readable || context.kind.deletion?.release?.(readable.remote) !== undefined) return false;
  return differences(context.kind, want, readable.remote, () => true).every(isLeftByCreate);
}
