import type {
  CloudError,
  Connection,
  CallOptions,
  Filtered,
  Identity,
  Listing,
  RemoteCache,
  OpenOptions,
  Owner,
  Permit,
} from '../../engine/ports/index.ts';
import type { Clock, Millis } from '../../lib/clock.ts';
import { Timers } from '../../lib/timers.ts';
import type { Random } from '../../lib/random.ts';
import { type AnyKind, type Call, get, type Row, type Sensitive } from '../../resource/index.ts';
import type { Log } from '../../telemetry/log.ts';
import type { ApiClock } from '../http/api-clock.ts';
import type { Budget } from '../requests/rate-budget.ts';
import type { Client } from '../http/client.ts';
import { inBackground } from '../requests/background.ts';
import { TokenPool } from './token-pool.ts';
import { type Identified, leadsElsewhere } from './token-identity.ts';
import { laneNames } from '../requests/lanes.ts';
import { OwnChanges } from '../events/own-changes.ts';
import { AccountReport } from './account-report.ts';
import { rateClasses } from '../requests/rate-class.ts';
import { Sender } from '../requests/sender.ts';
import { AccountSync, type SyncOptions } from '../sync/sync.ts';
import { throttledOutage, type Outage, Availability } from '../requests/availability.ts';
import { AccountCheck, type AccountFacts } from './account-check.ts';

/** What each of those who share a connection wants of it. */
export type LeaseTerms = Pick<OpenOptions, 'wake' | 'changed'> & { pollInterval: Millis | undefined };

export interface ConnectionOptions extends Pick<SyncOptions, 'onJobEnd' | 'look'> {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly kinds: readonly AnyKind[];
  readonly listLag: Millis;
  readonly client: Client;
  readonly budget: Budget;
  readonly apiClock: ApiClock;
  readonly token: Sensitive;
  readonly identified: Identified;
  readonly cursor: number | undefined;
}

/** What one connection can say of itself at any moment. Seconds. */
export interface ConnectionFigures {
  /** The account's own id. */
  readonly account: string;
  /** Since the last answered poll of the events. */
  readonly eventsLag: number | undefined;
  /** Since the oldest sweep. */
  readonly snapshotAge: number | undefined;
  /** Lane -> for how long its oldest request has waited for the rate window. */
  readonly queueAge: Readonly<Record<string, number>>;
}

const defaultInterval: Millis = 10_000;

/** Everything that one account and user share: budget, events, cache. */
export class AccountConnection implements Connection {
  readonly tokens: TokenPool;
  readonly #options: ConnectionOptions;
  readonly #leases = new Set<LeaseTerms>();
  readonly #abort = new AbortController();
  readonly #timers: Timers;
  readonly #availability: Availability;
  readonly #sender: Sender;
  readonly #sync: AccountSync;
  readonly #check: AccountCheck;
  readonly #report: AccountReport;
  #identity: Identity;

