import type { Key, Resource } from '../ports.ts';

export interface Claim {
  readonly kind: string;
  readonly key: Key;
  readonly uid: string;
  readonly created: string;
}

/** Which object holds which remote: one object per (account id, path), the older wins (design 4.1). */
export class Claims {
  readonly #byRemote = new Map<string, Map<string, Claim>>();
  readonly #byUid = new Map<string, string>();

  /** Only for an identity that was proven: a forged annotation must not push the true owner aside. */
  claim(account: string, path: string, object: Resource): void {
    const { uid, creationTimestamp, namespace, name } = object.metadata;
    const remote = `${account}${path}`;
    if (this.#byUid.get(uid) !== remote) this.release(uid);
    const holders = this.#byRemote.get(remote) ?? new Map<string, Claim>();
    holders.set(uid, { kind: object.kind, key: { namespace, name }, uid, created: creationTimestamp });
    this.#byRemote.set(remote, holders);
    this.#byUid.set(uid, remote);
  }
  release(uid: string): void {
    const remote = this.#byUid.get(uid);
    if (remote === undefined) return;
    this.#byUid.delete(uid);
    const holders = this.#byRemote.get(remote);
    holders?.delete(uid);
    if (holders?.size === 0) this.#byRemote.delete(remote);
  }
  holder(account: string, path: string): Claim | undefined {
    const holders = [...(this.#byRemote.get(`${account}${path}`)?.values() ?? [])];
    return holders.toSorted((a, b) => (`${a.created}${a.uid}` < `${b.created}${b.uid}` ? -1 : 1))[0];
  }
}
