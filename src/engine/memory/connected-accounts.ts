import type { Account } from '../model/account.ts';
import type { Key } from '../ports/index.ts';

/** The accounts that are connected now; written by the reconciler of the connection kind alone. */
export class Accounts {
  readonly #connected = new Map<string, Account>();
  readonly #shut = new Set<string>();
  get(key: Key): Account | undefined {
    return this.#connected.get(`${key.namespace}/${key.name}`);
  }
  all(): Iterable<Account> {
    return this.#connected.values();
  }
  /** True once a way to this account was tried and found shut; before that nothing is said of it on objects. */
  isShut(key: Key): boolean {
    return this.#shut.has(`${key.namespace}/${key.name}`);
  }
  shut(key: Key): void {
    this.#shut.add(`${key.namespace}/${key.name}`);
  }
  set(account: Account): void {
    this.#shut.delete(`${account.key.namespace}/${account.key.name}`);
    this.#connected.set(`${account.key.namespace}/${account.key.name}`, account);
  }
  remove(key: Key): void {
    this.#connected.delete(`${key.namespace}/${key.name}`);
  }
  /** There is no such account any more. */
  forget(key: Key): void {
    this.remove(key);
    this.#shut.delete(`${key.namespace}/${key.name}`);
  }
}
