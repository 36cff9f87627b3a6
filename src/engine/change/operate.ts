import type { Millis } from '../../lib/clock.ts';
import { shownTime } from '../../lib/utc-time.ts';
import { type Action, type AnyKind, type AnyWant, type Call, type Row, seconds } from '../../resource/index.ts';
import { callOptions, type OperationContext } from '../context.ts';
import { annotation, isDeleting, operationAnnotation } from '../model/annotations.ts';
import { sentWithin } from '../model/intent.ts';
import { isNamedAnew, keyOf } from '../model/object-id.ts';
import type { Outcome } from '../model/outcome.ts';
import { type Before, type Final, type FinalPhase, formatFinal, formatRunning, type Phase, type Sent } from '../plan/operation.ts';
import { attemptsOn, type Meant, notesWith } from '../plan/operation-notes.ts';
import { CloudError, type Permit, type Resource } from '../ports/index.ts';
import { outcomeOf } from '../status/fault-table.ts';
import { type Purpose, sendAudited } from './audit.ts';
import { takeOperationsBack, writeOperation, writeOperations } from './metadata.ts';
import { changeOf, heldChange, mayNotSend, stillRefused } from './send.ts';

interface Changing {
  readonly object: Resource;
  readonly path: string;
}
/** What is done, and to what: the target first. */
export interface Operation {
  readonly action: Action<Row, AnyWant>;
  readonly call: Call;
  /** As it was judged: what is another by the time of the call is judged anew. */
  readonly places: readonly [Changing, ...Changing[]];
  readonly led: Meant;
  readonly targetKind: AnyKind;
  readonly notAfter: Millis;
  readonly before: Before;
  /** What came in its way while it waited for the rate window. */
  readonly blocked: () => Outcome | undefined;
  /** Asked in the tick of the socket write. */
  readonly objection: () => string | undefined;
}

/** It surely was not done, and what stood in the way passes. */
const passing = new Set(['Abandoned', 'Throttled', 'Unavailable', 'Unauthorized']);
/** As with a create: by then another process may have taken over. */
const noteGoodFor: Millis = 5000;

export function inPhase(context: OperationContext, phase: Phase, outcome: Outcome): Outcome {
  Object.assign(context.status, { phase, objectUid: context.object.metadata.uid });
  return outcome;
}

/**
 * The one call, with what must be written before it (README: operations): on the target, so that the same does not come again as
 * another object, and on this one, so that nobody sends it once more whatever becomes of this process.
 */
export async function operate(context: OperationContext, operation: Operation): Promise<Outcome> {
  const { operating } = context.engine;
  const { places, call } = operation;
  const held = heldChange(context, changeOf(context, call, ''));
  if (held?.because.is === 'refused') return inPhase(context, 'Waiting', stillRefused(context, held.because.outcome, held.until));
  const permit = await context.effects.permit(call, callOptions(context, 'edit'));
  try {
    const taken = places.find(({ path }) => operating.has(path));
    const blocked = taken === undefined ? operation.blocked() : inHand(taken.path);
    if (blocked !== undefined) return inPhase(context, 'Waiting', blocked);
    for (const { path } of places) operating.add(path);
    return await noteAndSend(context, permit, operation).finally(() => {
      for (const { path } of places) operating.delete(path);
    });
  } finally {
    permit.release();
  }
}
const inHand = (path: string): Outcome => ({
  is: 'Waiting',
  reason: 'Busy',
  message: `waits until another operation of ${path} was sent`,
  on: [path],
  recheckAfter: seconds(1),
});

async function noteAndSend(context: OperationContext, permit: Permit, operation: Operation): Promise<Outcome> {
  const { connection } = context.account;
  const { clock, objectMemory } = context.engine;
  const { uid } = context.object.metadata;
  const attempt = new Date(clock.now()).toISOString();
  objectMemory.unsent(uid, attempt);
  const noted: Resource[] = [];
  for (const { object } of operation.places) {
    const target = nowOf(context, object);
    const notes = notesWith(target, context.object, { now: clock.now(), at: attempt, led: operation.led });
    noted.push(await writeOperations(context, target, notes));
  }
  const after = Math.max(0, ...operation.places.flatMap(({ path }) => connection.cache.followed(path).map(({ id }) => id)));
  const sent: Sent = { at: Math.floor(connection.apiNow()), after };
  const notedAt = clock.monotonic();
  await writeOperation(context, formatRunning(context, sent));
  objectMemory.sends(uid, attempt);
  return sendOnce(context, permit, { ...operation, sent, attempt, noted, notedAt, writtenAt: clock.monotonic() });
}

