import type { Millis } from '../../lib/clock.ts';
import { type AnyWant, asConnection, type Call, digest, type Row } from '../../resource/index.ts';
import { callOptions, type ReconcileContext } from '../context.ts';
import { keyOf } from '../model/object-id.ts';
import type { Answer, Change, Held, Outcome } from '../model/outcome.ts';
import { isPaused } from '../model/pause.ts';
import { canonical } from '../model/values.ts';
import { CloudError, type Fault, type Lane, type Reply } from '../ports/index.ts';
import { type Purpose, sendAudited } from './audit.ts';

/** Why nothing may be sent any more: by the time that the budget gives leave, another process may work, the account be closed, or the object be gone or another. */
export function mayNotSend(context: ReconcileContext): string | undefined {
  const { engine, account, effects } = context;
  if (!effects.leads()) return 'the lease is not held';
  if (!engine.accountLeases.held(account.key)) return 'the lease of the account is not held';
  const now = engine.accounts.get(account.key);
  if (now?.connection !== account.connection) return 'the account is not connected any more as it was';
  if (now.readOnly && !account.readOnly) return 'the account has been paused or made read-only';
  return changedMeanwhile(context);
}

/** What was decided holds for the object as it was; somebody may have paused, edited or deleted it while its change waited for the rate window. */
function changedMeanwhile({ engine, kind, object }: ReconcileContext): string | undefined {
  const now = engine.objects.get(kind.kind, keyOf(object));
  // Whoever took the finalizer away wants nothing more done for it.
  if (now?.metadata.uid !== object.metadata.uid) return 'the object is gone, or another one has its name';
  if (isPaused(now, engine.clock.now())) return 'the object has been paused';
  return now.metadata.generation > object.metadata.generation ? 'the object was edited or deleted' : undefined;
}

interface About {
  readonly purpose: Purpose;
  /** Why this one may not be sent any more, asked in the tick of the socket write. */
  readonly objection?: (() => string | undefined) | undefined;
}
/** One call, when the budget gives leave for it; `about` of one that changes something. Rejects with a CloudError. */
export async function send(context: ReconcileContext, call: Call, lane: Lane, about?: About): Promise<Reply> {
  const permit = await context.effects.permit(call, callOptions(context, lane));
  const gate = (): string | undefined => mayNotSend(context) ?? about?.objection?.();
  try {
    return await (about === undefined ? permit.send(gate) : sendAudited(context, permit, { call, purpose: about.purpose, gate }));
  } finally {
    permit.release();
  }
}

/** What is asked for, and what the token may do: keyed, because Secrets are part of it. */
function wishOf({ key, object, account }: ReconcileContext, asked: unknown, body: unknown): string {
  const { scopes, restricted, user } = account.connection.identity;
  return key.remember(object.metadata.uid, 'wish', { text: canonical([asked, body, scopes, restricted, user]), body });
}

/** A call as the ledger knows it. `seen`: what the account has where it bears on the change. */
export const changeOf = (context: ReconcileContext, { method, path, body }: Call, seen: string): Change => ({
  wish: wishOf(context, [method, path], body),
  seen,
  generation: context.object.metadata.generation,
});

/** A create as the ledger knows it: by what is wanted, as the body is made only for the call. */
export const createOf = (context: ReconcileContext, want: AnyWant): Change => ({
  wish: wishOf(context, 'create', want),
  seen: '',
  generation: 0,
});

/** What is known of the remote where it bears on a change, and the jobs that run on it. */
export function seenState({ account }: ReconcileContext, path: string, known: unknown): string {
  const jobs = account.connection.cache
    .jobs(path)
    .flatMap(({ id, status }) => (status === 'scheduled' || status === 'started' ? [id] : []));
  return digest(canonical([known, jobs]));
}

/** Why this change is not sent now. */
export const heldChange = ({ engine, object }: ReconcileContext, change: Change): Held | undefined =>
  engine.ledger.held(object.metadata.uid, change, engine.clock.monotonic());

