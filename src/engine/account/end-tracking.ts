import type { Engine } from '../context.ts';
import type { Account } from '../model/account.ts';
import { keyOf } from '../model/object-id.ts';
import { objectsOf } from './dependants.ts';

/** Nothing is read for this account any more, and nobody woken; others may share its connection, and the cache with it. */
export function endTracking(engine: Engine, { key, connection }: Account): void {
  const { registry, objectMemory } = engine;
  connection.cache.untrack(registry.connection.path, { kind: registry.connection, key });
  for (const object of objectsOf(engine, key)) {
    const path = objectMemory.tracked.get(object.metadata.uid);
    if (path !== undefined) connection.cache.untrack(path, { kind: registry.kind(object.kind), key: keyOf(object) });
    objectMemory.tracked.delete(object.metadata.uid);
  }
}
