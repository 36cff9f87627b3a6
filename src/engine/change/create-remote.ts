import type { Millis } from '../../lib/clock.ts';
import {
  type AnyWant,
  type Appearing,
  asCollection,
  type Call,
  itemOf,
  nonceOf,
  readRemote,
  type Row,
  seconds,
} from '../../resource/index.ts';
import type { ReconcileContext } from '../context.ts';
import { mayMake } from '../guard/recovery.ts';
import { isUndated } from '../identity/candidates.ts';
import { noteRecentCreate } from '../identity/lookup.ts';
import { annotation, intentAnnotation, isDeleting, recreateAnnotation, twinsAnnotation } from '../model/annotations.ts';
import { type Identity, duplicateMac } from '../model/identity.ts';
import { formatIntent, type Intent, lastOver, sentWithin } from '../model/intent.ts';
import { keyOf } from '../model/object-id.ts';
import type { Outcome } from '../model/outcome.ts';
import { withoutTold } from '../outputs/told-once.ts';
import { appliedValues } from '../plan/applied-values.ts';
import { CloudError, hasMovedOn, KubeError, type Permit, type Reply } from '../ports/index.ts';
import { workAt } from '../resolve/at-work.ts';
import { outcomeOf } from '../status/fault-table.ts';
import { sendAudited } from './audit.ts';
import { useInstallation } from './bind.ts';
import { RefusedMetadata, writeDuplicates, writeIntentCopy, writeStruck, writeW1, writeW2 } from './metadata.ts';
import { answerOf, createOf, mayNotSend } from './send.ts';
import { keepTold } from './outputs/keeper.ts';

/** W1 older than this at the socket write is written again: another process may have taken over meanwhile (README: create). */
const intentGoodFor: Millis = 5000;

/** One POST: W1, gate, POST, the Secret of what is told once, W2. W3 is the status that the outcome becomes. */
export async function sendCreate(context: ReconcileContext, permit: Permit, want: AnyWant, earlier: Intent): Promise<Outcome> {
  const named = await useInstallation(context);
  if (named !== undefined) return named;
  const n = Math.max(lastOver(context).n, earlier.attempts.at(-1)?.n ?? 0) + 1;
  const intent: Intent = {
    ...earlier,
    attempts: [
      ...earlier.attempts,
      { n, at: new Date(context.account.connection.apiNow()).toISOString(), ...wishOf(context), ...nonceIn(context, permit.call) },
    ],
  };
  const notedAt = context.engine.clock.monotonic();
  if (intent.renews !== undefined) await writeIntentCopy(context, intent);
  await writeW1(context, intent, derivedIn(context, want, intent));
  if (context.kind.key?.enforced === 'item')
    context.engine.objectMemory.mayExistAgain(context.object.metadata.uid, itemOf(context.kind, intent.key.is, intent.key.in));
  const writtenAt = context.engine.clock.monotonic();
  let reply: Reply;
  try {
    const call = { method: 'POST', path: pathOf(context, want, intent) } as const;
    const purpose = { effect: 'Create', cause: intent.renews === undefined ? 'edit' : 'rotation' } as const;
    reply = await sendAudited(context, permit, { call, purpose, gate: () => gate(context, intent, { notedAt, writtenAt }) });
  } catch (error) {
    if (error instanceof CloudError) return failed(context, { want, intent }, error);
    throw error;
  }
  return recordCreated(context, { want, intent, row: rowIn(context, want, reply) }, reply);
}

function rowIn({ kind }: ReconcileContext, want: AnyWant, { body }: Reply): Row {
  const answer = body as Row;
  return typeof answer === 'object' && answer !== null ? (asCollection(kind)?.born?.(answer, want) ?? answer) : answer;
}
const pathOf = ({ kind }: ReconcileContext, want: AnyWant, { key }: Intent): string => asCollection(kind)?.createPath?.(want) ?? key.in;

