import type { Engine } from '../context.ts';
import { accountKey } from '../model/account.ts';
import { keyOf } from '../model/object-id.ts';
import type { Resource } from '../ports/index.ts';

/** The object is gone. `id`: as in the queue, where no other one has its place by now. */
export function forgetObject(engine: Engine, object: Resource, id?: string): void {
  const { uid } = object.metadata;
  const kind = engine.registry.kind(object.kind);
  const path = engine.objectMemory.tracked.get(uid);
  const account = engine.accounts.get(kind === engine.registry.connection ? keyOf(object) : accountKey(object));
  if (path !== undefined) account?.connection.cache.untrack(path, { kind, key: keyOf(object) });
  engine.memory.forget(uid, id);
}
