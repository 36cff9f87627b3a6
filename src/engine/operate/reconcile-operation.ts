import type { Millis } from '../../lib/clock.ts';
import { readTime, shownTime } from '../../lib/utc-time.ts';
import { minutes, seconds } from '../../resource/index.ts';
import { finalOutcome, finish, healFinal, inPhase, leaves, operate } from '../change/operate.ts';
import type { OperationContext } from '../context.ts';
import { accountLimit } from '../guard/account-limit.ts';
import { maxOperationsReached } from '../guard/object-quota.ts';
import { annotateCommand, annotation, confirmAnnotation, isDeleting } from '../model/annotations.ts';
import type { Condition } from '../model/conditions.ts';
import { keyOf } from '../model/object-id.ts';
import type { Outcome } from '../model/outcome.ts';
import { challengeOf, type Final, longestWait, recordOf } from '../plan/operation.ts';
import { mostNotes, roomFrom } from '../plan/operation-notes.ts';
import { validate } from '../plan/validate-spec.ts';
import { nameOfId, namesIn, namesOfIds } from '../identity/called.ts';
import { legend } from '../../lib/legend.ts';
import { resolve } from '../resolve/resolve.ts';
import { whyAnothersByNow } from '../resolve/whose-now.ts';
import { consequencesOf } from './consequences.ts';
import { before } from './evidence.ts';
import { follow } from './follow.ts';
import { ledTo, notedBefore } from './noted-before.ts';
import { blockedByAnother, blockedByJob } from './operation-runs.ts';
import { locate, notePaths, type Place, placesOf, readTarget, type Target } from './target.ts';

/** Does once what its object asks for, and tells how it ended (README: operations). */
export async function reconcileOperation(context: OperationContext): Promise<Outcome> {
  const { kind, object } = context;
  const record = recordOf(context);
  if (record.is === 'final') return ended(context, record);
  if (record.is === 'another') return finish(context, 'Expired', `nothing was sent, as it may have been done before: ${record.why}`);
  if (record.is === 'running') return follow(context, record.sent);
  if (isDeleting(object)) return { is: 'Quiet', recheckAfter: minutes(10) };
  const invalid = validate(kind, object.spec) ?? tooFarAhead(context);
  return invalid === undefined ? inTime(context) : inPhase(context, 'Pending', invalid);
}

async function ended(context: OperationContext, final: Final): Promise<Outcome> {
  await healFinal(context, final);
  if (await leaves(context, final)) return { is: 'Deleted' };
  notePaths(context);
  return toldBefore(context, final) ?? inPhase(context, final.phase, finalOutcome(final.phase, `it ended as ${final.phase}`));
}

/** What was told stays; undefined where something else (a pause) was told meanwhile. */
function toldBefore({ object: { status = {} } }: OperationContext, { phase }: Final): Outcome | undefined {
  const { conditions = [], phase: shown } = status as { readonly conditions?: readonly Condition[]; readonly phase?: unknown };
  const [ready, synced] = ['Ready', 'Synced'].map((name) => conditions.find(({ type }) => type === name));
  const told = finalOutcome(phase, (phase === 'Succeeded' ? ready : synced)?.message ?? '');
  return shown === phase && synced?.reason === ('reason' in told ? told.reason : 'Available') ? told : undefined;
}

const notAfterOf = ({ object }: OperationContext): Millis => readTime(String(object.spec['notAfter'])) ?? 0;

function tooFarAhead(context: OperationContext): Outcome | undefined {
  const latest = Date.parse(context.object.metadata.creationTimestamp) + longestWait;
  return notAfterOf(context) <= latest
    ? undefined
    : {
        is: 'Stalled',
        reason: 'InvalidSpec',
        message: `spec.notAfter is more than 7 days after this object was made. Nothing was sent. Delete it and make another one with notAfter at most ${shownTime(latest)}`,
      };
}

async function inTime(context: OperationContext): Promise<Outcome> {
  const { engine, object } = context;
  const noted = notedBefore(context);
  if (noted !== undefined) return finish(context, noted.phase, noted.why);
  const left = notAfterOf(context) - engine.clock.now();
  if (left <= 0) return finish(context, 'Expired', `nothing was sent before ${String(object.spec['notAfter'])} (spec.notAfter)`);
  engine.wake(object.kind, keyOf(object), { after: left + 1 });
  const full = maxOperationsReached(context);
  if (full !== undefined) return inPhase(context, 'Pending', full);
  const located = locate(context, await resolve(context));
  if ('outcome' in located) return inPhase(context, 'Pending', located.outcome);
  const renamed = notedBefore(context, located);
  if (renamed !== undefined) return finish(context, renamed.phase, renamed.why);
  Object.assign(context.status, { targetPath: located.path, ontoPath: located.onto?.path });
  const job = blockedByJob(context, located);
  if (job !== undefined) return inPhase(context, 'Waiting', job);
  const target = await readTarget(context, located);
  return 'outcome' in target ? inPhase(context, 'Pending', target.outcome) : begin(context, target);
}

