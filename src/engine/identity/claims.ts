import type { Key, Resource } from '../ports.ts';

export interface Claim {
  readonly kind: string;
  readonly key: Key;
  readonly uid: string;
  readonly created: string;
  readonly account: string;
  readonly path: string;
}

/** Which object holds which remote: one object per (account id, path), the older wins (design 4.1). */
export class Claims {
  /** By account, then by path: joined they would be a text of its own for each of thousands. The oldest comes first. */
  readonly #byRemote = new Map<string, Map<string, readonly Claim[]>>();
  readonly #byUid = new Map<string, Claim>();

  /** Only for an identity that was proven: a forged annotation must not push the true owner aside. */
  claim(account: string, path: string, { kind, metadata }: Resource): void {
    const { uid, creationTimestamp, namespace, name } = metadata;
    const known = this.#byUid.get(uid);
    if (known?.account === account && known.path === path) return;
    this.release(uid);
    const claim = { kind, key: { namespace, name }, uid, created: creationTimestamp, account, path };
    const remotes = this.#byRemote.get(account) ?? new Map<string, readonly Claim[]>();
    this.#byRemote.set(account, remotes.set(path, [...(remotes.get(path) ?? []), claim].toSorted(byAge)));
    this.#byUid.set(uid, claim);
  }
  release(uid: string): void {
    const claim = this.#byUid.get(uid);
    if (claim === undefined) return;
    this.#byUid.delete(uid);
    const remotes = this.#byRemote.get(claim.account);
    const others = remotes?.get(claim.path)?.filter((one) => one !== claim) ?? [];
    if (others.length > 0) remotes?.set(claim.path, others);
    else remotes?.delete(claim.path);
  }
  holder(account: string, path: string): Claim | undefined {
    return this.#byRemote.get(account)?.get(path)?.[0];
  }
}

const byAge = (a: Claim, b: Claim): number => (`${a.created}${a.uid}` < `${b.created}${b.uid}` ? -1 : 1);
