import type { Clock, Millis, Timer } from '../../../src/lib/clock.ts';
import { expired } from '../requests/api-error.ts';
import { encode } from '../storage/kube-object.ts';
import type { KubeObject } from '../storage/kube-object.ts';
import { LineStream } from './line-stream.ts';
import type { ListOptions } from '../storage/list-options.ts';
import { apiVersionOf } from '../resources/resource.ts';
import type { Resource } from '../resources/resource.ts';
import { CompactedError } from '../storage/store.ts';
import type { Change, Store } from '../storage/store.ts';

const BOOKMARK_PERIOD: Millis = 60_000;
/** A last bookmark comes this long before the server ends the watch. */
const BOOKMARK_BEFORE_END: Millis = 2_000;

/** What a fault does to one event: nothing, loses it, doubles it, or holds it and all that follow back for a while. */
export type WatchFate = 'deliver' | 'drop' | 'duplicate' | { readonly delay: Millis };

export interface WatchOptions {
  readonly resource: Resource;
  readonly options: ListOptions;
  readonly store: Store;
  readonly clock: Clock;
  readonly horizon: () => number;
  readonly lifetime: Millis;
  readonly fate: (type: string, object: KubeObject) => WatchFate;
  readonly closed: () => void;
  readonly user: string;
}

type EventType = 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK';

/** One watch request: follows the store's history from a revision on, never ahead of its server's horizon. */
export class Watch {
  readonly stream: LineStream;
  readonly resource: Resource;
  readonly user: string;
  readonly #o: WatchOptions;
  readonly #timers = new Set<Timer>();
  #cursor = 0;
  #held: Timer | undefined;

  constructor(options: WatchOptions) {
    this.#o = options;
    this.resource = options.resource;
    this.user = options.user;
    this.stream = new LineStream(() => this.#cleanUp());
  }

  start(): void {
    const { lifetime, options } = this.#o;
    this.#after(lifetime, () => this.close());
    if (options.bookmarks) {
      this.#bookmarkEvery(BOOKMARK_PERIOD);
      if (lifetime > BOOKMARK_BEFORE_END) this.#after(lifetime - BOOKMARK_BEFORE_END, () => this.#bookmark());
    }
    this.#begin();
    this.pump();
  }

  /** Delivers what is new. Called after every write that this watch's server has seen. */
  pump(): void {
    if (this.stream.ended || this.#held) return;
    try {
      for (const change of this.#o.store.since(this.resource.table, this.#cursor)) {
        if (change.revision > this.#o.horizon() || this.#held) return;
        this.#deliver(change);
      }
    } catch (error) {
      if (!(error instanceof CompactedError)) throw error;
      this.fail(expired(`too old resource version: ${this.#cursor} (${error.oldest})`).body);
    }
  }

  /** An ERROR event, then the end: how the server ends a watch it cannot continue. */
  fail(status: unknown): void {
    this.stream.push(`${JSON.stringify({ type: 'ERROR', object: status })}\n`);
    this.stream.end();
  }

  /** The server ends the watch; with an error the connection breaks. */
  close(error?: Error): void {
    this.stream.end(error);
  }

  #begin(): void {
    const { options, store, horizon } = this.#o;
    const { resourceVersion, sendInitialEvents } = options;
    const exact = Number(resourceVersion);
    if (sendInitialEvents === undefined && exact > 0) {
      this.#cursor = exact;
      return;
    }
    const latest = resourceVersion === '';
    this.#cursor = latest ? store.revision : horizon();
    if (sendInitialEvents === false) return;
    const { table } = this.resource;
    const objects = this.#cursor >= store.revision ? store.list(table) : store.at(table, this.#cursor);
    for (const object of objects) if (options.matches(object)) this.#emit('ADDED', object);
    if (sendInitialEvents && options.bookmarks) this.#bookmark({ 'k8s.io/initial-events-end': 'true' });
  }

  #deliver(change: Change): void {
    const event = this.#seen(change);
    const fate = event ? this.#o.fate(event, change.object) : 'drop';
    if (typeof fate === 'object') {
      this.#hold(fate.delay, change);
      return;
    }
    this.#cursor = change.revision;
    if (!event || fate === 'drop') return;
    this.#show(event, change);
    if (fate === 'duplicate') this.#show(event, change);
  }

  #hold(delay: Millis, change: Change): void {
    this.#held = this.#after(delay, () => {
      this.#held = undefined;
      this.#cursor = change.revision;
      const event = this.#seen(change);
      if (event) this.#show(event, change);
      this.pump();
    });
  }

  /** An object that begins or ceases to match the selectors is added or deleted as far as this watch goes. */
  #seen(change: Change): EventType | undefined {
    const { matches } = this.#o.options;
    const was = change.previous !== undefined && matches(change.previous);
    const is = change.type !== 'DELETED' && matches(change.object);
    if (is) return was ? 'MODIFIED' : 'ADDED';
    return was ? 'DELETED' : undefined;
  }

  /** Whatever leaves the selection is shown as it was when it still belonged to it. */
  #show(event: EventType, { object, previous, revision }: Change): void {
    const left =
      event === 'DELETED' && previous ? { ...previous, metadata: { ...previous.metadata, resourceVersion: String(revision) } } : object;
    this.#emit(event, left);
  }

  #emit(type: EventType, object: KubeObject): void {
    const json = this.resource.custom ? encode(object) : JSON.stringify(this.resource.present(object));
    this.stream.push(`{"type":"${type}","object":${json}}\n`);
  }

  #bookmark(annotations?: Record<string, string>): void {
    if (this.stream.ended || this.#held) return;
    const revision = Math.max(this.#cursor, this.#o.horizon());
    this.#cursor = revision;
    const metadata = {
      ...(annotations ? { annotations } : {}),
      resourceVersion: String(revision),
      ...(this.resource.custom ? {} : { creationTimestamp: null }),
    };
    this.stream.push(
      `${JSON.stringify({ type: 'BOOKMARK', object: { kind: this.resource.kind, apiVersion: apiVersionOf(this.resource), metadata } })}\n`,
    );
  }

  #bookmarkEvery(period: Millis): void {
    this.#after(period, () => {
      this.#bookmark();
      this.#bookmarkEvery(period);
    });
  }

  #after(delay: Millis, then: () => void): Timer {
    const timer: Timer = this.#o.clock.after(delay, () => {
      this.#timers.delete(timer);
      then();
    });
    this.#timers.add(timer);
    return timer;
  }

  #cleanUp(): void {
    for (const timer of this.#timers) timer.cancel();
    this.#timers.clear();
    this.#o.closed();
  }
}
