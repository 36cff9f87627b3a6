import type { Millis } from '../../lib/clock.ts';
import { wordOrQuoted } from '../../lib/quoted.ts';
import type { AccountContext } from '../context.ts';

export interface Actor {
  readonly user: string;
  /** The same in a sentence. */
  readonly called: string;
  readonly action: string;
  readonly at: string;
}

/** An older event explains nothing that is seen only now; sweeps come every five minutes. */
const explains: Millis = 15 * 60_000;

/**
 * Who likely made a difference: the last foreign event that names the remote, or its parent where events name only that, or
 * nothing at all; then it must be one of this kind's actions. "Likely", because events and reads are not one snapshot.
 * Who works in the account is told in its own namespace alone.
 */
export function actorOf({ account, kind, object }: AccountContext, path: string): Actor | undefined {
  const found = account.connection.cache.actor(path);
  const indirect = kind.events
    .filter(({ ofParent, entity }) => ofParent === true || entity === 'account')
    .flatMap(({ actions }) => actions);
  const concerns = indirect.length === 0 || indirect.some((action) => found?.action.startsWith(action));
  const at = Date.parse(`${found?.at ?? ''}Z`);
  if (found === undefined || !concerns || account.connection.apiNow() - at >= explains) return undefined;
  if (object.metadata.namespace === account.key.namespace) return { ...found, called: wordOrQuoted(found.user) };
  const user = 'another user of the account';
  return { ...found, user, called: user };
}