async function begin(context: OperationContext, target: Target): Promise<Outcome> {
  const places = placesOf(target);
  const wrong = wrongOf(context, target);
  if (wrong !== undefined) return inPhase(context, 'Pending', { is: 'Stalled', reason: 'InvalidSpec', message: wrong });
  const halted = accountLimit(context) ?? readOnly(context) ?? noRoom(context, places);
  if (halted !== undefined) return inPhase(context, 'Pending', halted);
  const asked = await unconfirmed(context, target);
  if (asked !== undefined) return inPhase(context, 'AwaitingConfirmation', asked);
  const blocked = blockedByAnother(context, target);
  if (blocked !== undefined) return inPhase(context, 'Waiting', blocked);
  const { action, acted, given, kind: targetKind } = target;
  const call = action.call(acted, given);
  const blockedNow = (): Outcome | undefined =>
    notedBefore(context, target) === undefined ? (blockedByJob(context, target) ?? blockedByAnother(context, target)) : { is: 'Again' };
  const outcome = await operate(context, {
    action,
    call,
    targetKind,
    places,
    led: ledTo(target),
    notAfter: notAfterOf(context),
    before: await before(context, target),
    blocked: blockedNow,
    objection: () => whyAnothersByNow(context, given),
  });
  // They say that it is under way, once it is seen here that it is.
  for (const place of places) context.engine.wake(place.object.kind, place.object.metadata, { after: seconds(1) });
  return outcome;
}

/** What stands against it in its target may go, and then it is done: whoever mends that otherwise meanwhile must know. */
function wrongOf({ object }: OperationContext, { action, acted, given, name }: Target): string | undefined {
  const against = action.against?.(acted, given);
  if (against === undefined) return undefined;
  if (typeof against === 'object') return `spec.${against.field}: ${against.says}. Nothing was sent`;
  const until = `${String(object.spec['notAfter'])} (spec.notAfter)`;
  return `spec.action: ${name} ${against}. Nothing was sent. As soon as this is otherwise it is done, if that is before ${until}; delete this object if it shall not be`;
}

function noRoom({ engine, object }: OperationContext, places: readonly Place[]): Outcome | undefined {
  for (const place of places) {
    const from = roomFrom(place.object, object, engine.clock.now());
    if (from === undefined) continue;
    const text = `${mostNotes} operations on ${place.name} are noted until their spec.notAfter; the first of these ends at ${shownTime(from)}`;
    return { is: 'Waiting', reason: 'Busy', message: `waits for room: ${text}`, on: [text], recheckAfter: seconds(60) };
  }
  return undefined;
}

const readOnly = ({ account }: OperationContext): Outcome | undefined =>
  account.readOnly
    ? {
        is: 'Waiting',
        reason: 'ReadOnly',
        message: `${account.paused ?? "the account's mode is ReadOnly"}: it is done when that is over, if that is before spec.notAfter`,
        on: ['spec.mode or the pause of the CloudAccount'],
        recheckAfter: seconds(60),
      }
    : undefined;

/** What is lost by it is shown first, and only who repeats what stands there has it done. What was accepted is noted, and only the note counts. */
async function unconfirmed(context: OperationContext, target: Target): Promise<Outcome | undefined> {
  const { object, status } = context;
  const consequences = consequencesOf(context, target);
  const challenge = consequences.length === 0 ? undefined : challengeOf(context, { ...target, ontoPath: target.onto?.path, consequences });
  const names = namesFor(context, target, consequences);
  Object.assign(status, { challenge, consequences: challenge && consequences, names });
  const { confirmed } = (object.status ?? {}) as { readonly confirmed?: { readonly challenge: string } };
  if (challenge === undefined || confirmed?.challenge === challenge) return undefined;
  if (annotation(object, confirmAnnotation) === challenge) return accept(context, challenge);
  const command = annotateCommand(object, confirmAnnotation, challenge);
  return {
    is: 'Approval',
    message: `it asks first: ${consequences.join('; ')}${legend(names)}. To have it done: ${command}. Else delete this object`,
  };
}

/** What the ids in its consequences are called; no part of what is confirmed. */
function namesFor(context: OperationContext, target: Target, consequences: readonly string[]): readonly string[] | undefined {
  const places = placesOf(target).flatMap((place) => nameOfId(context, target.kind, place.object));
  const given = Object.entries(target.given).map(([field, value]) => ({ field, value }));
  const names = namesIn(consequences, [...new Set([...places, ...namesOfIds(context, given)])]);
  return names.length === 0 ? undefined : names;
}

/** A live read shows who wrote it, and that it was not withdrawn meanwhile. */
async function accept(context: OperationContext, challenge: string): Promise<Outcome> {
  const { engine, object } = context;
  const live = await engine.objects.annotated(object.kind, keyOf(object), confirmAnnotation, context.signal);
  if (live?.object.metadata.uid !== object.metadata.uid || annotation(live.object, confirmAnnotation) !== challenge) return { is: 'Again' };
  const by = live.manager === undefined ? {} : { by: live.manager };
  context.status['confirmed'] = { at: shownTime(engine.clock.now()), challenge, ...by };
  return { is: 'Working', reason: 'Updating', message: 'it was confirmed', recheckAfter: seconds(0) };
}
