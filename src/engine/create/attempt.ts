import type { Millis } from '../../lib/clock.ts';
import { type AnyWant, type Body, type Call, minutes, post, type Row, seconds } from '../../resource/index.ts';
import { annotation, intentAnnotation, isDeleting, twinsAnnotation } from '../run/annotations.ts';
import { canonical } from '../converge/drift.ts';
import { outcomeOf } from '../status/faults.ts';
import { formatIntent, type Intent, sentWithin } from '../identity/intent.ts';
import { type Identity, installationTag, twinMac } from '../identity/marks.ts';
import type { Outcome } from '../outcome.ts';
import { noteBirth } from '../identity/lookup.ts';
import { itemOf } from '../converge/plan.ts';
import { CloudError, KubeError, type Permit, type Reply } from '../ports.ts';
import { resolve } from '../resolve/resolve.ts';
import { leaseLost } from '../run/send.ts';
import { how, keyOf, readRemote, type Turn } from '../run/turn.ts';
import { writeBorn, writeIntent, writeStruck, writeTwin } from './writes.ts';

/** W1 older than this at the socket write is written again: another process may have taken over meanwhile (design 4.3). */
const intentGoodFor: Millis = 5000;

type Use = (permit: Permit) => Promise<Outcome>;

/**
 * The budget's permit comes first (design 4.3): everything that the create depends on is looked at while it is held, so that
 * nothing grows old between the look and the POST. It may take minutes, so where it takes long the turn ends, and another one
 * begins when it has come.
 */
export function withTicket(turn: Turn, want: AnyWant, collection: string, use: Use): Promise<Outcome> {
  const { engine, object, kind, account, intake } = turn;
  const { connection } = account;
  const call = callOf(turn, want, collection);
  const queued = {
    uid: object.metadata.uid,
    what: `${call.path} ${call.rate ?? ''}`,
    from: connection,
    ask: (unwanted: AbortSignal) => connection.permit(call, { ...how(turn, 'create'), intake: unwanted }),
    ended: () => engine.wake(kind.kind, object.metadata, { urgent: true }),
    stopping: intake,
  };
  return holding(turn, want, () => engine.tickets.take(queued), use);
}

/** The same where the turn waits, because it has found out what the next one would have to find out again. */
export const withPermit = (turn: Turn, want: AnyWant, collection: string, use: Use): Promise<Outcome> =>
  holding(turn, want, () => turn.account.connection.permit(callOf(turn, want, collection), how(turn, 'create')), use);

async function holding(turn: Turn, want: AnyWant, come: () => Promise<Permit | undefined>, use: Use): Promise<Outcome> {
  const begun = turn.engine.clock.monotonic();
  let permit: Permit | undefined;
  try {
    permit = await come();
  } catch (error) {
    if (error instanceof CloudError) return outcomeOf(turn.kind, error, turn.object.spec);
    throw error;
  }
  if (permit === undefined) return { is: 'Quiet', recheckAfter: minutes(10) };
  try {
    const waited = turn.engine.clock.monotonic() - begun > 100;
    return waited && (await isStale(turn, want)) ? { is: 'Again' } : await use(permit);
  } finally {
    permit.release();
  }
}

function callOf(turn: Turn, want: AnyWant, collection: string): Call {
  const at = turn.kind.createPath?.(want) ?? collection;
  return post(at, at === collection ? createBody(turn, want) : turn.kind.create(want), turn.kind.createRate);
}

/** The object, or what it refers to, is not what it was when this turn began. */
async function isStale(turn: Turn, want: AnyWant): Promise<boolean> {
  const live = turn.engine.objects.get(turn.kind.kind, keyOf(turn.object));
  if (live?.metadata.uid !== turn.object.metadata.uid || isDeleting(live) || live.metadata.generation !== turn.object.metadata.generation)
    return true;
  turn.object = live;
  return canonical((await resolve(turn)).want) !== canonical(want);
}

/** One POST: W1, gate, POST, W2. W3 is the status that the outcome becomes. */
export async function attempt(turn: Turn, permit: Permit, want: AnyWant, earlier: Intent): Promise<Outcome> {
  const n = (earlier.attempts.at(-1)?.n ?? 0) + 1;
  const intent: Intent = {
    ...earlier,
    attempts: [...earlier.attempts, { n, at: new Date(turn.account.connection.apiNow()).toISOString() }],
  };
  const notedAt = turn.engine.clock.monotonic();
  await writeIntent(turn, intent);
  if (turn.kind.key.enforced === 'item')
    turn.engine.evidence.mayExistAgain(turn.object.metadata.uid, itemOf(turn.kind, intent.key.is, intent.key.in));
  const writtenAt = turn.engine.clock.monotonic();
  let reply: Reply;
  try {
    reply = await permit.send(() => gate(turn, intent, { notedAt, writtenAt }));
  } catch (error) {
    if (error instanceof CloudError) return failed(turn, intent, error);
    throw error;
  }
  return born(turn, { want, intent, row: reply.body as Row }, reply);
}

interface Times {
  /** The `at` of the attempt. */
  readonly notedAt: Millis;
  /** When W1 was answered. */
  readonly writtenAt: Millis;
}

