import { seconds } from '../../resource/index.ts';
import type { ClusterEngine, Engine } from '../context.ts';
import { proofOf } from '../identity/proof.ts';
import { accountKey, accountRules, admission, naming, objectName } from '../model/account.ts';
import { hasFinalizer, isDeleting } from '../model/annotations.ts';
import { keyOf } from '../model/object-id.ts';
import type { Outcome } from '../model/outcome.ts';
import type { Key, Resource } from '../ports/index.ts';
import { counted } from '../../lib/counted.ts';

/** Every object that names the account. */
export function objectsOf(engine: ClusterEngine, key: Key): readonly Resource[] {
  const others = engine.registry.kinds.filter((kind) => kind !== engine.registry.connection);
  return others.flatMap(({ kind }) => [...engine.objects.all(kind)].filter((object) => isOf(key, accountKey(object))));
}

const isOf = ({ namespace, name }: Key, named: Key): boolean => named.name === name && named.namespace === namespace;

/** Who still needs the account. An object that is not admitted counts only with a proven remote: nobody else's may hold up an account. */
export function dependants(engine: Engine, account: Resource): readonly Resource[] {
  const access = { key: keyOf(account), access: accountRules(account.spec).access };
  return objectsOf(engine, access.key).filter((one) => {
    const kind = engine.registry.kind(one.kind);
    if (admission(access, kind, one.metadata.namespace) !== undefined) return hasFinalizer(one) || !isDeleting(one);
    const name = objectName(naming(engine), one);
    return hasFinalizer(one) && proofOf({ key: engine.key, name }, one).is === 'ours';
  });
}

/** `shut`: why the account cannot be used even for that. */
export function stillNeeded(engine: ClusterEngine, account: Resource, waiting: readonly Resource[], shut: string | undefined): Outcome {
  const undo = `kubectl cloud why -n ${account.metadata.namespace} ${engine.registry.connection.shortName}/${account.metadata.name}`;
  const names = waiting.slice(0, 5).map(({ kind, metadata }) => `${kind} ${metadata.namespace}/${metadata.name}`);
  const message = `${counted(waiting.length, 'object still uses', 'objects still use')} this account, among them ${names.join(', ')}. It goes when they are gone: delete them, with spec.lifecycle.onDelete: Retain where the cloud resource is to stay`;
  return {
    is: 'Waiting',
    reason: 'DeletionHeld',
    message: `${shut === undefined ? message : `${message}. Just now they cannot go: ${shut}`}. To undo it: ${undo}`,
    on: names,
    recheckAfter: seconds(10),
  };
}
