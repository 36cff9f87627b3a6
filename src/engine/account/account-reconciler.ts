import type { Millis } from '../../lib/clock.ts';
import { type Row, minutes, seconds } from '../../resource/index.ts';
import { releaseFinalizer, writeFinalizer } from '../change/metadata.ts';
import type { ConnectingContext, Engine } from '../context.ts';
import { accountLimit } from '../guard/account-limit.ts';
import type { DeletedLately } from '../memory/deletion-counter.ts';
import { type Account, accountRules } from '../model/account.ts';
import { hasFinalizer, isDeleting } from '../model/annotations.ts';
import { isPending } from '../model/conditions.ts';
import { keyOf, objectId } from '../model/object-id.ts';
import type { StatusDraft, Outcome } from '../model/outcome.ts';
import { canonical } from '../model/values.ts';
import { CloudError, type ConnectionLease, type Key, type Resource, tokenEvery } from '../ports/index.ts';
import { reconcile } from '../reconcile/managed.ts';
import type { Reconciled } from '../reconcile/result.ts';
import { explain } from '../status/refusal-text.ts';
import { dropCopy, keepCopy, readToken } from './account-token.ts';
import { AccountLease } from './account-lease.ts';
import { type AccountPause, accountPause, shownPaused } from './account-pause.ts';
import { type AccountSpec, hasTroubled, noteAccount, outcomeOfConnecting, outcomeOfTrouble } from './account-status.ts';
import { Connections } from './connections.ts';
import { withMismatch } from './crd-mismatch.ts';
import { connectedContext, connectingContext, type Signals } from './connecting-context.ts';
import { dependants, objectsOf, stillNeeded } from './dependants.ts';
import { endTracking } from './end-tracking.ts';
import { KeyLabel } from './installation.ts';
import { isChosen } from './served.ts';

const worthALook: Millis = 30_000;

/** Makes and keeps the way to each account: token, identity, rules, and a copy of the token for what outlives its Secret. */
export class AccountReconciler {
  readonly #engine: Engine;
  readonly #connections: Connections;
  readonly #lease: AccountLease;
  readonly #keyLabel: KeyLabel;
  /** Accounts whose connection was in trouble when they were last looked at, and since when (monotonic). */
  readonly #inTrouble = new Map<string, Millis>();
  constructor(engine: Engine) {
    this.#engine = engine;
    this.#connections = new Connections(engine);
    this.#lease = new AccountLease(engine);
    this.#keyLabel = new KeyLabel(engine);
  }

