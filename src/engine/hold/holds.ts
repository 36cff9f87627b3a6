import type { Account } from '../account/accounts.ts';
import { annotation, isDeleting, releaseAnnotation } from '../run/annotations.ts';
import { holdOf, releasedNow } from './brake.ts';
import { belongsTo, type Hold } from './hold.ts';
import type { Resource } from '../ports.ts';
import type { Engine } from '../run/turn.ts';
import { remadeNow, vanishStops } from './vanish-stop.ts';

/** Holds that stand now, for the account's status. */
export function holdsOf(engine: Engine, account: Account): readonly Hold[] {
  const deletions = [...deletingIn(engine, account)].toSorted().flatMap((namespace) => holdOf(engine, account, namespace) ?? []);
  return [...deletions, ...vanishStops(engine, account)];
}

/** Called when the account object is looked at: wakes what its annotation releases. */
export function learnRelease(engine: Engine, account: Account, object: Resource): void {
  if (annotation(object, releaseAnnotation) === undefined) return;
  const released = [...deletingIn(engine, account)].flatMap((namespace) => releasedNow(engine, account, namespace));
  for (const { kind, metadata } of [...released, ...remadeNow(engine, account)]) engine.wake(kind, metadata);
}

/** Where something is being deleted: only there deletions can be held. */
function deletingIn(engine: Engine, account: Account): ReadonlySet<string> {
  const all = new Set<string>();
  for (const kind of engine.registry.kinds)
    for (const object of engine.objects.all(kind.kind))
      if (isDeleting(object) && belongsTo(account, object)) all.add(object.metadata.namespace);
  return all;
}
