import type { Millis } from '../../lib/clock.ts';
import type { Account } from '../account/accounts.ts';
import { isDeleting } from '../run/annotations.ts';
import { actWindow, crowded } from './crowd.ts';
import { belongsTo, heldBy, type Hold, releaseAt, releaseCommand, releasedUntil } from './hold.ts';
import type { Resource } from '../ports.ts';
import type { Engine, Turn } from '../run/turn.ts';

interface Pending {
  readonly held: readonly Resource[];
  readonly total: number;
}

/** Objects of one namespace and account whose deletion is asked for together with too many others, or was held before. */
function pending(engine: Engine, account: Account, namespace: string): Pending {
  const until = releasedUntil(engine, account, namespace);
  const deleting: Resource[] = [];
  let total = 0;
  for (const kind of engine.registry.kinds) {
    if (kind.brakeExempt === true || kind.mode !== 'collection') continue;
    for (const object of engine.objects.all(kind.kind)) {
      if (object.metadata.namespace !== namespace || !belongsTo(account, object)) continue;
      total += 1;
      if (isDeleting(object) && !isReleased(object, until)) deleting.push(object);
    }
  }
  return { held: tooMany(engine, account, namespace, { deleting, total }), total };
}

const isReleased = (object: Resource, until: Millis): boolean => isDeleting(object) && askedAt(object) <= until;

/** Held objects of this namespace that the annotation lets go, and whose status does not show it yet. */
export function releasedNow(engine: Engine, account: Account, namespace: string): readonly Resource[] {
  const until = releasedUntil(engine, account, namespace);
  if (until === -Infinity) return [];
  return engine.registry.kinds
    .flatMap(({ kind }) => [...engine.objects.all(kind)])
    .filter(
      (object) =>
        object.metadata.namespace === namespace && belongsTo(account, object) && isReleased(object, until) && wasHeld(account, object),
    );
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
  const gone = engine.departures.count(account, namespace, now);
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
  const release = releaseAt(namespace, Math.max(...held.map(askedAt)));
  return {
    namespace,
    count: held.length,
    release,
    message: `${held.length} of ${total} objects of namespace ${namespace} are being deleted at once. To let them go: ${releaseCommand(account, release)}`,
  };
}

export function heldDeletion(turn: Turn): Hold | undefined {
  const { engine, account, object, kind } = turn;
  if (kind.brakeExempt === true) return undefined;
  const { namespace, uid } = object.metadata;
  if (isReleased(object, releasedUntil(engine, account, namespace))) engine.releases.add([uid]);
  if (!pending(engine, account, namespace).held.some(({ metadata }) => metadata.uid === uid)) return undefined;
  engine.wake(engine.registry.connection.kind, account.key);
  return holdOf(engine, account, namespace);
}
