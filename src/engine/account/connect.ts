import type { Millis } from '../../lib/clock.ts';
import { type Duration, type Row, seconds } from '../../resource/index.ts';
import { AccountLeases } from './account-lease.ts';
import { accountLimit } from './account-limit.ts';
import { dropCopy, keepCopy, readToken, tokenEvery } from './account-token.ts';
import { type Account, accountRules } from './accounts.ts';
import { hasFinalizer, isDeleting } from '../run/annotations.ts';
import { isPending } from '../converge/pending.ts';
import type { Condition } from '../status/conditions.ts';
import { withMismatch } from './crd-mismatch.ts';
import { dependants, objectsOf, stillNeeded } from './dependants.ts';
import { canonical } from '../converge/drift.ts';
import { explain } from '../status/faults.ts';
import type { Departed } from '../hold/departures.ts';
import { holdsOf, learnRelease } from '../hold/holds.ts';
import { FailedChanges } from './failed-changes.ts';
import { objectId } from '../resolve/links.ts';
import type { Outcome } from '../outcome.ts';
import { CloudError, type ConnectionLease, type Resource } from '../ports.ts';
import { reconcile, type Reconciled } from '../run/reconcile.ts';
import { type Engine, keyOf, type Notes, type Turn } from '../run/turn.ts';
import { releaseFinalizer, writeFinalizer } from '../create/writes.ts';

const worthALook: Millis = 30_000;

/** Makes and keeps the way to each account: token, identity, rules, and a copy of the token for what outlives its Secret. */
export class Connections {
  readonly #engine: Engine;
  readonly #leases: AccountLeases;
  readonly #failedChanges: FailedChanges;
  /** Accounts whose connection was in trouble when they were last looked at, and since when (monotonic). */
  readonly #inTrouble = new Map<string, Millis>();
  constructor(engine: Engine) {
    this.#engine = engine;
    this.#leases = new AccountLeases(engine);
    this.#failedChanges = new FailedChanges(engine);
  }

  async reconcile(object: Resource, signals: Signals, notes: Notes): Promise<Reconciled> {
    const kind = this.#engine.registry.connection;
    try {
      const turn = this.#turn(object, signals, notes, undefined);
      if (isDeleting(object)) return { outcome: await this.#leave(turn), health: undefined };
      if (!hasFinalizer(object)) await writeFinalizer(turn);
      const outcome = await this.#connect(turn);
      if (outcome !== undefined) return this.#shut(object, outcome);
      const account = this.#engine.accounts.get(keyOf(object));
      return account === undefined ? { outcome: { is: 'Again' }, health: undefined } : await this.#settle(turn, account);
    } catch (error) {
      if (error instanceof CloudError) return this.#shut(object, this.#troubled(object, error, explain(kind, error)));
      throw error;
    }
  }

  closeAll(): void {
    this.#leases.closeAll();
  }

  #turn(object: Resource, signals: Signals, notes: Notes, account: Account | undefined): Turn {
    const engine = this.#engine;
    const installation = typeof object.spec['installation'] === 'string' ? object.spec['installation'] : engine.clusterUid;
    const name = { installation, kind: object.kind, namespace: object.metadata.namespace, name: object.metadata.name };
    return { engine, kind: engine.registry.connection, object, name, account: account as Account, ...signals, notes };
  }

