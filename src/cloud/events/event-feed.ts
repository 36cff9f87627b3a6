import type { Reply } from '../../engine/ports/index.ts';
import type { Clock, Millis } from '../../lib/clock.ts';
import type { Body } from '../../resource/index.ts';
import { get } from '../../resource/index.ts';
import type { Request } from '../http/client.ts';
import type { EventRecord } from './event-record.ts';
import { eventOf } from './event-record.ts';
import type { EventRules } from './event-rules.ts';
import { pageOf } from '../http/pages.ts';

interface Known {
  readonly status: EventRecord['status'];
  readonly percent: number | null;
  readonly seenAt: Millis;
  readonly open: boolean;
}

/** An event may appear so much later than others with higher ids; what came since is read again. */
const overlap: Millis = 60_000;
/** Of a busy account at most so many known ones are read again for the sake of a late one. */
const overlapMost = 200;
/** Open jobs that are asked for by id in one poll; a header holds no more. */
const openMost = 40;
/** An open job without any change for so long is given up. */
const openFor: Millis = 2 * 3_600_000;
/** Beyond so many pages it is cheaper to look at everything. */
const pagesMost = 4;
const pageSize = 500;
/** A little less than the service says, 90 days. */
const keptFor: Millis = 89 * 24 * 3_600_000;

interface Newest {
  readonly events: readonly EventRecord[];
  /** There may be more. */
  readonly full: boolean;
}
/** Later than any time of an event. */
const latest = '9999';

export interface Batch {
  /** New ones and those whose status changed, oldest first. */
  readonly events: readonly EventRecord[];
  /** Jobs that only came further. */
  readonly progress: readonly EventRecord[];
  /** With the first batch, what was before it: who made what, which the process before knew. */
  readonly history: readonly EventRecord[];
  /** So much was missed that only sweeps help. */
  readonly skipped: boolean;
  /** After a first look, or one that missed something: all events from this time on (their `created`) are known. */
  readonly completeFrom?: string;
  readonly abandoned: readonly number[];
}

/** Reads the events above a cursor once each, and again while they are unfinished. */
export class EventFeed {
  readonly #clock: Clock;
  readonly #rules: EventRules;
  readonly #ask: (request: Request) => Promise<Reply>;
  readonly #known = new Map<number, Known>();
  /** Where the cursor stood, oldest first; the first is at least the overlap old. */
  #marks: { readonly at: Millis; readonly cursor: number }[] = [];
  #cursor: number | undefined;
  #begun = false;

  constructor(clock: Clock, ask: (request: Request) => Promise<Reply>, cursor: number | undefined, rules: EventRules) {
    this.#rules = rules;
    this.#clock = clock;
    this.#ask = ask;
    this.#cursor = cursor;
  }

  /** Highest id that was read; undefined before the first poll. */
  get cursor(): number | undefined {
    return this.#cursor;
  }

