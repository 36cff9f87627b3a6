import { backoff } from '../../lib/backoff.ts';
import type { Millis } from '../../lib/clock.ts';
import type { Random } from '../../lib/random.ts';
import type { Answer, Change, Held, Outcome } from '../model/outcome.ts';

const minute: Millis = 60_000;
/** An accepted change may take a job, or a while, to show: at first so long, and twice as long each time. */
const shownWithin: Millis = minute / 2;
const longest: Millis = 60 * minute;
/** Shorter than the recheck of a stalled object, which is to send again. */
const refusedFor: Millis = 30 * minute;

interface Entry extends Held {
  readonly seen: string;
  readonly generation: number;
  readonly had?: Change['had'];
  readonly unseen?: true;
  /** How often in a row it was accepted, or failed. */
  readonly times: number;
  /** Since when it has been refused in passing. */
  readonly since: Millis;
}

/**
 * What became of the changes that were sent, by object: nothing is sent again for being looked at. What was not sent is not
 * noted. It lives in memory: a restart sends a refused change once more. Times are monotonic.
 */
export class ChangeLedger {
  readonly #random: Random;
  /** By uid and wish: two changes that undo each other must not be taken for progress. */
  readonly #known = new Map<string, Map<string, Entry>>();
  constructor(random: Random) {
    this.#random = random;
  }

  get size(): number {
    return this.#known.size;
  }

  /** Why this change is not sent now. */
  held(uid: string, { wish, seen, generation }: Change, now: Millis): Held | undefined {
    const entry = this.#known.get(uid)?.get(wish);
    if (entry === undefined || now >= entry.until) return undefined;
    if (entry.because.is === 'refused' && entry.seen !== seen) return undefined;
    if (entry.because.is === 'accepted' && entry.generation !== generation) return undefined;
    return entry;
  }

  note(uid: string, { wish, ...about }: Change, because: Answer, now: Millis): void {
    const entries = this.#known.get(uid) ?? new Map<string, Entry>();
    for (const [other, { until }] of entries) if (now - until > longest) entries.delete(other);
    const before = entries.get(wish);
    const again = before !== undefined && (before.because.is === 'accepted') === (because.is === 'accepted');
    const times = again ? before.times + 1 : 1;
    const since = before !== undefined && isInPassing(before.because) && isInPassing(because) ? before.since : now;
    this.#known.set(uid, entries.set(wish, { ...about, because, times, since, until: now + this.#holdsFor(because, times) }));
  }

  /** Accepted so lately that the account may not show it yet, if it has what it had then. */
  justAccepted(uid: string, now: Millis): readonly NonNullable<Change['had']>[] {
    const last = new Map<string, Entry>();
    for (const entry of this.#known.get(uid)?.values() ?? []) {
      const field = entry.because.is === 'accepted' ? entry.had?.field : undefined;
      if (field !== undefined && entry.since >= (last.get(field)?.since ?? 0)) last.set(field, entry);
    }
    return [...last.values()].flatMap(({ had, since }) => (had !== undefined && now - since < shownWithin ? [had] : []));
  }

  /** For how long this change has been refused in passing. */
  refusedFor(uid: string, { wish }: Change, now: Millis): Millis {
    const entry = this.#known.get(uid)?.get(wish);
    return entry !== undefined && isInPassing(entry.because) ? now - entry.since : 0;
  }

  /** Nothing differs any more. What no difference shows stays refused. */
  settled(uid: string): void {
    const entries = this.#known.get(uid);
    if (entries === undefined) return;
    for (const [wish, { because, unseen }] of entries) if (unseen !== true || because.is !== 'refused') entries.delete(wish);
    if (entries.size === 0) this.#known.delete(uid);
  }

  /** A person has looked: what was answered no longer counts; what was not answered may still come about. */
  beginAnew(uid: string): void {
    const entries = this.#known.get(uid);
    if (entries === undefined) return;
    for (const [wish, { because }] of entries) if (because.is !== 'unknown') entries.delete(wish);
    if (entries.size === 0) this.#known.delete(uid);
  }

  /** Something was done to the remote that no row shows: what was refused before may be taken now. */
  tryRefused(uid: string): void {
    for (const [wish, { because }] of this.#known.get(uid) ?? []) if (because.is === 'refused') this.#known.get(uid)?.delete(wish);
  }

  forget(uid: string): void {
    this.#known.delete(uid);
  }
  known(): Iterable<string> {
    return this.#known.keys();
  }

  #holdsFor(answer: Answer, times: number): Millis {
    if (answer.is === 'accepted') return Math.max(answer.showsWithin ?? 0, Math.min(longest, shownWithin * 2 ** (times - 1)));
    if (answer.is === 'refused' && answer.final) return refusedFor;
    const atLeast = Math.max(asTold(answer.outcome), answer.is === 'unknown' ? answer.mayComeWithin : 0);
    return Math.max(backoff(times - 1, this.#random), atLeast);
  }
}

const isInPassing = (answer: Answer): boolean => answer.is === 'refused' && !answer.final;

/** How long the outcome itself says to wait. */
function asTold(outcome: Outcome): Millis {
  if (outcome.is === 'Retrying') return outcome.retryAfter ?? 0;
  return 'recheckAfter' in outcome ? outcome.recheckAfter : 0;
}
