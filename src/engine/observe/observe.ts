import type { Millis } from '../../lib/clock.ts';
import {
  type AnyKind,
  asCollection,
  collectionOfItem,
  type Duration,
  isListed,
  readRemote,
  type Row,
  seconds,
} from '../../resource/index.ts';
import { callOptions, type AccountContext } from '../context.ts';
import { isReady } from '../model/conditions.ts';
import type { Identity } from '../model/identity.ts';
import { keyOf } from '../model/object-id.ts';
import type { Outcome } from '../model/outcome.ts';
import type { Lane, Owner } from '../ports/index.ts';

export type Observation = { readonly remote: Row; readonly readAt: Millis } | { readonly missing: true } | { readonly outcome: Outcome };

export const ownerOf = ({ kind, object }: AccountContext, path: string): Owner => ({
  kind,
  key: keyOf(object),
  collection: collectionOfItem(kind, path),
  wants: wantedParts(kind, object.spec),
});

/** Undefined for a kind that has no parts of which only some objects want anything. */
function wantedParts({ parts = {}, fields }: AnyKind, spec: Row): readonly string[] | undefined {
  const some = Object.keys(parts).filter((name) => parts[name]?.ifWanted === true);
  const isWanted = (name: string): boolean =>
    Object.entries(fields).some(([field, { part }]) => part === name && spec[field] !== undefined);
  return some.length === 0 ? undefined : some.filter(isWanted);
}

/**
 * What the account has, without asking wherever that is known already: answers, events and sweeps fill the cache, so an
 * object that is at rest costs no call of its own (README: cache). `now`: an edit or a deletion must not wait for a sweep.
 */
export async function observe(context: AccountContext, identity: Identity, now: boolean): Promise<Observation> {
  const { cache } = context.account.connection;
  const owner = ownerOf(context, identity.path);
  track(context, identity.path, owner);
  // What was made or taken just now is shown whole by its first status: each part that came later would be a write of its own.
  const isNew = context.object.status?.['path'] === undefined || waitsForParts(context);
  if (asCollection(context.kind) !== undefined && isNew) await newParts(context, identity.path);
  const known = cache.get(identity.path);
  if (known !== undefined) return read(context, known.remote, known.readAt);
  const swept = cache.sweptAt(owner.collection);
  const listed = isListed(context.kind);
  if (!now && listed && swept === undefined) {
    cache.requestSweep(owner);
    return { outcome: { is: 'Quiet', recheckAfter: seconds(60) } };
  }
  return readLive(context, identity.path, now ? 'edit' : 'wait');
}

async function readLive(context: AccountContext, path: string, lane: Lane): Promise<Observation> {
  const { cache } = context.account.connection;
  const live = await cache.read(path, context.kind, callOptions(context, lane));
  if (live === undefined) return { missing: true };
  if (waitsForParts(context)) await newParts(context, path);
  const { remote, readAt } = cache.get(path) ?? live;
  return read(context, remote, readAt);
}

const newParts = (context: AccountContext, path: string): Promise<void> =>
  context.account.connection.cache.readNewParts(path, callOptions(context, 'wait'), seconds(2));

/** It is not Ready, as far as was told, and whether it is, a part may tell and its row may not. */
const waitsForParts = ({ kind, object }: AccountContext): boolean =>
  !isReady(object) && Object.values(kind.parts ?? {}).some(({ rereadWhileProgressing: tells }) => tells === true);

/** From here on its row is kept. What is where its parent is moves with that. */
export function track({ account, engine, object }: AccountContext, path: string, owner: Owner): void {
  const { cache } = account.connection;
  const { tracked } = engine.objectMemory;
  const before = tracked.get(object.metadata.uid);
  cache.track(path, owner);
  if (before !== undefined && before !== path) cache.untrack(before, owner);
  tracked.set(object.metadata.uid, path);
}

export function untrack({ account, engine, kind, object }: AccountContext): void {
  const { tracked } = engine.objectMemory;
  const path = tracked.get(object.metadata.uid);
  if (path === undefined) return;
  account.connection.cache.untrack(path, { kind, key: keyOf(object) });
  tracked.delete(object.metadata.uid);
}

function read(context: AccountContext, row: Row, readAt: Millis): Observation {
  const readable = readRemote(context.kind, row);
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

/** Those that a look at an item under way takes along, and these, where they are so old. True when one was read. */
async function readParts(context: AccountContext, path: string, parts: readonly string[], age: Millis): Promise<boolean> {
  const { cache } = context.account.connection;
  const reread = await cache.rereadParts(path, callOptions(context, 'wait'), age);
  const since = context.engine.clock.monotonic() - age;
  const old = parts.filter((part) => (cache.partReadAt(path, part) ?? -Infinity) <= since);
  for (const part of old) await cache.readPart(path, part, callOptions(context, 'wait'));
  return reread || old.length > 0;
}

/**
 * Looks at a remote that is waited for, and at those of its parts that belong to that or are `compared`, when what is known is
 * older than the wait; true when something was read anew.
 */
export async function lookAgain(
  context: AccountContext,
  { path }: Identity,
  recheckAfter: Millis,
  compared: readonly string[] = [],
): Promise<boolean> {
  const { cache } = context.account.connection;
  const parts = await readParts(context, path, compared, recheckAfter);
  const running = cache.jobs(path).some(({ status }) => status === 'scheduled' || status === 'started');
  const seen = cache.get(path);
  const age = context.engine.clock.monotonic() - (seen?.readAt ?? -Infinity);
  if (age < (running ? Math.max(jobsAreTrustedFor, recheckAfter) : recheckAfter)) return parts;
  const live = await cache.read(path, context.kind, callOptions(context, 'wait'));
  const now = cache.get(path);
  // A listing that may lag behind our own change is no news, whatever it shows or lacks.
  return live === undefined || (now !== undefined && now.readAt !== seen?.readAt) || parts;
}
