import type { ReconcileContext } from '../context.ts';
import { mayAdopt } from '../guard/recovery.ts';
import type { Identity } from '../model/identity.ts';
import { parentOf } from '../observe/loss-proof.ts';
import type { Resolved } from '../resolve/resolve.ts';

/**
 * The one that it names as its parent is gone, and what that had is another object's of this namespace: that was renamed. As this object
 * names its parent for good, it is to be renamed after it; whoever deleted it first would delete what it has.
 */
export function handedOverText(context: ReconcileContext, { gone }: Pick<Resolved, 'gone'>, identity: Identity): string | undefined {
  const { kind, object, engine } = context;
  const ref = kind.parent?.ref;
  if (ref === undefined || kind.fields[ref]?.immutable !== true || !gone.includes(ref) || !mayAdopt(context)) return undefined;
  const { account, path } = parentOf(kind, identity);
  const holder = engine.claims.holder(account, path);
  if (holder?.key.namespace !== object.metadata.namespace) return undefined;
  const id = identity.path.slice(identity.path.lastIndexOf('/') + 1);
  return `${path} is ${holder.kind} ${holder.key.name}'s by now, and what is in it stays. To keep this, too: apply it under another name with spec.${ref}: {name: ${holder.key.name}} and spec.adopt: {id: ${/^\d+$/.test(id) ? id : JSON.stringify(id)}}, and delete this object only then, which hands over what it has`;
}
