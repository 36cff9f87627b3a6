import { KubeError } from '../../engine/ports/index.ts';
import type { Clock, Millis } from '../../lib/clock.ts';
import { DeadlineError } from '../../lib/deadline.ts';
import { between } from '../../lib/random.ts';
import type { Random } from '../../lib/random.ts';
import type { Log } from '../../telemetry/log.ts';
import { isGone, StatusError } from '../http/status-error.ts';

const FIRST: Millis = 800;
const LONGEST: Millis = 30_000;
/** How soon a CRD that was installed after us is noticed. */
const ABSENT: Millis = 10_000;
/** Reconnects of many watches must not come in one instant. */
const SPREAD: Millis = 250;
/** A watch that ends sooner without a word was refused in disguise. */
const SHORT: Millis = 1_000;
/** Failures from one version after which the list is asked instead: the server may have forgotten that version. */
const GIVE_UP_VERSION = 5;
/** Failures of streaming lists after which pages are tried in turn. */
const GIVE_UP_STREAM = 2;
/** A watch that lived so long was a good one, and what went wrong before it is over; longer than a connection is waited for. */
const LONG: Millis = 20_000;
/** How long a server whose lists are behind is given to catch up, before they are taken for a restored backup. */
const REWIND: Millis = 300_000;

/** `absent`: the server does not serve this kind (its CRD is not installed). */
export type ReflectorState = 'syncing' | 'synced' | 'absent';
interface Next {
  readonly delay: Millis;
  /** List again, because watching from the last version leads nowhere. */
  readonly relist: boolean;
}

/** What a reflector does after each end of its list or watch. Never gives up; says little while nothing new is wrong. */
export class Recovery {
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #log: Log;
  readonly #path: string;
  #failures = 0;
  #streamFailures = 0;
  #streamRefused = false;
  #began: Millis = 0;
  #heard = false;
  #behindSince: Millis | undefined;
  #trouble: string | undefined;
  #state: ReflectorState = 'syncing';

  constructor(options: { readonly clock: Clock; readonly random: Random; readonly log: Log; readonly path: string }) {
    this.#clock = options.clock;
    this.#random = options.random;
    this.#log = options.log;
    this.#path = options.path;
  }

  get state(): ReflectorState {
    return this.#state;
  }
  get trouble(): string | undefined {
    return this.#trouble;
  }
  /** Every second try is by pages once streaming has failed a few times for whatever reason. */
  get canStream(): boolean {
    return !this.#streamRefused && (this.#streamFailures < GIVE_UP_STREAM || this.#failures % 2 === 1);
  }
  get acceptsRewind(): boolean {
    return this.#behindSince !== undefined && this.#clock.monotonic() - this.#behindSince >= REWIND;
  }

  begin(): void {
    this.#began = this.#clock.monotonic();
    this.#heard = false;
  }

  /** The watch lives. */
  heard(): void {
    this.#heard = true;
    this.#failures = 0;
    this.#works();
  }

  /** From here on it is a watch. */
  listed(): void {
    this.#began = this.#clock.monotonic();
    this.#state = 'synced';
    this.#streamFailures = 0;
    this.#behindSince = undefined;
    this.#works();
  }

  #works(): void {
    if (this.#trouble !== undefined) this.#log.info('reading from the API server works again', { path: this.#path });
    this.#trouble = undefined;
  }

  behind(version: string, high: string): KubeError {
    this.#behindSince ??= this.#clock.monotonic();
    return new KubeError(
      'Unavailable',
      `list of ${this.#path} is at version ${version}, but ${high} was seen before: the API server is behind, or etcd was restored from a backup (then the list is believed after 5 minutes)`,
    );
  }

  /** What to do next after a clean end, or after an error of the watch or (not `watching`) of the list. */
  after(failure: { readonly error: unknown } | undefined, watching: boolean): Next {
    const lived = this.#clock.monotonic() - this.#began;
    if (watching && lived >= LONG) this.#failures = 0;
    if (!failure && (this.#heard || lived >= SHORT)) return { delay: between(this.#random, 0, SPREAD), relist: false };
    return this.#afterError(failure?.error ?? new Error(`the server ended the watch of ${this.#path} at once`), watching);
  }

  #afterError(error: unknown, watching: boolean): Next {
    if (isNotServed(error)) return this.#absent();
    if (!watching && this.#refusesStream(error)) return { delay: 0, relist: true };
    this.#report(error, watching);
    if (!watching) this.#streamFailures += 1;
    return this.#retry(error);
  }

  #retry(error: unknown): Next {
    const delay = this.#failures === 0 && isGone(error) ? between(this.#random, 0, SPREAD) : this.#backoff(error);
    this.#failures += 1;
    return { delay, relist: isGone(error) || this.#failures % GIVE_UP_VERSION === 0 };
  }

  #absent(): Next {
    if (this.#state === 'syncing') {
      this.#state = 'absent';
      this.#log.info('the API server does not serve this kind yet; waiting for its CRD', { path: this.#path });
    }
    return { delay: ABSENT * between(this.#random, 0.5, 1), relist: true };
  }

  #backoff(error: unknown): Millis {
    const own = Math.min(LONGEST, FIRST * 2 ** this.#failures) * between(this.#random, 0.5, 1);
    return Math.max(own, (error instanceof StatusError ? error.retryAfter : undefined) ?? 0);
  }

  /** An older server, or one with streaming lists switched off; told once, then pages are used at once and for ever. */
  #refusesStream(error: unknown): boolean {
    if (this.#streamRefused || !(error instanceof StatusError) || error.fault !== 'Invalid') return false;
    this.#streamRefused = true;
    return true;
  }

  #report(error: unknown, watching: boolean): void {
    const message = error instanceof Error ? error.message : String(error);
    const fields = { path: this.#path, error: message, failures: this.#failures };
    if (isGone(error) || (watching && isSilence(error))) return this.#log.debug('watch ended', fields);
    if (message === this.#trouble) this.#log.debug('list or watch failed again', fields);
    else this.#log.warn('list or watch failed; trying again', fields);
    this.#trouble = message;
  }
}

/** Bookmarks are not promised, so a quiet watch is no fault. */
const isSilence = (error: unknown): boolean => error instanceof KubeError && error.cause instanceof DeadlineError;
const isNotServed = (error: unknown): boolean => error instanceof StatusError && error.status === 404;