  /** Undefined once the account can be used. */
  async #connect(turn: Turn): Promise<Outcome | undefined> {
    const { object, signal } = turn;
    const { endpoint, tokenSecretRef } = object.spec as unknown as AccountSpec;
    if (!this.#engine.connector.endpoints.includes(endpoint))
      return {
        is: 'Stalled',
        reason: 'InvalidSpec',
        message: `spec.endpoint ${endpoint} is not configured. The operator knows ${this.#engine.connector.endpoints.join(', ')}; its administrator adds others with --endpoint`,
      };
    const found = await readToken(this.#engine, object, tokenSecretRef, signal);
    if (found === undefined)
      return {
        is: 'Waiting',
        reason: 'AccountNotReady',
        message: `spec.tokenSecretRef: Secret ${tokenSecretRef.name} has no key ${tokenSecretRef.key}. Create it with a personal access token`,
        on: [`Secret ${tokenSecretRef.name}`],
        recheckAfter: seconds(15),
      };
    const lease = await this.#leases.lease(object, found.token, signal);
    const outcome = await this.#pin(turn, lease, found.limited);
    if (outcome === undefined && found.limited === undefined) await keepCopy(this.#engine, object, found.token, signal);
    return outcome;
  }

  /** The account's own id is pinned: a token that leads elsewhere stops all writes (design 5.2). */
  async #pin(turn: Turn, { connection }: ConnectionLease, limited: string | undefined): Promise<Outcome | undefined> {
    const { object } = turn;
    const pinned = object.status?.['account'];
    if (pinned !== undefined && pinned !== connection.identity.account) {
      this.#engine.accounts.remove(keyOf(object));
      return {
        is: 'Stalled',
        reason: 'AccountMismatch',
        message: `this account is ${String(pinned)}, and the token in spec.tokenSecretRef leads to ${connection.identity.account}. Nothing is written. Put back a token of the right account, or use another CloudAccount for the other one`,
      };
    }
    const before = this.#engine.accounts.get(keyOf(object));
    this.#engine.departures.restore({ key: keyOf(object) }, (object.status?.['deletedLately'] ?? []) as readonly Departed[]);
    const account: Account = {
      key: keyOf(object),
      connection,
      installation: turn.name.installation,
      ...accountRules(object.spec),
      scopes: connection.identity.scopes,
      ...(limited !== undefined && { limited }),
    };
    this.#engine.accounts.set(account);
    if (before === undefined || canonical(rulesOf(before)) !== canonical(rulesOf(account))) this.#wakeAll(account);
    return undefined;
  }

  #note(turn: Turn, account: Account): void {
    const { connection } = account;
    learnRelease(this.#engine, account, turn.object);
    const holds = holdsOf(this.#engine, account);
    const { identity } = connection;
    Object.assign(turn.notes, connection.report(), {
      account: identity.account,
      user: identity.user,
      restricted: identity.restricted,
      scopes: [...identity.scopes],
      held: holds.length > 0 ? holds : undefined,
      deletedLately: this.#engine.departures.shown(account, this.#engine.clock.now()),
    });
  }

  async #settle(turn: Turn, account: Account): Promise<Reconciled> {
    this.#note(turn, account);
    const trouble = account.connection.trouble();
    if (trouble === undefined) {
      this.#recovered(account);
      const limited = accountLimit({ account });
      if (limited !== undefined) return { outcome: limited, health: undefined };
      const wish = `${turn.object.metadata.generation} ${this.#leases.token(turn.object)}`;
      const paced = this.#failedChanges.pace(objectId(turn.object.kind, account.key), wish, () => reconcile({ ...turn, account }));
      return withMismatch(this.#engine, await paced);
    }
    const id = objectId(turn.object.kind, account.key);
    this.#inTrouble.set(id, this.#inTrouble.get(id) ?? this.#engine.clock.monotonic());
    const { reason, message } = trouble;
    const outcome: Outcome =
      reason === 'AccountMismatch' ? { is: 'Stalled', reason, message } : { is: 'Retrying', reason, message, retryAfter: tokenEvery };
    return { outcome, health: undefined };
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

  /** An account that is deleted goes last; until then its dependants need it, also after a restart (design 4.6). */
  async #leave(turn: Turn): Promise<Outcome> {
    const { object, signal } = turn;
    if (!hasFinalizer(object)) return { is: 'Deleted' };
    const waiting = dependants(this.#engine, object);
    if (waiting.length > 0) return stillNeeded(waiting, await this.#keepOpen(turn));
    this.#leases.close(object);
    this.#failedChanges.forget(objectId(object.kind, keyOf(object)));
    this.#engine.accounts.remove(keyOf(object));
    await dropCopy(this.#engine, object, signal);
    await releaseFinalizer({ engine: this.#engine, kind: this.#engine.registry.connection, object, signal });
    return { is: 'Deleted' };
  }

  /** Why the way to the account is shut, if it is. */
  async #keepOpen(turn: Turn): Promise<string | undefined> {
    const outcome = await this.#connect(turn).catch((error: unknown) => {
      if (error instanceof CloudError) return this.#troubled(turn.object, error, explain(turn.kind, error));
      throw error;
    });
    const account = this.#engine.accounts.get(keyOf(turn.object));
    if (account !== undefined) this.#note(turn, account);
    if (outcome === undefined) return account?.connection.trouble()?.message;
    this.#shut(turn.object, outcome);
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
    // A token that leads elsewhere stops all writes, whatever the old one could still do (design 5.2); without a token there is no way.
    const leadsElsewhere = outcome.is === 'Stalled' && outcome.reason === 'AccountMismatch';
    if (leadsElsewhere || this.#leases.token(object) === undefined) this.#engine.accounts.remove(key);
    const first = !this.#engine.accounts.isShut(key) && this.#engine.accounts.get(key) === undefined;
    if (first) {
      this.#engine.accounts.shut(key);
      for (const one of objectsOf(this.#engine, key)) this.#engine.wake(one.kind, keyOf(one));
    }
    return { outcome, health: undefined };
  }

  #troubled({ spec, metadata }: Resource, error: CloudError, text: string): Outcome {
    const { name, key } = (spec as unknown as AccountSpec).tokenSecretRef;
    const after = error.retryAfter === undefined ? {} : { retryAfter: error.retryAfter as Duration };
    if (error.fault === 'Unauthorized')
      return {
        is: 'Retrying',
        reason: 'Unauthorized',
        message: `${text}. Put a valid token into key ${key} of Secret ${metadata.namespace}/${name} (spec.tokenSecretRef); it is read every minute`,
        ...after,
      };
    if (error.fault === 'Forbidden')
      return {
        is: 'Stalled',
        reason: 'Forbidden',
        message: `${text}. The token must be able to read the account: give it at least the scope account:read_only`,
      };
    if (error.fault === 'Rejected') return { is: 'Stalled', reason: 'AccountMismatch', message: text };
    return {
      is: 'Retrying',
      reason: 'Unreachable',
      message: `${text}. It is tried again by itself; objects keep their last state`,
      ...after,
    };
  }
}

type Signals = Pick<Turn, 'signal' | 'intake' | 'onWait'>;
interface AccountSpec {
  readonly endpoint: string;
  readonly tokenSecretRef: { readonly name: string; readonly key: string };
}
const hasTroubled = ({ status }: Resource): boolean =>
  ((status?.['conditions'] ?? []) as readonly Condition[]).some(
    ({ type, reason }) => type === 'Synced' && ['Unreachable', 'Unauthorized', 'UnknownOutcome'].includes(reason),
  );
const rulesOf = ({ connection, key, ...rules }: Account): Row => ({
  ...rules,
  account: connection.identity.account,
  user: connection.identity.user,
  key: `${key.namespace}/${key.name}`,
});
