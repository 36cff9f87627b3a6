import { minutes } from '../../resource/index.ts';
import type { Account } from '../account/accounts.ts';
import { belongsTo, heldBy, type Hold, releaseCommand, releaseValue } from './hold.ts';
import type { Outcome } from '../outcome.ts';
import type { Resource } from '../ports.ts';
import type { Engine, Turn } from '../run/turn.ts';

const placeOf = ({ key }: Pick<Account, 'key'>, kind: string): string => `${key.namespace}/${key.name} ${kind}`;

/** A remote cannot be found, and neither we nor a person who asked for a new one are the reason. */
export function noteVanished({ engine, account, object }: Turn): void {
  const { uid } = object.metadata;
  if (!engine.releases.has(uid)) engine.vanishings.note(placeOf(account, object.kind), uid, engine.clock.monotonic());
}

function vanished(engine: Engine, account: Account, kind: string): readonly Resource[] {
  if (!engine.vanishings.has(placeOf(account, kind))) return [];
  const mine = [...engine.objects.all(kind)].filter((object) => belongsTo(account, object));
  const uids = engine.vanishings.stopped(placeOf(account, kind), mine.length, engine.clock.monotonic());
  return uids.size === 0 ? [] : mine.filter(({ metadata }) => uids.has(metadata.uid));
}

/** Many things of one kind vanishing at once is somebody's accident, or ours: none is made before a person has looked (design 4.5). */
export function vanishStop(turn: Turn): Outcome | undefined {
  const { engine, account, kind, object } = turn;
  if (engine.releases.has(object.metadata.uid)) return undefined;
  const { length } = vanished(engine, account, kind.kind);
  if (length === 0) return undefined;
  engine.wake(engine.registry.connection.kind, account.key);
  return {
    is: 'Waiting',
    reason: 'DeletionHeld',
    message: `${length} objects of kind ${kind.kind} lost what they had in the account within ten minutes, so none is made before a person has looked. CloudAccount ${account.key.namespace}/${account.key.name} shows in status.held how to let them be made anew`,
    on: [heldBy(account)],
    recheckAfter: minutes(1),
  };
}

export const vanishedSets = (engine: Engine, account: Account): readonly (readonly Resource[])[] =>
  engine.registry.kinds.filter(({ mode }) => mode === 'collection').map(({ kind }) => vanished(engine, account, kind));

export const vanishStops = (engine: Engine, account: Account): readonly Hold[] =>
  vanishedSets(engine, account).flatMap((objects) => holdFor(account, objects) ?? []);

function holdFor(account: Account, objects: readonly Resource[]): Hold | undefined {
  const [first] = objects;
  if (first === undefined) return undefined;
  const release = releaseValue(objects);
  const names = objects.slice(0, 5).map(({ metadata }) => `${metadata.namespace}/${metadata.name}`);
  return {
    kind: first.kind,
    count: objects.length,
    release,
    message: `what ${objects.length} objects of kind ${first.kind} had in the account is gone (${names.join(', ')}${objects.length > names.length ? ', ...' : ''}). Look what removed it; to have new ones made, empty: ${releaseCommand(account, release)}`,
  };
}
