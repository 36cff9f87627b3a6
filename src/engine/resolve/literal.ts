import { asId, isIdOf, type NamesInside, type RefTarget, type RemoteId } from '../../resource/index.ts';
import type { ClusterContext } from '../context.ts';
import { admission } from '../model/account.ts';

/** `refused`: no waiting brings it about. */
type Named = { readonly value: unknown } | { readonly missing: string; readonly refused: true };

/**
 * What a spec names by its id in the account may be anybody's: another team's backup, script, image, network. Only who may
 * adopt it may name it; the account is not asked what it is, so the answer tells nothing of what is there.
 */
export function literal({ account, kind, object }: ClusterContext, value: unknown): Named {
  const { namespace } = object.metadata;
  if (admission(account, kind, namespace)?.adopt === 'Any') return { value };
  const owner = `CloudAccount ${account.key.namespace}/${account.key.name}`;
  return {
    refused: true,
    missing: `${JSON.stringify(value)} is something of the account itself, which namespace ${namespace} may not name by its id. The owner of ${owner} must set spec.access[].adopt: Any for namespace ${namespace}, or it must go from this spec`,
  };
}

/** A text that names something of the account by its id, as a script does that includes others. */
export function inside(context: ClusterContext, text: string, names: NamesInside): Named {
  const named = names(text);
  const may = named.length === 0 ? undefined : literal(context, named.join(', '));
  return may !== undefined && 'missing' in may ? may : { value: text };
}
/** The same of what a ConfigMap holds. */
export function checkedInside<Found extends object>(context: ClusterContext, found: Found, names?: NamesInside): Found | Named {
  return names !== undefined && 'value' in found && typeof found.value === 'string' ? inside(context, found.value, names) : found;
}

/** What opens the whole account is for its own namespace, whatever others may adopt. */
export function ofOwners({ account: { key }, object }: ClusterContext, value: unknown): Named {
  if (value === false || object.metadata.namespace === key.namespace) return { value };
  return {
    refused: true,
    missing: `it opens all of the account, so only objects in namespace ${key.namespace} of CloudAccount ${key.name} may ask for it. Take it out of this spec, or make this object there`,
  };
}

/** Of an object that has none in Kubernetes. A text that is no id of its kind would lead elsewhere in the API. */
export function external(context: ClusterContext, { kind, ids }: RefTarget, id: RemoteId): Named {
  const none: Named = { refused: true, missing: `${JSON.stringify(id)} is no id of a ${kind}: ${ids.says}` };
  return isIdOf(ids, id) ? literal(context, ids.plain?.(String(id)) ?? asId(String(id))) : none;
}
