import type { CloudError, Connection, How, Identity, Listing, Mirror, OpenOptions, Owner, Permit } from '../engine/ports.ts';
import type { Clock, Millis } from '../lib/clock.ts';
import type { Random } from '../lib/random.ts';
import type { AnyKind, Call, Row, Sensitive } from '../resource/index.ts';
import { get } from '../resource/index.ts';
import type { Log } from '../telemetry/log.ts';
import type { ApiClock } from './api-clock.ts';
import type { Budget } from './budget.ts';
import type { Client } from './client.ts';
import { eventHow } from './events.ts';
import { HeldTokens } from './held-tokens.ts';
import { type Identified, leadsElsewhere } from './identity.ts';
import { laneNames } from './lanes.ts';
import { OwnCalls } from './own-calls.ts';
import { Report } from './report.ts';
import { Sender } from './sender.ts';
import { Snapshots } from './snapshots.ts';
import { throttledTrouble, type Trouble, Vitals } from './vitals.ts';
import { type AccountFacts, Watch } from './watch.ts';

/** What each of those who share a connection wants of it. */
export type LeaseTerms = Pick<OpenOptions, 'wake' | 'changed'> & { pollInterval: Millis | undefined };

export interface ConnectionOptions {
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

/** Everything that one account and user share: budget, events, snapshots (design 5.3). */
export class AccountConnection implements Connection {
  readonly watch: Watch;
  readonly tokens: HeldTokens;
  readonly #options: ConnectionOptions;
  readonly #leases = new Set<LeaseTerms>();
  readonly #abort = new AbortController();
  readonly #vitals: Vitals;
  readonly #sender: Sender;
  readonly #snapshots: Snapshots;
  readonly #report: Report;
  #identity: Identity;

  constructor(options: ConnectionOptions) {
    const { clock, client, budget, apiClock, identified } = options;
    const { signal } = this.#abort;
    this.#options = options;
    this.#identity = identified.identity;
    this.tokens = new HeldTokens(options.token);
    const ownCalls = new OwnCalls(clock);
    const throttled = (error: CloudError): void => this.#throttled(error.retryAfter ?? 0);
    this.#vitals = new Vitals({ ...options, changed: () => this.#recovered(), probe: () => this.#probe() });
    this.#sender = new Sender({
      client,
      budget,
      apiClock,
      throttled,
      watcher: ownCalls,
      vitals: () => this.#vitals,
      token: () => this.tokens.current,
    });
    const { user, interval, wake } = {
      user: () => this.#identity.user,
      interval: () => Math.min(...[...this.#leases].map(({ pollInterval = defaultInterval }) => pollInterval)),
      wake: (owners: Iterable<Owner>) => this.#wake(owners),
    };
    this.#snapshots = new Snapshots({ ...options, sender: this.#sender, ownCalls, signal, user, interval, wake });
    this.watch = new Watch({
      ...options,
      signal,
      facts: identified,
      send: (request, how) => this.#sender.send(request, how),
      verified: (facts) => this.#verify(facts),
    });
    this.#report = this.#reporting();
  }

  get identity(): Identity {
    return this.#identity;
  }

  get mirror(): Mirror {
    return this.#snapshots.mirror;
  }

  /** Number of those who share it. */
  get leases(): number {
    return this.#leases.size;
  }

  permit(call: Call, how: How): Promise<Permit> {
    return this.#sender.permit(call, how);
  }

  list(path: string, how: How & { readonly notBefore: Millis }): Promise<Listing> {
    return this.#snapshots.lists.list(path, how);
  }

  neutral(id: string): string {
    return this.#options.client.dialect.id(id);
  }

  async confirm(notBefore: Millis): Promise<Identity> {
    await this.watch.confirm(notBefore);
    const refusal = this.#vitals.refusal();
    if (refusal) throw refusal;
    return this.#identity;
  }

  catalogue(path: string): readonly Row[] | undefined {
    return this.watch.catalogue(path);
  }

  trouble(): Trouble | undefined {
    return this.#vitals.trouble ?? throttledTrouble(this.#options.budget.throttledClasses());
  }

  apiNow(): Millis {
    const { offset } = this.#options.apiClock;
    return offset === undefined ? this.#options.clock.now() : offset + this.#options.clock.monotonic();
  }

  report(): Row {
    return this.#report.row();
  }

  /** For metrics. */
  figures(): ConnectionFigures {
    const { clock, budget } = this.#options;
    const now = clock.monotonic();
    const { events, sweep } = this.#snapshots.readings;
    const since = (at: Millis | undefined): number | undefined => (at === undefined ? undefined : (now - at) / 1000);
    const queueAge = Object.fromEntries(laneNames.map((lane) => [lane, budget.age(lane) / 1000]));
    return { account: this.#identity.account, eventsLag: since(events), snapshotAge: since(sweep), queueAge };
  }

  join(terms: LeaseTerms, token: Sensitive): void {
    this.#leases.add(terms);
    this.tokens.hold(terms, token);
    if (this.#leases.size > 1) return;
    this.#snapshots.start();
    this.watch.start();
  }

  /** The poll that is due by the old interval may be an hour away. */
  tune(terms: LeaseTerms, pollInterval: Millis | undefined): void {
    if (terms.pollInterval === pollInterval) return;
    terms.pollInterval = pollInterval;
    this.#snapshots.retime();
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
    this.#vitals.verified();
    this.#snapshots.start();
    this.#changed();
  }

  /** Ends polling, sweeps and everything that waits. */
  close(): void {
    this.#abort.abort(new Error('the connection is closed'));
    for (const part of [this.#vitals, this.#snapshots, this.watch]) part.close();
  }

  #reporting(): Report {
    const { clock, budget } = this.#options;
    const inUse = (): Iterable<AnyKind> => this.#snapshots.kindsInUse.values();
    return new Report({
      clock,
      identity: () => this.#identity,
      budget: () => budget.left(),
      cursor: () => this.#snapshots.cursor,
      eventsRefused: () => this.#snapshots.eventsRefused,
      roundsBound: () => this.#snapshots.bound,
      counts: () => this.#snapshots.tally.counts(inUse()),
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
    if (this.#vitals.trouble === undefined) this.#snapshots.resume();
    this.#changed();
  }

  #throttled(retryAfter: Millis): void {
    this.#changed();
    this.#options.clock.after(retryAfter + 1, () => {
      if (!this.#abort.signal.aborted) this.#changed();
    });
  }

  async #probe(): Promise<void> {
    if (this.#vitals.trouble?.reason === 'Unauthorized') this.tokens.next();
    const { body } = await this.#sender.probe(get('/account'), eventHow(this.#abort.signal));
    if ((body as Row)['euuid'] !== this.#identity.account) return;
    this.tokens.verified();
    this.#vitals.verified();
  }

  #verify(facts: AccountFacts): void {
    const elsewhere = leadsElsewhere(this.#identity, facts);
    if (elsewhere !== undefined) return this.#vitals.mismatch(elsewhere);
    this.#identity = { ...this.#identity, restricted: facts.profile['restricted'] === true };
    this.tokens.takeTurns();
  }
}
