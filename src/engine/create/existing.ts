import type { Millis } from '../../lib/clock.ts';
import { inBrackets, wordOrQuoted } from '../../lib/quoted.ts';
import { shownTime } from '../../lib/utc-time.ts';
import { type AnyKind, type AnyWant, hasEnded, madeAt, minutes, seconds, transferOf } from '../../resource/index.ts';
import { bindRemote } from '../change/bind.ts';
import { toldApart } from '../change/outputs/owner.ts';
import { createOf } from '../change/send.ts';
import type { ReconcileContext } from '../context.ts';
import { mayTakeByMark } from '../identity/by-mark.ts';
import { candidates } from '../identity/candidates.ts';
import { baselineGoodFor, type Found, idIn, matching, stillThere } from '../identity/lookup.ts';
import { ambiguous } from '../identity/open-create.ts';
import { accountName, mayAdopt } from '../guard/recovery.ts';
import { claimedBy, hasForeignTag, hasKey, isOwn, refusedFor } from '../identity/ownership.ts';
import { annotateCommand, recreateAnnotation } from '../model/annotations.ts';
import type { Condition } from '../model/conditions.ts';
import { type Intent, intentOf } from '../model/intent.ts';
import type { Outcome } from '../model/outcome.ts';
import { canonical } from '../model/values.ts';
import { takeFound } from './unknown-outcome.ts';

/** Something with our natural key is there already: ours to take, somebody's, or a stranger. */
export async function existing(context: ReconcileContext, want: AnyWant, found: readonly Found[]): Promise<Outcome> {
  const free = found.filter(({ path }) => claimedBy(context, path) === undefined);
  const own = free.filter((one) => mayTakeByMark(context, one));
  if (own.length === 1 && own[0] !== undefined) return bindRemote(context, own[0], 'created');
  if (own.length > 1) return ambiguous(context, own, toldApart(context, own));
  const [stranger] = free;
  if (stranger === undefined) return alreadyClaimed(context, want, found);
  if (context.kind.takesOver !== undefined) return bindRemote(context, stranger, 'adopted');
  return {
    is: 'Stalled',
    reason: 'AlreadyExists',
    message: mayAdopt(context) ? toTakeOver(context, stranger, want) : hidden(context, want, free),
  };
}

function toTakeOver(context: ReconcileContext, stranger: Found, want: AnyWant): string {
  const { path, row } = stranger;
  const is = `${path} exists in the account${madeBy(context, stranger)}${isOver(context, stranger)}, and nothing shows that it was made for this object`;
  if (transferOf(context.kind, context.object.spec)?.awaits(row) === true)
    return `${is}. It waits for its data, to an address that was told once. If an earlier object of this name made it (a rebuilt cluster): delete it there, and another one is made, or wait until the service removes it; if not, give one of the two another name`;
  const beside = makeBeside(context, [stranger]) ?? ofAnotherName(context, want) ?? apart(context, want);
  if (context.kind.marked !== undefined && want.marks?.mayTag === true)
    return `${path} exists in the account and bears this object's mark, a tag that anybody may have copied, so it is not taken for that alone. If it is this object's (a rebuilt cluster): spec.recover: true on ${accountName(context)} until all is found, or spec.adopt: {id: ${JSON.stringify(idIn(context, stranger))}}; else take that tag off, or delete it there`;
  return `${is}. To take it over write spec.adopt: {id: ${JSON.stringify(idIn(context, stranger))}}; else ${beside}`;
}
/** Of what stays readable when it is over: nobody can rename or delete that in the account. */
function ofAnotherName({ kind }: ReconcileContext, want: AnyWant): string | undefined {
  const names = Object.keys(kind.key?.of(want) ?? {}).filter((field) => kind.fields[field] !== undefined);
  if (kind.deletion?.ended === undefined || names.length === 0) return undefined;
  const another = `another ${names.map((field) => `spec.${field}`).join(' or ')}`;
  return isSetOnce(kind, names) ? `delete this object, and make one with ${another}` : `write ${another}`;
}
const isSetOnce = ({ fields }: AnyKind, names: readonly string[]): boolean => names.some((field) => fields[field]?.immutable === true);

/** One of the two gets another name, where a field of the spec says that. */
function apart({ kind, object }: ReconcileContext, want: AnyWant): string {
  const names = kind.label === undefined ? Object.keys(kind.key?.of(want) ?? {}) : [kind.label.field];
  const isName = (field: string): boolean =>
    kind.fields[field] !== undefined && (kind.label !== undefined || typeof object.spec[field] === 'string');
  if (names.length === 0 || !names.every(isName)) return 'rename or delete it there';
  const another = `another ${names.map((field) => `spec.${field}`).join(' or ')}`;
  const here = isSetOnce(kind, names) ? `make an object with ${another} in place of this one` : `write ${another}`;
  return `${here}, or rename or delete the one there`;
}

/** Events are forgotten within the hour; who made it stays in the message. */
function madeBy(context: ReconcileContext, { path, row }: Found): string {
  const at = madeAt(context.kind, row);
  const [user, ...others] = context.account.connection.cache.creators(path, at);
  if (typeof user !== 'string' || others.length > 0) return madeAsTold(context, path);
  return ` (made${at === undefined ? '' : ` ${shownTime(at)}`} by ${wordOrQuoted(user)})`;
}
function madeAsTold({ object }: ReconcileContext, path: string): string {
  const begin = `${path} exists in the account`;
  const told = ((object.status?.['conditions'] ?? []) as readonly Condition[]).find(({ message }) =>
    message.startsWith(`${begin} (made `),
  )?.message;
  return inBrackets.exec(told?.slice(begin.length) ?? '')?.[0] ?? '';
}
const isOver = ({ kind }: ReconcileContext, { row }: Found): string => (hasEnded(kind, row) ? ', although it is over' : '');

