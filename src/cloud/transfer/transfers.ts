import type { Dispatcher } from 'undici';
import type { InLine, TransferEnd, TransferJob, Transfers, TransferState, Uploader } from '../../engine/ports/index.ts';
import type { Clock, Millis, Timer } from '../../lib/clock.ts';
import type { Sensitive } from '../../resource/index.ts';
import { type Proxy, createAgent } from '../http/agent.ts';
import { atOnce, Places } from './places.ts';
import { createSourceAgent } from './source-agent.ts';
import { type ImageSource, Sources } from './sources.ts';
import { stream } from './stream.ts';

/** How often the gate is asked while nothing moves, and for how long nothing may; once all is sent, how long its answer may take. */
const every: Millis = 1000;
const patience: Millis = 120_000;
const answersWithin: Millis = 900_000;
/** Of what is shown: each is a write of status. */
const shownEvery: Millis = 30_000;
const shownSteps = 10;
/** Bytes. */
const collectEvery = 4 * 2 ** 20;

export interface TransferOptions {
  readonly clock: Clock;
  readonly imageSources: readonly ImageSource[];
  /** Address of the API server, which may look like anybody's. */
  readonly apiServer?: string | undefined;
  /** To the account's service; what tenants name is reached without one. */
  readonly proxy?: Proxy | undefined;
  /** PEM of authorities that are trusted at the account's service, besides the system's. */
  readonly endpoints?: readonly { readonly ca?: string }[];
  /** Frees what nobody needs any more: pieces lie outside of the heap, and nothing else looks at them before they are many. */
  readonly collect?: (() => void) | undefined;
  /** Serves all requests, for tests in one process. */
  readonly dispatcher?: Dispatcher | undefined;
}

/** The streams of this process. */
export class StreamTransfers implements Transfers {
  readonly #options: TransferOptions;
  readonly #sources: Sources;
  readonly #agents: { source?: Dispatcher; target?: Dispatcher } = {};
  readonly #all = new Map<string, Running>();
  readonly #places: Places;
  #stopped = false;
  constructor(options: TransferOptions) {
    this.#options = options;
    this.#places = new Places(options.clock);
    this.#sources = new Sources(options.imageSources, options.apiServer === undefined ? [] : [options.apiServer]);
  }

  refusal(from: Sensitive): string | undefined {
    return this.#sources.refusal(from.reveal());
  }
  place(uid: string, who: Uploader): InLine | undefined {
    return this.#places.take(uid, who);
  }
  begin(uid: string, job: TransferJob): void {
    const before = this.#all.get(uid);
    if (this.#stopped || before?.isOver === false) return;
    const cuts = before?.state.end?.is === 'cut' && before.state.about.wish === job.about.wish ? before.state.cuts : 0;
    this.#places.begun(uid);
    const over = (): void => {
      if (this.#all.get(uid) === running) this.#places.leave(uid);
    };
    const running: Running = new Running(job, { ...this.#options, cuts, over, ...this.#sockets() });
    this.#all.set(uid, running);
  }
  of(uid: string): TransferState | undefined {
    return this.#all.get(uid)?.state;
  }
  forget(uid: string): void {
    this.#all.get(uid)?.stop('it is not wanted any more');
    this.#all.delete(uid);
    this.#places.leave(uid);
  }
  known(): Iterable<string> {
    return new Set([...this.#all.keys(), ...this.#places.known()]);
  }
  stop(): void {
    this.#stopped = true;
    this.#places.close();
    for (const running of this.#all.values()) running.stop('the operator is stopping');
    for (const agent of Object.values(this.#agents)) void agent.destroy().catch(() => undefined);
  }

  /** Made for the first one: most operators never have any. */
  #sockets(): { readonly source: Dispatcher; readonly target: Dispatcher } {
    const { dispatcher, proxy, endpoints = [] } = this.#options;
    if (dispatcher !== undefined) return { source: dispatcher, target: dispatcher };
    const authorities = endpoints.flatMap(({ ca }) => ca ?? []);
    const ca = authorities.length > 0 ? authorities.join('\n') : undefined;
    const source = (this.#agents.source ??= createSourceAgent(this.#sources));
    const target = (this.#agents.target ??= createAgent({ proxy, ca, connections: atOnce }));
    return { source, target };
  }
}

interface RunningOptions extends Pick<TransferOptions, 'clock' | 'collect'> {
  readonly cuts: number;
  /** Nothing of it is on its way any more. */
  readonly over: () => void;
  readonly source: Dispatcher;
  readonly target: Dispatcher;
}

class Running {
  readonly #job: TransferJob;
  readonly #options: RunningOptions;
  readonly #abort = new AbortController();
  #timer: Timer | undefined;
  #stoppedBy: string | undefined;
  #movedAt: Millis;
  #shownAt: Millis;
  #shown = 0;
  #bytes: number | undefined;
  #patience = patience;
  #collectedAt = 0;
  #over: { readonly end: TransferEnd; readonly at: Millis } | undefined;

  constructor(job: TransferJob, options: RunningOptions) {
    this.#job = job;
    this.#options = options;
    this.#movedAt = this.#shownAt = options.clock.monotonic();
    this.#watch();
    void this.#run();
  }

  get isOver(): boolean {
    return this.#over !== undefined;
  }
  get state(): TransferState {
    const { cuts } = this.#options;
    return {
      about: this.#job.about,
      percent: this.#shown,
      ...(this.#bytes !== undefined && { bytes: this.#bytes }),
      ...(this.#over !== undefined && { end: this.#over.end, endedAt: this.#over.at }),
      cuts: this.#over?.end.is === 'cut' ? cuts + 1 : cuts,
    };
  }
  stop(why: string): void {
    if (this.#over !== undefined) return;
    this.#stoppedBy ??= why;
    this.#timer?.cancel();
    this.#abort.abort(new Error(why));
  }

  async #run(): Promise<void> {
    const { source, target, clock } = this.#options;
    const end = await stream(this.#job, {
      source,
      target,
      signal: this.#abort.signal,
      gate: () => this.#stoppedBy ?? this.#job.gate(),
      moved: (sent, of) => this.#moved(sent, of),
    });
    this.#timer?.cancel();
    const message = this.#stoppedBy;
    this.#over = { end: message === undefined || end.is === 'done' ? end : this.#endOf(message), at: clock.monotonic() };
    this.#options.over();
    this.#job.ended(this.#over.end);
    this.#job.changed();
  }
  #endOf(message: string): TransferEnd {
    return message === stalled ? { is: 'cut', message } : { is: 'stopped', message };
  }

  #moved(sent: number, of: number): void {
    const now = this.#options.clock.monotonic();
    this.#movedAt = now;
    if (sent - this.#collectedAt >= collectEvery) {
      this.#collectedAt = sent;
      this.#options.collect?.();
    }
    if (sent === of) this.#patience = answersWithin;
    const percent = Math.floor((sent / of) * 100);
    const isNew =
      this.#bytes === undefined || percent >= this.#shown + shownSteps || (now - this.#shownAt >= shownEvery && percent > this.#shown);
    if (!isNew) return;
    this.#bytes = of;
    this.#shown = percent;
    this.#shownAt = now;
    this.#job.changed();
  }

  /** While nothing moves nobody else would ask the gate. */
  #watch(): void {
    const { clock } = this.#options;
    this.#timer = clock.after(every, () => {
      const why = this.#job.gate() ?? (clock.monotonic() - this.#movedAt > this.#patience ? stalled : undefined);
      if (why === undefined) this.#watch();
      else this.stop(why);
    });
  }
}
const stalled = 'nothing moved any more';
