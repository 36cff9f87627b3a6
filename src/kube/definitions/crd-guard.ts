import { type Crds, KubeError } from '../../engine/ports/index.ts';
import type { Clock, Millis, Timer } from '../../lib/clock.ts';
import { SharedRead } from '../../lib/shared-read.ts';
import type { Log } from '../../telemetry/log.ts';
import type { KubeClient } from '../http/client.ts';
import { checkCrds, type CrdMismatch, type ExpectedCrd, isCrdLeaving } from './crds.ts';

/** A CRD is changed rarely, and by people; until it is looked at again only fields of a status can be lost. */
const every: Millis = 300_000;
/** An API server that starts answers 403 until it has read its roles: it is asked again soon, and a kind that fitted is written meanwhile. */
const soon: Millis = 10_000;
const patience: Millis = 60_000;

export interface CrdGuardOptions {
  readonly client: KubeClient;
  readonly expected: readonly ExpectedCrd[];
  readonly clock: Clock;
  readonly log: Log;
  readonly signal: AbortSignal;
  readonly report: (mismatches: readonly CrdMismatch[]) => void;
}

/** Knows which kinds must not be written because their served CRD is not ours, at start and while running. */
export class CrdGuard implements Crds {
  readonly #options: CrdGuardOptions;
  readonly #mismatched = new Set<string>();
  /** Until when a kind whose CRD cannot be read is taken to fit. */
  readonly #fitsUntil = new Map<string, Millis>();
  readonly #reads = new Map<string, SharedRead<boolean>>();
  #timer: Timer | undefined;
  #next: Millis = every;
  constructor(options: CrdGuardOptions) {
    this.#options = options;
    options.signal.addEventListener('abort', () => this.#timer?.cancel(), { once: true });
  }

  /** Kinds; changes in place. */
  get mismatched(): ReadonlySet<string> {
    return this.#mismatched;
  }

  /** Rejects with `KubeError`; what was known before then still holds. */
  async check(): Promise<void> {
    const { client, expected, signal, log, report } = this.#options;
    const mismatches = this.#believed(await checkCrds(client, expected, signal));
    report(mismatches);
    const now = new Set(mismatches.map(({ kind }) => kind));
    for (const kind of this.#mismatched) if (!now.has(kind)) log.info('a CRD fits this operator again; its kind is written', { kind });
    for (const { message, kind } of mismatches)
      if (!this.#mismatched.has(kind)) log.error('a CRD does not fit this operator; its kind is not written', { kind, message });
    this.#mismatched.clear();
    for (const kind of now) this.#mismatched.add(kind);
  }

  /** Without the kinds that fitted when their CRD could last be read, which is not long ago. */
  #believed(found: readonly CrdMismatch[]): readonly CrdMismatch[] {
    const now = this.#options.clock.monotonic();
    const problems = new Map(found.map(({ kind, problem }) => [kind, problem]));
    for (const { kind } of this.#options.expected) {
      const problem = problems.get(kind);
      if (problem === undefined) this.#fitsUntil.set(kind, Infinity);
      else if (problem === 'unreadable') this.#fitsUntil.set(kind, Math.min(this.#fitsUntil.get(kind) ?? now, now + patience));
      else this.#fitsUntil.delete(kind);
    }
    this.#next = found.some(({ problem }) => problem === 'unreadable') ? soon : every;
    return found.filter(({ kind }) => now >= (this.#fitsUntil.get(kind) ?? now));
  }

  /**
   * The CRD is being removed, or is gone: then its objects are deleted with it, and nobody asked for the cloud to be emptied.
   * Read after the question, as the CRD is marked before its objects are. Rejects with `KubeError`.
   */
  isLeaving(kind: string): Promise<boolean> {
    const known = this.#reads.get(kind) ?? new SharedRead(() => this.#leaves(kind));
    this.#reads.set(kind, known);
    return known.ask();
  }

  #leaves(kind: string): Promise<boolean> {
    const { client, expected, signal } = this.#options;
    const crd = expected.find((one) => one.kind === kind);
    return crd === undefined ? Promise.resolve(false) : isCrdLeaving(client, crd, signal);
  }

  start(): void {
    const { clock, signal } = this.#options;
    if (!signal.aborted) this.#timer = clock.after(this.#next, () => void this.#again());
  }

  async #again(): Promise<void> {
    try {
      await this.check();
    } catch (error) {
      if (!(error instanceof KubeError)) throw error;
      this.#options.log.warn('the CRDs cannot be compared now', { fault: error.fault, message: error.message });
    }
    this.start();
  }
}
