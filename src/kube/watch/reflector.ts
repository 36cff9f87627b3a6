import type { Clock, Millis } from '../../lib/clock.ts';
import { sleep } from '../../lib/clock.ts';
import { breathe } from '../../lib/breathe.ts';
import { between } from '../../lib/random.ts';
import type { Random } from '../../lib/random.ts';
import type { Log } from '../../telemetry/log.ts';
import type { KubeClient } from '../http/client.ts';
import { Recovery } from './recovery.ts';
import type { ReflectorState } from './recovery.ts';
import type { RawObject } from './trim.ts';
import { isNewer, newest } from './version.ts';
import { watchEvent } from './watch-event.ts';
import type { WatchEvent } from './watch-event.ts';

const PAGE = 500;
const LIST_TIMEOUT: Millis = 60_000;
/** Bookmarks come about once a minute but are not promised; after this silence the connection is taken for dead. */
const SILENCE: Millis = 180_000;
/** A list anew when the watch next ends, so that an event that got lost somewhere costs at most half an hour. */
const RELIST: Millis = 900_000;

/** Where a reflector puts what it sees. */
export interface Sink {
  /** Returns the uid; undefined for something that is no object. */
  put(object: RawObject, from: 'list' | 'watch', force: boolean): string | undefined;
  remove(object: RawObject): void;
  sweep(seen: ReadonlySet<string>, version: string, force: boolean): void;
}
export interface ReflectorOptions {
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  /** Of the collection. */
  readonly path: string;
  readonly sink: Sink;
  /** Called when the state may have changed. */
  readonly onState: () => void;
}

interface Listing {
  readonly seen: Set<string>;
  readonly force: boolean;
}

/** Keeps a sink equal to one collection: list, then watch, for ever, through every kind of failure. */
export class Reflector {
  readonly #options: ReflectorOptions;
  readonly #recovery: Recovery;
  readonly #stop = new AbortController();
  /** From where to watch; undefined: list first. */
  #version: string | undefined;
  /** Newest version that a list or bookmark has shown. */
  #high = '0';
  #relistAt: Millis = 0;
  #running: Promise<void> | undefined;

  constructor(options: ReflectorOptions) {
    this.#options = options;
    this.#recovery = new Recovery(options);
  }

  get state(): ReflectorState {
    return this.#recovery.state;
  }

  /** Why nothing could be read lately, in words. */
  get trouble(): string | undefined {
    return this.#recovery.trouble;
  }

  start(): void {
    this.#running ??= this.#run();
  }

  async stop(): Promise<void> {
    this.#stop.abort(new Error('the reflector was stopped'));
    await this.#running;
  }

  async #run(): Promise<void> {
    const { signal } = this.#stop;
    while (!signal.aborted) {
      this.#recovery.begin();
      const failure = await this.#listAndWatch().then(
        () => undefined,
        (error: unknown) => ({ error }),
      );
      if (signal.aborted) return;
      const next = this.#recovery.after(failure, this.#version !== undefined);
      this.#options.onState();
      if (next.relist) this.#version = undefined;
      await sleep(this.#options.clock, next.delay, signal).catch(() => undefined);
    }
  }

  async #listAndWatch(): Promise<void> {
    if (this.#version !== undefined && this.#options.clock.monotonic() >= this.#relistAt) this.#version = undefined;
    if (this.#version === undefined && this.#recovery.canStream) return this.#streamList();
    if (this.#version === undefined) await this.#listPages(this.#newListing());
    if (!this.#stop.signal.aborted) await this.#watch({ resourceVersion: this.#version ?? '0' });
  }

  /** The list as the beginning of the watch: it needs no second copy of the collection in memory, here or in the server. */
  async #streamList(): Promise<void> {
    await this.#watch({ sendInitialEvents: true, resourceVersionMatch: 'NotOlderThan' }, this.#newListing());
  }

  #newListing(): Listing {
    return { seen: new Set(), force: this.#recovery.acceptsRewind };
  }

  async #watch(query: Record<string, string | boolean>, listing?: Listing): Promise<void> {
    const { client, path, random } = this.#options;
    const timeoutSeconds = Math.round(between(random, 300, 600));
    let initial = listing;
    const stream = client.stream(
      { path, query: { watch: true, allowWatchBookmarks: true, timeoutSeconds, ...query }, signal: this.#stop.signal },
      () => (initial ? LIST_TIMEOUT : SILENCE),
    );
    for await (const line of stream) {
      if (this.#stop.signal.aborted) return;
      const event = watchEvent(path, line);
      if (event) initial = this.#onEvent(event, initial);
    }
    if (initial) throw new Error(`the server ended the initial events of ${path} before they were complete`);
  }

  /** Returns the listing while its end has not come. */
  #onEvent(event: WatchEvent, initial: Listing | undefined): Listing | undefined {
    if (!initial) this.#recovery.heard();
    if (event.type === 'BOOKMARK') return this.#onBookmark(event, initial);
    if (event.type === 'DELETED') this.#options.sink.remove(event.object);
    else this.#put(event.object, initial);
    if (!initial) this.#advance(event.object.metadata?.resourceVersion);
    return initial;
  }

  #put(object: RawObject, initial: Listing | undefined): void {
    const uid = this.#options.sink.put(object, initial ? 'list' : 'watch', initial?.force ?? false);
    if (uid !== undefined) initial?.seen.add(uid);
  }

  #onBookmark(event: { version: string; initial: boolean }, initial: Listing | undefined): Listing | undefined {
    if (initial && !event.initial) return initial;
    if (initial) this.#listed(initial, event.version);
    else this.#advance(event.version);
    return undefined;
  }

  async #listPages(listing: Listing): Promise<void> {
    const { client, path } = this.#options;
    let next: string | undefined;
    for (;;) {
      const query = { limit: PAGE, continue: next };
      const page = (await client.request({ path, query, timeout: LIST_TIMEOUT, signal: this.#stop.signal })) as Page;
      if (this.#stop.signal.aborted) return;
      for (const object of page.items ?? []) this.#put(object, listing);
      next = page.metadata?.continue;
      if (next === undefined || next === '') return this.#listed(listing, page.metadata?.resourceVersion ?? '0');
      await breathe();
    }
  }

  /** Both forms of list read through to etcd, so one that is behind comes from a server that has lost its way, or from a restored backup. */
  #listed({ seen, force }: Listing, version: string): void {
    const { clock, random, sink, onState } = this.#options;
    if (isNewer(this.#high, version) && !force) throw this.#recovery.behind(version, this.#high);
    sink.sweep(seen, version, force);
    this.#version = version;
    this.#high = version;
    this.#relistAt = clock.monotonic() + RELIST * between(random, 0.75, 1.25);
    this.#recovery.listed();
    onState();
  }

  #advance(version: string | undefined): void {
    if (version === undefined || this.#version === undefined) return;
    this.#version = newest(this.#version, version);
    this.#high = newest(this.#high, version);
  }
}

interface Page {
  readonly metadata?: { readonly resourceVersion?: string; readonly continue?: string };
  readonly items?: readonly RawObject[];
}
