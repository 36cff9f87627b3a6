import { type AnyWant, type Call, collectionOfItem, get, itemOf, minutes, readRemote, type Row } from '../../resource/index.ts';
import { callOptions, type ReconcileContext } from '../context.ts';
import { namesake } from '../identity/called.ts';
import { claimedBy } from '../identity/ownership.ts';
import { takenBelow } from '../identity/taken-below.ts';
import type { Change, Outcome } from '../model/outcome.ts';
import { type BoundRemote, type Difference, isMadeOnce, type Update } from '../model/step.ts';
import { nameOf } from '../model/object-id.ts';
import { canonical } from '../model/values.ts';
import { shownIn } from '../plan/diff.ts';
import { putOf } from '../plan/plan-update.ts';
import { whyAnothersByNow } from '../resolve/whose-now.ts';
import { CloudError, type Lane, type Reply, type Resource } from '../ports/index.ts';
import { workAt } from '../resolve/at-work.ts';
import { outcomeOf } from '../status/fault-table.ts';
import { explain } from '../status/refusal-text.ts';
import { purposeOf } from './audit.ts';
import { changeOf, seenState, send, sendChange } from './send.ts';

/** An update as the ledger knows it: against what the kind's rules read, without parts that it is not about, and who has its name. */
export function updateOf(context: ReconcileContext, step: Update, present: BoundRemote): Change {
  const { call, changes } = step;
  const { identity, want, remote } = present;
  const changed = new Set(changes.map(({ field }) => field));
  const known = Object.entries(context.kind.fields).flatMap(([field, { part, members, read: look = members?.read }]) =>
    look === undefined || (part !== undefined && !changed.has(field)) ? [] : [[field, look(remote, want) ?? null]],
  );
  const [first] = changes;
  const value = first === undefined ? undefined : shownIn(context.kind, first.field, want, remote);
  // A PUT says the same however often it is sent, and is answered with what it made.
  const had = first === undefined || value === undefined || call.method === 'PUT' ? undefined : { field: first.field, value };
  return { ...changeOf(context, call, seenState(context, identity.path, [known, waitForName(context, step, present)])), had };
}

/** Which remote has the name that this one is to get; whoever asks is woken when that one has another. */
function waitForName(context: ReconcileContext, step: Update, { identity, want }: BoundRemote): string | undefined {
  const holder = isRenaming(context, step, want) ? namesake(context, want, identity.path) : undefined;
  if (holder === undefined) return undefined;
  const path = String(holder.status?.['path']);
  context.engine.claims.refuse(identity.account, path, context.object);
  return path;
}
const isRenaming = ({ kind }: ReconcileContext, { changes }: Update, want: AnyWant): boolean =>
  changes.some(({ field }) => field in (kind.key?.of(want) ?? {}));

/** Undefined: it was answered. */
export async function updateRemote(
  context: ReconcileContext,
  step: Update,
  change: Change,
  present: BoundRemote,
): Promise<Outcome | undefined> {
  const { call, pending } = step;
  const { cache } = context.account.connection;
  const { path } = present.identity;
  const lane = pending ? 'edit' : 'wait';
  const now = (): Promise<Call> => callNow(context, step, present, lane);
  const purpose = purposeOf(context, step.changes, pending ? 'edit' : 'drift');
  const once = step.changes.some(isMadeOnce);
  const isOfOthers = context.kind.changesAlso !== undefined || step.changes.some(({ member }) => member !== undefined);
  const objection = () => (isOfOthers ? takenMeanwhile(context, present) : undefined) ?? whyAnothersByNow(context, present.want);
  const sent = await sendChange(context, {
    call,
    now,
    change,
    lane,
    purpose,
    once,
    objection,
    meaning: (error) => meaningOf(context, error, present),
  });
  if ('reply' in sent) {
    noteReply(context, sent.reply, present);
    // Who waits for the name that this one had can have it now.
    if (isRenaming(context, step, present.want)) context.engine.claims.tell(present.identity);
    cache.expect(path, minutes(30));
    return undefined;
  }
  // What an update of unknown outcome did shows in the next read; every update is planned from there anew.
  if (['Unknown', 'NotFound', 'Busy'].includes(sent.error.fault)) cache.invalidate(path);
  return sent.outcome;
}

