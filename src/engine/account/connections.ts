import type { Sensitive } from '../../resource/index.ts';
import type { Engine } from '../context.ts';
import { keyOf, objectId, nameOf } from '../model/object-id.ts';
import type { Outcome } from '../model/outcome.ts';
import { CloudError, type ConnectionLease, type Key, type OpenOptions, type Resource } from '../ports/index.ts';

interface Open {
  readonly lease: ConnectionLease;
  readonly token: string;
  readonly endpoint: string;
}
interface Opening {
  readonly signal: AbortSignal;
  readonly meaning: (error: CloudError) => Outcome;
}
type Opened = { readonly lease: ConnectionLease } | { readonly outcome: Outcome };
interface WaySpec {
  readonly endpoint: string;
  readonly pollIntervalSeconds?: number;
  readonly budget?: { readonly sharePercent?: number };
  readonly access?: readonly unknown[];
}

/** The open ways to accounts, one per account object. A token that was replaced is not used again. */
export class Connections {
  readonly #engine: Engine;
  readonly #open = new Map<string, Open>();
  constructor(engine: Engine) {
    this.#engine = engine;
  }

  /** A token that was refused is not tried again before its back-off, but another one at once: the Secret is read every minute. */
  async lease(object: Resource, token: Sensitive, opening: Opening): Promise<Opened> {
    const opened = await this.#tried(object, token, opening);
    if ('outcome' in opened) this.#endReplaced(objectId(object.kind, keyOf(object)), token);
    return opened;
  }

  async #tried(object: Resource, token: Sensitive, { signal, meaning }: Opening): Promise<Opened> {
    const { ledger, clock, key } = this.#engine;
    const id = objectId(object.kind, keyOf(object));
    const { uid } = object.metadata;
    const { endpoint } = object.spec as unknown as WaySpec;
    const change = { wish: key.remember(uid, 'connect', { token, endpoint }), seen: '', generation: 0 };
    const held = ledger.held(uid, change, clock.monotonic());
    if (held?.because.is === 'refused') return { outcome: held.because.outcome };
    try {
      const lease = await this.#take(object, id, token, signal);
      if (ledger.refusedFor(uid, change, clock.monotonic()) > 0) ledger.note(uid, change, { is: 'accepted' }, clock.monotonic());
      return { lease };
    } catch (error) {
      if (!(error instanceof CloudError)) throw error;
      const outcome = meaning(error);
      ledger.note(uid, change, { is: 'refused', outcome, final: false }, clock.monotonic());
      return { outcome };
    }
  }

  /** The token in use, in clear: only to be compared. */
  token(object: Resource): string | undefined {
    return this.#open.get(objectId(object.kind, keyOf(object)))?.token;
  }
  /** See {@link ConnectionLease}. */
  shareUsedUp(object: Resource): ReturnType<ConnectionLease['shareUsedUp']> {
    return this.#open.get(objectId(object.kind, keyOf(object)))?.lease.shareUsedUp();
  }
  /** `id`: as in the queue. */
  close(id: string): void {
    this.#end(id);
  }
  closeAll(): void {
    for (const { lease } of this.#open.values()) lease.close();
    this.#open.clear();
  }

  /** Also where the new token is refused: the one that it has replaced is not used again. */
  #endReplaced(id: string, token: Sensitive): void {
    if (this.#open.get(id)?.token !== token.reveal()) this.#end(id);
  }

  #end(id: string): void {
    this.#open.get(id)?.lease.close();
    this.#open.delete(id);
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
    this.#end(id);
    const wake = (kind: string, key: Key): void => this.#engine.wake(kind, key);
    const changed = (): void => this.#engine.wake(object.kind, keyOf(object));
    const options = { endpoint: spec.endpoint, account: nameOf(keyOf(object)), token, ...intervals(spec, object), wake, changed };
    const lease = await this.#engine.connector.open(options, signal);
    this.#open.set(id, { lease, token: token.reveal(), endpoint: spec.endpoint });
    return lease;
  }
}

/** Nobody acts with another tenant's token, nor with more scopes than the own one has. */
const mayGoOn = async ({ lease, token }: Open, now: Sensitive, signal: AbortSignal): Promise<boolean> =>
  token === now.reveal() ? !lease.isRefused() : lease.rotate(now, signal);

type Intervals = Pick<OpenOptions, 'pollInterval' | 'share' | 'cursor' | 'ofMany'>;
function intervals({ pollIntervalSeconds, budget, access = [] }: WaySpec, object: Resource): Intervals {
  const cursor = object.status?.['eventCursor'];
  return {
    ofMany: access.length > 0,
    ...(pollIntervalSeconds !== undefined && { pollInterval: pollIntervalSeconds * 1000 }),
    ...(budget?.sharePercent !== undefined && { share: budget.sharePercent }),
    ...(typeof cursor === 'number' && { cursor }),
  };
}
