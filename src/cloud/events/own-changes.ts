import type { Reply } from '../../engine/ports/index.ts';
import type { Clock, Millis } from '../../lib/clock.ts';
import type { Call } from '../../resource/index.ts';
import type { EventRecord } from './event-record.ts';
import { decodedPath } from '../http/entity-url.ts';
import { isJob } from './event-record.ts';
import type { CallWatcher } from '../requests/sender.ts';

interface OwnCall {
  readonly method: Call['method'];
  /** What it named, and what its answer named. */
  readonly paths: readonly string[];
  /** The service's wall clock; undefined while no answer came. */
  at: Millis | undefined;
  readonly sentAt: Millis;
}

/** `created` is cut to seconds and may precede the answer (README: facts 10). */
const [before, after]: readonly [Millis, Millis] = [65_000, 5000];
/** An event that has not come by then will not. */
const forgetAfter: Millis = 300_000;

/**
 * Our own changes, each waiting for the one event that it causes: that event says nothing new. One that was
 * sent and not answered counts too: after a lost answer the engine looks by itself.
 */
export class OwnChanges implements CallWatcher {
  readonly #clock: Clock;
  readonly #calls = new Map<Call, OwnCall>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  sent(call: Call): void {
    this.#prune();
    this.#calls.set(call, { method: call.method, paths: [decodedPath(bare(call.path))], at: undefined, sentAt: this.#clock.monotonic() });
  }

  answered(call: Call, reply: Reply): void {
    const own = this.#calls.get(call);
    if (own === undefined) return;
    const id = (reply.body as { id?: unknown }).id;
    const made = typeof id === 'number' || typeof id === 'string' ? [decodedPath(`${bare(call.path)}/${id}`)] : [];
    this.#calls.set(call, { ...own, paths: [...own.paths, ...made], at: reply.apiTime });
  }

  failed(call: Call): void {
    this.#calls.delete(call);
  }

  /**
   * Whether a call of ours caused this event. Only one event that is complete at birth counts for a call; jobs may be several.
   * `unnamed`: the paths that it is about where it names none.
   */
  claim(event: EventRecord, unnamed: readonly string[] = []): boolean {
    const createdAt = Date.parse(`${event.created}Z`);
    for (const [call, own] of this.#calls) {
      if (!this.#inTime(own, createdAt) || !fits(own, event, unnamed)) continue;
      if (!isJob(event)) this.#calls.delete(call);
      return true;
    }
    return false;
  }

  #inTime({ at }: OwnCall, createdAt: Millis): boolean {
    return at === undefined || Number.isNaN(createdAt) || (createdAt >= at - before && createdAt <= at + after);
  }

  #prune(): void {
    const since = this.#clock.monotonic() - forgetAfter;
    for (const [call, { sentAt }] of this.#calls) {
      if (sentAt > since) return;
      this.#calls.delete(call);
    }
  }
}

function fits({ method, paths }: OwnCall, { action, entity, secondary }: EventRecord, unnamed: readonly string[]): boolean {
  if (!verbFits(method, action)) return false;
  return [entity?.path, secondary?.path, ...unnamed].some(
    (named) => named !== undefined && paths.some((path) => path === named || path.startsWith(`${named}/`)),
  );
}

const bare = (path: string): string => path.split('?')[0] ?? path;

/** A deletion is no answer to a PUT, whoever made it. */
function verbFits(method: Call['method'], action: string): boolean {
  const deletes = /(_delete|_remove|_deleteip|_delete_.*)$/.test(action);
  const creates = /(_create|_add|_addip|_import)$/.test(action);
  if (method === 'DELETE') return deletes;
  if (method === 'PUT') return !deletes && !creates;
  return !deletes;
}
