import type { Actor, EventsFailing, Job } from '../../engine/ports/index.ts';
import type { Clock, Millis } from '../../lib/clock.ts';
import type { EventRecord } from './event-record.ts';
import { decodedPath } from '../http/entity-url.ts';
import { LastJobs } from './last-jobs.ts';
import { remember, remembered } from './remember.ts';
import type { LastJob } from '../../resource/index.ts';

interface Noted {
  readonly job: Job;
  readonly open: boolean;
  readonly notedAt: Millis;
}

/** A failed job is shown for so long. */
const failedFor: Millis = 3_600_000;
/** Creations that are remembered of one parent: more than the rate limits let through while an outcome is open. */
const rememberedBelow = 500;
/** Jobs that are remembered of one remote because an object follows one of them: more than run one after the other meanwhile. */
const rememberedJobs = 30;
/** An event and a row tell the same moment, each cut to seconds. */
const sameTime: Millis = 2000;

/** What the events said about each path: jobs, who made and changed it, and that it was deleted. */
export class EventLog {
  readonly #clock: Clock;
  readonly #jobs = new Map<string, Map<number, Noted>>();
  readonly #actors = new Map<string, Actor>();
  readonly #creators = new Map<string, { readonly user: string; readonly action: string }>();
  /** By parent, the newest last. */
  readonly #madeBelow = new Map<string, readonly { readonly user: string | null; readonly at: Millis }[]>();
  readonly #deleted = new Set<string>();
  readonly #lastJobs = new LastJobs();
  /** By action and path: when the last one that finished was done, by the service's clock. */
  readonly #lastEnds = new Map<string, Millis>();
  /** By path, of those actions that are done once, the newest last. */
  readonly #followed = new Map<string, readonly Job[]>();
  /** All events from this time on are known; undefined before the first poll. */
  completeFrom: string | undefined;
  /** Monotonic, when the last answered poll began; Infinity while events are refused. */
  readAt: Millis | undefined;
  failing: EventsFailing | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** `foreign`: the change was somebody else's. `unnamed`: what it is about where it names no entity. */
  note(event: EventRecord, foreign: boolean, unnamed: readonly string[] = []): void {
    for (const named of [event.entity, event.secondary]) {
      if (named?.path === undefined) continue;
      this.#noteJob(named.path, event);
      if (foreign) this.#noteActor(named.path, event);
    }
    for (const path of unnamed) if (foreign) this.#noteActor(path, event);
    this.notePast(event);
    this.#noteLife(event);
  }

  /** Of an event from before the first poll only what stays true: who made what, and which jobs ran. */
  notePast(event: EventRecord): void {
    this.#noteCreator(event);
    this.#noteFollowed(event);
    this.#lastJobs.note(event);
    this.#noteEnd(event);
  }

  #noteEnd({ donePath: path, action, endedAt }: EventRecord): void {
    if (path === undefined || endedAt === undefined) return;
    const last = `${action} ${path}`;
    remember(this.#lastEnds, last, Math.max(endedAt, this.#lastEnds.get(last) ?? 0));
  }

