import type { Millis } from '../../lib/clock.ts';
import type { Row } from '../../resource/index.ts';
import type { Identity } from '../identity/marks.ts';
import { Newborn } from '../create/newborn.ts';

const hour: Millis = 3_600_000;
/** Parents that went: their children ask within minutes. */
const remembered = 1000;

interface Sent {
  readonly until: Millis;
  readonly times: number;
  readonly answered: boolean;
}

/**
 * What this process has seen and need not outlive it: losing it costs time (a proof begins anew), never safety.
 * All times are monotonic.
 */
export class Evidence {
  /** Natural keys (with their account) that have a create in flight. */
  readonly inFlight = new Set<string>();
  /** Uids whose person asked for a look at the remote itself (annotation `reconcile-at`). */
  readonly asked = new Set<string>();
  /** Uids that hold a place under `access[].maxObjects` while their create is under way. */
  readonly making = new Set<string>();
  /** Answered creates whose identity is not written yet, by uid. */
  readonly born = new Map<string, { readonly identity: Identity; readonly row: Row }>();
  readonly newborn = new Newborn();
  readonly #gone = new Set<string>();
  readonly #createdAt = new Map<string, Millis>();
  readonly #missing = new Map<string, Millis>();
  /** By uid: another object of the same path (a bucket's is its name) must not inherit it. */
  readonly #deleted = new Map<string, Set<string>>();
  /** By uid and change: two changes that undo each other must not be taken for progress. */
  readonly #sent = new Map<string, Map<string, Sent>>();
  readonly #wants = new Map<string, string>();
  readonly #moved = new Set<string>();
  readonly #told = new Map<string, Set<string>>();
  readonly #refusedSince = new Map<string, Millis>();

  created(uid: string, now: Millis): void {
    this.#createdAt.set(uid, now);
    this.#missing.delete(uid);
    this.#refusedSince.delete(uid);
  }
  createdAt(uid: string): Millis | undefined {
    return this.#createdAt.get(uid);
  }
  /** Notes one 404 by id; answers when the first of the row was seen. */
  missing(uid: string, now: Millis): Millis {
    const first = this.#missing.get(uid) ?? now;
    this.#missing.set(uid, first);
    return first;
  }
  firstMissing(uid: string): Millis | undefined {
    return this.#missing.get(uid);
  }
  present(uid: string): void {
    this.#missing.delete(uid);
  }
  /** Our DELETE of this remote was answered: one 404 now proves that it is gone. */
  deleted(uid: string, path: string): void {
    this.#deleted.set(uid, (this.#deleted.get(uid) ?? new Set()).add(path));
  }
  wasDeleted(uid: string, path: string): boolean {
    return this.#deleted.get(uid)?.has(path) === true;
  }
  /** Proven gone, with everything below it (design 3.5). */
  gone({ account, path }: Identity): void {
    this.#gone.add(`${account}${path}`);
    const [oldest] = this.#gone;
    if (this.#gone.size > remembered && oldest !== undefined) this.#gone.delete(oldest);
  }
  isGone({ account, path }: Identity): boolean {
    return this.#gone.has(`${account}${path}`);
  }
  /** The object is about to make one of this path again. */
  mayExistAgain(uid: string, path: string): void {
    this.#deleted.get(uid)?.delete(path);
  }
  /** Notes that a change was sent, as `change` names it, and answered or refused for good. */
  sent(uid: string, change: string, now: Millis): void {
    this.#noteSent(uid, change, now, { atLeast: 0, answered: true });
  }
  /** Notes that a change was sent whose answer never came: it may come about as late as `bound` from now. */
  doubted(uid: string, change: string, now: Millis, bound: Millis): void {
    this.#noteSent(uid, change, now, { atLeast: bound, answered: false });
  }
  /** How long a change that was sent already may take to show before it is sent again: 30 s, doubled each time. */
  patience(uid: string, change: string, now: Millis): Millis {
    return Math.max(0, (this.#sent.get(uid)?.get(change)?.until ?? now) - now);
  }
  /** The change was sent, and its answer never came. */
  isInDoubt(uid: string, change: string): boolean {
    return this.#sent.get(uid)?.get(change)?.answered === false;
  }
  /** True the first time that this is said of the object. */
  isNews(uid: string, text: string): boolean {
    const told = this.#told.get(uid) ?? new Set();
    if (told.has(text)) return false;
    this.#told.set(uid, told.add(text));
    return true;
  }
  /** A person has looked: what was awaited begins anew. */
  beginAnew(uid: string): void {
    this.#sent.delete(uid);
    this.#refusedSince.delete(uid);
  }
  /** Nothing differs any more. */
  settled(uid: string): void {
    this.#sent.delete(uid);
    this.#moved.delete(uid);
  }
  /** Notes what is wanted now; true from when that came to be something else, because what the spec refers to did, until nothing differs. */
  moved(uid: string, want: string): boolean {
    const known = this.#wants.get(uid);
    if (known !== undefined && known !== want) this.#moved.add(uid);
    if (known !== want) this.#wants.set(uid, want);
    return this.#moved.has(uid);
  }
  /** For how long the service has refused this object's create as a duplicate that nobody can see. */
  refusedFor(uid: string, now: Millis): Millis {
    const since = this.#refusedSince.get(uid) ?? now;
    this.#refusedSince.set(uid, since);
    return now - since;
  }
  forget(uid: string): void {
    this.asked.delete(uid);
    this.#moved.delete(uid);
    for (const map of [this.born, this.#createdAt, this.#missing, this.#deleted, this.#sent, this.#wants, this.#told, this.#refusedSince])
      map.delete(uid);
  }

  #noteSent(uid: string, change: string, now: Millis, how: { readonly atLeast: Millis; readonly answered: boolean }): void {
    const changes = this.#sent.get(uid) ?? new Map<string, Sent>();
    const times = (changes.get(change)?.times ?? 0) + 1;
    const patience = Math.max(how.atLeast, Math.min(hour, 30_000 * 2 ** (times - 1)));
    this.#sent.set(uid, changes.set(change, { until: now + patience, times, answered: how.answered }));
  }
}
