import type { Dispatcher } from 'undici';
import { CloudError, type ConnectionLease, type Connector, type Identity, type OpenOptions } from '../../engine/ports/index.ts';
import type { Clock, Millis } from '../../lib/clock.ts';
import type { Random } from '../../lib/random.ts';
import type { AnyKind, Sensitive } from '../../resource/index.ts';
import type { Log } from '../../telemetry/log.ts';
import type { Proxy } from '../http/agent.ts';
import { createAgent } from '../http/agent.ts';
import { ApiClock } from '../http/api-clock.ts';
import { Shares } from '../requests/shares.ts';
import type { BudgetLeft } from '../requests/rate-budget.ts';
import { Budget } from '../requests/rate-budget.ts';
import type { CallObserved, UserAgent } from '../http/client.ts';
import { Client, userAgentOf } from '../http/client.ts';
import type { Patience } from '../http/patience.ts';
import type { ConnectionFigures, LeaseTerms } from './connection.ts';
import type { JobEnd } from '../sync/job-end.ts';
import { AccountConnection } from './connection.ts';
import type { Dialect } from '../http/dialect.ts';
import { createDialect } from '../http/dialect.ts';
import type { Identified } from './token-identity.ts';
import { identify } from './token-identity.ts';

/** As the administrator configures it (`--endpoint NAME=URL,word=W[,ca=FILE]`). */
export interface Endpoint {
  readonly name: string;
  /** Ends in `/v4`. */
  readonly url: string;
  /** The provider's word in identifiers; `vm` in the documents. */
  readonly word: string;
  /** PEM text of an authority that is trusted besides the system's. */
  readonly ca?: string;
}

export interface ConnectorOptions {
  readonly endpoints: readonly Endpoint[];
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly kinds: readonly AnyKind[];
  /** Longest time after a write during which lists may not show it. */
  readonly listLag: Millis;
  /** Sockets of the caller; it closes them. Absent: one agent per connection. */
  readonly dispatcher?: Dispatcher;
  readonly proxy?: Proxy;
  readonly userAgent?: UserAgent;
  readonly onCall?: (call: CallObserved & { readonly endpoint: string }) => void;
  readonly patience?: Patience;
  readonly onBudget?: (left: BudgetLeft & { readonly account: string }) => void;
  readonly onJobEnd?: (end: JobEnd) => void;
}

interface Way {
  readonly endpoint: Endpoint;
  readonly dialect: Dialect;
  readonly dispatcher: Dispatcher;
  readonly client: Client;
}
interface Shared extends Way {
  readonly connection: AccountConnection;
}
/** Windows count per user, whatever the token. */
interface Windows {
  readonly budget: Budget;
  readonly apiClock: ApiClock;
  readonly shares: Shares;
}

/** More than the budget ever sends at once. */
const connections = 64;

export function createConnector(options: ConnectorOptions): Connector & { close(): void; figures(): readonly ConnectionFigures[] } {
  return new AccountConnector(options);
}

class AccountConnector implements Connector {
  readonly #options: ConnectorOptions;
  readonly #shared = new Map<string, Shared>();
  readonly #windows = new Map<string, Windows>();

  constructor(options: ConnectorOptions) {
    this.#options = options;
  }

  get endpoints(): readonly string[] {
    return this.#options.endpoints.map(({ name }) => name);
  }

