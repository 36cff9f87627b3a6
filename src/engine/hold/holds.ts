import type { Account } from '../account/accounts.ts';
import { annotation, releaseAnnotation } from '../run/annotations.ts';
import { holdOf, releasedNow } from './brake.ts';
import { belongsTo, type Hold, releaseValue } from './hold.ts';
import type { Resource } from '../ports.ts';
import type { Engine } from '../run/turn.ts';
import { vanishedSets, vanishStops } from './vanish-stop.ts';

/** Holds that stand now, for the account's status. */
export function holdsOf(engine: Engine, account: Account): readonly Hold[] {
  const deletions = [...namespacesOf(engine, account)].toSorted().flatMap((namespace) => holdOf(engine, account, namespace) ?? []);
  return [...deletions, ...vanishStops(engine, account)];
}

/** Called when the account object is looked at: remembers what its annotation releases, and wakes it. */
export function learnRelease(engine: Engine, account: Account, object: Resource): void {
  const value = annotation(object, releaseAnnotation);
  if (value === undefined) return;
  for (const namespace of namespacesOf(engine, account))
    for (const { kind, metadata } of releasedNow(engine, account, namespace)) engine.wake(kind, metadata);
  for (const held of vanishedSets(engine, account)) {
    if (held.length === 0 || releaseValue(held) !== value) continue;
    engine.releases.add(held.map(({ metadata }) => metadata.uid));
    for (const { kind, metadata } of held) engine.wake(kind, metadata);
  }
}

function namespacesOf(engine: Engine, account: Account): ReadonlySet<string> {
  const all = new Set<string>();
  for (const kind of engine.registry.kinds)
    for (const object of engine.objects.all(kind.kind)) if (belongsTo(account, object)) all.add(object.metadata.namespace);
  return all;
}
