import { minutes, seconds } from '../../resource/index.ts';
import type { Engine } from '../context.ts';
import { hasMadeNothing, namedRemote } from '../identity/proof.ts';
import { type Account, accountKey, admission } from '../model/account.ts';
import { finalizer, hasOwnPath, hasStatusOfAnother, annotation, isDeleting, remoteAnnotation } from '../model/annotations.ts';
import { isPending } from '../model/conditions.ts';
import { keyOf } from '../model/object-id.ts';
import type { Outcome } from '../model/outcome.ts';
import type { Key, Resource } from '../ports/index.ts';

/** The account of an object, where it is connected and admits the object; else why not, in words that do not tell the two apart. */
export function accountOf(engine: Engine, object: Resource): { readonly account: Account } | { readonly outcome: Outcome } {
  const key = accountKey(object);
  const name = nameOf(engine, key);
  const account = engine.accounts.get(key);
  if (!isAdmitted(engine, key, object)) return { outcome: waiting(name, notAdmitted(engine, key, object)) };
  if (account !== undefined) return { account };
  // A restart must not make every object say that its account is not connected yet, nor an outage those with nothing to do.
  if (!engine.accounts.isShut(key) || !(isPending(object) || isDeleting(object)))
    return { outcome: { is: 'Quiet', recheckAfter: minutes(5) } };
  return { outcome: waiting(name, `${name} is not connected; its own conditions say why`) };
}

const nameOf = (engine: Engine, { namespace, name }: Key): string => `${engine.registry.connection.kind} ${namespace}/${name}`;

/** Of another namespace it is not told whether the account is there at all. */
function notAdmitted(engine: Engine, key: Key, object: Resource): string {
  const name = nameOf(engine, key);
  const { namespace } = object.metadata;
  const own = namespace === key.namespace;
  const seen = own ? `${name} is not found` : notLetIn(engine, key, object);
  const again = own ? 'Create it again' : 'Create it again, or have its owner admit this namespace again';
  if (isDeleting(object)) return `${seen}. ${neededToDelete(engine, object, again)}`;
  const here = own ? `${seen}. Create it` : `${seen}. Ask the owner of the account`;
  // What was made never moves, and needs its own account to go.
  if (!hasMadeNothing({ engine, key: engine.key }, object))
    return `${seen}. ${again}, with a token of the account that has ${namedRemote({ engine, key: engine.key }, object)?.path ?? 'what was made'}`;
  return `${here}. Where another account is meant, delete this object, and apply it with another spec.accountRef`;
}

/** Whether that account is there it does not tell. */
function notLetIn(engine: Engine, key: Key, { kind, metadata: { namespace } }: Resource): string {
  const name = nameOf(engine, key);
  return engine.registry.kind(kind).accountLevel === true
    ? `a ${kind} is of the whole account, so only namespace ${key.namespace}, of ${name}, may have one, whatever spec.access names. Apply it there, if that is yours`
    : `${name} is not found, or its spec.access does not admit kind ${kind} from namespace ${namespace}`;
}

function neededToDelete(engine: Engine, object: Resource, again: string): string {
  const { metadata, kind } = object;
  const isDoubtful = !hasOwnPath(object) && (hasStatusOfAnother(object) || annotation(object, remoteAnnotation) !== undefined);
  const named = isDoubtful ? namedRemote({ engine, key: engine.key }, object) : undefined;
  if (named === undefined) return `It is needed to delete what this object made. ${again}`;
  return `Whether ${named.path}, which it names, is this object's cannot be told without the account. ${again}; or, if this object is a copy of another one and made nothing, let it go by taking ${finalizer} out of its metadata.finalizers: kubectl -n ${metadata.namespace} edit ${kind.toLowerCase()} ${metadata.name}`;
}

/** Whether this release works on an object: it must hold the lease of the object's account, where there is one. */
export function isServed(engine: Engine, object: Resource): boolean {
  const account = engine.objects.get(engine.registry.connection.kind, accountKey(object));
  return isChosen(engine, account) && (account === undefined || engine.accountLeases.held(keyOf(account)));
}

/** Several releases may share a cluster, each with the accounts that its selector names. */
export function isChosen(engine: Engine, account: Resource | undefined): boolean {
  const labels = account?.metadata.labels ?? {};
  return Object.entries(engine.settings.accountSelector).every(([name, value]) => labels[name] === value);
}

function isAdmitted(engine: Engine, key: Key, object: Resource): boolean {
  const there = engine.objects.get(engine.registry.connection.kind, key);
  const access = (there?.spec['access'] ?? []) as Account['access'];
  return there !== undefined && admission({ key, access }, engine.registry.kind(object.kind), object.metadata.namespace) !== undefined;
}

const waiting = (on: string, message: string): Outcome => ({
  is: 'Waiting',
  reason: 'AccountNotReady',
  message,
  on: [on],
  recheckAfter: seconds(300),
});