/** As it is known now, or as it was. */
const nowOf = ({ engine }: OperationContext, object: Resource): Resource => engine.objects.get(object.kind, keyOf(object)) ?? object;

interface Sending extends Operation {
  readonly sent: Sent;
  /** As it is noted, and the objects of its places with that. */
  readonly attempt: string;
  readonly noted: readonly Resource[];
  readonly notedAt: Millis;
  readonly writtenAt: Millis;
}

async function sendOnce(context: OperationContext, permit: Permit, sending: Sending): Promise<Outcome> {
  const { call, action, sent, places, before } = sending;
  const { cache } = context.account.connection;
  let accepted = false;
  try {
    const reply = await sendAudited(context, permit, { call, purpose: purposeOf(context, action), gate: () => gate(context, sending) });
    accepted = true;
    cache.written(places[0].path, reply);
  } catch (error) {
    if (!(error instanceof CloudError)) throw error;
    if (error.fault !== 'Unknown' && error.fault !== 'Malformed') return refused(context, sending, error);
  }
  for (const { path } of places) {
    cache.invalidate(path);
    cache.expect(path, action.within);
  }
  context.status['sent'] = { ...shownSent(sent), ...before, ...(accepted && { accepted }) };
  return inPhase(context, 'Running', sentOutcome(call, accepted));
}

export const shownSent = ({ at, after }: Sent) => ({ at: new Date(at).toISOString(), after });

const sentOutcome = ({ method, path }: Call, accepted: boolean): Outcome => ({
  is: 'Working',
  reason: accepted ? 'Updating' : 'UnknownOutcome',
  message: accepted ? `${method} ${path} was accepted` : `${method} ${path} was sent, and no answer came`,
  recheckAfter: seconds(2),
});

/** With the confirmation that it was given. */
function purposeOf({ object }: OperationContext, { effect }: Operation['action']): Purpose {
  const confirmed = object.status?.['confirmed'] as { at: string; challenge: string; by?: string } | undefined;
  if (confirmed === undefined) return { effect, cause: 'edit' };
  const { at, challenge: hash, by } = confirmed;
  return { effect, cause: 'edit', approved: { at, hash, ...(by !== undefined && { by }) } };
}

/** The last look before the socket write; a text stops it. */
function gate(context: OperationContext, sending: Sending): string | undefined {
  const { clock } = context.engine;
  const lost = mayNotSend(context);
  if (lost !== undefined) return lost;
  const at = clock.monotonic();
  if (at - sending.writtenAt > noteGoodFor || at - sending.notedAt > sentWithin) return 'what was noted before it is too old';
  if (clock.now() >= sending.notAfter) return 'it is too late';
  return changedMeanwhile(context, sending) ?? sending.objection();
}
function changedMeanwhile({ engine: { objects }, ...context }: OperationContext, { sent, places }: Sending): string | undefined {
  const now = objects.get(context.kind.kind, keyOf(context.object));
  if (now?.metadata.uid !== context.object.metadata.uid || isDeleting(now)) return 'the object is gone or being deleted';
  if (annotation(now, operationAnnotation) !== formatRunning(context, sent)) return 'what was noted before it was changed';
  const isAsJudged = ({ object }: Changing): boolean => {
    const other = objects.get(object.kind, keyOf(object));
    const isSame = other?.metadata.uid === object.metadata.uid && other.metadata.generation === object.metadata.generation;
    return isSame && !isDeleting(other);
  };
  return places.every(isAsJudged) ? undefined : 'the target was edited or deleted';
}

