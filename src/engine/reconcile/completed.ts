import { asCollection } from '../../resource/index.ts';
import type { ReconcileContext } from '../context.ts';
import type { Identity } from '../model/identity.ts';
import { isRefused } from '../model/conditions.ts';

/** It is there, and was not when its status was written last: what was refused to what is above for want of it may be taken now. */
export function completeParent({ kind, engine, object, account }: ReconcileContext, { path }: Identity): void {
  if (asCollection(kind)?.completesParent !== true || object.status?.['path'] === path) return;
  const holder = engine.claims.holder(account.connection.identity.account, path.split('/').slice(0, -2).join('/'));
  const parent = holder && engine.objects.get(holder.kind, holder.key);
  if (parent === undefined || !isRefused(parent)) return;
  engine.ledger.tryRefused(parent.metadata.uid);
  engine.wake(parent.kind, parent.metadata);
}
