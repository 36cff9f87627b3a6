import type { AnyWant } from '../../resource/index.ts';
import type { ClusterContext } from '../context.ts';
import { admission, admits, naming, objectName } from '../model/account.ts';
import { intentOf } from '../model/intent.ts';
import { keyOf, objectId } from '../model/object-id.ts';
import type { Outcome } from '../model/outcome.ts';
import { canonical } from '../model/values.ts';
import type { Resource } from '../ports/index.ts';
import { refusedFor } from './ownership.ts';
import { proofOf } from './proof.ts';

/** What is within the thing of another namespace, or around it, would take part of what that one is for ({@link NaturalKey.within}). */
export function surrounded(context: ClusterContext, want: AnyWant): Outcome | undefined {
  const { kind, account, object } = context;
  const { namespace } = object.metadata;
  const { key } = account;
  const around = admission(account, kind, namespace)?.adopt === 'Any' ? undefined : placeAround(context, want);
  if (around === undefined) return undefined;
  const outcome: Outcome = {
    is: 'Stalled',
    reason: 'AlreadyClaimed',
    message: `${canonical(kind.key?.of(want))} is within, or around, what another namespace has in this account. Choose another name; or have that namespace add ${namespace} to its spec.allowedRefs.namespaces, or the owner of CloudAccount ${key.namespace}/${key.name} set spec.access[].adopt: Any for namespace ${namespace}`,
  };
  if (around.is === 'there') return refusedFor(context, around.path, outcome);
  // Nobody holds it yet: what its status says next wakes this one.
  context.engine.referenceIndex.add(objectId(kind.kind, keyOf(context.object)), objectId(kind.kind, keyOf(around.object)));
  return outcome;
}

type Place = { readonly is: 'there'; readonly path: string } | { readonly is: 'inMaking'; readonly object: Resource };

function placeAround(context: ClusterContext, want: AnyWant): Place | undefined {
  const { engine, kind, object } = context;
  if (kind.key?.within === undefined) return undefined;
  const { of, within } = kind.key;
  const mine = of(want);
  for (const other of engine.objects.all(kind.kind)) {
    if (admits(other, object.metadata.namespace)) continue;
    const theirs = of({ ...other.spec, name: '' });
    const place = within(mine, theirs) || within(theirs, mine) ? placeOf(context, other) : undefined;
    if (place !== undefined) return place;
  }
  return undefined;
}

/** Where the other has it, or is having it made, in this account. */
function placeOf({ engine, account, key }: ClusterContext, object: Resource): Place | undefined {
  const name = objectName(naming(engine), object);
  const proof = proofOf({ key, name }, object);
  if (proof.is !== 'ours') return intentOf({ key, name, object }) && { is: 'inMaking', object };
  const { account: its, path } = proof.identity;
  return its === account.connection.identity.account ? { is: 'there', path } : undefined;
}