  async poll(): Promise<Batch> {
    const start = this.#cursor;
    const first = start === undefined || !this.#begun;
    const { read, newest } = await this.#look(first);
    const taken = this.#take(read ?? newest?.events ?? []);
    this.#begun = true;
    return {
      ...taken,
      history: first ? historyIn(newest, taken.events) : [],
      skipped: read === undefined,
      ...(newest !== undefined && { completeFrom: this.#completeFrom(newest) }),
      abandoned: start === undefined ? [] : this.#prune(),
    };
  }

  /** What came since, and the newest page where that does not follow on what is known. */
  async #look(first: boolean): Promise<{ readonly read?: readonly EventRecord[] | undefined; readonly newest?: Newest | undefined }> {
    const start = this.#cursor;
    const before = first ? await this.#newest() : undefined;
    if (start === undefined) return { read: before?.events, newest: before };
    const read = await this.#since(start);
    return { read, newest: before ?? (read === undefined ? await this.#newest() : undefined) };
  }

  /** The service keeps events for some time only; of a full page nobody knows what was before it. */
  #completeFrom({ events, full }: Newest): string {
    if (!full) return new Date(this.#clock.now() - keptFor).toISOString().slice(0, 19);
    return events.map(({ created }) => created).reduce((a, b) => (a < b ? a : b), latest);
  }

  /** Undefined when there are too many. */
  async #since(cursor: number): Promise<readonly EventRecord[] | undefined> {
    const { from, open } = this.#range(cursor);
    const above: Body = { id: { '+gte': from } };
    const filter: Body = {
      ...(open.length === 0 ? above : { '+or': [above, ...open.map((id) => ({ id }))] }),
      '+order_by': 'id',
      '+order': 'asc',
    };
    const first = await this.#page(filter, 1);
    if (first.pages > pagesMost) return undefined;
    const events = [...first.events];
    for (let page = 2; page <= first.pages; page += 1) events.push(...(await this.#page(filter, page)).events);
    return events;
  }

  #newest(): Promise<Newest> {
    return this.#page({ '+order_by': 'id', '+order': 'desc' }, 1);
  }

  async #page(filter: Body, page: number): Promise<Newest & { pages: number }> {
    const path = `/account/events?page=${page}&page_size=${pageSize}`;
    const { data, pages } = pageOf(await this.#ask({ ...get(path), filter }), path);
    const events = data.map((row) => eventOf(row, this.#rules)).filter((event) => event !== undefined);
    return { events, pages, full: data.length >= pageSize };
  }

  /** Those that say something new, in order. */
  #take(read: readonly EventRecord[]): Pick<Batch, 'events' | 'progress'> {
    const first = this.#cursor === undefined;
    const events: EventRecord[] = [];
    const progress: EventRecord[] = [];
    for (const event of read.toSorted((a, b) => a.id - b.id)) {
      const known = this.#known.get(event.id);
      if (known?.status !== event.status) events.push(event);
      else if (known.percent !== event.percent) progress.push(event);
      else continue;
      this.#note(event, known);
    }
    this.#cursor = Math.max(this.#cursor ?? 0, ...read.map(({ id }) => id));
    // What happened before the first look is history, but for jobs that still run.
    return { events: first ? events.filter(({ open }) => open) : events, progress };
  }

  #note(event: EventRecord, known: Known | undefined): void {
    const { status, percent, open } = event;
    const seenAt = known === undefined || open ? this.#clock.monotonic() : known.seenAt;
    this.#known.set(event.id, { status, percent, seenAt, open });
  }

  /** Ids from which on everything is read, and open ones before it. Many open ones are read in one stretch where that is short. */
  #range(cursor: number): { readonly from: number; readonly open: readonly number[] } {
    const from = Math.max(this.#settled(cursor), this.#recentFloor());
    const open = [...this.#known].flatMap(([id, known]) => (known.open && id < from ? [id] : [])).toSorted((a, b) => a - b);
    if (open.length <= openMost) return { from, open };
    const first = open[0] ?? from;
    return this.#known.size < pagesMost * pageSize ? { from: first, open: [] } : { from, open: open.slice(0, openMost) };
  }

  #recentFloor(): number {
    const ids = [...this.#known.keys()];
    if (ids.length <= overlapMost) return 0;
    return ids.toSorted((a, b) => b - a)[overlapMost] ?? 0;
  }

  /** The cursor as it was when the overlap began. */
  #settled(cursor: number): number {
    const now = this.#clock.monotonic();
    const since = now - overlap;
    this.#marks.push({ at: now, cursor });
    while (this.#marks[1] !== undefined && this.#marks[1].at <= since) this.#marks.shift();
    return this.#marks[0]?.cursor ?? cursor;
  }

  #prune(): readonly number[] {
    const now = this.#clock.monotonic();
    const from = this.#marks[0]?.cursor ?? 0;
    const abandoned: number[] = [];
    for (const [id, { seenAt, open }] of this.#known) {
      if (open ? now - seenAt <= openFor : id >= from) continue;
      this.#known.delete(id);
      if (open) abandoned.push(id);
    }
    return abandoned;
  }
}

/** What is no news, oldest first. */
function historyIn(newest: Newest | undefined, events: readonly EventRecord[]): readonly EventRecord[] {
  const told = new Set(events.map(({ id }) => id));
  return newest?.events.filter(({ id }) => !told.has(id)).toSorted((a, b) => a.id - b.id) ?? [];
}
