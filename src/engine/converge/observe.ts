import { type Duration, type Row, seconds } from '../../resource/index.ts';
import type { Millis } from '../../lib/clock.ts';
import type { Identity } from '../identity/marks.ts';
import type { Outcome } from '../outcome.ts';
import type { Owner } from '../ports.ts';
import { how, keyOf, readRemote, type Turn } from '../run/turn.ts';

export type Observation = { readonly remote: Row; readonly readAt: Millis } | { readonly missing: true } | { readonly outcome: Outcome };

/** The collection that lists the remotes below this path. */
export const collectionOfPath = (turn: Turn, path: string): string =>
  typeof turn.kind.path === 'string' ? turn.kind.path : path.slice(0, path.lastIndexOf('/'));

export const ownerOf = (turn: Turn, path: string): Owner => ({
  kind: turn.kind,
  key: keyOf(turn.object),
  collection: collectionOfPath(turn, path),
});

/**
 * What the account has, without asking wherever that is known already: answers, events and sweeps fill the mirror, so an
 * object that is at rest costs no call of its own (design 5.6). `now`: an edit or a deletion must not wait for a sweep.
 */
export async function observe(turn: Turn, identity: Identity, now: boolean): Promise<Observation> {
  const { mirror } = turn.account.connection;
  const owner = ownerOf(turn, identity.path);
  mirror.own(identity.path, owner);
  // What was made just now is shown whole by its first status: each part that came later would be a write of its own.
  if (turn.engine.evidence.born.has(turn.object.metadata.uid)) await mirror.readNewParts(identity.path, how(turn, 'wait'), seconds(2));
  const known = mirror.seen(identity.path);
  if (known !== undefined) return read(turn, known.remote, known.readAt);
  const swept = mirror.sweptAt(owner.collection);
  const listed = turn.kind.sweep.by !== 'item';
  if (!now && listed && swept === undefined) {
    mirror.wanted(owner);
    return { outcome: { is: 'Quiet', recheckAfter: seconds(60) } };
  }
  const live = await mirror.read(identity.path, how(turn, now ? 'edit' : 'wait'));
  return live === undefined ? { missing: true } : read(turn, live.remote, live.readAt);
}

function read(turn: Turn, row: Row, readAt: Millis): Observation {
  const readable = readRemote(turn.kind, row);
  if ('remote' in readable) return { remote: readable.remote, readAt };
  return {
    outcome: {
      is: 'Retrying',
      reason: 'Unreachable',
      message: `${readable.malformed}; nothing is changed before it can be read`,
      retryAfter: 60_000 as Duration,
    },
  };
}

/** With a job under way its event tells when to look; a state without one would be seen again only by a sweep. */
const jobsAreTrustedFor: Millis = 60_000;

/** Looks at a remote that is waited for when its row is older than the wait; true when it was read anew. */
export async function lookAgain(turn: Turn, { path }: Identity, recheckAfter: Millis): Promise<boolean> {
  const { mirror } = turn.account.connection;
  const running = mirror.jobs(path).some(({ status }) => status === 'scheduled' || status === 'started');
  const seen = mirror.seen(path);
  const age = turn.engine.clock.monotonic() - (seen?.readAt ?? -Infinity);
  if (age < (running ? Math.max(jobsAreTrustedFor, recheckAfter) : recheckAfter)) return false;
  await mirror.read(path, how(turn, 'wait'));
  return true;
}
