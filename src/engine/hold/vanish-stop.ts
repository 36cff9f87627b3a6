import { minutes } from '../../resource/index.ts';
import { type Account, accountKey } from '../account/accounts.ts';
import type { Millis } from '../../lib/clock.ts';
import { isDeleting } from '../run/annotations.ts';
import { belongsTo, type Hold, lostBy, releaseAt, releaseCommand, releasedUntil } from './hold.ts';
import type { Condition } from '../status/conditions.ts';
import type { Outcome } from '../outcome.ts';
import type { Resource } from '../ports.ts';
import type { Engine, Turn } from '../run/turn.ts';

const placeOf = ({ key }: Pick<Account, 'key'>, kind: string): string => `${key.namespace}/${key.name} ${kind}`;

/** A remote cannot be found, and neither we nor a person who asked for a new one are the reason. */
export function noteVanished({ engine, account, object }: Turn): void {
  const { uid } = object.metadata;
  if (!engine.releases.has(uid)) engine.vanishings.note(placeOf(account, object.kind), uid, engine.clock.monotonic());
}

/** Its remote is proven to be lost, and another one is about to be made, which no person has asked for. */
export function noteRemade({ engine, account, object }: Turn): void {
  const { uid } = object.metadata;
  if (!engine.releases.has(uid)) engine.vanishings.remade(placeOf(account, object.kind), uid);
}

/** Called when an object is first seen. Its status says that it had a remote and waits: so a stop outlives the process that saw the loss. */
export function takeUpStop({ vanishings }: Engine, object: Resource): void {
  const account = { key: accountKey(object) };
  const stands = !isDeleting(object) && object.status?.['path'] !== undefined && waitsFor(account, object);
  if (stands) vanishings.stand(placeOf(account, object.kind), object.metadata.uid);
}
const waitsFor = (account: Pick<Account, 'key'>, { status }: Resource): boolean =>
  Array.isArray(status?.['waitingFor']) && status['waitingFor'].includes(lostBy(account));

/** When its remote was first missed, or when it first waited, ms since the epoch. */
function missedAt({ status }: Resource): Millis | undefined {
  const synced = (status?.['conditions'] as readonly Condition[] | undefined)?.find(({ type }) => type === 'Synced');
  return synced?.status === 'False' ? Date.parse(synced.lastTransitionTime) : undefined;
}

/** Let go by the annotation on the account: what had been missed by then, and nothing later. */
function isReleased(engine: Engine, account: Account, object: Resource): boolean {
  if (engine.releases.has(object.metadata.uid)) return true;
  return waitsFor(account, object) && (missedAt(object) ?? Infinity) <= releasedUntil(engine, account, object.kind);
}

function vanished(engine: Engine, account: Account, kind: string): readonly Resource[] {
  if (!engine.vanishings.has(placeOf(account, kind))) return [];
  const mine = [...engine.objects.all(kind)].filter((object) => belongsTo(account, object));
  const uids = engine.vanishings.stopped(placeOf(account, kind), mine.length, engine.clock.monotonic());
  return mine.filter((object) => uids.has(object.metadata.uid) && !isReleased(engine, account, object));
}

/** Many things of one kind vanishing at once is somebody's accident, or ours: none is made before a person has looked (design 4.5). */
export function vanishStop(turn: Turn): Outcome | undefined {
  const { engine, account, kind, object } = turn;
  if (isReleased(engine, account, object)) {
    engine.releases.add([object.metadata.uid]);
    engine.vanishings.looked(placeOf(account, object.kind));
    return undefined;
  }
  const { length } = vanished(engine, account, kind.kind);
  if (length === 0) return undefined;
  engine.wake(engine.registry.connection.kind, account.key);
  return {
    is: 'Waiting',
    reason: 'DeletionHeld',
    message: `too many objects of kind ${kind.kind} lost what they had in the account within ten minutes: ${length} of them wait, and none is made before a person has looked. CloudAccount ${account.key.namespace}/${account.key.name} shows in status.held how to let them be made anew`,
    on: [lostBy(account)],
    recheckAfter: minutes(1),
  };
}

const vanishedSets = (engine: Engine, account: Account): readonly (readonly Resource[])[] =>
  engine.registry.kinds.filter(({ mode }) => mode === 'collection').map(({ kind }) => vanished(engine, account, kind));

export const vanishStops = (engine: Engine, account: Account): readonly Hold[] =>
  vanishedSets(engine, account).flatMap((objects) => holdFor(engine, account, objects) ?? []);

/** Objects that the annotation lets be made anew, and that still wait. */
export const remadeNow = (engine: Engine, account: Account): readonly Resource[] =>
  engine.registry.kinds.flatMap(({ kind }) =>
    [...engine.objects.all(kind)].filter(
      (object) => belongsTo(account, object) && !isDeleting(object) && waitsFor(account, object) && isReleased(engine, account, object),
    ),
  );

function holdFor(engine: Engine, account: Account, objects: readonly Resource[]): Hold | undefined {
  const [first] = objects;
  if (first === undefined) return undefined;
  const release = releaseAt(first.kind, Math.max(...objects.map((object) => missedAt(object) ?? engine.clock.now())));
  const names = objects.slice(0, 5).map(({ metadata }) => `${metadata.namespace}/${metadata.name}`);
  return {
    kind: first.kind,
    count: objects.length,
    release,
    message: `what ${objects.length === 1 ? '1 object' : `${objects.length} objects`} of kind ${first.kind} had in the account is gone (${names.join(', ')}${objects.length > names.length ? ', ...' : ''}). Look what removed it; to have new ones made, empty: ${releaseCommand(account, release)}`,
  };
}
