import type { Key, Resource } from '../ports.ts';

export interface Claim {
  readonly kind: string;
  readonly key: Key;
  readonly uid: string;
  readonly created: string;
}

/** Which object holds which remote: one object per (account id, path), the older wins (design 4.1). */
export class Claims {
  /** The oldest first. Mostly one: a map of each would be half of the memory. */
  readonly #byRemote = new Map<string, readonly Claim[]>();
  readonly #byUid = new Map<string, string>();

  /** Only for an identity that was proven: a forged annotation must not push the true owner aside. */
  claim(account: string, path: string, object: Resource): void {
    const { uid, creationTimestamp, namespace, name } = object.metadata;
    const remote = `${account}${path}`;
    if (this.#byUid.get(uid) === remote) return;
    this.release(uid);
    const holders = [
      ...(this.#byRemote.get(remote) ?? []),
      { kind: object.kind, key: { namespace, name }, uid, created: creationTimestamp },
    ];
    this.#byRemote.set(remote, holders.toSorted(byAge));
    this.#byUid.set(uid, remote);
  }
  release(uid: string): void {
    const remote = this.#byUid.get(uid);
    if (remote === undefined) return;
    this.#byUid.delete(uid);
    const others = (this.#byRemote.get(remote) ?? []).filter((claim) => claim.uid !== uid);
    if (others.length > 0) this.#byRemote.set(remote, others);
    else this.#byRemote.delete(remote);
  }
  holder(account: string, path: string): Claim | undefined {
    return this.#byRemote.get(`${account}${path}`)?.[0];
  }
}

const byAge = (a: Claim, b: Claim): number => (`${a.created}${a.uid}` < `${b.created}${b.uid}` ? -1 : 1);
