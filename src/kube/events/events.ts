import type { Leadership, Recorder, Resource } from '../../engine/ports/index.ts';
import type { Clock, Millis, Timer } from '../../lib/clock.ts';
import { FifoMap } from '../../lib/fifo-map.ts';
import { RecentMap } from '../../lib/recent-map.ts';
import { TokenBucket } from '../../lib/token-bucket.ts';
import type { Log } from '../../telemetry/log.ts';
import { kubePath } from '../http/client.ts';
import type { KubeClient } from '../http/client.ts';
import { eventBody, newSeries, seriesBody, seriesKey } from './event-series.ts';
import type { EventSeries, Happening } from './event-series.ts';
import type { Objection } from '../http/gate.ts';
import { unlessLeading } from '../leases/leading.ts';
import { isMissing } from '../http/status-error.ts';

/** The same again within this time is the same series; a bucket is full again after it. */
const WINDOW: Millis = 600_000;
/** How often the count of a series is written. */
const FLUSH: Millis = 60_000;
const KEPT = 5_000;
const QUEUE_LIMIT = 1_000;
const PER_OBJECT = { burst: 10, every: 60_000 };
const GLOBAL = { burst: 200, every: 50 };
/** Beyond its share a namespace takes only what leaves half of all for others: somebody's thousand mistakes must not silence them. */
const SHARE = { burst: 50, every: 200 };
const SPARE = GLOBAL.burst / 2;

export interface KubeRecorderOptions {
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly log: Log;
  /** For example `cloudhosting.dev/cloud-operator`. */
  readonly controller: string;
  /** The pod's name. */
  readonly instance: string;
  /** Who no longer leads tells nothing any more. Absent: always leads. */
  readonly leadership?: Leadership;
}

/** Kubernetes Events (`events.k8s.io/v1`). Nobody waits for them, and under load or trouble they are dropped. */
export class KubeRecorder implements Recorder {
  readonly #options: KubeRecorderOptions;
  readonly #unless: Objection;
  readonly #series: RecentMap<string, EventSeries>;
  /** By uid. */
  readonly #buckets: RecentMap<string, TokenBucket>;
  readonly #shares: RecentMap<string, TokenBucket>;
  readonly #global: TokenBucket;
  readonly #queue = new FifoMap<EventSeries, true>();
  readonly #counted = new Set<EventSeries>();
  #flush: Timer | undefined;
  #sending: Promise<void> | undefined;
  #dropped = 0;

  constructor(options: KubeRecorderOptions) {
    this.#options = options;
    this.#unless = unlessLeading(options.leadership);
    this.#series = new RecentMap(options.clock, WINDOW, KEPT);
    this.#buckets = new RecentMap(options.clock, WINDOW, KEPT);
    this.#shares = new RecentMap(options.clock, WINDOW, KEPT);
    this.#global = new TokenBucket(options.clock, GLOBAL.burst, GLOBAL.every);
  }

  /** Events that were not sent because there were too many, or that the API server did not take. */
  get dropped(): number {
    return this.#dropped;
  }

  event(about: Resource, happening: Happening): void {
    const { clock } = this.#options;
    const key = seriesKey(about, happening);
    const series = this.#series.use(key);
    if (series) return this.#again(series);
    if (!this.#allowed(about.metadata)) return void (this.#dropped += 1);
    const fresh = newSeries(about, happening, clock.now());
    this.#series.set(key, fresh);
    this.#send(fresh);
  }

  /** Sends what is left, for as long as `limit` allows. */
  async close(limit: Millis): Promise<void> {
    this.#flushCounts();
    let timer: Timer | undefined;
    const late = new Promise<void>((resolve) => {
      timer = this.#options.clock.after(limit, resolve);
    });
    await Promise.race([this.#sending, late]);
    timer?.cancel();
    this.#flush?.cancel();
    this.#queue.clear();
    this.#series.clear();
    this.#buckets.clear();
    this.#shares.clear();
  }

  #again(series: EventSeries): void {
    const { clock } = this.#options;
    series.count += 1;
    series.last = clock.now();
    this.#counted.add(series);
    this.#flush ??= clock.after(FLUSH, () => this.#flushCounts());
  }

  #flushCounts(): void {
    this.#flush?.cancel();
    this.#flush = undefined;
    for (const series of this.#counted) this.#send(series);
    this.#counted.clear();
  }

  #allowed({ uid, namespace }: Resource['metadata']): boolean {
    if (!this.#bucketOf(this.#buckets, uid, PER_OBJECT).take()) return false;
    const isWithinShare = this.#bucketOf(this.#shares, namespace, SHARE).take();
    return this.#global.take(isWithinShare ? 0 : SPARE);
  }

  #bucketOf(of: RecentMap<string, TokenBucket>, name: string, { burst, every }: typeof SHARE): TokenBucket {
    let bucket = of.use(name);
    if (bucket === undefined) of.set(name, (bucket = new TokenBucket(this.#options.clock, burst, every)));
    return bucket;
  }

  #send(series: EventSeries): void {
    if (this.#queue.size >= QUEUE_LIMIT) return void (this.#dropped += 1);
    this.#queue.set(series, true);
    this.#sending ??= this.#pump();
  }

  async #pump(): Promise<void> {
    for (let series = this.#queue.oldest(); series; series = this.#queue.oldest()) {
      this.#queue.delete(series);
      await this.#write(series).catch((error: unknown) => this.#failed(error));
    }
    this.#sending = undefined;
  }

  async #write(series: EventSeries): Promise<void> {
    const { client, controller, instance } = this.#options;
    const { count } = series;
    const path = kubePath('apis', 'events.k8s.io', 'v1', 'namespaces', series.about.namespace, 'events');
    if (series.written > 0 && (await this.#update(`${path}/${encodeURIComponent(series.name)}`, series))) return;
    await client.request({ method: 'POST', path, body: eventBody(series, { controller, instance }), unless: this.#unless });
    series.written = count;
  }

  /** False when the Event is no longer there: the cluster keeps them for an hour. */
  async #update(path: string, series: EventSeries): Promise<boolean> {
    const { count } = series;
    try {
      const body = seriesBody(series);
      await this.#options.client.request({
        method: 'PATCH',
        path,
        contentType: 'application/merge-patch+json',
        body,
        unless: this.#unless,
      });
      series.written = count;
      return true;
    } catch (error) {
      if (isMissing(error)) return false;
      throw error;
    }
  }

  #failed(error: unknown): void {
    this.#dropped += 1;
    this.#options.log.debug('an Event was not written', { error: error instanceof Error ? error.message : String(error) });
  }
}
