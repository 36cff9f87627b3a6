import type { Clock, Millis, Timer } from '../lib/clock.ts';
import type { Row } from '../resource/index.ts';
import { get } from '../resource/index.ts';
import type { Log } from '../telemetry/log.ts';
import type { How, Reply } from '../engine/ports.ts';
import type { Request } from './client.ts';
import { pageOf } from './pages.ts';
import { tenantOfSweeps } from './sweep.ts';

/** Who the token leads to, as last read. */
export interface AccountFacts {
  readonly account: Row;
  readonly profile: Row;
}

export interface WatchOptions {
  readonly clock: Clock;
  readonly log: Log;
  readonly send: (request: Request, how: How) => Promise<Reply>;
  readonly facts: AccountFacts;
  /** Account and profile were read again. */
  readonly verified: (facts: AccountFacts) => void;
  readonly signal: AbortSignal;
}

const factsEvery: Millis = 900_000;
const catalogueEvery: Millis = 3_600_000;
const catalogues = [
  '/regions',
  '/vm/types',
  '/images',
  '/vm/kernels',
  '/lke/versions',
  '/databases/engines',
  '/object-storage/clusters',
  '/longview/subscriptions',
] as const;

/** Reads the account itself every 15 min and the catalogues every hour (design 5.6). */
export class Watch {
  readonly #options: WatchOptions;
  readonly #timers = new Set<Timer>();
  readonly #catalogue: Record<string, readonly Row[]> = {};
  #facts: AccountFacts;
  #confirming: { readonly startedAt: Millis; readonly done: Promise<void> } | undefined;

  constructor(options: WatchOptions) {
    this.#options = options;
    this.#facts = options.facts;
  }

  /** Undefined until it was read; empty where one page does not hold it. */
  catalogue(path: string): readonly Row[] | undefined {
    return this.#catalogue[path];
  }

  /** The token was just verified, so account and profile are fresh. */
  start(): void {
    this.#later(factsEvery, () => this.#readFacts());
    void this.#readCatalogues();
    this.#later(catalogueEvery, () => this.#readCatalogues());
  }

  /** Reads account and profile again, once for all who ask; rejects where the usual round would keep what it knew. */
  confirm(notBefore: Millis): Promise<void> {
    const { clock } = this.#options;
    if (this.#confirming === undefined || this.#confirming.startedAt < notBefore)
      this.#confirming = { startedAt: clock.monotonic(), done: this.#confirm() };
    return this.#confirming.done;
  }

  close(): void {
    for (const timer of this.#timers) timer.cancel();
  }

  #later(every: Millis, read: () => Promise<void>): void {
    if (this.#options.signal.aborted) return;
    const timer = this.#options.clock.after(every, () => {
      this.#timers.delete(timer);
      this.#later(every, read);
      void read();
    });
    this.#timers.add(timer);
  }

  async #confirm(): Promise<void> {
    const { send, signal } = this.#options;
    const how: How = { lane: 'wait', tenant: tenantOfSweeps, signal };
    const [account, profile] = await Promise.all(['/account', '/profile'].map((path) => send(get(path), how)));
    this.#learn({ account: account?.body as Row, profile: profile?.body as Row });
  }

  async #readFacts(): Promise<void> {
    const account = (await this.#row('/account')) ?? this.#facts.account;
    const profile = (await this.#row('/profile')) ?? this.#facts.profile;
    this.#learn({ account, profile });
  }

  #learn(facts: AccountFacts): void {
    this.#facts = facts;
    this.#options.verified(facts);
  }

  async #readCatalogues(): Promise<void> {
    for (const path of catalogues) {
      const rows = await this.#page(path);
      if (rows) this.#catalogue[path] = rows;
    }
  }

  async #row(path: string): Promise<Row | undefined> {
    return (await this.#ask(get(path)))?.body as Row | undefined;
  }

  async #page(path: string): Promise<readonly Row[] | undefined> {
    const reply = await this.#ask(get(`${path}?page=1&page_size=500`));
    try {
      if (reply === undefined) return undefined;
      const { data, pages } = pageOf(reply, path);
      return pages > 1 ? [] : data;
    } catch {
      return undefined;
    }
  }

  /** What cannot be read keeps its last value; a scope may be missing. */
  async #ask(request: Request): Promise<Reply | undefined> {
    const { send, signal, log } = this.#options;
    try {
      return await send(request, { lane: 'sweep', tenant: tenantOfSweeps, signal });
    } catch (error) {
      log.debug('a periodic read of the account failed', { path: request.path, error: String(error) });
      return undefined;
    }
  }
}
