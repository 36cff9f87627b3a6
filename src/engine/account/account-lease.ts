import type { Engine } from '../context.ts';
import { keyOf, nameOf } from '../model/object-id.ts';
import type { Key, Resource } from '../ports/index.ts';

/** Which release serves an account. The one that does not touches neither the account nor its objects: it tells of it in an Event and its log. */
export class AccountLease {
  readonly #engine: Engine;
  /** Account -> the other release that was told of last. */
  readonly #told = new Map<string, string>();
  constructor(engine: Engine) {
    this.#engine = engine;
  }

  /** Asks for it where it is not held yet: the account is looked at again when it is. */
  isHeld(account: Resource): boolean {
    const { accountLeases } = this.#engine;
    const key = keyOf(account);
    accountLeases.request(account, () => this.#engine.wake(account.kind, key, { urgent: true }));
    if (!accountLeases.held(key)) this.#tell(account, accountLeases.holder(key));
    else this.#told.delete(nameOf(key));
    return accountLeases.held(key);
  }

  release(key: Key): void {
    this.#told.delete(nameOf(key));
    void this.#engine.accountLeases.release(key);
  }

  #tell(account: Resource, holder: string | undefined): void {
    const { log, recorder, settings } = this.#engine;
    const { namespace, name, uid } = account.metadata;
    const known = this.#told.get(nameOf(account.metadata));
    if (holder === undefined || holder === known) return;
    this.#told.set(nameOf(account.metadata), holder);
    log.warn('another release serves this account, and this one leaves it alone', { namespace, name, holder });
    const message = `release ${holder} serves this account and holds its Lease cloud-operator-${uid}; release ${settings.release} leaves it alone meanwhile. Where both are wanted, give each an accountSelector and this account a label`;
    recorder.event(account, { type: 'Warning', reason: 'AccountNotReady', message });
  }
}
