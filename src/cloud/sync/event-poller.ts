import { CloudError } from '../../engine/ports/index.ts';
import type { Clock, Millis, Timer } from '../../lib/clock.ts';
import type { Log } from '../../telemetry/log.ts';
import type { EventFeed } from '../events/event-feed.ts';
import type { EventRecord } from '../events/event-record.ts';
import { isJob } from '../events/event-record.ts';
import type { AwaitedRemotes } from '../events/awaited.ts';
import type { EventLog } from '../events/event-log.ts';
import { EventRead } from './event-reads.ts';
import type { EventReads } from './event-reads.ts';
import type { OwnChanges } from '../events/own-changes.ts';
import type { EventRouter } from '../events/event-router.ts';

export interface PollerOptions {
  readonly clock: Clock;
  readonly log: Log;
  readonly feed: EventFeed;
  readonly eventLog: EventLog;
  readonly router: EventRouter;
  readonly ownChanges: OwnChanges;
  readonly awaited: AwaitedRemotes;
  readonly eventReads: EventReads;
  /** A job on these remotes was done at this time of the service. */
  readonly jobEnded: (paths: Iterable<string>, at: Millis) => void;
  readonly user: () => string;
  /** Milliseconds between polls when nothing is awaited. */
  readonly interval: () => Millis;
  /** So much was missed that everything must be looked at. */
  readonly missed: () => void;
  /** Somebody else has made what is at this path, or something below it. */
  readonly outdated: (made: string) => void;
  readonly signal: AbortSignal;
}

/** Between polls while somebody waits. */
const fast: Millis = 2000;
/** What was seen to change is put right without knowing who did it, when events take longer. */
const patience: Millis = 5000;
/** After a refusal that only a person can change. */
const refusedPause: Millis = 300_000;

/** Follows the account's events and says what is worth a look. State comes from reads, never from an event. */
export class EventPoller {
  readonly #options: PollerOptions;
  /** Jobs that calls of ours began: worth one look, at their end. */
  readonly #ours = new Set<number>();
  #timer: Timer | undefined;
  #dueAt: Millis = Infinity;
  #polling = false;
  #refused: string | undefined;
  #answeredAt: Millis | undefined;
  /** Called at the end of the next poll. */
  #waiting: (() => void)[] = [];

  constructor(options: PollerOptions) {
    this.#options = options;
  }

  /** Why events cannot be read; undefined when they can. */
  get refused(): string | undefined {
    return this.#refused;
  }

  /** Monotonic, of the last poll that was answered. */
  get answeredAt(): Millis | undefined {
    return this.#answeredAt;
  }

