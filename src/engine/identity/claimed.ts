import { asCollection } from '../../resource/index.ts';
import type { ClusterContext } from '../context.ts';
import type { Claim } from '../memory/claims.ts';
import { keyOf, nameOf, objectId } from '../model/object-id.ts';
import type { Outcome } from '../model/outcome.ts';
import { holderNow, shutOutBy } from '../resolve/above.ts';
import { refusedFor, told } from './ownership.ts';

/** What this object had is another's: it is woken when that one lets go of it. */
export function claimed(context: ClusterContext, path: string): Outcome | undefined {
  const holder = holderNow(context, path);
  if (holder === undefined) return undefined;
  const above = shutOutBy(context, context.object, path);
  const made = above === undefined ? '' : `: that ${above.kind} no longer admits namespace ${context.object.metadata.namespace}`;
  const message =
    holder.path === path
      ? `${path} belongs to ${told(context, holder)} already${made}; one remote has one object. Delete this one, which leaves the remote as it is, or have the other one let it go`
      : ofAbove(context, path, holder);
  return refusedFor(context, path, { is: 'Stalled', reason: 'AlreadyClaimed', message });
}

/** Who let go of it a moment ago may be about to be applied anew, under another name. */
function whose(context: ClusterContext, above: Claim): string {
  const name = told(context, above);
  return context.engine.claims.holder(above.account, above.path) === undefined
    ? `belonged to ${name} some minutes ago, and its parts with it. Where no object has it in a quarter of an hour, this one goes on. Delete this object before: nothing in the account is touched then`
    : `belongs to ${name} by now, and its parts with it. Delete this object: nothing in the account is touched then`;
}

/** It is woken, too, when that one admits this namespace. */
function ofAbove(context: ClusterContext, path: string, above: Claim): string {
  const { engine, account, kind, object } = context;
  engine.referenceIndex.add(objectId(object.kind, keyOf(object)), objectId(above.kind, above.key));
  const { namespace } = object.metadata;
  const admit =
    engine.registry.kind(above.kind).shareable !== undefined ? 'that one must admit it in spec.allowedRefs.namespaces, or ' : '';
  const keep = `. Where namespace ${namespace} is to keep it, ${admit}the owner of CloudAccount ${nameOf(account.key)} must set spec.access[].adopt: Any for namespace ${namespace}`;
  const message = `${path} is a part of ${above.path}, which ${whose(context, above)}`;
  // Of what is always there no right to adopt leaves a second one.
  return asCollection(kind) === undefined ? message : `${message}${keep}`;
}
