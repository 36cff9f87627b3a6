import type { Millis } from '../../lib/clock.ts';
import type { Turn } from '../run/turn.ts';

export interface Actor {
  readonly user: string;
  readonly action: string;
  readonly at: string;
}

/** An older event explains nothing that is seen only now; sweeps come every five minutes. */
const explains: Millis = 15 * 60_000;

/**
 * Who likely made a difference: the last foreign event that names the remote or, for kinds whose events name only the
 * parent, the parent with one of this kind's actions. "Likely", because events and reads are not one snapshot.
 */
export function actorOf(turn: Turn, path: string): Actor | undefined {
  const { connection } = turn.account;
  const named = connection.mirror.actor(path);
  const found = named ?? (turn.kind.events.some(({ ofParent }) => ofParent === true) ? parentActor(turn, path) : undefined);
  const at = Date.parse(`${found?.at ?? ''}Z`);
  return found !== undefined && connection.apiNow() - at < explains ? found : undefined;
}

function parentActor(turn: Turn, path: string): Actor | undefined {
  const [, parent] = /^(.+)\/[^/]+\/[^/]+$/.exec(path) ?? [];
  const actor = parent === undefined ? undefined : turn.account.connection.mirror.actor(parent);
  const ours = turn.kind.events.filter(({ ofParent }) => ofParent === true).flatMap(({ actions }) => actions);
  return actor !== undefined && ours.some((action) => actor.action.startsWith(action)) ? actor : undefined;
}
