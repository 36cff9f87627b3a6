import { createHash } from 'node:crypto';
import type { Millis } from '../lib/clock.ts';
import { base32 } from '../lib/base32.ts';
import { type Account, accountKey } from './accounts.ts';
import { annotation, isDeleting, releaseAnnotation } from './annotations.ts';
import { canonical } from './drift.ts';
import type { Resource } from './ports.ts';
import type { Engine, Turn } from './turn.ts';

const window: Millis = 10 * 60_000;

/** A held mass deletion, as the account's status shows it. */
export interface Hold {
  readonly namespace: string;
  readonly count: number;
  /** What annotation `release` on the CloudAccount must echo; valid for exactly what is pending now. */
  readonly release: string;
  readonly message: string;
}

const belongsTo = (account: Account, object: Resource): boolean => canonical(accountKey(object)) === canonical(account.key);

/** Objects of one namespace and account whose deletion was asked for within ten minutes and whose remote would go. */
function pending(
  engine: Engine,
  account: Account,
  namespace: string,
  now: Millis,
): { readonly deleting: readonly Resource[]; readonly total: number } {
  const deleting: Resource[] = [];
  let total = 0;
  for (const kind of engine.registry.kinds) {
    if (kind.brakeExempt === true || kind.mode !== 'collection') continue;
    for (const object of engine.objects.all(kind.kind)) {
      if (object.metadata.namespace !== namespace || !belongsTo(account, object)) continue;
      total += 1;
      if (isDeleting(object) && now - Date.parse(object.metadata.deletionTimestamp ?? '') < window) deleting.push(object);
    }
  }
  return { deleting, total };
}

const releaseValue = (objects: readonly Resource[]): string =>
  base32(
    createHash('sha256')
      .update(
        objects
          .map(({ metadata }) => metadata.uid)
          .toSorted()
          .join(),
      )
      .digest(),
  ).slice(0, 8);

export const placeOf = (account: Pick<Account, 'key'>, namespace: string): string => `${canonical(account.key)} ${namespace}`;

/** The brake of design 4.6: a deletion of much of a namespace waits for a person, because it may be a mistake in Git. */
export function holdOf(engine: Engine, account: Account, namespace: string): Hold | undefined {
  const { deleting, total } = pending(engine, account, namespace, engine.clock.now());
  const gone = engine.evidence.wentRecently(placeOf(account, namespace), engine.clock.monotonic());
  if (deleting.length === 0 || deleting.length + gone <= Math.max(10, (total + gone) * 0.25)) return undefined;
  const release = releaseValue(deleting);
  return {
    namespace,
    count: deleting.length,
    release,
    message: `${deleting.length} of ${total} objects of namespace ${namespace} are being deleted at once. To let them go: kubectl -n ${account.key.namespace} annotate cloudaccount ${account.key.name} --overwrite ${releaseAnnotation}=${release}`,
  };
}

/** Called when the account object is looked at: remembers what its annotation releases, and wakes it. */
export function learnRelease(engine: Engine, account: Account, object: Resource): void {
  const value = annotation(object, releaseAnnotation);
  if (value === undefined) return;
  for (const namespace of namespacesOf(engine, account)) {
    const { deleting } = pending(engine, account, namespace, engine.clock.now());
    if (deleting.length === 0 || releaseValue(deleting) !== value) continue;
    engine.releases.add(deleting.map(({ metadata }) => metadata.uid));
    for (const { kind, metadata } of deleting) engine.wake(kind, metadata);
  }
}

export function namespacesOf(engine: Engine, account: Account): ReadonlySet<string> {
  const all = new Set<string>();
  for (const kind of engine.registry.kinds)
    for (const object of engine.objects.all(kind.kind)) if (belongsTo(account, object)) all.add(object.metadata.namespace);
  return all;
}

/** Holds that stand now, for the account's status. */
export function holdsOf(engine: Engine, account: Account): readonly Hold[] {
  return [...namespacesOf(engine, account)].toSorted().flatMap((namespace) => holdOf(engine, account, namespace) ?? []);
}

export function heldDeletion(turn: Turn): Hold | undefined {
  const { engine, account, object, kind } = turn;
  if (kind.brakeExempt === true || engine.releases.has(object.metadata.uid)) return undefined;
  const hold = holdOf(engine, account, object.metadata.namespace);
  if (hold !== undefined) engine.wake(engine.registry.connection.kind, account.key);
  return hold;
}
