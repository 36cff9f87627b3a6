import type { Clock, Millis, Timer } from '../../lib/clock.ts';
import type { Row } from '../../resource/index.ts';
import { get } from '../../resource/index.ts';
import type { Log } from '../../telemetry/log.ts';
import { inBackground } from '../requests/background.ts';
import type { Sender } from '../requests/sender.ts';

/** Who the token leads to, as last read. */
export interface AccountFacts {
  readonly account: Row;
  readonly profile: Row;
}

export interface AccountCheckOptions {
  readonly clock: Clock;
  readonly log: Log;
  readonly sender: Pick<Sender, 'send'>;
  readonly facts: AccountFacts;
  /** Account and profile were read again. */
  readonly verified: (facts: AccountFacts) => void;
  readonly signal: AbortSignal;
}

const every: Millis = 900_000;

/** Reads account and profile every 15 min, and when somebody must know that the token still leads there. */
export class AccountCheck {
  readonly #options: AccountCheckOptions;
  #timer: Timer | undefined;
  #facts: AccountFacts;
  #confirming: { readonly startedAt: Millis; readonly done: Promise<void> } | undefined;

  constructor(options: AccountCheckOptions) {
    this.#options = options;
    this.#facts = options.facts;
  }

  /** The token was just verified, so account and profile are fresh. */
  start(): void {
    const { clock, signal } = this.#options;
    if (signal.aborted) return;
    this.#timer = clock.after(every, () => {
      this.start();
      void this.#readFacts();
    });
  }

  /** Reads account and profile again, once for all who ask; rejects where the usual round would keep what it knew. */
  confirm(notBefore: Millis): Promise<void> {
    const { clock } = this.#options;
    if (this.#confirming === undefined || this.#confirming.startedAt < notBefore)
      this.#confirming = { startedAt: clock.monotonic(), done: this.#confirm() };
    return this.#confirming.done;
  }

  close(): void {
    this.#timer?.cancel();
  }

  async #confirm(): Promise<void> {
    const { sender, signal } = this.#options;
    const [account, profile] = await Promise.all(
      ['/account', '/profile'].map((path) => sender.send(get(path), inBackground('wait', signal))),
    );
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

  /** What cannot be read keeps its last value; a scope may be missing. */
  async #row(path: string): Promise<Row | undefined> {
    const { sender, signal, log } = this.#options;
    try {
      return (await sender.send(get(path), inBackground('sweep', signal))).body as Row;
    } catch (error) {
      log.debug('a periodic read of the account failed', { path, error: String(error) });
      return undefined;
    }
  }
}