/** Surely not done. What only passes is tried again, ever more rarely, until it is too late; what was refused for good is the end of it. */
async function refused(context: OperationContext, sending: Sending, error: CloudError): Promise<Outcome> {
  const { targetKind, call, attempt, noted } = sending;
  if (error.fault === 'Busy') return perhapsWithIt(context, sending, error);
  const outcome = outcomeOf(context.kind, error, context.object);
  const needs = error.fault === 'Forbidden' ? `. The token needs the scope ${targetKind.scopes.write.join(', ')}` : '';
  if (!passing.has(error.fault)) return finish(context, 'Failed', `the account refused it, and nothing was done: ${error.message}${needs}`);
  const { ledger, clock } = context.engine;
  const answer = { is: 'refused', outcome, final: false } as const;
  if (error.fault !== 'Abandoned') ledger.note(context.object.metadata.uid, changeOf(context, call, ''), answer, clock.monotonic());
  context.engine.objectMemory.unsent(context.object.metadata.uid, attempt);
  return takeBack(context, noted, error.fault === 'Abandoned' ? { is: 'Again' } : outcome);
}

/** As it is known now, unless that is from before the note. */
function withNote(context: OperationContext, noted: Resource): Resource {
  const now = nowOf(context, noted);
  return attemptsOn(now, context.object).length > 0 ? now : noted;
}

/** It is known that nothing was done: it may be sent. */
export async function takeBack(context: OperationContext, noted: readonly Resource[], outcome: Outcome): Promise<Outcome> {
  if (context.effects.leads()) {
    await writeOperation(context, null);
    for (const target of noted) await takeOperationsBack(context, withNote(context, target));
  }
  context.status['sent'] = undefined;
  return inPhase(context, 'Waiting', outcome);
}

/** A call that was delivered twice is refused because of itself: whether it is that, its event tells. */
function perhapsWithIt(context: OperationContext, { sent, places, action, before }: Sending, error: CloudError): Outcome {
  for (const { path } of places) context.account.connection.cache.expect(path, action.within);
  context.status['sent'] = { ...shownSent(sent), ...before, busy: true };
  const message = `${error.message}. Whether it is busy with this very call its events tell; else it is sent again`;
  return inPhase(context, 'Running', { is: 'Working', reason: 'Busy', message, recheckAfter: seconds(2) });
}

/** It is over, for good: written down before it is told. */
export async function finish(context: OperationContext, phase: FinalPhase, message: string): Promise<Outcome> {
  const job = Number(context.status['job'] ?? context.object.status?.['job'] ?? 0);
  const final: Final = { phase, at: Math.floor(context.engine.clock.now() / 1000) * 1000, job: job === 0 ? undefined : job };
  await writeOperation(context, formatFinal(context, final));
  noteFinal(context, final);
  staysUntil(context, final);
  return inPhase(context, phase, finalOutcome(phase, `${message}${afterwards[phase]}`));
}

/** When its time is over (ttlSecondsAfterFinished). One that was not done stays: whatever brings it back would bring it back for ever. */
function staysUntil({ engine, object }: OperationContext, { phase, at }: Final): Millis | undefined {
  const { ttlSecondsAfterFinished: stay } = object.spec as { readonly ttlSecondsAfterFinished?: number };
  if (stay === undefined || (phase === 'Expired' && !isNamedAnew(object)) || isDeleting(object)) return undefined;
  const end = at + stay * 1000;
  engine.wake(object.kind, keyOf(object), { after: Math.max(0, end - engine.clock.now()) + 1000 });
  return end;
}
/** True when it was deleted. */
export async function leaves(context: OperationContext, final: Final): Promise<boolean> {
  const end = staysUntil(context, final);
  if (end === undefined || end > context.engine.clock.now() || !context.effects.leads()) return false;
  await context.effects.remove();
  return true;
}

/** Annotation and status each restore the other. */
export async function healFinal(context: OperationContext, final: Final): Promise<void> {
  if (annotation(context.object, operationAnnotation) === undefined) await writeOperation(context, formatFinal(context, final));
  noteFinal(context, final);
}
function noteFinal({ status }: OperationContext, { at, job }: Final): void {
  Object.assign(status, { finishedAt: shownTime(at), job, sent: undefined });
}

const again = 'It is not done again by itself: for another one make another object';
const afterwards: Readonly<Record<FinalPhase, string>> = {
  Succeeded: '',
  Failed: `. ${again}`,
  Unknown: `. ${again}, once you know from the account that it was not done`,
  Expired: `. ${again}`,
};
const finalReasons = { Failed: 'OperationFailed', Unknown: 'UnknownOutcome', Expired: 'Expired' } as const;
export const finalOutcome = (phase: FinalPhase, message: string): Outcome =>
  phase === 'Succeeded' ? { is: 'Synced', message } : { is: 'Stalled', reason: finalReasons[phase], message };
