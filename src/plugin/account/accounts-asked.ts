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

/** Every fifth request that the service allows in a minute: the rest is the operator's. */
const usualShare = 20;

/** Accounts that one line came to. */
export class AccountsAsked {
  readonly #expected: string | undefined;
  readonly #share: string | undefined;
  readonly #asked = new Map<string, AccountAsked>();

  /** `expected`: id of the only one that it may come to. `share`: percent of their rate windows, as it was typed. */
  constructor({ expected, share }: { readonly expected: string | undefined; readonly share: string | undefined }) {
    this.#expected = expected;
    this.#share = share;
  }

  /** Percent of the rate windows that the line may take. */
  get share(): number {
    const share = Number(this.#share ?? usualShare);
    if (Number.isInteger(share) && share >= 1 && share <= 100) return share;
    throw new CliError(2, `--share ${this.#share}: write percents, for example 50`);
  }

  get all(): readonly AccountAsked[] {
    return [...this.#asked.values()];
  }

  /** An account was expected and none was asked, so nothing was compared. */
  get isUntried(): boolean {
    return this.#expected !== undefined && this.#asked.size === 0;
  }

  /** Every way to an account leads past here. `waits` is told why a read is asked again later. */
  watching(host: Host, waits: (line: string) => void): Host {
    return {
      ...host,
      openCloud: async (endpoints, verb) => {
        const { share } = this;
        return this.#over(await host.openCloud(endpoints, verb, { waits }), share);
      },
    };
  }

  #over(cloud: OpenCloud, share: number): OpenCloud {
    return {
      endpoints: cloud.endpoints,
      figures: () => cloud.figures(),
      close: () => cloud.close(),
      open: async (options, signal) => this.#noted(await cloud.open({ ...options, share }, signal), options),
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
