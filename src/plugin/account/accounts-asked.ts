import type { ConnectionLease, OpenOptions } from '../../engine/ports/index.ts';
import { shownTime } from '../../lib/utc-time.ts';
import { CliError } from '../exit.ts';
import type { Host, OpenCloud } from '../host.ts';

/** As whom which account was asked, as `-o json` shows it. */
export interface AccountAsked {
  readonly id: string;
  readonly endpoint: string;
  readonly user: string;
  /** When it answered first, by its own clock. */
  readonly readAt: string;
}

/** Accounts that one line came to. */
export class AccountsAsked {
  readonly #expected: string | undefined;
  readonly #asked = new Map<string, AccountAsked>();

  /** `expected`: id of the only one that it may come to. */
  constructor(expected: string | undefined) {
    this.#expected = expected;
  }

  get all(): readonly AccountAsked[] {
    return [...this.#asked.values()];
  }

  /** An account was expected and none was asked, so nothing was compared. */
  get isUntried(): boolean {
    return this.#expected !== undefined && this.#asked.size === 0;
  }

  /** Every way to an account leads past here. */
  watching(host: Host): Host {
    return { ...host, openCloud: async (...how) => this.#over(await host.openCloud(...how)) };
  }

  #over(cloud: OpenCloud): OpenCloud {
    return {
      endpoints: cloud.endpoints,
      figures: () => cloud.figures(),
      close: () => cloud.close(),
      open: async (options, signal) => this.#noted(await cloud.open(options, signal), options),
    };
  }

  #noted(lease: ConnectionLease, { endpoint }: OpenOptions): ConnectionLease {
    const { account: id, user } = lease.connection.identity;
    if (this.#expected !== undefined && this.#expected !== id) {
      lease.close();
      throw new CliError(4, `the token leads to account ${id}, and --expect-account says ${this.#expected}. Use a token of the right one`);
    }
    const readAt = shownTime(lease.connection.apiNow());
    const key = JSON.stringify([endpoint, id, user]);
    if (!this.#asked.has(key)) this.#asked.set(key, { id, endpoint, user, readAt });
    return lease;
  }
}