/** Who may not adopt is not told what it is: a guessed name would be a way to look into the account. */
function hidden(context: ReconcileContext, want: AnyWant, free: readonly Found[]): string {
  const [made, orFound] = free.some(({ row }) => isOwn(context, row))
    ? [
        'was made for an object of this name, which let it go (lifecycle.onDelete: Retain, for example) or lost its status. Somebody else may count on it by now, so it is not taken without leave',
        ', have all that was lost found again (spec.recover: true)',
      ]
    : ['nothing shows that it was made for this object', ''];
  return `${nameOf(context, want)} exists in the account already, and ${made}. To get one of your own ${makeBeside(context, free) ?? ofAnotherName(context, want) ?? 'choose another name'}. To get that one ask the owner of ${accountName(context)}, who may let namespace ${context.object.metadata.namespace} adopt (spec.access[].adopt: Any)${orFound}${ofAnotherName(context, want) === undefined ? ', or delete it there' : ''}`;
}

/** What the spec itself says. */
const nameOf = ({ kind }: ReconcileContext, want: AnyWant): string => canonical(kind.key?.of(want));

const makeBeside = ({ kind, object }: ReconcileContext, there: readonly Found[]): string | undefined =>
  kind.key?.names === false || there.every(({ row }) => hasEnded(kind, row))
    ? `have another one made beside it: ${annotateCommand(object, recreateAnnotation, '<time>')}`
    : undefined;

function alreadyClaimed(context: ReconcileContext, want: AnyWant, found: readonly Found[]): Outcome {
  // In the overlap of a rotation both are called so, and only that of the one in use is let go with an object.
  const one = found.find((each) => isInUse(context, each)) ?? found[0] ?? { path: '', row: {} };
  const other = makeBeside(context, found);
  const or = other === undefined ? '' : `, or ${other}`;
  const holder = claimedBy(context, one.path);
  const near = context.engine.claims.holder(context.account.connection.identity.account, one.path)?.key.namespace;
  const isNear = near === context.object.metadata.namespace;
  const message =
    mayAdopt(context) || isNear
      ? `${one.path} has this spec's name already and belongs to ${holder}. ${isNear && mayAdopt(context) ? `${toBeHandedOver(context, one)}else delete` : 'Delete'} one of the two objects, or give this one another name${or}`
      : `${nameOf(context, want)} exists in the account already, and belongs to ${holder}. Choose another name, or ask the owner of ${accountName(context)} whose it is${or}`;
  if (hasAnotherName(context, want, one)) context.engine.wake(context.object.kind, context.object.metadata, { after: listsShowIt });
  return refusedFor(context, one.path, { is: 'Stalled', reason: 'AlreadyClaimed', message });
}
/** Whoever was woken for that looks before a list shows it. */
const listsShowIt = baselineGoodFor + seconds(1);
function hasAnotherName({ kind, account }: ReconcileContext, want: AnyWant, { path }: Found): boolean {
  const now = account.connection.cache.get(path)?.remote;
  return kind.key !== undefined && now !== undefined && !hasKey({ kind }, kind.key.of(want), want, now);
}
/** In the words by which `kubectl cloud` knows it. */
const toBeHandedOver = (context: ReconcileContext, one: Found): string =>
  `If this is that object under another name, write spec.adopt: {id: ${JSON.stringify(idIn(context, one))}${hasForeignTag(context, one.row) ? ', force: true' : ''}} here and delete that one then, which hands over what it has; `;

function isInUse({ engine, account }: ReconcileContext, { path }: Found): boolean {
  const holder = engine.claims.holder(account.connection.identity.account, path);
  return holder !== undefined && engine.claims.of(holder.uid)?.path === path;
}

/** The service refused a second one: it is ours, somebody's, on its way out, or a stranger's (README: create). */
export async function refusedAsDuplicate(context: ReconcileContext, want: AnyWant, key: Intent['key']): Promise<Outcome> {
  const { ledger, clock } = context.engine;
  const { uid } = context.object.metadata;
  const change = createOf(context, want);
  const taken = await takenBy(context, want, key);
  const outcome = taken ?? notSeen(key, ledger.refusedFor(uid, change, clock.monotonic()));
  if (outcome.is !== 'Again') ledger.note(uid, change, { is: 'refused', outcome, final: taken !== undefined }, clock.monotonic());
  return outcome;
}

/** Whose this name is; undefined: nothing of that name can be seen. */
export async function takenBy(context: ReconcileContext, want: AnyWant, key: Intent['key']): Promise<Outcome | undefined> {
  const found = await matching(context, key, want, context.engine.clock.monotonic());
  const open = intentOf(context);
  const [made, ...more] = open === undefined ? [] : candidates(context, open, found);
  if (open !== undefined && made !== undefined && more.length === 0) return takeFound(context, made, open);
  const there = await stillThere(context, found);
  return there.length > 0 ? existing(context, want, there) : undefined;
}

function notSeen(key: Intent['key'], refusedFor: Millis): Outcome {
  const name = canonical(key.is);
  if (refusedFor < minutes(30))
    return {
      is: 'Waiting',
      reason: 'Busy',
      message: `the API says that ${name} is taken, but shows nothing of that name: most likely it is being deleted. It is tried again for 30 minutes`,
      on: [name],
      recheckAfter: seconds(15),
    };
  return {
    is: 'Stalled',
    reason: 'AlreadyExists',
    message: `the API has refused ${name} as taken for 30 minutes, and nothing of that name can be seen with this token. Choose another name, or ask the owner of the account`,
  };
}
