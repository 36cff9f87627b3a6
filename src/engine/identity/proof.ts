import type { AccountContext, ClusterContext } from '../context.ts';
import { naming, objectName } from '../model/account.ts';
import { annotation, hasStatusOfAnother, intentAnnotation, isBare, remoteAnnotation, remotesBefore } from '../model/annotations.ts';
import { type Identity, lifeOf, type ParsedIdentity, parseIdentity } from '../model/identity.ts';
import { retiringOf } from '../model/replacing.ts';
import type { Resource } from '../ports/index.ts';

/**
 * Whose remote an object may speak for (README: identity).
 * `heal`: annotation or status alone proved it, and the other is to be written again.
 * `unproven`: an annotation that status does not confirm, and that this operator did not make (`genuine`: made for an earlier
 * object of this name, or for an earlier remote of this one).
 */
export type Proof =
  | { readonly is: 'none' }
  | { readonly is: 'ours'; readonly identity: Identity; readonly heal: boolean }
  | { readonly is: 'unproven'; readonly identity: Identity; readonly genuine: boolean }
  /** `shown`: what status names, which nobody else may have meanwhile. `unready`: that is gone. */
  | { readonly is: 'conflict'; readonly why: string; readonly todo: string; readonly shown?: Identity; readonly unready?: true };

/**
 * Backups restore annotations and no status; a full replace drops annotations and no status: each heals the other.
 * `restored`: what was signed for an earlier object of this name counts too, as whoever may write this one may have it anyway.
 */
export function proofOf(context: Pick<AccountContext, 'key' | 'name'>, object: Resource, { restored = false } = {}): Proof {
  const text = annotation(object, remoteAnnotation);
  const told = text === undefined ? undefined : parseIdentity({ ...context, life: lifeOf(object) }, text);
  const known = knownFromStatus(object, told);
  if (known === undefined && isOfTheOneBefore(context, object, text)) return { is: 'none' };
  if (told === undefined) return byStatus(known, text);
  return succeeded(context, object, { told, known }) ?? weigh(told, { known, restored, older: () => statusIsOlder(context, object, text) });
}

function byStatus(known: Identity | undefined, text: string | undefined): Proof {
  if (known !== undefined) return { is: 'ours', identity: known, heal: true };
  return text === undefined ? { is: 'none' } : unreadable;
}

/** Annotation and status may differ in this alone: one still names what the other one's remote has taken the place of. */
function succeeded(
  context: Pick<AccountContext, 'key' | 'name'>,
  object: Resource,
  { told, known }: { readonly told: ParsedIdentity; readonly known: Identity | undefined },
): Proof | undefined {
  if (!told.current || known === undefined || isSame(known, told)) return undefined;
  const retiring = retiringOf({ ...context, object });
  const isRetiring = (one: Identity): boolean => retiring.some((other) => isSame(one, other));
  const { account, path, how } = isRetiring(known) ? told : known;
  return isRetiring(known) === isRetiring(told) ? undefined : { is: 'ours', identity: { account, path, how }, heal: path === known.path };
}

const unreadable: Proof = {
  is: 'conflict',
  why: `annotation ${remoteAnnotation} cannot be read`,
  todo: 'Remove it to start anew, or put back the one from your backup',
};

function weigh(
  { genuine, current, ...identity }: ParsedIdentity,
  { known, restored, older }: { known: Identity | undefined; restored: boolean; older: () => Remedy | undefined },
): Proof {
  const counts = current || (genuine && restored);
  if (counts && (known === undefined || isSame(known, identity))) return { is: 'ours', identity, heal: !current };
  if (known === undefined) return { is: 'unproven', identity, genuine };
  if (isSame(known, identity)) return { is: 'ours', identity: known, heal: true };
  const why = `annotation ${remoteAnnotation} names ${identity.path} and status names ${known.path}`;
  const { todo, ...rest } = older() ?? unlessOlder(genuine && !current);
  return { is: 'conflict', why, shown: known, ...rest, todo: `${todo}. Nothing is changed or deleted meanwhile` };
}

type Remedy = Pick<Extract<Proof, { is: 'conflict' }>, 'todo' | 'unready'>;
/** `past`: the annotation is ours, and of a remote or an object before this one. */
const unlessOlder = (past: boolean): Remedy => ({
  todo: past
    ? 'The status is right: the annotation is of another object, or of what this one had before. Remove it'
    : 'Remove the annotation if the status is right',
});

