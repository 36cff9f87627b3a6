import { type AnyWant, asCollection } from '../../resource/index.ts';
import type { ReconcileContext } from '../context.ts';
import type { Identity } from '../model/identity.ts';
import { isOff, isRefused } from '../model/conditions.ts';
import type { BoundRemote } from '../model/step.ts';

/** It is there, and was not when its status was written last: what was refused to what is above for want of it may be taken now, and what that lacks is told anew. */
export function completeParent({ kind, engine, object, account }: ReconcileContext, { path }: Identity): void {
  if (asCollection(kind)?.completesParent !== true || object.status?.['path'] === path) return;
  const holder = engine.claims.holder(account.connection.identity.account, path.split('/').slice(0, -2).join('/'));
  const parent = holder && engine.objects.get(holder.kind, holder.key);
  if (parent === undefined) return;
  if (isRefused(parent)) engine.ledger.tryRefused(parent.metadata.uid);
  if (isRefused(parent) || isOff(parent)) engine.wake(parent.kind, parent.metadata);
}

/** For a look at a remote: with the parts that list something of which an object has one, because what is shown of a list may be older. */
export function withPeopled({ kind, engine }: ReconcileContext, { identity, remote, want }: BoundRemote): AnyWant {
  const { account, path } = identity;
  const shown = Object.entries(kind.parts ?? {}).filter(([, part]) => part.for === 'status' && part.paged);
  const peopled = shown.flatMap(([name, part]) => (engine.claims.hasIn(account, part.path(path, remote)) ? [name] : []));
  return peopled.length === 0 ? want : { ...want, peopled };
}