  /** Also after a refusal, when the token may have changed. */
  start(): void {
    if (!this.#polling) this.#schedule(0);
  }

  /** Somebody began to wait. */
  hurry(): void {
    if (this.#refused === undefined && !this.#polling && this.#dueAt > this.#options.clock.monotonic() + fast) this.#schedule(fast);
  }

  /** Another interval holds from now on, also for the poll that is due by the old one. */
  retime(): void {
    const due = this.#options.clock.monotonic() + this.#options.interval();
    if (this.#refused === undefined && !this.#polling && this.#dueAt > due) this.#schedule(this.#options.interval());
  }

  /**
   * Resolves when all events of before have been read, as far as they are shown: with the end of a poll that begins now or
   * later, however it ends, after `patience` at the latest, and at once where events are refused.
   */
  caughtUp(): Promise<void> {
    if (this.#refused !== undefined || this.#options.signal.aborted) return Promise.resolve();
    const { promise, resolve } = Promise.withResolvers<void>();
    const limit = this.#options.clock.after(patience, resolve);
    this.#waiting.push(resolve);
    if (!this.#polling) this.#schedule(0);
    return promise.finally(() => limit.cancel());
  }

  close(): void {
    this.#timer?.cancel();
    for (const resolve of this.#waiting.splice(0)) resolve();
  }

  #schedule(delay: Millis): void {
    this.#timer?.cancel();
    if (this.#options.signal.aborted) return;
    this.#dueAt = this.#options.clock.monotonic() + delay;
    this.#timer = this.#options.clock.after(delay, () => void this.#poll());
  }

  async #poll(): Promise<void> {
    if (this.#polling) return;
    const begun = this.#options.clock.monotonic();
    const waiting = this.#waiting.splice(0);
    this.#polling = true;
    try {
      await this.#read();
      this.#refused = undefined;
      this.#answeredAt = this.#options.clock.monotonic();
      Object.assign(this.#options.eventLog, { readAt: begun, failing: undefined });
    } catch (error) {
      this.#failed(error);
    }
    this.#polling = false;
    for (const resolve of waiting) resolve();
    this.#schedule(Math.max(0, begun + this.#pause() - this.#options.clock.monotonic()));
  }

  #pause(): Millis {
    const { awaited, interval } = this.#options;
    if (this.#refused !== undefined) return refusedPause;
    if (this.#waiting.length > 0) return 0;
    return awaited.active ? Math.min(fast, interval()) : interval();
  }

  async #read(): Promise<void> {
    const { feed, eventLog, missed, eventReads } = this.#options;
    const { events, progress, history, skipped, completeFrom, abandoned } = await feed.poll();
    for (const event of history) eventLog.notePast(event);
    for (const event of progress) eventLog.note(event, event.user !== this.#options.user());
    for (const id of abandoned) {
      eventLog.forget(id);
      this.#ours.delete(id);
    }
    if (completeFrom !== undefined) eventLog.completeFrom = completeFrom;
    if (skipped) missed();
    const look = new EventRead();
    for (const event of events) this.#take(event, look);
    eventReads.take(look);
  }

  #take(event: EventRecord, look: EventRead): void {
    const { eventLog, ownChanges, user, router } = this.#options;
    const sameUser = event.user === user();
    const unnamed = router.unnamed(event);
    const ours = this.#ours.has(event.id) || (sameUser && ownChanges.claim(event, unnamed));
    // A profile belongs to one user, so what somebody else changed there bears our name too.
    eventLog.note(event, !sameUser || (unnamed.length > 0 && !ours), unnamed);
    if (event.open) {
      if (ours) this.#ours.add(event.id);
      else this.#look(event, look, 'foreign');
      return;
    }
    this.#ours.delete(event.id);
    this.#isOver(event, look);
    if (!ours) this.#look(event, look, 'foreign');
    else if (this.#leavesMore(event)) this.#look(event, look, 'ours');
  }

  #isOver(event: EventRecord, look: EventRead): void {
    const { router } = this.#options;
    const named = router.named(event);
    for (const path of [...(named === undefined ? [] : [named]), ...router.told(event)]) look.ended(path, event.action);
    if (event.endedAt !== undefined) this.#options.jobEnded(router.targets(event).items, event.endedAt);
  }

  /** Of a call of our own: its answer did not tell all, as a job has ended by now, or the service goes on by itself. */
  #leavesMore(event: EventRecord): boolean {
    return isJob(event) || this.#options.router.goesOn(event);
  }

  #look(event: EventRecord, look: EventRead, whose: 'ours' | 'foreign'): void {
    const { router, awaited } = this.#options;
    const { items, collections } = router.targets(event);
    const read = readAfter(event);
    for (const path of items) look.item(path, read);
    if (!event.open && router.goesOn(event)) for (const path of items) look.goesOn.add(path);
    for (const collection of collections) look.collections.add(collection);
    if (whose === 'ours') return;
    this.#outdate(event);
    if (items.size + collections.size > 0) awaited.foreignChange();
  }

  #outdate({ newPath, newBelow }: EventRecord): void {
    const made = newPath ?? newBelow;
    if (made !== undefined) this.#options.outdated(made);
  }

  #failed(error: unknown): void {
    const fault = error instanceof CloudError ? error.fault : undefined;
    if (fault === 'Abandoned') return;
    const why = error instanceof CloudError ? error.message.replace(/\?[^\s:]*/, '') : 'a strange answer';
    this.#options.eventLog.failing ??= { since: this.#options.clock.now(), why };
    const lasting = fault === 'Forbidden' || fault === 'Rejected';
    if (lasting && this.#refused === undefined)
      this.#options.log.warn('events cannot be read; changes are found by sweeps only', { error: String(error) });
    this.#refused = lasting ? String(error) : undefined;
    if (lasting) this.#options.eventLog.readAt = Infinity;
  }
}

/** What an event makes worth a look, of the item that it names. */
function readAfter(event: EventRecord): { always: boolean; parts: boolean; ended: readonly string[] } {
  const isOver = !event.open;
  return { always: (isJob(event) && isOver) || event.status === 'failed', parts: !isJob(event), ended: isOver ? [event.action] : [] };
}