/** It was refused, and stays so; whatever woke the object, it is looked at when the time of that has come. */
export function stillRefused({ engine, object }: ReconcileContext, outcome: Outcome, until: Millis): Outcome {
  engine.wake(object.kind, object.metadata, { after: Math.max(1, until - engine.clock.monotonic()) });
  return outcome;
}

export type Sent = { readonly reply: Reply } | { readonly error: CloudError; readonly outcome: Outcome };
interface Sending extends About {
  readonly call: Call;
  readonly lane: Lane;
  readonly change: Change;
  readonly meaning: (error: CloudError) => Outcome;
  /** What a refusal says is so already: as good as an accepted call, whatever a list that lags still shows. */
  readonly isDone?: (error: CloudError) => boolean;
  /** Looks what the call is at this moment; absent: as it was planned. */
  readonly now?: () => Promise<Call>;
  /** It is written down before it is sent, which the queue takes for progress: its failures are not counted there. */
  readonly once?: boolean;
}

/** Sends a change that is not held, and notes what became of it: what failed before it was sent is no answer to it. */
export async function sendChange(context: ReconcileContext, sending: Sending): Promise<Sent> {
  const { lane, change, meaning, now = () => Promise.resolve(sending.call) } = sending;
  const note = (answer: Answer): void =>
    context.engine.ledger.note(context.object.metadata.uid, change, answer, context.engine.clock.monotonic());
  let call: Call | undefined;
  try {
    call = await now();
    const reply = await send(context, call, lane, sending);
    note({ is: 'accepted' });
    return { reply };
  } catch (error) {
    if (!(error instanceof CloudError)) throw error;
    const outcome = meaning(error);
    const answer = call === undefined ? undefined : answerIn(context, { ...sending, call }, error, outcome);
    if (answer !== undefined) note(answer);
    return { error, outcome };
  }
}

function answerIn(context: ReconcileContext, sending: Sending, error: CloudError, outcome: Outcome): Answer | undefined {
  if (sending.isDone?.(error) === true) return { is: 'accepted', showsWithin: context.engine.settings.listLag };
  if (error.fault === 'Unavailable' && isCountedHere(context, sending)) return refusedNow(outcome);
  return answerOf(error.fault, outcome, sending.call.method === 'PUT' ? 0 : context.engine.settings.commitBound);
}

/**
 * A change of the account that a 503 meets is an outage of the account, which the next good read ends and wakes it: only what is
 * noted keeps the two from following each other every few seconds.
 */
const isCountedHere = ({ kind }: ReconcileContext, { once }: Sending): boolean => once === true || asConnection(kind) !== undefined;

/** What was not sent is no answer. A PUT says the same however often it is sent; what else was lost must surely not come about any more. */
export function answerOf(fault: Fault, outcome: Outcome, mayComeWithin: Millis): Answer | undefined {
  if (fault === 'Unknown') return { is: 'unknown', outcome, mayComeWithin };
  return notAnswered.has(fault) ? undefined : refusedNow(outcome);
}
const refusedNow = (outcome: Outcome): Answer => ({ is: 'refused', outcome, final: outcome.is === 'Stalled' });
const notAnswered: ReadonlySet<Fault> = new Set(['Throttled', 'Unavailable', 'Abandoned', 'Malformed']);

/** The call by which a remote goes, as the ledger knows it: whatever the spec says by now. */
export const removalOf = (context: ReconcileContext, call: Call, path: string, remote: Row): Change => ({
  ...changeOf(context, call, seenState(context, path, rowOf(context, remote))),
  generation: 0,
});

/** Without parts, which come and go with what was read of them. */
const rowOf = ({ kind }: ReconcileContext, remote: Row): Row => {
  const parts = Object.keys(kind.parts ?? {});
  return Object.fromEntries(Object.entries(remote).filter(([field]) => field !== 'updated' && !parts.includes(field)));
};

/** It is over by this very call, also where the answer to that was lost. */
export function noteEnded({ engine, kind, account }: ReconcileContext, path: string, sent: Sent): void {
  if (kind.deletion?.ended === undefined || ('error' in sent && sent.error.fault !== 'Unknown')) return;
  engine.claims.ended({ account: account.connection.identity.account, path });
}
