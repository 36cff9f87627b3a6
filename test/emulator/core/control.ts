import type { CollectionDefinition, Key } from '../contract/collection.ts';
import { collectionNamed } from '../contract/collection.ts';
import type { Knobs } from '../contract/knobs.ts';
import { checkedKnobs } from '../contract/knobs.ts';
import type { TokenSpec } from './accounts.ts';
import { createDialect } from './dialect.ts';
import type { ActiveFault, Fault } from './faults.ts';
import type { ApiResponse } from './http-message.ts';
import type { LedgerObject, LedgerRequest } from './ledger.ts';
import type { Receiver } from './reception.ts';
import { Service } from './service.ts';
import type { SkewedClock } from './skewed-clock.ts';
import type { State } from './state.ts';

interface ControlParts {
  readonly clock: SkewedClock;
  /** Routes neutral paths. */
  readonly receiver: Receiver;
  readonly state: () => State;
  readonly reset: () => void;
}

/** An API operation in neutral words, done as a named user of an account (default: the first account). */
export interface ActAs {
  readonly username: string;
  readonly euuid?: string;
  readonly method: string;
  /** With version segment: `/v4/volumes/123`. */
  readonly path: string;
  readonly body?: unknown;
}

/** A row as the provider would plant it: maintenance, notifications, a status that nothing else reaches. */
export interface ProviderEdit {
  readonly euuid?: string;
  readonly collection: string;
  readonly key?: Key;
  /** The new row, or the changed fields of the row with that key; absent: the row goes. */
  readonly row?: Readonly<Record<string, unknown>>;
}

/** The tester's hands: faults, knobs, tokens, edits, and the ledger. */
export class Control {
  readonly #parts: ControlParts;

  constructor(parts: ControlParts) {
    this.#parts = parts;
  }

  get #state(): State {
    return this.#parts.state();
  }

  get knobs(): Readonly<Knobs> {
    return this.#state.knobs;
  }

  /** Unknown names and values of another kind are refused. */
  setKnobs(change: object): void {
    Object.assign(this.#state.knobs, checkedKnobs(change));
  }

  addFault(fault: Fault): number {
    return this.#state.faults.add(fault);
  }

  /** Lets nobody listen from now on, for so many seconds of the emulator's clock. */
  refuseConnections(seconds: number): void {
    this.#state.outage.begin(seconds);
  }

  removeFault(id: number): boolean {
    return this.#state.faults.remove(id);
  }

  clearFaults(): void {
    this.#state.faults.clear();
  }

  faults(): readonly ActiveFault[] {
    return this.#state.faults.list();
  }

  /** Adds a token, or gives it other scopes. */
  setToken(spec: TokenSpec, euuid?: string): void {
    this.#state.accounts.setToken(this.#euuid(euuid), spec);
  }

  revokeToken(token: string): boolean {
    return this.#state.accounts.revoke(token);
  }

  /** Adds or replaces the grants of a restricted user: `{'vm:12': 'read_only'}`; null takes one away. */
  setGrants(username: string, grants: Readonly<Record<string, 'read_only' | 'read_write' | null>>, euuid?: string): void {
    const objects = this.#state.accounts.user(this.#euuid(euuid), username)?.grants?.objects;
    if (objects === undefined) throw new RangeError(`${username} is no restricted user`);
    for (const [key, level] of Object.entries(grants)) {
      if (level === null) objects.delete(key);
      else objects.set(key, level);
    }
  }

  /** Wall clock of the service, seconds ahead of (or behind) the true one. */
  setClockSkew(seconds: number): void {
    this.#parts.clock.skew = seconds * 1000;
  }

  /** Performs an operation out of band: no rate window, no fault, no closed port; in the ledger like any request. */
  actAs({ username, euuid, method, path, body }: ActAs): Promise<ApiResponse> {
    const state = this.#state;
    const user = state.accounts.user(this.#euuid(euuid), username);
    if (user === undefined) throw new RangeError(`no user ${username}`);
    const token = { euuid: this.#euuid(euuid), user, scopes: ['*'] };
    const aside = {
      ...state,
      accounts: { token: () => token },
      faults: { forRequest: () => undefined },
      limiter: unlimited,
      outage: { refusing: false },
    };
    const service = new Service({ state: aside as unknown as State, receiver: this.#parts.receiver, dialect: createDialect('vm') });
    const headers = { authorization: 'Bearer control' };
    return service.handle({ method, path, headers, body: body === undefined ? undefined : JSON.stringify(body) });
  }

  /** Plants, changes or removes a row as the provider; returns the row. */
  edit({ euuid, collection, key, row }: ProviderEdit): object | undefined {
    const { platform } = this.#state;
    const world = this.#state.world(this.#euuid(euuid));
    const store = world.store(this.#definition(collection));
    const cause = { euuid: world.euuid, actor: undefined, world, origin: 'provider', changes: [] };
    return platform.run(cause, () => {
      const present = key === undefined ? undefined : store.get(key);
      if (present === undefined) return row === undefined ? undefined : store.insert((id) => ({ id, ...row }));
      if (row !== undefined) return store.update(present, row);
      store.remove(present);
      return present;
    });
  }

  /** The rows of a collection as they are now, hidden fields included. */
  rows(collection: string, euuid?: string): readonly object[] {
    return [...this.#state.world(this.#euuid(euuid)).store(this.#definition(collection)).values()];
  }

  /** In the order of their ends; `since` is the seq of the last one seen. */
  requests(since = 0): readonly LedgerRequest[] {
    return this.#state.ledger.requests(since);
  }

  /** Every object that ever lived, seeds included. */
  objects(): readonly LedgerObject[] {
    return this.#state.ledger.objects();
  }

  /** Back to the start: rows, ledger, faults, tokens and knobs. Pending jobs go on without effect. */
  reset(): void {
    this.#parts.reset();
  }

  #definition(name: string): CollectionDefinition<object> {
    const definition = collectionNamed(name);
    if (definition === undefined) throw new RangeError(`no collection is called ${name}`);
    return definition;
  }

  #euuid(given: string | undefined): string {
    return given ?? this.#state.accounts.specs[0]?.euuid ?? '';
  }
}

const unlimited = { admit: () => ({ refused: false, headers: {}, release: () => undefined }) };
