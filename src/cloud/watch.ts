import type { Clock, Millis, Timer } from '../lib/clock.ts';
import type { Row } from '../resource/index.ts';
import { get } from '../resource/index.ts';
import type { Log } from '../telemetry/log.ts';
import type { How, Reply } from '../engine/ports.ts';
import type { Request } from './client.ts';
import { pageOf } from './pages.ts';
import { tenantOfSweeps } from './sweep.ts';

/** What every account has, whether or not anybody declares objects in it. */
export interface AccountFacts {
  readonly account: Row;
  readonly profile: Row;
  readonly notifications: readonly Row[];
  readonly maintenance: readonly Row[];
}
/** What the provider offers; by the collection's path. */
export type Catalogue = Readonly<Record<(typeof catalogues)[number], readonly Row[]>>;

export interface WatchOptions {
  readonly clock: Clock;
  readonly log: Log;
  readonly send: (request: Request, how: How) => Promise<Reply>;
  readonly facts: Pick<AccountFacts, 'account' | 'profile'>;
  /** Account and profile were read again. */
  readonly verified: (facts: AccountFacts) => void;
  readonly changed: () => void;
  readonly signal: AbortSignal;
}

const factsEvery: Millis = 900_000;
const catalogueEvery: Millis = 3_600_000;
const catalogues = ['/regions', '/vm/types', '/vm/kernels'] as const;

/** Reads the account itself every 15 min and the catalogues every hour (design 5.6). */
export class Watch {
  readonly #options: WatchOptions;
  readonly #timers = new Set<Timer>();
  readonly #catalogue: Record<string, readonly Row[]> = {};
  #facts: AccountFacts;

  constructor(options: WatchOptions) {
    this.#options = options;
    this.#facts = { ...options.facts, notifications: [], maintenance: [] };
  }

  get facts(): AccountFacts {
    return this.#facts;
  }

  /** Undefined until it was read. */
  catalogue(of: (typeof catalogues)[number]): readonly Row[] | undefined {
    return this.#catalogue[of];
  }

  start(): void {
    void this.#repeat(factsEvery, (first) => this.#readFacts(first));
    void this.#repeat(catalogueEvery, () => this.#readCatalogues());
  }

  close(): void {
    for (const timer of this.#timers) timer.cancel();
  }

  async #repeat(every: Millis, read: (first: boolean) => Promise<void>, first = true): Promise<void> {
    if (this.#options.signal.aborted) return;
    const timer = this.#options.clock.after(every, () => {
      this.#timers.delete(timer);
      void this.#repeat(every, read, false);
    });
    this.#timers.add(timer);
    await read(first);
  }

  /** The first time account and profile are fresh: the token was just verified by them. */
  async #readFacts(first: boolean): Promise<void> {
    const before = this.#facts;
    const account = first ? before.account : ((await this.#row('/account')) ?? before.account);
    const profile = first ? before.profile : ((await this.#row('/profile')) ?? before.profile);
    const notifications = (await this.#page('/account/notifications')) ?? before.notifications;
    const maintenance = (await this.#page('/account/maintenance')) ?? before.maintenance;
    this.#facts = { account, profile, notifications, maintenance };
    if (!first) this.#options.verified(this.#facts);
    if (JSON.stringify(before) !== JSON.stringify(this.#facts)) this.#options.changed();
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
      return reply && pageOf(reply, path).data;
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