  constructor(options: ConnectionOptions) {
    const { clock, client, budget, apiClock, identified } = options;
    const { signal } = this.#abort;
    this.#options = options;
    this.#timers = new Timers(clock);
    this.#identity = identified.identity;
    this.tokens = new TokenPool(options.token);
    const ownChanges = new OwnChanges(clock);
    const throttled = (error: CloudError): void => this.#throttled(error.retryAfter ?? 0);
    this.#availability = new Availability({ ...options, changed: () => this.#recovered(), probe: () => this.#probe() });
    this.#sender = new Sender({
      client,
      budget,
      apiClock,
      throttled,
      watcher: ownChanges,
      rateOf: rateClasses(options.kinds),
      availability: () => this.#availability,
      token: () => this.tokens.current,
    });
    const user = (): string => this.#identity.user;
    const interval = (): Millis => Math.min(...[...this.#leases].map(({ pollInterval = defaultInterval }) => pollInterval));
    const scopes = (): readonly string[] => this.#identity.scopes;
    const wake = (owners: Iterable<Owner>): void => this.#wake(owners);
    const told = { ownChanges, signal, user, scopes, interval, wake };
    this.#sync = new AccountSync({ ...options, ...told, timers: this.#timers, sender: this.#sender });
    const verified = (facts: AccountFacts): void => this.#verify(facts);
    this.#check = new AccountCheck({ ...options, signal, facts: identified, sender: this.#sender, verified });
    this.#report = this.#reporting();
  }

  get identity(): Identity {
    return this.#identity;
  }
  get cache(): RemoteCache {
    return this.#sync.cache;
  }

  /** Number of those who share it. */
  get leases(): number {
    return this.#leases.size;
  }
  permit(call: Call & Filtered, how: CallOptions): Promise<Permit> {
    return this.#sender.permit(call, how);
  }
  list(path: string, how: CallOptions & { readonly notBefore: Millis }): Promise<Listing> {
    return this.#sync.lists.list(path, how);
  }
  neutral(id: string): string {
    return this.#options.client.dialect.id(id);
  }

  async confirm(notBefore: Millis): Promise<Identity> {
    await this.#check.confirm(notBefore);
    const refusal = this.#availability.refusal();
    if (refusal) throw refusal;
    return this.#identity;
  }

  catalogue(path: string): readonly Row[] | undefined {
    return this.#sync.catalogues.get(path);
  }
  readonly catalogued = (path: string): Promise<void> => this.#sync.catalogues.read(path);
  offers(path: string, id: string, how: CallOptions): Promise<boolean> {
    return this.#sync.catalogues.offers(path, id, how);
  }
  outage(): Outage | undefined {
    return this.#availability.outage ?? throttledOutage(this.#options.budget.throttledClasses());
  }
  apiNow(): Millis {
    return this.#options.apiClock.now(this.#options.clock);
  }
  report(): Row {
    return this.#report.row();
  }

  /** For metrics. */
  figures(): ConnectionFigures {
    const { clock, budget } = this.#options;
    const now = clock.monotonic();
    const { events, sweep } = this.#sync.readings;
    const since = (at: Millis | undefined): number | undefined => (at === undefined ? undefined : (now - at) / 1000);
    const queueAge = Object.fromEntries(laneNames.map((lane) => [lane, budget.age(lane) / 1000]));
    return { account: this.#identity.account, eventsLag: since(events), snapshotAge: since(sweep), queueAge };
  }

  join(terms: LeaseTerms, token: Sensitive): void {
    this.#leases.add(terms);
    this.tokens.hold(terms, token);
    if (this.#leases.size > 1) return;
    this.#sync.start();
    this.#check.start();
    this.#sync.catalogues.start();
  }

  /** The poll that is due by the old interval may be an hour away. */
  tune(terms: LeaseTerms, pollInterval: Millis | undefined): void {
    if (terms.pollInterval === pollInterval) return;
    terms.pollInterval = pollInterval;
    this.#sync.retime();
  }

  /** True when nobody is left. */
  leave(terms: LeaseTerms): boolean {
    this.#leases.delete(terms);
    this.tokens.drop(terms);
    if (this.#leases.size === 0) this.close();
    return this.#leases.size === 0;
  }

  /** A verified token of the same account and user. */
  rotated(terms: LeaseTerms, token: Sensitive, identity: Identity): void {
    this.tokens.rotate(terms, token);
    this.#identity = identity;
    this.#availability.verified();
    this.#sync.start();
    this.#changed();
  }

  /** Ends polling, sweeps and everything that waits. */
  close(): void {
    this.#abort.abort(new Error('the connection is closed'));
    for (const part of [this.#timers, this.#availability, this.#sync, this.#check]) part.close();
  }

  #reporting(): AccountReport {
    const { clock, budget } = this.#options;
    const inUse = (): Iterable<AnyKind> => this.#sync.kindsInUse.values();
    return new AccountReport({
      clock,
      identity: () => this.#identity,
      budget: () => budget.left(),
      cursor: () => this.#sync.cursor,
      eventsRefused: () => this.#sync.eventsRefused,
      roundsBound: () => this.#sync.bound,
      counts: () => this.#sync.counts.counts(inUse()),
      kinds: inUse,
    });
  }

  #wake(owners: Iterable<Owner>): void {
    for (const { kind, key } of owners) for (const { wake } of this.#leases) wake(kind.kind, key);
  }

  #changed(): void {
    for (const { changed } of this.#leases) changed();
  }

  #recovered(): void {
    if (this.#availability.isBackAgain) this.#sync.resume();
    this.#changed();
  }

  #throttled(retryAfter: Millis): void {
    this.#changed();
    this.#timers.after(retryAfter + 1, () => this.#changed());
  }

  async #probe(): Promise<void> {
    if (this.#availability.outage?.reason === 'Unauthorized') this.tokens.next();
    const { body } = await this.#sender.probe(get('/account'), inBackground('wait', this.#abort.signal));
    if ((body as Row)['euuid'] !== this.#identity.account) return;
    this.tokens.verified();
    this.#availability.verified();
  }

  #verify(facts: AccountFacts): void {
    const elsewhere = leadsElsewhere(this.#identity, facts);
    if (elsewhere !== undefined) return this.#availability.mismatch(elsewhere);
    this.#identity = { ...this.#identity, restricted: facts.profile['restricted'] === true };
    this.tokens.takeTurns();
  }
}