  async open(options: OpenOptions, signal: AbortSignal): Promise<ConnectionLease> {
    const way = this.#way(options.endpoint);
    const identified = await this.#identify(way, options.token, signal).catch((error: unknown) => {
      this.#end(way);
      throw error;
    });
    const key = keyOf(way.endpoint, identified.identity);
    const known = this.#shared.get(key);
    if (known) this.#end(way);
    const shared = known ?? this.#connect(way, options, identified);
    this.#shared.set(key, shared);
    return this.#lease(shared, options);
  }

  figures(): readonly ConnectionFigures[] {
    return [...this.#shared.values()].map(({ connection }) => connection.figures());
  }

  close(): void {
    for (const shared of this.#shared.values()) {
      shared.connection.close();
      this.#end(shared);
    }
    for (const { budget } of this.#windows.values()) budget.close();
    this.#shared.clear();
  }

  #way(name: string): Way {
    const { endpoints, clock, proxy, userAgent = userAgentOf('cloud-operator'), onCall, patience } = this.#options;
    const endpoint = endpoints.find((one) => one.name === name);
    if (endpoint === undefined) {
      throw new CloudError('Rejected', `endpoint ${name} is not configured; known are ${this.endpoints.join(', ')} (--endpoint)`);
    }
    const { url, word, ca } = endpoint;
    const dialect = createDialect(word);
    const dispatcher = this.#options.dispatcher ?? createAgent({ proxy, ca, connections });
    const told = onCall && ((call: CallObserved) => onCall({ ...call, endpoint: name }));
    const client = new Client({ url, dialect, dispatcher, clock, userAgent, onCall: told, patience });
    return { endpoint, dialect, dispatcher, client };
  }

  #identify({ client, dialect }: Way, token: Sensitive, signal: AbortSignal): Promise<Identified> {
    return identify(client, dialect, { token, signal });
  }

  #connect(way: Way, options: OpenOptions, identified: Identified): Shared {
    const { clock, random, log, kinds, listLag, onJobEnd } = this.#options;
    const { budget, apiClock } = this.#windowsOf(way.endpoint, identified);
    for (const { dated, apiTime, requestedAt, answeredAt } of identified.heads)
      if (dated) apiClock.observe(apiTime, requestedAt, answeredAt);
    const connection = new AccountConnection({
      clock,
      random,
      log,
      kinds,
      listLag,
      budget,
      apiClock,
      identified,
      token: options.token,
      cursor: options.cursor,
      look: options.look,
      client: way.client,
      onJobEnd,
    });
    return { ...way, connection };
  }

  #windowsOf({ url }: Endpoint, { identity }: Pick<Identified, 'identity'>): Windows {
    const user = `${url} ${identity.account} ${identity.user}`;
    const known = this.#windows.get(user);
    if (known) return known;
    const { clock, onBudget } = this.#options;
    const apiClock = new ApiClock();
    const shares = new Shares();
    const budget = new Budget({
      clock,
      apiClock,
      share: (account) => shares.part(account),
      isOfMany: () => shares.areOfMany(),
      onBudget: onBudget && ((left) => onBudget({ ...left, account: identity.account })),
    });
    const made = { budget, apiClock, shares };
    this.#windows.set(user, made);
    return made;
  }

  #lease(shared: Shared, options: OpenOptions): ConnectionLease {
    const { connection } = shared;
    const { wake, changed, pollInterval, account } = options;
    const terms: LeaseTerms = { wake, changed, pollInterval };
    const { shares, budget } = this.#windowsOf(shared.endpoint, connection);
    const share = (wishes: Pick<OpenOptions, 'share' | 'ofMany'>): void => {
      shares.set(terms, account, wishes);
      budget.retune();
    };
    share(options);
    connection.join(terms, options.token);
    let open = true;
    return {
      connection,
      isRefused: () => connection.tokens.isRefused(terms),
      rotate: (token, signal) => this.#rotate(shared, terms, token, signal),
      shareUsedUp: () => {
        const classes = budget.usedUp(account);
        return classes.length === 0 ? undefined : { sharePercent: Math.round(shares.part(account) * 100), classes };
      },
      tune: (wishes) => {
        share(wishes);
        connection.tune(terms, wishes.pollInterval);
      },
      close: () => {
        if (!open) return;
        open = false;
        shares.delete(terms);
        if (!connection.leave(terms)) return;
        this.#forget(shared);
        this.#end(shared);
      },
    };
  }

  async #rotate(shared: Shared, terms: LeaseTerms, token: Sensitive, signal: AbortSignal): Promise<boolean> {
    const { identity } = await this.#identify(shared, token, signal);
    const { account, user } = shared.connection.identity;
    if (identity.account !== account) {
      throw new CloudError(
        'Rejected',
        `the token leads to account ${identity.account}, and this one is ${account}. Nothing is written. Put back a token of ${account}, or use another CloudAccount for the other one`,
      );
    }
    if (identity.user !== user) {
      throw new CloudError(
        'Rejected',
        `the token stands for user ${identity.user} instead of ${user}. Nothing is written. Put back a token of ${user}, or make another CloudAccount for ${identity.user}`,
      );
    }
    const isAnother = keyOf(shared.endpoint, identity) !== keyOf(shared.endpoint, shared.connection.identity);
    if (isAnother && shared.connection.leases > 1) return false;
    shared.connection.rotated(terms, token, identity);
    this.#forget(shared);
    const key = keyOf(shared.endpoint, shared.connection.identity);
    if (!this.#shared.has(key)) this.#shared.set(key, shared);
    return true;
  }

  #forget(shared: Shared): void {
    for (const [key, one] of this.#shared) if (one === shared) this.#shared.delete(key);
  }

  #end({ dispatcher }: Way): void {
    if (dispatcher !== this.#options.dispatcher) void dispatcher.destroy();
  }
}

/** Tokens of one user may hold different scopes; nobody gets to act with those of another's token. */
const keyOf = ({ url }: Endpoint, identity: Identity): string =>
  [url, identity.account, identity.user, ...identity.scopes.toSorted()].join(' ');
