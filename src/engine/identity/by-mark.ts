import type { Millis } from '../../lib/clock.ts';
import { type AnyWant, bearsKey, itemOf, madeAt } from '../../resource/index.ts';
import type { ClusterContext } from '../context.ts';
import { isRecovering, mayAdopt } from '../guard/recovery.ts';
import { type Identity, ownerKeyLength } from '../model/identity.ts';
import { intentOf } from '../model/intent.ts';
import { adoptOf, type BoundRemote, namesPath } from '../model/step.ts';
import { newSince } from './candidates.ts';
import { type Found, listing } from './lookup.ts';
import { claimedBy, isOwn } from './ownership.ts';
import { adoptersOf } from './recovery.ts';

/**
 * It bears this object's mark, and that suffices here. A mark outlives a hand-over: what an earlier object of the name let go
 * may have been adopted since. So of whoever may not adopt it must have come since a create that is open of this very object.
 */
export const mayTakeByMark = (context: ClusterContext, found: Found): boolean =>
  isOwn(context, found.row) && (mayAdopt(context) || isOfOpenCreate(context, found) || isFoundAgain(context, found));

const isFoundAgain = (context: ClusterContext, found: Found): boolean => isRecovering(context) && adoptersOf(context, found).length === 0;

/** However late: nobody else makes this mark. What was there before is noted only of a counted kind. */
function isOfOpenCreate(context: ClusterContext, found: Found): boolean {
  const intent = intentOf(context);
  const made = madeAt(context.kind, found.row);
  if (intent === undefined || newSince(intent, [found]).length === 0) return false;
  return made === undefined ? context.kind.key?.enforced === 'counted' : made >= Date.parse(intent.attempts[0]?.at ?? '') - 2000;
}

/** What bears its mark in a listing of this age, and no other object has. */
export async function markedIn(context: ClusterContext, collection: string, notBefore: Millis): Promise<readonly Found[]> {
  const rows = await listing(context, collection, notBefore);
  return rows
    .filter((row) => isOwn(context, row))
    .map((row) => ({ row, path: itemOf(context.kind, row, collection) }))
    .filter(({ path }) => claimedBy(context, path) === undefined);
}

/**
 * For a look at a remote that the spec takes over by its id: with the keys of whoever had it before in this namespace, and is gone.
 * What they marked, on it or below it, is this object's by that. Names are read off the remote, where anybody may have written them:
 * the key proves them, and is made for no other namespace. Not while the account recovers, as who is not there may come back.
 */
export function withFormer(context: ClusterContext, { identity, remote, want }: BoundRemote): AnyWant {
  const { key, name } = context;
  if (want.marks === undefined || !isTakenOver(context, identity)) return want;
  const own = key.ownerKeys(name);
  const former = [...new Set(namesBefore(context, { identity, remote, own }))]
    .filter((one) => one !== name.name && isGone(context, one))
    .flatMap((one) => key.ownerKeys({ ...name, name: one }));
  return former.length === 0 ? want : { ...want, marks: { ...want.marks, former } };
}

function isTakenOver(context: ClusterContext, { how, path }: Identity): boolean {
  const { id } = adoptOf(context.object.spec) ?? {};
  const isAsked = how === 'adopted' && id !== undefined && namesPath(context.kind, id, path);
  return isAsked && mayAdopt(context) && !isRecovering(context);
}

type Marked = Omit<BoundRemote, 'want'> & { readonly own: readonly string[] };
/** Of who let go of it while this process ran, and those in its label and in marks that are not this object's. */
function namesBefore({ kind, engine, account, object }: ClusterContext, { identity, remote, own }: Marked): readonly string[] {
  const before = engine.claims.before(account.connection.identity.account, identity.path)?.key;
  const marks = kind.marked?.(remote).filter(({ tag }) => !bearsKey(tag, own)) ?? [];
  const label = kind.label === undefined ? undefined : remote[kind.label.field];
  return [
    ...(before?.namespace === object.metadata.namespace ? [before.name] : []),
    ...marks.map(({ name }) => name),
    ...(typeof label === 'string' ? [label.slice(0, -ownerKeyLength - 1)] : []),
  ];
}
const isGone = ({ engine, kind, object }: ClusterContext, name: string): boolean =>
  engine.objects.get(kind.kind, { namespace: object.metadata.namespace, name }) === undefined;