/** A backup may have put it back alone: more remotes of this very object than it knows of went before the one that the annotation names. */
function statusIsOlder(context: Pick<AccountContext, 'key' | 'name'>, object: Resource, text = ''): Remedy | undefined {
  const { uid, namespace, name } = object.metadata;
  const known = remotesBefore(object);
  const before = Array.from({ length: mostForgotten }, (_, more) => known + 1 + more).find(
    (count) => parseIdentity({ ...context, life: `${uid}/${count}` }, text)?.current === true,
  );
  if (before === undefined) return undefined;
  const patch = JSON.stringify({ status: { path: null, id: null, remotesBefore: before } });
  return {
    todo: `The annotation is right: that status is older, as a backup has it, and what it names is no longer this object's. Have it forgotten: kubectl -n ${namespace} patch ${object.kind.toLowerCase()} ${name} --subresource=status --type=merge -p '${patch}'`,
    unready: true,
  };
}
const mostForgotten = 20;

const isSame = (one: Pick<Identity, 'path' | 'account'>, other: Pick<Identity, 'path' | 'account'>): boolean =>
  one.path === other.path && one.account === other.account;

/** A status that a backup put back was written for another object. One without the uid is older than the field: the annotation vouches for it. */
function knownFromStatus(object: Resource, told: ParsedIdentity | undefined): Identity | undefined {
  const shown = statusIdentity(object);
  const uid = object.status?.['objectUid'];
  if (uid !== undefined) return uid === object.metadata.uid ? shown : undefined;
  return shown !== undefined && told?.genuine === true && isSame(told, shown) ? shown : undefined;
}

function statusIdentity({ status }: Resource): Identity | undefined {
  const { path, account, origin } = (status ?? {}) as { path?: string; account?: string; origin?: string };
  return typeof path === 'string' && typeof account === 'string'
    ? { path, account, how: origin === 'Created' ? 'created' : 'adopted' }
    : undefined;
}

/** It names what this object had before, which was let go; only the next W1 was not written yet. */
function isOfTheOneBefore(context: Pick<AccountContext, 'key' | 'name'>, object: Resource, text = ''): boolean {
  const before = remotesBefore(object) - 1;
  return before >= 0 && parseIdentity({ ...context, life: `${object.metadata.uid}/${before}` }, text)?.current === true;
}

type Known = Pick<ClusterContext, 'engine' | 'key'>;

/** Which remote its annotation or else its status names, whoever that was written for. */
export function namedRemote({ engine, key }: Known, object: Resource): Pick<Identity, 'account' | 'path'> | undefined {
  const name = objectName(naming(engine), object);
  const told = parseIdentity({ key, name, life: lifeOf(object) }, annotation(object, remoteAnnotation) ?? '');
  return told ?? statusIdentity(object);
}

/** Nothing on it tells of a remote of its own: there is nothing, or all of it was surely written for another object, which has that remote. */
export const hasMadeNothing = (known: Known, object: Resource): boolean => isBare(object) || isCopy(known, object);

/** Its own mac cannot be judged where its account is not there; that of the object that has the remote can. */
function isCopy(known: Known, object: Resource): boolean {
  const { engine } = known;
  const isOwn = !hasStatusOfAnother(object) && ['path', 'intent'].some((field) => object.status?.[field] !== undefined);
  if (isOwn || engine.claims.has(object.metadata.uid) || annotation(object, intentAnnotation) !== undefined) return false;
  const named = namedRemote(known, object);
  const holder = named && engine.claims.holder(named.account, named.path);
  const owner = holder && engine.objects.get(holder.kind, holder.key);
  return owner !== undefined && owner.metadata.uid === holder?.uid && wasWrittenFor(known, owner, object);
}
function wasWrittenFor({ engine, key }: Known, owner: Resource, copy: Resource): boolean {
  const text = annotation(copy, remoteAnnotation);
  if (text === undefined) return copy.status?.['objectUid'] === owner.metadata.uid;
  const name = objectName(naming(engine), owner);
  return owner.metadata.uid !== copy.metadata.uid && parseIdentity({ key, name, life: lifeOf(owner) }, text)?.genuine === true;
}
