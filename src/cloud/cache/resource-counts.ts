import { type AnyKind, asCollection } from '../../resource/index.ts';
import type { RowStore } from './row-store.ts';

/** How many remotes of a kind the account has, with and without an object. */
export interface Count {
  readonly kind: string;
  readonly managed: number;
  /** Absent until it was listed once. */
  readonly unmanaged?: number;
}
interface Listed {
  readonly kinds: ReadonlySet<AnyKind>;
  /** Paths of rows that nobody owned when they were listed. */
  readonly strangers: ReadonlySet<string>;
}

/** Counts what has an object, and the strangers that sweeps saw; it asks for nothing by itself. */
export class ResourceCounts {
  readonly #rows: Pick<RowStore, 'paths' | 'owned'>;
  readonly #listed = new Map<string, Listed>();

  constructor(rows: Pick<RowStore, 'paths' | 'owned'>) {
    this.#rows = rows;
  }

  listed(collection: string, kinds: ReadonlySet<AnyKind>, strangers: Iterable<string>): void {
    this.#listed.set(collection, { kinds, strangers: new Set(strangers) });
  }

  remove(collection: string): void {
    this.#listed.delete(collection);
  }

  /** By kind in use that has anything or was listed. A stranger that has got an owner since is none any more. */
  counts(inUse: Iterable<AnyKind>): readonly Count[] {
    const owned = [...inUse].filter((kind) => asCollection(kind) !== undefined && this.#rows.owned(kind.kind) > 0);
    const counts = new Map<string, Count>(owned.map(({ kind }) => [kind, { kind, managed: this.#rows.owned(kind) }]));
    for (const [collection, { kinds, strangers }] of this.#listed) {
      const paths = this.#rows.paths(collection);
      const unmanaged = [...strangers].filter((path) => !paths.has(path)).length;
      // What is always there lacks no object.
      for (const { kind } of [...kinds].filter((one) => asCollection(one) !== undefined)) {
        const known = counts.get(kind)?.unmanaged ?? 0;
        counts.set(kind, { kind, managed: this.#rows.owned(kind), unmanaged: known + unmanaged });
      }
    }
    return [...counts.values()].toSorted((a, b) => (a.kind < b.kind ? -1 : 1));
  }
}
