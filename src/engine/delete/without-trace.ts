import { wordOrQuoted } from '../../lib/quoted.ts';
import { type AnyWant, collectionOf, hasEnded, type Row, seconds } from '../../resource/index.ts';
import { bindRemote } from '../change/bind.ts';
import { type CollectionContext, isOfCollection, type ReconcileContext } from '../context.ts';
import { notForThisUser } from '../guard/account-limit.ts';
import { accountName } from '../guard/recovery.ts';
import { markedIn, mayTakeByMark } from '../identity/by-mark.ts';
import { feedText } from '../identity/birth.ts';
import { called } from '../identity/called.ts';
import { isWitnessed, mayBeOurs, witnessIn } from '../identity/candidates.ts';
import { baselineGoodFor, type Found, stillThere } from '../identity/lookup.ts';
import { hasKey } from '../identity/ownership.ts';
import { lookAlike } from '../identity/look-alike.ts';
import { isNamedBy, mayBeAskedFor, mayLeadHere } from '../identity/recovery.ts';
import { annotation, remoteAnnotation, remotesBefore } from '../model/annotations.ts';
import { isStalled } from '../model/conditions.ts';
import { isHalfMadeLabel } from '../model/identity.ts';
import { lastOver } from '../model/intent.ts';
import type { Outcome } from '../model/outcome.ts';
import type { Adopt } from '../model/step.ts';
import type { Resource } from '../ports/index.ts';
import { keyFrom, kindReferred } from '../resolve/named.ts';
import { resolve, type Resolved } from '../resolve/resolve.ts';
import { releaseObject, releaseWithNotice } from './let-go.ts';

const nothingTells = 'nothing on it tells of anything that was made for it';

/**
 * It has the finalizer, which comes with an identity or an intent, and neither is there: whoever wrote its manifest or its status took
 * them away. The account may know more: what bears its mark is its own by the same judgement as before its deletion.
 */
export async function withoutTrace(context: ReconcileContext): Promise<Outcome> {
  if (lastOver(context).n > 0) return releaseObject(context, 'its create is known to have made nothing');
  if (remotesBefore(context.object) > 0) return releaseObject(context, 'what it had is gone, and nothing was made since');
  if (!isOfCollection(context) || context.kind.label === undefined) return releaseObject(context, nothingTells);
  return notForThisUser(context) ?? lookByMark(context, await resolve(context));
}

async function lookByMark(context: CollectionContext, resolved: Resolved): Promise<Outcome> {
  const { kind } = context;
  const above = kind.parent?.ref;
  if (above !== undefined && resolved.unresolved.includes(above))
    return (
      parentMayCome(context, above) ??
      releaseWithNotice(context, `${nothingTells}, and where to look for its mark cannot be told, as spec.${above} leads to nothing`)
    );
  const found = await bearers(context, collectionOf(kind, resolved.want));
  const [own] = found;
  if (own === undefined) return withoutMark(context, resolved.want);
  const doubt = doubtOf(context, resolved, found);
  if (doubt !== undefined) return releaseWithNotice(context, `${nothingTells}. ${doubt}`, todoOf(context, found));
  return isWitnessed(context, own) ? bindRemote(context, { ...own, swept: true }, 'created') : notWitnessed(context, own);
}

/** What it is in may have lost its notes, too, and gets them back by itself. */
function parentMayCome({ engine, kind, object }: CollectionContext, ref: string): Outcome | undefined {
  const named = (object.spec[ref] ?? {}) as Row;
  const target = kindReferred(engine, kind, ref);
  const above = target && engine.objects.get(target.kind, keyFrom(object, named));
  if (above === undefined || isStalled(above)) return undefined;
  return {
    is: 'Waiting',
    reason: 'ReferenceNotReady',
    message: `${nothingTells}. What spec.${ref} names is there and has no id yet; with that it is looked for by its mark, and goes by its policy`,
    on: [`spec.${ref}`],
    recheckAfter: seconds(10),
  };
}

/** What bears its mark, and is there still. */
async function bearers(context: CollectionContext, collection: string): Promise<readonly Found[]> {
  const marked = await markedIn(context, collection, context.engine.clock.monotonic() - baselineGoodFor);
  return stillThere(
    context,
    marked.filter(({ row }) => !hasEnded(context.kind, row)),
  );
}