function wishOf({ kind, object }: ReconcileContext): { readonly wish?: string } {
  const wish = kind.attempts === undefined && !isUndated(kind) ? undefined : annotation(object, recreateAnnotation);
  return wish === undefined ? {} : { wish };
}
/** What tells this attempt from all others. */
function nonceIn({ kind }: ReconcileContext, { body }: Call): { readonly nonce?: string } {
  const label = kind.label?.nonce === true ? body?.[kind.label.field] : undefined;
  return typeof label === 'string' ? { nonce: nonceOf(label) } : {};
}
/** The label that it is made with, where nobody chose one. */
function derivedIn({ kind }: ReconcileContext, { name }: AnyWant, { key }: Intent): string | undefined {
  return kind.label !== undefined && key.is[kind.label.field] === name ? name : undefined;
}

interface Times {
  /** The `at` of the attempt. */
  readonly notedAt: Millis;
  /** When W1 was answered. */
  readonly writtenAt: Millis;
}

/** The last look before the socket write; a text stops it. */
function gate(context: ReconcileContext, intent: Intent, { notedAt, writtenAt }: Times): string | undefined {
  const at = context.engine.clock.monotonic();
  const now = context.engine.objects.get(context.kind.kind, keyOf(context.object));
  const lost = mayNotSend(context);
  if (lost !== undefined) return lost;
  if (!mayMake(context)) return 'the account recovers';
  if (at - writtenAt > intentGoodFor || at - notedAt > sentWithin) return 'the intent is too old';
  if (now?.metadata.uid !== context.object.metadata.uid || isDeleting(now)) return 'the object is gone or being deleted';
  return annotation(now, intentAnnotation) === formatIntent(context, intent) ? undefined : 'the intent was changed';
}

/** A definite refusal strikes its attempt; an unknown outcome leaves it open, to be looked up. */
async function failed(context: ReconcileContext, { want, intent }: Asked, error: CloudError): Promise<Outcome> {
  if (error.fault === 'Unknown' || error.fault === 'Malformed') {
    context.status['intent'] = formatIntent(context, intent);
    // The event of what it made, or of what somebody else made of that name, tells whose it is.
    const { commitBound, listLag } = context.engine.settings;
    context.account.connection.cache.expect(intent.key.in, commitBound + listLag);
    return outcomeOf(
      context.kind,
      new CloudError('Unknown', error.message, { ...(error.retryAfter !== undefined && { retryAfter: error.retryAfter }) }),
    );
  }
  const attempts = intent.attempts.slice(0, -1);
  if (context.effects.leads()) await writeStruck(context, intent, attempts);
  context.status['intent'] = undefined;
  if (error.fault === 'Abandoned') return { is: 'Again' };
  // Who has the name is looked up before it is noted.
  if (error.fault === 'NotUnique') return { is: 'Stalled', reason: 'AlreadyExists', message: error.message };
  const outcome = outcomeOf(context.kind, error, context.object, (field) => workAt(context, field));
  const answer = answerOf(error.fault, outcome, 0);
  const { ledger, clock } = context.engine;
  if (answer !== undefined) ledger.note(context.object.metadata.uid, createOf(context, want), answer, clock.monotonic());
  return outcome;
}

interface Asked {
  readonly want: AnyWant;
  readonly intent: Intent;
}
interface Created extends Asked {
  readonly row: Row;
}

async function recordCreated(context: ReconcileContext, { want, intent, row }: Created, reply: Reply): Promise<Outcome> {
  const appears = asCollection(context.kind)?.appears;
  if (appears !== undefined) return recordTaken(context, intent, appears);
  const readable = typeof row === 'object' && row !== null ? readRemote(context.kind, row) : { malformed: 'the answer is no object' };
  if ('malformed' in readable)
    return failed(context, { want, intent }, new CloudError('Unknown', `the create was answered, but ${readable.malformed}`));
  const identity: Identity = {
    account: context.account.connection.identity.account,
    path: itemOf(context.kind, row, intent.key.in),
    how: 'created',
  };
  const unkept = await keepTold(context, { identity, want, remote: readable.remote });
  if (unkept !== undefined) return failed(context, { want, intent }, new CloudError('Unknown', `${identity.path} was made, but ${unkept}`));
  return bindCreated(context, { want, intent, row: withoutTold(context.kind, row) }, { identity, reply });
}

