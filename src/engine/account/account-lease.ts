import type { Millis } from '../../lib/clock.ts';
import type { Sensitive } from '../../resource/index.ts';
import { backoff } from '../run/backoff.ts';
import { objectId } from '../resolve/links.ts';
import { CloudError, type ConnectionLease, type Key, type Resource } from '../ports.ts';
import { type Engine, keyOf } from '../run/turn.ts';

interface Open {
  readonly lease: ConnectionLease;
  readonly token: string;
  readonly endpoint: string;
}
interface Refusal {
  readonly token: string;
  readonly endpoint: string;
  readonly error: CloudError;
  readonly failures: number;
  /** Monotonic; until then the same token is not tried again. */
  readonly until: Millis;
}
interface WaySpec {
  readonly endpoint: string;
  readonly pollIntervalSeconds?: number;
  readonly budget?: { readonly sharePercent?: number };
}

/**
 * The open ways to accounts, one per account object. A token that was refused is not tried again before its back-off, but
 * another one is at once: the Secret is read every minute all the while.
 */
export class AccountLeases {
  readonly #engine: Engine;
  readonly #open = new Map<string, Open>();
  readonly #refused = new Map<string, Refusal>();
  constructor(engine: Engine) {
    this.#engine = engine;
  }

  /** Rejects with {@link CloudError}. */
  async lease(object: Resource, token: Sensitive, signal: AbortSignal): Promise<ConnectionLease> {
    const id = objectId(object.kind, keyOf(object));
    const { endpoint } = object.spec as unknown as WaySpec;
    const refusal = this.#refused.get(id);
    const same = refusal?.token === token.reveal() && refusal.endpoint === endpoint;
    if (same && this.#engine.clock.monotonic() < refusal.until) throw refusal.error;
    try {
      const lease = await this.#take(object, id, token, signal);
      this.#refused.delete(id);
      return lease;
    } catch (error) {
      if (!(error instanceof CloudError)) throw error;
      const failures = same ? refusal.failures + 1 : 0;
      const wait = Math.max(backoff(failures, this.#engine.random), error.retryAfter ?? 0);
      this.#refused.set(id, { token: token.reveal(), endpoint, error, failures, until: this.#engine.clock.monotonic() + wait });
      throw error;
    }
  }

  /** The token in use, in clear: only to be compared. */
  token(object: Resource): string | undefined {
    return this.#open.get(objectId(object.kind, keyOf(object)))?.token;
  }
  close(object: Resource): void {
    const id = objectId(object.kind, keyOf(object));
    this.#open.get(id)?.lease.close();
    this.#open.delete(id);
    this.#refused.delete(id);
  }
  closeAll(): void {
    for (const { lease } of this.#open.values()) lease.close();
    this.#open.clear();
  }

  /** A rotated token is taken over without losing what is known of the account. */
  async #take(object: Resource, id: string, token: Sensitive, signal: AbortSignal): Promise<ConnectionLease> {
    const spec = object.spec as unknown as WaySpec;
    const known = this.#open.get(id);
    if (known?.endpoint === spec.endpoint && (await mayGoOn(known, token, signal))) {
      known.lease.tune(intervals(spec, object));
      this.#open.set(id, { ...known, token: token.reveal() });
      return known.lease;
    }
    known?.lease.close();
    this.#open.delete(id);
    const wake = (kind: string, key: Key): void => this.#engine.wake(kind, key);
    const changed = (): void => this.#engine.wake(object.kind, keyOf(object));
    const lease = await this.#engine.connector.open({ endpoint: spec.endpoint, token, ...intervals(spec, object), wake, changed }, signal);
    this.#open.set(id, { lease, token: token.reveal(), endpoint: spec.endpoint });
    return lease;
  }
}

/** Nobody acts with another tenant's token, nor with more scopes than the own one has. */
const mayGoOn = async ({ lease, token }: Open, now: Sensitive, signal: AbortSignal): Promise<boolean> =>
  token === now.reveal() ? !lease.isRefused() : lease.rotate(now, signal);

function intervals({ pollIntervalSeconds, budget }: WaySpec, object: Resource): { pollInterval?: Millis; share?: number; cursor?: number } {
  const cursor = object.status?.['eventCursor'];
  return {
    ...(pollIntervalSeconds !== undefined && { pollInterval: pollIntervalSeconds * 1000 }),
    ...(budget?.sharePercent !== undefined && { share: budget.sharePercent }),
    ...(typeof cursor === 'number' && { cursor }),
  };
}
