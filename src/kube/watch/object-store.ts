import type { Key, Metadata, Resource } from '../../engine/ports/index.ts';
import type { Clock, Millis } from '../../lib/clock.ts';
import { FifoMap } from '../../lib/fifo-map.ts';
import { keepTexts } from '../../lib/text-pool.ts';
import { isNewer } from './version.ts';

/** Longer than any answer can be under way. */
const TOMBSTONE: Millis = 300_000;

/** How the cache learned of a change; `answer` is one of our own patches or live reads. */
export type Origin = 'list' | 'watch' | 'answer';
export interface Change {
  readonly was: Resource | undefined;
  readonly is: Resource | undefined;
  readonly from: Origin;
}

/** Joined in one piece: a template would keep its halves as well. */
const text = (key: Key): string => [key.namespace, key.name].join('/');

/**
 * The objects of one kind, each in the newest version that this process has seen by any way. Sources may be late or repeat
 * themselves: an older version never replaces a newer one, and a deleted uid never comes back.
 */
export class ObjectStore {
  readonly #objects = new Map<string, Resource>();
  /** Deleted uids and until when they are remembered. */
  readonly #tombstones = new FifoMap<string, Millis>();
  readonly #clock: Clock;
  readonly #onChange: (key: Key, change: Change) => void;

  /** `onChange` must not throw. */
  constructor(clock: Clock, onChange: (key: Key, change: Change) => void) {
    this.#clock = clock;
    this.#onChange = onChange;
  }

  get size(): number {
    return this.#objects.size;
  }

  get(key: Key): Resource | undefined {
    return this.#objects.get(text(key));
  }

  all(): Iterable<Resource> {
    return this.#objects.values();
  }

  /** It has just this version already, so that putting it would change nothing. */
  has({ namespace = '', name = '', uid, resourceVersion }: Partial<Metadata>): boolean {
    const known = this.get({ namespace, name })?.metadata;
    return known !== undefined && known.uid === uid && known.resourceVersion === resourceVersion;
  }

  /** `force`: the server's history was rewound (etcd restored from a backup), so versions prove nothing. */
  put(object: Resource, from: Origin, force = false): void {
    const { metadata } = object;
    const was = this.#objects.get(text(metadata));
    if (force) this.#tombstones.delete(metadata.uid);
    if (this.#tombstones.has(metadata.uid)) return;
    if (from === 'answer' && isLast(object)) return this.remove(metadata, metadata.uid, from);
    if (!supersedes(object, was, force)) return;
    if (was && was.metadata.uid !== metadata.uid) return this.#replace(was, object, from);
    if (was) keepTexts(was.metadata, metadata);
    this.#objects.set(text(metadata), object);
    this.#onChange(keyOf(metadata), { was, is: object, from });
  }

  /** The object of this uid is gone, whichever version of it was last seen. */
  remove(key: Key, uid: string, from: Origin): void {
    this.#bury(uid);
    const was = this.#objects.get(text(key));
    if (was?.metadata.uid !== uid) return;
    this.#objects.delete(text(key));
    this.#onChange(keyOf(key), { was, is: undefined, from });
  }

  /** A complete list at `version` showed only the uids in `seen`: what is older and not among them is gone. */
  sweep(
    list: { readonly seen: ReadonlySet<string>; readonly version: string; readonly namespace: string | undefined },
    force = false,
  ): void {
    for (const { metadata } of this.#objects.values()) {
      if (list.seen.has(metadata.uid) || (list.namespace ?? metadata.namespace) !== metadata.namespace) continue;
      if (force || !isNewer(metadata.resourceVersion, list.version)) this.remove(metadata, metadata.uid, 'list');
    }
  }

  /** Same name, another uid: two changes, so that nobody takes the new one for the old. */
  #replace(was: Resource, is: Resource, from: Origin): void {
    this.remove(was.metadata, was.metadata.uid, from);
    this.put(is, from);
  }

  #bury(uid: string): void {
    const now = this.#clock.monotonic();
    for (let oldest = this.#tombstones.oldest(); oldest !== undefined; oldest = this.#tombstones.oldest()) {
      if ((this.#tombstones.get(oldest) ?? 0) > now) break;
      this.#tombstones.delete(oldest);
    }
    this.#tombstones.set(uid, now + TOMBSTONE);
  }
}

function supersedes(object: Resource, was: Resource | undefined, force: boolean): boolean {
  if (!was) return true;
  const [version, known] = [object.metadata.resourceVersion, was.metadata.resourceVersion];
  return force ? version !== known : isNewer(version, known);
}

/**
 * The answer to a patch that took the last finalizer of a deleted object: the server has removed it already. It shows the
 * version before, as what is removed gets no new one.
 */
const isLast = ({ metadata }: Resource): boolean => metadata.deletionTimestamp !== undefined && (metadata.finalizers ?? []).length === 0;

const keyOf = ({ namespace, name }: Key): Key => ({ namespace, name });