/** What it makes is not known before it is listed: until then the create is open, like one without an answer. */
async function recordTaken(context: ReconcileContext, intent: Intent, { says }: Appearing): Promise<Outcome> {
  const attempts = intent.attempts.map((attempt, at, all) => (at === all.length - 1 ? { ...attempt, taken: true as const } : attempt));
  const open: Intent = { ...intent, attempts };
  context.engine.ledger.settled(context.object.metadata.uid);
  context.status['intent'] = formatIntent(context, open);
  try {
    await writeStruck(context, open, attempts);
  } catch (error) {
    // Who wrote the object meanwhile may have taken the annotation away: the copy in status is all that tells of it then.
    if (!hasMovedOn(error)) throw error;
  }
  return { is: 'Working', reason: 'Creating', message: says, recheckAfter: seconds(15) };
}

interface Answered {
  readonly identity: Identity;
  readonly reply: Reply;
}
async function bindCreated(context: ReconcileContext, { want, intent, row }: Created, { identity, reply }: Answered): Promise<Outcome> {
  context.engine.objectMemory.made.set(context.object.metadata.uid, { identity, row });
  context.engine.objectMemory.created(context.object.metadata.uid, context.engine.clock.monotonic());
  // It is this object's although that cannot be written yet. What it renews is claimed until the new one is noted.
  if (intent.renews === undefined) context.engine.claims.claim(identity.account, identity.path, context.object);
  context.engine.ledger.settled(context.object.metadata.uid);
  context.account.connection.cache.put(identity.path, row, reply);
  // Under the name that it has once its label is put right: others look for that.
  noteRecentCreate(context, intent.key.in, {
    path: identity.path,
    row: { ...row, ...(context.kind.label?.nonce === true && intent.key.is) },
  });
  const outcome = await recordIdentity(context, identity, intent);
  if (outcome !== undefined) return outcome;
  Object.assign(context.status, appliedValues(context, want));
  // Until status names what has taken the place, its copy is all that is left where annotations are taken away.
  context.status['intent'] = intent.renews === undefined ? undefined : formatIntent(context, intent);
  tellCreated(context, identity, intent.renews === undefined ? '' : `, which takes the place of ${intent.renews}`);
  return { is: 'Again' };
}

export const tellCreated = ({ engine, object }: ReconcileContext, { path, account }: Identity, place = ''): void =>
  engine.recorder.event(object, { type: 'Normal', reason: 'Created', message: `created ${path} in account ${account}${place}` });

/** W2, tried until it is written or somebody else's identity is there; what is left over is a duplicate. */
export async function recordIdentity(context: ReconcileContext, identity: Identity, intent: Intent): Promise<Outcome | undefined> {
  try {
    const written = await writeW2(context, identity, intent);
    if (written === 'written') {
      context.engine.claims.claim(identity.account, identity.path, context.object);
      // A replacement that was asked for has come about.
      context.status['plan'] = undefined;
    } else {
      // What was only found may be anybody's.
      if (context.engine.objectMemory.made.delete(context.object.metadata.uid)) await noteDuplicate(context, identity);
    }
    return written === 'written' ? undefined : { is: 'Again' };
  } catch (error) {
    if (error instanceof RefusedMetadata) throw new RefusedMetadata(error, identity);
    if (!(error instanceof KubeError)) throw error;
    // The identity stays in memory and the intent in the object: the next reconcile writes it, or looks it up after a crash.
    return { is: 'Quiet', recheckAfter: seconds(1) };
  }
}

async function noteDuplicate(context: ReconcileContext, identity: Identity): Promise<void> {
  try {
    const { path } = identity;
    const at = new Date(context.account.connection.apiNow()).toISOString();
    await writeDuplicates(context, twinsAnnotation, [{ path, at, mac: duplicateMac(context, { path, at }) }]);
  } catch (error) {
    if (!(error instanceof KubeError)) throw error;
    context.engine.log.error('a remote was created for an object that is gone; it must be deleted by hand', {
      kind: context.kind.kind,
      path: identity.path,
      namespace: context.object.metadata.namespace,
      name: context.object.metadata.name,
    });
  }
}
