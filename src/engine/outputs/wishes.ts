import type { ListedTarget } from './targets.ts';
import type { Resource } from '../ports/index.ts';

/** An object that wants its outputs in some target. */
export interface Wish {
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  readonly created: string;
}

/** Who wants to write which Secret or ConfigMap, so that of several that come at once the oldest gets it. */
export class OutputWishes {
  /** By namespace, kind and name of the target. */
  readonly #byTarget = new Map<string, readonly Wish[]>();
  readonly #byUid = new Map<string, readonly string[]>();

  set({ kind, metadata }: Resource, targets: readonly ListedTarget[]): void {
    const { uid, namespace, name, creationTimestamp: created } = metadata;
    this.forget(uid);
    const ids = [...new Set(targets.map((target) => idOf(namespace, target)))];
    if (ids.length === 0) return;
    this.#byUid.set(uid, ids);
    for (const id of ids) this.#byTarget.set(id, [...(this.#byTarget.get(id) ?? []), { kind, name, uid, created }].toSorted(byAge));
  }
  /** The oldest first. */
  of(namespace: string, target: ListedTarget): readonly Wish[] {
    return this.#byTarget.get(idOf(namespace, target)) ?? [];
  }
  forget(uid: string): void {
    for (const id of this.#byUid.get(uid) ?? []) {
      const others = this.#byTarget.get(id)?.filter((wish) => wish.uid !== uid) ?? [];
      if (others.length > 0) this.#byTarget.set(id, others);
      else this.#byTarget.delete(id);
    }
    this.#byUid.delete(uid);
  }
  known(): Iterable<string> {
    return this.#byUid.keys();
  }
}

const idOf = (namespace: string, { is, name }: ListedTarget): string => `${namespace}/${is}/${name}`;
const byAge = (a: Wish, b: Wish): number => (`${a.created}${a.uid}` < `${b.created}${b.uid}` ? -1 : 1);
