import { KubeError } from '../../engine/ports/index.ts';
import type { Clock, Millis, Timer } from '../../lib/clock.ts';
import { sleep } from '../../lib/clock.ts';
import { between } from '../../lib/random.ts';
import type { Random } from '../../lib/random.ts';
import type { Log } from '../../telemetry/log.ts';
import { kubePath } from '../http/client.ts';
import type { KubeClient, KubeRequest } from '../http/client.ts';
import type { Objection } from '../http/gate.ts';
import { claimed, durationOf, holderOf, released } from './lease-record.ts';
import type { Lease, OwnerReference } from './lease-record.ts';
import { isInEndingNamespace, isMissing } from '../http/status-error.ts';

export interface LeaseLockOptions {
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly namespace: string;
  readonly name: string;
  /** Who holds the lease: all that go by one identity hold it together. */
  readonly identity: string;
  /** How long others wait after they last saw a renewal. */
  readonly duration: Millis;
  /** How long after our last answered renewal we still call it ours; the rest of `duration` is the margin. */
  readonly renewDeadline: Millis;
  /** Longest time between two looks; a released lease is taken within it. */
  readonly retry: Millis;
  /** How long giving it back may take. */
  readonly farewell: Millis;
  /** Whoever lost it once takes it no more, because the process is about to end. */
  readonly forGood: boolean;
  /** Of the Lease object: it goes with its owner. */
  readonly owner?: OwnerReference;
  /**
   * It had the lease last, by what is written elsewhere. In a namespace that is being deleted the Lease goes, and nobody can make
   * another: whoever had it goes on, so that what is there can be brought to an end.
   */
  readonly wasLast?: () => boolean;
  /** Asked in the tick of the socket write. */
  readonly unless?: Objection;
  readonly onAcquired: () => void;
  readonly onLost: (why: string) => void;
  /** Told when somebody else is seen to hold it: once for each holder. */
  readonly onHeldBy?: (holder: string) => void;
}

/**
 * A Lease that is taken, renewed and given back by the rules of client-go: nobody's wall clock is believed. A lease has run
 * out when *we* have seen no change of it for its duration; ours counts from when the renewal that was answered was sent.
 */
export class LeaseLock {
  readonly #options: LeaseLockOptions;
  readonly #stop = new AbortController();
  /** What the server has, as last seen; undefined before the first look. */
  #seen: { readonly lease: Lease | undefined; readonly at: Millis } | undefined;
  #renewedAt: Millis | undefined;
  #expiry: Timer | undefined;
  /** Since when the Lease cannot be made. */
  #endingSince: Millis | undefined;
  /** For good. */
  #over = false;
  /** Whom the options' `onHeldBy` was told of last. */
  #told = '';
  /** What the log has said last. */
  #trouble: string | undefined;
  #running: Promise<void> | undefined;

  constructor(options: LeaseLockOptions) {
    this.#options = options;
  }

  held(): boolean {
    return this.#renewedAt !== undefined && this.#options.clock.monotonic() - this.#renewedAt < this.#options.renewDeadline;
  }

  /** Who held it when it was last seen; empty for nobody. */
  get holder(): string {
    return holderOf(this.#seen?.lease);
  }

  start(): void {
    this.#running ??= this.#run();
  }

  /** Gives the lease back, so that the next one takes it at its next look. Call it last: nothing may be written afterwards. */
  async stop({ giveBack }: { readonly giveBack: boolean } = { giveBack: true }): Promise<void> {
    const held = this.#renewedAt !== undefined;
    this.#stop.abort(new Error('the lease is no longer wanted'));
    this.#lose('released');
    await this.#running;
    if (held && giveBack) await this.#giveBack();
  }

  async #run(): Promise<void> {
    const { clock, random, retry } = this.#options;
    const { signal } = this.#stop;
    while (!signal.aborted && !this.#over) {
      await this.#attempt().catch((error: unknown) => this.#failed(error));
      await sleep(clock, retry * between(random, 0.75, 1), signal).catch(() => undefined);
    }
  }