/** The last look before the socket write; a text stops it. */
function gate(turn: Turn, intent: Intent, { notedAt, writtenAt }: Times): string | undefined {
  const at = turn.engine.clock.monotonic();
  const now = turn.engine.objects.get(turn.kind.kind, keyOf(turn.object));
  const lost = leaseLost(turn);
  if (lost !== undefined) return lost;
  if (at - writtenAt > intentGoodFor || at - notedAt > sentWithin) return 'the intent is too old';
  if (now?.metadata.uid !== turn.object.metadata.uid || isDeleting(now)) return 'the object is gone or being deleted';
  return annotation(now, intentAnnotation) === formatIntent(turn, intent) ? undefined : 'the intent was changed';
}

/** A definite refusal strikes its attempt; an unknown outcome leaves it open, to be looked up. */
async function failed(turn: Turn, intent: Intent, error: CloudError): Promise<Outcome> {
  if (error.fault === 'Unknown' || error.fault === 'Malformed') {
    turn.notes['intent'] = formatIntent(turn, intent);
    // The event of what it made, or of what somebody else made of that name, tells whose it is.
    const { commitBound, listLag } = turn.engine.settings;
    turn.account.connection.mirror.expect(intent.key.in, commitBound + listLag);
    return outcomeOf(
      turn.kind,
      new CloudError('Unknown', error.message, { ...(error.retryAfter !== undefined && { retryAfter: error.retryAfter }) }),
    );
  }
  const attempts = intent.attempts.slice(0, -1);
  if (turn.engine.leadership.held()) await writeStruck(turn, { ...intent, attempts });
  turn.notes['intent'] = undefined;
  if (error.fault === 'Abandoned') return { is: 'Again' };
  return error.fault === 'NotUnique'
    ? { is: 'Stalled', reason: 'AlreadyExists', message: error.message }
    : outcomeOf(turn.kind, error, turn.object.spec);
}

interface Birth {
  readonly want: AnyWant;
  readonly intent: Intent;
  readonly row: Row;
}

async function born(turn: Turn, { want, intent, row }: Birth, reply: Reply): Promise<Outcome> {
  const readable = typeof row === 'object' && row !== null ? readRemote(turn.kind, row) : { malformed: 'the answer is no object' };
  if ('malformed' in readable) return failed(turn, intent, new CloudError('Unknown', `the create was answered, but ${readable.malformed}`));
  const identity: Identity = {
    account: turn.account.connection.identity.account,
    path: itemOf(turn.kind, row, intent.key.in),
    how: 'created',
  };
  turn.engine.evidence.born.set(turn.object.metadata.uid, { identity, row });
  turn.engine.evidence.created(turn.object.metadata.uid, turn.engine.clock.monotonic());
  turn.account.connection.mirror.note(identity.path, row, reply);
  noteBirth(turn, intent.key.in, { path: identity.path, row });
  const outcome = await recordBirth(turn, identity, intent);
  if (outcome !== undefined) return outcome;
  rememberApplied(turn, want);
  turn.notes['intent'] = undefined;
  turn.engine.recorder.event(turn.object, {
    type: 'Normal',
    reason: 'Created',
    message: `created ${identity.path} in account ${identity.account}`,
  });
  return { is: 'Again' };
}

/** W2, tried until it is written or somebody else's identity is there; what is left over is a twin. */
export async function recordBirth(turn: Turn, identity: Identity, intent: Intent): Promise<Outcome | undefined> {
  try {
    const written = await writeBorn(turn, identity, intent);
    if (written === 'written') turn.engine.claims.claim(identity.account, identity.path, turn.object);
    else {
      turn.engine.evidence.born.delete(turn.object.metadata.uid);
      await noteTwin(turn, identity);
    }
    return written === 'written' ? undefined : { is: 'Again' };
  } catch (error) {
    if (!(error instanceof KubeError)) throw error;
    // The identity stays in memory and the intent in the object: the next turn writes it, or looks it up after a crash.
    return { is: 'Quiet', recheckAfter: seconds(1) };
  }
}

async function noteTwin(turn: Turn, identity: Identity): Promise<void> {
  try {
    const { path } = identity;
    const at = new Date(turn.account.connection.apiNow()).toISOString();
    await writeTwin(turn, twinsAnnotation, [{ path, at, mac: twinMac(turn.engine.key, turn.name, path) }]);
  } catch (error) {
    if (!(error instanceof KubeError)) throw error;
    turn.engine.log.error('a remote was created for an object that is gone; it must be deleted by hand', {
      kind: turn.kind.kind,
      path: identity.path,
      namespace: turn.object.metadata.namespace,
      name: turn.object.metadata.name,
    });
  }
}

/** The kind's body; where it has tags and the user may tag, the tags of account and installation with it (design 4.2). */
function createBody(turn: Turn, want: AnyWant): Body {
  const body = turn.kind.create(want);
  if (turn.kind.tags === undefined || turn.account.connection.identity.restricted) return body;
  const own = Array.isArray(body['tags']) ? (body['tags'] as string[]) : [];
  return { ...body, tags: [...new Set([...own, ...turn.account.tags, installationTag(turn.name.installation)])] };
}

/** What was sent with the create was applied: status remembers it as an HMAC, so that only a rotated value is applied again. */
export function rememberApplied(turn: Turn, want: AnyWant, only?: readonly string[]): void {
  const applied = Object.fromEntries(
    Object.entries(turn.kind.fields).flatMap(([field, rule]) => {
      const value = want[field];
      const remembered = rule.applied === true && value !== undefined && (only === undefined || only.includes(field));
      return remembered ? [[field, turn.engine.key.remember(turn.object.metadata.uid, field, value)]] : [];
    }),
  );
  if (Object.keys(applied).length > 0) turn.notes['applied'] = { ...(turn.object.status?.['applied'] as Row | undefined), ...applied };
}
