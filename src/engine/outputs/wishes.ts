import { SharedMap } from '../../lib/shared-map.ts';
import type { Identity } from '../model/identity.ts';
import type { ListedTarget } from './targets.ts';
import type { Resource } from '../ports/index.ts';

/** An object that wants its outputs in some target. */
export interface Wish {
  readonly kind: string;
  readonly name: string;
  readonly namespace: string;
  readonly uid: string;
  readonly created: string;
}

type Remote = Pick<Identity, 'account' | 'path'>;
/** A name each, of what lately went. */
const mostLeft = 1000;

/** Who wants to write which Secret or ConfigMap, so that of several that come at once the oldest gets it. */
export class OutputWishes {
  /** By namespace, kind and name of the target. */
  readonly #byTarget = new Map<string, readonly Wish[]>();
  readonly #byUid = new Map<string, readonly string[]>();
  /** Secrets in which deleted objects left what was told once, by namespace, account and path. */
  readonly #left = new SharedMap<string>(mostLeft);
  readonly #released: (wish: Wish) => void;

  /** `released`: told of everybody who wants a target that another one has let go of. */
  constructor(released: (wish: Wish) => void = () => undefined) {
    this.#released = released;
  }

  set({ kind, metadata }: Resource, targets: readonly ListedTarget[]): void {
    const { uid, namespace, name, creationTimestamp: created } = metadata;
    const ids = [...new Set(targets.map((target) => idOf(namespace, target)))];
    const left = (this.#byUid.get(uid) ?? []).filter((id) => !ids.includes(id));
    this.#drop(uid);
    if (ids.length > 0) this.#byUid.set(uid, ids);
    const wish = { kind, name, namespace, uid, created };
    for (const id of ids) this.#byTarget.set(id, [...(this.#byTarget.get(id) ?? []), wish].toSorted(byAge));
    this.#tell(left);
  }
  /** The oldest first. */
  of(namespace: string, target: ListedTarget): readonly Wish[] {
    return this.#byTarget.get(idOf(namespace, target)) ?? [];
  }
  /** Who has this uid, whatever it wants by now. */
  wisher(uid: string): Wish | undefined {
    const [id = ''] = this.#byUid.get(uid) ?? [];
    return this.#byTarget.get(id)?.find((wish) => wish.uid === uid);
  }
  /** What stood there of an object that wants it no more is empty now. */
  emptied(namespace: string, target: ListedTarget): void {
    this.#tell([idOf(namespace, target)]);
  }
  /** An object let go of this remote, and what was told once of it is in this Secret, if it is anywhere. */
  leave(namespace: string, remote: Remote, secret: string): void {
    this.#left.set(leftId(namespace, remote), namespace, secret);
  }
  leftIn(namespace: string, remote: Remote): string | undefined {
    return this.#left.get(leftId(namespace, remote));
  }
  /** The object is no more. */
  forget(uid: string): void {
    const left = this.#byUid.get(uid) ?? [];
    this.#drop(uid);
    this.#tell(left);
  }
  known(): Iterable<string> {
    return this.#byUid.keys();
  }

  #drop(uid: string): void {
    for (const id of this.#byUid.get(uid) ?? []) {
      const others = this.#byTarget.get(id)?.filter((wish) => wish.uid !== uid) ?? [];
      if (others.length > 0) this.#byTarget.set(id, others);
      else this.#byTarget.delete(id);
    }
    this.#byUid.delete(uid);
  }
  #tell(ids: readonly string[]): void {
    for (const id of ids) for (const wish of this.#byTarget.get(id) ?? []) this.#released(wish);
  }
}

const leftId = (namespace: string, { account, path }: Remote): string => `${namespace}/${account}${path}`;
const idOf = (namespace: string, { is, name }: ListedTarget): string => `${namespace}/${is}/${name}`;
const byAge = (a: Wish, b: Wish): number => (`${a.created}${a.uid}` < `${b.created}${b.uid}` ? -1 : 1);