  #noteCreator({ newPath: made, newBelow: parent, action, user, created }: EventRecord): void {
    if (made !== undefined && user !== null) remember(this.#creators, made, { user, action });
    if (parent === undefined) return;
    const known = this.#madeBelow.get(parent) ?? [];
    remember(this.#madeBelow, parent, [...known, { user, at: Date.parse(`${created}Z`) }].slice(-rememberedBelow));
  }

  #noteFollowed({ followedPath: path, id, action, status, percent, message, user, created }: EventRecord): void {
    if (path === undefined) return;
    const others = (this.#followed.get(path) ?? []).filter((job) => job.id !== id);
    remember(this.#followed, path, [...others, { id, action, status, percent, message, user, created }].slice(-rememberedJobs));
  }

  followed(path: string): readonly Job[] {
    return this.#followed.get(decodedPath(path)) ?? [];
  }

  jobs(path: string): readonly Job[] {
    const since = this.#clock.monotonic() - failedFor;
    return this.#noted(path)
      .filter(({ open, notedAt }) => open || notedAt > since)
      .map(({ job }) => job)
      .toSorted((a, b) => b.id - a.id);
  }

  hasOpenJob(path: string): boolean {
    return this.#noted(path).some(({ open }) => open);
  }

  /** Events of records and their like name nothing but the parent, those of a profile's keys nothing at all (README: facts 11). */
  actor(path: string): Actor | undefined {
    const own = decodedPath(path);
    const above = (levels: number): Actor | undefined => this.#actors.get(own.split('/').slice(0, -levels).join('/'));
    return this.#actors.get(own) ?? above(1) ?? above(2);
  }

  birth(path: string): string | undefined {
    return this.#creators.get(decodedPath(path))?.action;
  }

  /** Of what is below a parent: by all events of then that name the parent. */
  creators(path: string, madeAt: Millis | undefined): readonly (string | null)[] {
    const own = decodedPath(path);
    const creator = this.#creators.get(own)?.user;
    if (creator !== undefined || madeAt === undefined) return creator === undefined ? [] : [creator];
    const below = this.#madeBelow.get(own.split('/').slice(0, -2).join('/')) ?? [];
    return below.filter(({ at }) => Math.abs(at - madeAt) <= sameTime).map(({ user }) => user);
  }

  /** `never`: all events since the thing was made are known, and none tells of one. */
  lastJob(path: string, job: LastJob, madeAt: string | undefined): string | undefined {
    const last = this.#lastJobs.at(path, job);
    return last ?? (madeAt !== undefined && this.completeFrom !== undefined && madeAt >= this.completeFrom ? 'never' : undefined);
  }

  isOvertaken(path: string, job: LastJob, at: string): boolean | undefined {
    return this.#lastJobs.isOvertaken(path, job, at);
  }

  lastNamed(path: string, actions: readonly string[]): string | undefined {
    return this.#lastJobs.named(path, actions);
  }

  lastEnd(path: string, actions: readonly string[]): Millis | undefined {
    const ends = actions.flatMap((action) => this.#lastEnds.get(`${action} ${decodedPath(path)}`) ?? []);
    return ends.length === 0 ? undefined : Math.max(...ends);
  }

  wasDeleted(path: string): boolean {
    return this.#deleted.has(decodedPath(path));
  }

  /** An open job of which nothing is heard any more. */
  forget(id: number): void {
    for (const [path, jobs] of this.#jobs) if (jobs.delete(id) && jobs.size === 0) this.#jobs.delete(path);
  }

  #noted(path: string): readonly Noted[] {
    return [...(this.#jobs.get(decodedPath(path))?.values() ?? [])];
  }

  #noteActor(path: string, { user, action, created }: EventRecord): void {
    if (user !== null) remember(this.#actors, path, { user, action, at: created });
  }

  #noteLife(event: EventRecord): void {
    const { newPath: made, gonePath: gone } = event;
    if (made !== undefined) this.#deleted.delete(made);
    if (gone !== undefined) this.#deleted.add(gone);
    if (this.#deleted.size > remembered) for (const oldest of [...this.#deleted].slice(0, 1000)) this.#deleted.delete(oldest);
  }

  #noteJob(path: string, event: EventRecord): void {
    const keep = event.open || event.status === 'failed';
    const jobs = this.#jobs.get(path) ?? new Map<number, Noted>();
    if (keep) {
      const { id, action, status, percent, message, user, created } = event;
      jobs.set(id, { job: { id, action, status, percent, message, user, created }, open: event.open, notedAt: this.#clock.monotonic() });
    } else jobs.delete(event.id);
    if (jobs.size > 0) this.#jobs.set(path, jobs);
    else this.#jobs.delete(path);
  }
}
