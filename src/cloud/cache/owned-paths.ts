import type { Owner } from '../../engine/ports/index.ts';
import { decodedPath } from '../http/entity-url.ts';
import type { OwnedIndex } from '../events/event-router.ts';
import type { RowStore } from './row-store.ts';

const parentOf = (collection: string): string => decodedPath(collection.slice(0, collection.lastIndexOf('/')));

/** Finds owned paths and collections by the spellings of events. */
export class OwnedPaths implements OwnedIndex {
  readonly #rows: RowStore;
  readonly #spelled = new Map<string, string>();
  readonly #below = new Map<string, Set<string>>();

  constructor(rows: RowStore) {
    this.#rows = rows;
  }

  add(path: string, collection: string): void {
    this.#spelled.set(decodedPath(path), path);
    const parent = parentOf(collection);
    this.#below.set(parent, (this.#below.get(parent) ?? new Set()).add(collection));
  }

  forget(path: string): void {
    this.#spelled.delete(decodedPath(path));
  }

  /** Nothing in this collection is owned any more. */
  remove(collection: string): void {
    const parent = parentOf(collection);
    const siblings = this.#below.get(parent);
    siblings?.delete(collection);
    if (siblings?.size === 0) this.#below.delete(parent);
  }

  owned(decoded: string): { readonly path: string; readonly owners: readonly Owner[] } | undefined {
    const path = this.#spelled.get(decoded);
    return path === undefined ? undefined : { path, owners: this.#rows.owners(path) };
  }

  below(decodedParent: string): readonly string[] {
    return [...(this.#below.get(decodedParent) ?? [])];
  }

  paths(collection: string): Iterable<string> {
    return this.#rows.paths(collection);
  }
}