/** Somebody may have given the label of what is gone to something else, which events tell. */
const notWitnessed = (context: CollectionContext, found: Found): Outcome => ({
  is: 'Working',
  reason: 'Deleting',
  message: `${nothingTells}. ${called(context, [found])} bears its mark, and goes with it by its policy once the events of the account were read, which may say that somebody else made it${feedText(context)}`,
  recheckAfter: witnessIn(context, found),
});

/** A name that a person chose is no mark, and may be anybody's; and a restricted user is not shown everything. */
async function withoutMark(context: CollectionContext, want: AnyWant): Promise<Outcome> {
  const { restricted, user } = context.account.connection.identity;
  if (typeof want[context.kind.label?.field ?? ''] === 'string')
    return releaseWithNotice(context, `${nothingTells}, and what is called as its spec says may be anybody's`);
  if ((await lookAlike(context, want, false)) !== undefined)
    return releaseWithNotice(
      context,
      `${nothingTells}, and what looks like its own was made under another key or installation of the operator`,
    );
  if (restricted) return releaseWithNotice(context, `${nothingTells}, and nothing that user ${wordOrQuoted(user)} is shown bears its mark`);
  return releaseObject(context, `${nothingTells}, and nothing that no other object has bears its mark`);
}

/** Why what bears its mark stays; undefined: it is one, and this object's own. */
function doubtOf(context: CollectionContext, resolved: Resolved, found: readonly Found[]): string | undefined {
  const bears = `${called(context, found)} ${found.length === 1 ? 'bears' : 'bear'} its mark`;
  const [own, second] = found;
  if (own === undefined || second !== undefined) return `${bears}, and it cannot be told which of them it had`;
  if (!mayTakeByMark(context, own))
    return `${bears}, but an earlier object of this name may have let it go (lifecycle.onDelete: Retain), and somebody else count on it by now`;
  if (isAskedFor(context, own)) return `${bears}, but another object names it`;
  if (!mayBeOurs(context, own)) return `${bears}, but somebody else made it`;
  if (context.account.connection.cache.eventsReadAt() === Infinity)
    return `${bears}, but the account refuses its events to the token (GET /account/events), which may say that somebody else made it`;
  return isAsSpecified(context, resolved, own) ? undefined : `${bears}, but is not what its spec describes`;
}

/** By annotation or status, whatever that proves, or by a `spec.adopt` that may count: who is to have it is not known here, and it can be deleted only once. */
function isAskedFor(context: CollectionContext, found: Found): boolean {
  const { engine, kind, object } = context;
  const { account } = context.account.connection.identity;
  const isNaming = ({ status, ...other }: Resource): boolean =>
    (status?.['path'] === found.path && status['account'] === account) ||
    annotation(other, remoteAnnotation)?.startsWith(`${account}${found.path}#`) === true;
  const others = [...engine.objects.all(kind.kind)].filter(({ metadata: { uid } }) => uid !== object.metadata.uid);
  return others.some((other) => isNaming(other) && mayLeadHere(context, other)) || mayBeAskedFor(context, found);
}

/** As its create, or its adoption, would find it: a second object of a name has not what the first has let go, where it asked for another one. */
function isAsSpecified(context: CollectionContext, { want, unresolved }: Resolved, found: Found): boolean {
  const { kind } = context;
  const wish = context.object.spec['adopt'] as Adopt | undefined;
  if (wish !== undefined) return isNamedBy(context, wish, found);
  const [field, label] = [kind.label?.field ?? '', String(found.row[kind.label?.field ?? ''])];
  const isCalledSo = want[field] === undefined || want[field] === label || isHalfMadeLabel(kind.label, context, label);
  if (!isCalledSo || unresolved.length > 0) return isCalledSo;
  const key = kind.key.of(want);
  // Of a derived label an earlier key may have made the end.
  return hasKey(context, key, want, { ...found.row, [field]: key[field] });
}

const todoOf = (context: CollectionContext, found: readonly Found[]): string =>
  found.every((one) => mayTakeByMark(context, one))
    ? 'It stays there and costs what it cost before: delete it there, or adopt it with another object'
    : `It stays there and costs what it cost before: ask the owner of ${accountName(context)}, who can see whose it is and delete it there`;
