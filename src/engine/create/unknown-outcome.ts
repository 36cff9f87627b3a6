import type { Millis } from '../../lib/clock.ts';
import { type AnyWant, isToldOnce, minutes, seconds, transferOf } from '../../resource/index.ts';
import { bindRemote } from '../change/bind.ts';
import { recordIdentity, tellCreated } from '../change/create-remote.ts';
import type { ReconcileContext } from '../context.ts';
import { onItsWay, stillToCome } from '../identity/appearing.ts';
import { feedText } from '../identity/birth.ts';
import { candidates, cannotBeTold, isProven, isWitnessed, witnessIn, witnessRarely } from '../identity/candidates.ts';
import { type Found, idIn, matchingIntent } from '../identity/lookup.ts';
import { ambiguous, unknown, unproven, unresolvedFor } from '../identity/open-create.ts';
import { annotateCommand, reconcileAtAnnotation, recreateAnnotation } from '../model/annotations.ts';
import { type Attempt, formatIntent, type Intent, newWish, sentWithin } from '../model/intent.ts';
import type { Outcome } from '../model/outcome.ts';
import { keptAmong, removeUntold } from './untold.ts';
import { counted } from '../../lib/counted.ts';

/** More attempts without an answer than this are for a person: each may have made something that nobody sees. */
const mostAttempts = ({ kind, object }: ReconcileContext): number => transferOf(kind, object.spec)?.attempts ?? 6;
const longestWait: Millis = minutes(10);

/**
 * Looks up, uncached, what an attempt of unknown outcome may have made; sends nothing (README: unknown outcome). Undefined: it surely made
 * nothing.
 */
export async function lookUp(context: ReconcileContext, want: AnyWant, intent: Intent): Promise<Outcome | undefined> {
  context.status['intent'] = formatIntent(context, intent);
  const { spec, metadata } = context.object;
  const rows = await matchingIntent(context, intent, want, context.engine.clock.monotonic());
  const found = candidates(context, intent, rows);
  const [first] = isToldOnce(context.kind, spec)
    ? found.filter(({ path }) => !context.engine.objectMemory.wasDeleted(metadata.uid, path))
    : found;
  if (first !== undefined) return settle(context, intent, { found, first });
  const wait = unresolvedFor(context, intent);
  return wait > 0 ? onItsWay(context, intent, Math.min(wait, seconds(15))) : stillToCome(context, intent);
}

async function settle(
  context: ReconcileContext,
  intent: Intent,
  { found, first }: { readonly found: readonly Found[]; readonly first: Found },
): Promise<Outcome> {
  if (cannotBeTold(context, intent, found)) return ambiguous(context, found);
  if (!isToldOnce(context.kind, context.object.spec)) return takeFound(context, first, intent);
  const kept = await keptAmong(context, found);
  return kept === undefined ? removeUntold(context, first) : takeFound(context, kept, intent);
}

/** Why it is not sent again yet, or no more: each attempt waits twice as long as the one before. */
export function heldBack(context: ReconcileContext, intent: Intent): Outcome | undefined {
  const { attempts } = intent;
  if (context.kind.attempts !== undefined) return sentOnce(context, intent);
  const { commitBound, listLag } = context.engine.settings;
  const patience = Math.min(longestWait, (sentWithin + commitBound + listLag) * 2 ** (attempts.length - 1));
  const wait = Date.parse(attempts.at(-1)?.at ?? '') + patience - context.account.connection.apiNow();
  if (attempts.length < mostAttempts(context)) return wait > 0 ? unknown(intent, Math.min(wait, minutes(1))) : undefined;
  if (context.engine.objectMemory.lookAsked.delete(context.object.metadata.uid)) return undefined;
  return {
    is: 'Stalled',
    reason: 'UnknownOutcome',
    message: `the create was sent ${counted(attempts.length, 'time')}, last at ${attempts.at(-1)?.at}; ${whatCame(attempts.at(-1))}, then annotate ${reconcileAtAnnotation}=<time> to have it sent once more`,
  };
}

const whatCame = (last: Attempt | undefined): string =>
  last?.taken === true
    ? 'the service took it, and nothing came of it. It is not sent again by itself. Look in the account why it fails there, or open a support ticket'
    : 'no answer ever came, and nothing that it made can be seen. It is not sent again by itself. Find out why answers are lost (a proxy, the service)';

/** A second one would do harm: only a person has it sent once more, and once for each value of the annotation. */
function sentOnce(context: ReconcileContext, intent: Intent): Outcome | undefined {
  const { engine, object } = context;
  if (newWish(context, intent) !== undefined) return undefined;
  engine.objectMemory.lookAsked.delete(object.metadata.uid);
  return {
    is: 'Stalled',
    reason: 'UnknownOutcome',
    message: `the create was sent at ${intent.attempts.at(-1)?.at}, no answer ever came, and nothing that it made can be seen. It is not sent again by itself, because a second one would do harm. Look into the account: if it is there, write spec.adopt: {id: ...}; if it is not, annotate ${recreateAnnotation}=<time> to have it sent once more`,
  };
}

/** An event may still tell, and a second one show up, until the time of the last attempt is over. */
function inDoubt(context: ReconcileContext, found: Found, intent: Intent): Outcome {
  const wait = unresolvedFor(context, intent);
  if (wait > 0) return unknown(intent, Math.min(wait, seconds(15)));
  const theirs = `give this object another name there, and ${annotateCommand(context.object, recreateAnnotation, '<time>')}`;
  return unproven(context, intent, found, { ours: `write spec.adopt: {id: ${JSON.stringify(idIn(context, found))}}`, theirs });
}

/** Once no event can tell any more that it was made for this object, it is one that exists already. */
async function maybeTakenOver(context: ReconcileContext, found: Found, intent: Intent): Promise<Outcome> {
  const isOver = unresolvedFor(context, intent) <= 0;
  return isOver && context.kind.takesOver === true ? bindRemote(context, found, 'adopted') : inDoubt(context, found, intent);
}

export async function takeFound(context: ReconcileContext, found: Found, intent: Intent): Promise<Outcome> {
  const { engine, account, object } = context;
  if (!isProven(context, found)) return maybeTakenOver(context, found, intent);
  if (!isWitnessed(context, found)) return { ...unknown(intent, witnessIn(context, found), feedText(context)), retryWithin: witnessRarely };
  const identity = { account: account.connection.identity.account, path: found.path, how: 'created' as const };
  const now = engine.clock.monotonic();
  engine.objectMemory.created(object.metadata.uid, now);
  account.connection.cache.put(found.path, found.row, {
    body: found.row,
    apiTime: account.connection.apiNow(),
    requestedAt: now,
    answeredAt: now,
  });
  const failed = await recordIdentity(context, identity, intent);
  if (failed === undefined && intent.attempts.at(-1)?.taken === true) tellCreated(context, identity);
  return failed ?? { is: 'Again' };
}
