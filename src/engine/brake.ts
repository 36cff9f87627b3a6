import type { Millis } from '../lib/clock.ts';
import type { Account } from './accounts.ts';
import { isDeleting } from './annotations.ts';
import { actWindow, crowded } from './crowd.ts';
import { belongsTo, heldBy, type Hold, releaseCommand, releaseValue } from './hold.ts';
import type { Resource } from './ports.ts';
import type { Engine, Turn } from './turn.ts';

export const placeOf = (account: Pick<Account, 'key'>, namespace: string): string =>
  `${account.key.namespace}/${account.key.name} ${namespace}`;

interface Pending {
  readonly held: readonly Resource[];
  readonly total: number;
}

/** Objects of one namespace and account whose deletion is asked for together with too many others, or was held before. */
export function pending(engine: Engine, account: Account, namespace: string): Pending {
  const deleting: Resource[] = [];
  let total = 0;
  for (const kind of engine.registry.kinds) {
    if (kind.brakeExempt === true || kind.mode !== 'collection') continue;
    for (const object of engine.objects.all(kind.kind)) {
      if (object.metadata.namespace !== namespace || !belongsTo(account, object)) continue;
      total += 1;
      if (isDeleting(object) && !engine.releases.has(object.metadata.uid)) deleting.push(object);
    }
  }
  return { held: tooMany(engine, account, namespace, { deleting, total }), total };
}

const askedAt = ({ metadata }: Resource): Millis => Date.parse(metadata.deletionTimestamp ?? '');

function tooMany(
  engine: Engine,
  account: Account,
  namespace: string,
  { deleting, total }: { readonly deleting: readonly Resource[]; readonly total: number },
): readonly Resource[] {
  if (deleting.length === 0) return [];
  const sorted = deleting.toSorted((a, b) => askedAt(a) - askedAt(b));
  const now = engine.clock.now();
  const gone = engine.evidence.wentRecently(placeOf(account, namespace), engine.clock.monotonic());
  const limit = Math.max(10, (total + gone) * 0.25);
  const found = crowded(sorted.map(askedAt), limit, (end) => (now - end < actWindow ? gone : 0));
  return sorted.filter((object, index) => found.has(index) || wasHeld(account, object));
}

const wasHeld = (account: Pick<Account, 'key'>, { status }: Resource): boolean =>
  Array.isArray(status?.['waitingFor']) && status['waitingFor'].includes(heldBy(account));

/** The brake of design 4.6: a deletion of much of a namespace waits for a person, because it may be a mistake in Git. */
export function holdOf(engine: Engine, account: Account, namespace: string): Hold | undefined {
  const { held, total } = pending(engine, account, namespace);
  if (held.length === 0) return undefined;
  const release = releaseValue(held);
  return {
    namespace,
    count: held.length,
    release,
    message: `${held.length} of ${total} objects of namespace ${namespace} are being deleted at once. To let them go: ${releaseCommand(account, release)}`,
  };
}

export function heldDeletion(turn: Turn): Hold | undefined {
  const { engine, account, object, kind } = turn;
  if (kind.brakeExempt === true || engine.releases.has(object.metadata.uid)) return undefined;
  const { namespace, uid } = object.metadata;
  if (!pending(engine, account, namespace).held.some(({ metadata }) => metadata.uid === uid)) return undefined;
  engine.wake(engine.registry.connection.kind, account.key);
  return holdOf(engine, account, namespace);
}