/** The call with what it sends along as that is at this moment, where its rule asks for it. */
async function callNow(context: ReconcileContext, step: Update, present: BoundRemote, lane: Lane): Promise<Call> {
  const { kind } = context;
  const { identity, remote, want } = present;
  const removal = step.changes.find((one) => one.member !== undefined && one.want === undefined);
  if (removal !== undefined) return removalNow(context, { call: step.call, removal }, present, lane);
  const change = step.changes.find(({ rule }) => rule.readFirst !== undefined);
  const first = change?.rule.readFirst;
  if (change === undefined || first === undefined) return step.call;
  const at = get(first === 'item' ? identity.path : first.path(remote));
  const { body } = await send(context, at, lane);
  const read = readRemote(kind, { ...remote, ...(first === 'item' ? (body as Row) : { [first.into]: body }) });
  if ('malformed' in read) throw new CloudError('Malformed', `GET ${at.path}: ${read.malformed}; nothing was sent`);
  if (change.rule.put !== undefined) return putOf({ kind, want, remote: read.remote }, step.changes);
  const call = stillRight(context, change, read.remote, want);
  if (call !== undefined) return call;
  context.account.connection.cache.invalidate(identity.path);
  throw new CloudError('Malformed', `GET ${at.path}: it shows something else by now than the change was planned for; nothing was sent`);
}

/** What lets go of a member goes by what the account shows at this moment: whose it is may have been told there since. */
async function removalNow(
  context: ReconcileContext,
  { call, removal: { rule, member = '' } }: { readonly call: Call; readonly removal: Difference },
  { identity: { path }, want }: BoundRemote,
  lane: Lane,
): Promise<Call> {
  const { cache } = context.account.connection;
  if (rule.part !== undefined) await cache.readPart(path, rule.part, callOptions(context, lane));
  const read = readRemote(context.kind, cache.get(path)?.remote ?? {});
  const now = 'malformed' in read ? undefined : rule.members?.call(member, undefined, read.remote, want);
  if (canonical(now) === canonical(call)) return call;
  throw new CloudError('Malformed', `GET ${path}: it shows something else by now than the change was planned for; nothing was sent`);
}

/** A member may have become another object's while its change waited for the rate window. */
function takenMeanwhile(context: ReconcileContext, { identity, want }: BoundRemote): string | undefined {
  const isSame = canonical(takenBelow(context, identity.path)) === canonical(want.taken ?? []);
  return isSame ? undefined : 'another object has taken, or let go of, something below the remote';
}

/** Undefined where it is nothing that this object may change any more. */
function stillRight(context: ReconcileContext, { rule, want: wanted }: Difference, remote: Row, want: AnyWant): Call | undefined {
  const others = rule.others?.(wanted, remote, want) ?? [];
  return others.some((path) => claimedBy(context, path) !== undefined) ? undefined : rule.call?.(wanted, remote, want);
}

function meaningOf(context: ReconcileContext, error: CloudError, { want, identity }: BoundRemote): Outcome {
  if (error.fault === 'NotFound') return notFound(error);
  const { kind, object } = context;
  const outcome = outcomeOf(kind, error, object, (field) => workAt(context, field));
  if (outcome.is !== 'Stalled' || outcome.reason !== 'AlreadyExists') return outcome;
  const holder = namesake(context, want, identity.path);
  const isNear = holder?.metadata.namespace === object.metadata.namespace;
  return isNear ? { ...outcome, message: takenHere(explain(kind, error, object.spec), holder) } : outcome;
}

const takenHere = (refused: string, { kind, metadata }: Resource): string =>
  `${refused}. ${kind} ${nameOf(metadata)} has this already: choose another value, or give that one another first; two that shall swap need a third in between. Nothing was changed; it is tried again as soon as that one has another, and within the hour`;

/** Gone, or hidden: the next reconcile proves which, and with back-off, as the service may go on to show what it does not let change. */
const notFound = (error: CloudError): Outcome => ({
  is: 'Retrying',
  reason: 'Unreachable',
  message: `${error.message}. The remote is looked for before anything else is sent`,
});

/** An answer that is the item itself is its newest state; anything else says only that it changed. */
function noteReply(context: ReconcileContext, reply: Reply, { identity }: BoundRemote): void {
  const { cache } = context.account.connection;
  const row = reply.body as Row;
  const collection = collectionOfItem(context.kind, identity.path);
  const readable = typeof row === 'object' && row !== null && 'remote' in readRemote(context.kind, row);
  if (readable && itemOf(context.kind, row, collection) === identity.path) cache.put(identity.path, row, reply);
  else cache.written(identity.path, reply);
}