  async #attempt(): Promise<void> {
    const renewing = this.#renewedAt !== undefined && this.#seen !== undefined;
    if (!renewing) await this.#look();
    const begun = this.#options.clock.monotonic();
    try {
      if (this.#isFree()) await this.#claim();
      this.#endingSince = undefined;
    } catch (error) {
      if (isInEndingNamespace(error) && this.#goesWithout(begun)) return;
      if (!isConflict(error)) throw error;
      await this.#look();
      if (this.#isFree()) await this.#claim();
    }
  }

  /** At once where it is held; else when nobody can hold it any more who had it after what is written elsewhere. */
  #goesWithout(begun: Millis): boolean {
    this.#endingSince ??= begun;
    if (this.#options.wasLast?.() !== true) return false;
    if (this.#renewedAt === undefined && begun - this.#endingSince < this.#options.duration) return false;
    this.#renewed(begun);
    return true;
  }

  async #look(): Promise<void> {
    this.#observe(await this.#get());
    const holder = this.holder;
    const theirs = holder !== '' && holder !== this.#options.identity;
    if (theirs && this.#renewedAt !== undefined) this.#lose(`taken by ${holder}`);
    if (theirs && holder !== this.#told && !this.#isFree()) this.#call(() => this.#options.onHeldBy?.(holder));
    this.#told = holder;
  }

  #observe(lease: Lease | undefined): void {
    const same = this.#seen !== undefined && this.#seen.lease?.metadata.resourceVersion === lease?.metadata.resourceVersion;
    if (!same) this.#seen = { lease, at: this.#options.clock.monotonic() };
  }

  #isFree(): boolean {
    if (!this.#seen?.lease || this.holder === '' || this.holder === this.#options.identity) return true;
    return this.#options.clock.monotonic() - this.#seen.at >= durationOf(this.#seen.lease);
  }

  async #claim(): Promise<void> {
    const { clock, identity, duration, namespace, name, owner } = this.#options;
    const lease = this.#seen?.lease;
    const sentAt = clock.monotonic();
    const metadata = { namespace, name, ...(owner && { ownerReferences: [owner] }) };
    const wanted = claimed(lease ?? { metadata }, { identity, duration, now: clock.now() });
    const body = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', ...wanted };
    this.#observe(
      (await this.#request(
        lease ? { method: 'PUT', path: this.#path(name), body } : { method: 'POST', path: this.#path(), body },
      )) as Lease,
    );
    this.#trouble = undefined;
    this.#renewed(sentAt);
  }

  /** An answer that came too late, or after the end, renews nothing. */
  #renewed(sentAt: Millis): void {
    const { clock, renewDeadline, identity, log } = this.#options;
    if (this.#stop.signal.aborted || this.#over || clock.monotonic() - sentAt >= renewDeadline) return;
    const first = this.#renewedAt === undefined;
    this.#renewedAt = sentAt;
    this.#expiry?.cancel();
    const left = Math.max(0, sentAt + renewDeadline - clock.monotonic());
    this.#expiry = clock.after(left, () => this.#lose(`not renewed within ${renewDeadline / 1_000} s`));
    if (!first) return;
    log.info('the lease is held now', { lease: this.#options.name, identity });
    this.#call(() => this.#options.onAcquired());
  }

  #lose(why: string): void {
    if (this.#renewedAt === undefined) return;
    this.#renewedAt = undefined;
    this.#over = this.#options.forGood;
    this.#expiry?.cancel();
    this.#options.log.info('the lease is held no more', { lease: this.#options.name, why });
    this.#call(() => this.#options.onLost(why));
  }

  /** Its outcome may be unknown: look before the next claim. The time since the last answered renewal runs on. */
  #failed(error: unknown): void {
    this.#seen = this.#renewedAt === undefined ? this.#seen : undefined;
    if (this.#stop.signal.aborted) return;
    const fields = { lease: this.#options.name, error: text(error), held: this.held() };
    if (this.#trouble === fields.error) this.#options.log.debug('the lease could still not be read or renewed', fields);
    else this.#options.log.warn('the lease could not be read or renewed; trying again', fields);
    this.#trouble = fields.error;
  }

  /** A renewal that was under way may still arrive in between, hence twice. */
  async #giveBack(): Promise<void> {
    try {
      await this.#release().catch(() => this.#release());
    } catch (error) {
      this.#options.log.warn('the lease was not given back; whoever is next waits until it runs out', {
        lease: this.#options.name,
        error: text(error),
      });
    }
  }

  async #release(): Promise<void> {
    const lease = await this.#get(true);
    if (!lease || holderOf(lease) !== this.#options.identity) return;
    const body = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', ...released(lease, this.#options.clock.now()) };
    await this.#request({ method: 'PUT', path: this.#path(this.#options.name), body }, true);
  }

  async #get(stopping = false): Promise<Lease | undefined> {
    try {
      return (await this.#request({ path: this.#path(this.#options.name) }, stopping)) as Lease;
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
  }

  #request(call: KubeRequest, stopping = false): Promise<unknown> {
    const { client, unless, farewell, renewDeadline } = this.#options;
    const timeout = stopping ? farewell / 2 : renewDeadline / 2;
    return client.request({ ...call, timeout, unless, ahead: true, signal: stopping ? undefined : this.#stop.signal });
  }

  #path(...name: readonly string[]): string {
    return kubePath('apis', 'coordination.k8s.io', 'v1', 'namespaces', this.#options.namespace, 'leases', ...name);
  }

  #call(back: () => void): void {
    try {
      back();
    } catch (error) {
      this.#options.log.error('a callback of a lease failed', { lease: this.#options.name, error: text(error) });
    }
  }
}

const isConflict = (error: unknown): boolean =>
  error instanceof KubeError && (error.fault === 'Conflict' || error.fault === 'AlreadyExists');
const text = (error: unknown): string => (error instanceof Error ? error.message : String(error));