  async reconcile(object: Resource, signals: Signals, status: StatusDraft): Promise<Reconciled> {
    try {
      if (!isChosen(this.#engine, object) || !this.#lease.isHeld(object)) return await this.#leaveAlone(object, signals.signal);
      const context = connectingContext(this.#engine, object, signals, status);
      const pause = await this.#pauseOf(context);
      if (isDeleting(object)) return { outcome: await this.#leave(context, pause), health: undefined };
      if (!hasFinalizer(object)) await writeFinalizer(context);
      const outcome = await this.#connect(context, pause);
      if (outcome !== undefined) return this.#shut(object, outcome);
      const account = this.#engine.accounts.get(keyOf(object));
      return account === undefined
        ? { outcome: { is: 'Again' }, health: undefined }
        : shownPaused(await this.#settle(context, account), pause);
    } catch (error) {
      if (error instanceof CloudError)
        return this.#shut(object, outcomeOfConnecting(object, error, explain(this.#engine.registry.connection, error)));
      throw error;
    }
  }

  /** It is there no more, whoever let it go. */
  forget(key: Key): void {
    this.#close(key);
    this.#lease.release(key);
    this.#engine.accounts.forget(key);
    this.#engine.deletionCounter.forget({ key });
  }

  /** Another release serves it: nothing is kept that could still act on it. */
  async #leaveAlone(object: Resource, signal: AbortSignal): Promise<Reconciled> {
    if (this.#engine.accounts.get(keyOf(object)) !== undefined) await this.#keyLabel.show(signal);
    this.#close(keyOf(object));
    this.#engine.ledger.forget(object.metadata.uid);
    if (!isChosen(this.#engine, object)) this.#lease.release(keyOf(object));
    return { outcome: { is: 'Quiet', recheckAfter: minutes(5) }, health: undefined };
  }

  #close(key: Key): void {
    const id = objectId(this.#engine.registry.connection.kind, key);
    const account = this.#engine.accounts.get(key);
    if (account !== undefined) endTracking(this.#engine, account);
    this.#connections.close(id);
    this.#inTrouble.delete(id);
    this.#engine.accounts.remove(key);
  }

  /** It is looked at again when the pause ends, and not up to a minute later. */
  async #pauseOf(context: ConnectingContext): Promise<AccountPause | undefined> {
    const pause = await accountPause(context);
    const after = pause?.recheckAfter;
    if (after !== undefined && after < tokenEvery) this.#engine.wake(context.object.kind, keyOf(context.object), { after });
    return pause;
  }

  closeAll(): void {
    this.#connections.closeAll();
  }

  /** Undefined once the account can be used. */
  async #connect(context: ConnectingContext, pause: AccountPause | undefined): Promise<Outcome | undefined> {
    const { object, signal } = context;
    const { endpoint, tokenSecretRef } = object.spec as unknown as AccountSpec;
    if (!this.#engine.connector.endpoints.includes(endpoint))
      return {
        is: 'Stalled',
        reason: 'InvalidSpec',
        message: `spec.endpoint ${endpoint} is not configured. The operator knows ${this.#engine.connector.endpoints.join(', ')}; its administrator adds others with --endpoint`,
      };
    const found = await readToken(this.#engine, object, tokenSecretRef, signal);
    if ('missing' in found)
      return {
        is: 'Waiting',
        reason: 'AccountNotReady',
        message: found.missing,
        on: [`Secret ${tokenSecretRef.name}`],
        recheckAfter: seconds(15),
        unready: true,
      };
    const meaning = (error: CloudError): Outcome => outcomeOfConnecting(object, error, explain(context.kind, error));
    const opened = await this.#connections.lease(object, found.token, { signal, meaning });
    if ('outcome' in opened) return opened.outcome;
    const outcome = await this.#pin(context, opened.lease, { limited: found.limited, paused: pause?.paused });
    if (outcome === undefined && found.limited === undefined) await keepCopy(this.#engine, object, found.token, signal);
    return outcome;
  }

  /** The account's own id is pinned: a token that leads elsewhere stops all writes (README: account). */
  async #pin(context: ConnectingContext, { connection }: ConnectionLease, { limited, paused }: Limits): Promise<Outcome | undefined> {
    const { object } = context;
    const key = keyOf(object);
    const pinned = object.status?.['account'];
    if (pinned !== undefined && pinned !== connection.identity.account) {
      this.#engine.accounts.remove(key);
      return {
        is: 'Stalled',
        reason: 'AccountMismatch',
        message: `this account is ${String(pinned)}, and the token in spec.tokenSecretRef leads to ${connection.identity.account}. Nothing is written. Put back a token of the right account, or use another CloudAccount for the other one`,
      };
    }
    const before = this.#engine.accounts.get(key);
    this.#engine.deletionCounter.restore({ key }, (object.status?.['deletedLately'] ?? []) as readonly DeletedLately[]);
    const account: Account = {
      key,
      connection,
      installation: context.name.installation,
      ...accountRules(object.spec, paused),
      scopes: connection.identity.scopes,
      restricted: connection.identity.restricted,
      ...(limited !== undefined && { limited }),
    };
    this.#engine.accounts.set(account);
    if (before === undefined || canonical(rulesOf(before)) !== canonical(rulesOf(account))) this.#wakeAll(account);
    return undefined;
  }

  async #note(context: ConnectingContext, account: Account): Promise<void> {
    await noteAccount(context, account, this.#connections.shareUsedUp(context.object));
    await this.#keyLabel.show(context.signal);
  }

  async #settle(context: ConnectingContext, account: Account): Promise<Reconciled> {
    await this.#note(context, account);
    const trouble = account.connection.outage();
    if (trouble === undefined) {
      this.#recovered(account);
      const limited = accountLimit({ account });
      if (limited !== undefined) return { outcome: { ...limited, unready: true }, health: undefined };
      return withMismatch(this.#engine, await reconcile(connectedContext(this.#engine, context, account)));
    }
    const id = objectId(context.object.kind, account.key);
    this.#inTrouble.set(id, this.#inTrouble.get(id) ?? this.#engine.clock.monotonic());
    return { outcome: outcomeOfTrouble(trouble), health: undefined };
  }

  /**
   * Objects with work back off while the account is in trouble; its end is worth a look at once. After a short one their
   * own back-off is short too, and must not be cut: what only some calls suffer from comes and goes with them.
   */
  #recovered({ key }: Account): void {
    const id = objectId(this.#engine.registry.connection.kind, key);
    const since = this.#inTrouble.get(id);
    this.#inTrouble.delete(id);
    if (since === undefined || this.#engine.clock.monotonic() - since < worthALook) return;
    for (const object of objectsOf(this.#engine, key)) if (hasTroubled(object)) this.#engine.wake(object.kind, keyOf(object));
  }

  /** An account that is deleted goes last; until then its dependants need it, also after a restart (README: deletion). */
  async #leave(context: ConnectingContext, pause: AccountPause | undefined): Promise<Outcome> {
    const { object, signal } = context;
    if (!hasFinalizer(object)) return { is: 'Deleted' };
    const waiting = dependants(this.#engine, object);
    if (waiting.length > 0) return stillNeeded(this.#engine, object, waiting, await this.#keepOpen(context, pause));
    this.#close(keyOf(object));
    await dropCopy(this.#engine, object, signal);
    await releaseFinalizer(context);
    await this.#keyLabel.show(context.signal);
    return { is: 'Deleted' };
  }

  /** Why the way to the account is shut, if it is. */
  async #keepOpen(context: ConnectingContext, pause: AccountPause | undefined): Promise<string | undefined> {
    const outcome = await this.#connect(context, pause).catch((error: unknown) => {
      if (error instanceof CloudError) return outcomeOfConnecting(context.object, error, explain(context.kind, error));
      throw error;
    });
    const account = this.#engine.accounts.get(keyOf(context.object));
    if (account !== undefined) await this.#note(context, account);
    if (outcome === undefined) return account?.connection.outage()?.message;
    this.#shut(context.object, outcome);
    return 'message' in outcome ? outcome.message : undefined;
  }
  /** A new leader has thousands to look at: what somebody has asked for meanwhile goes first. */
  #wakeAll({ key }: Account): void {
    for (const object of objectsOf(this.#engine, key))
      this.#engine.wake(object.kind, keyOf(object), { urgent: isPending(object) || isDeleting(object) });
  }

  /** Objects that wait for their account learn that it is not merely on its way. */
  #shut(object: Resource, outcome: Outcome): Reconciled {
    const key = keyOf(object);
    // A token that leads elsewhere stops all writes, whatever the old one could still do (README: account); without a token there is no way.
    const leadsElsewhere = outcome.is === 'Stalled' && outcome.reason === 'AccountMismatch';
    if (leadsElsewhere || this.#connections.token(object) === undefined) this.#engine.accounts.remove(key);
    const first = !this.#engine.accounts.isShut(key) && this.#engine.accounts.get(key) === undefined;
    if (first) {
      this.#engine.accounts.shut(key);
      for (const one of objectsOf(this.#engine, key)) this.#engine.wake(one.kind, keyOf(one));
    }
    return { outcome, health: undefined };
  }
}

interface Limits {
  readonly limited: string | undefined;
  readonly paused: string | undefined;
}
const rulesOf = ({ connection, key, ...rules }: Account): Row => ({
  ...rules,
  account: connection.identity.account,
  user: connection.identity.user,
  key: `${key.namespace}/${key.name}`,
});
