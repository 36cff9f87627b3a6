import type { Millis } from '../../lib/clock.ts';
import { SharedMap } from '../../lib/shared-map.ts';
import { minutes } from '../../resource/index.ts';
import type { Identity } from '../model/identity.ts';
import type { Key, Resource } from '../ports/index.ts';

export interface Claim {
  readonly kind: string;
  readonly key: Key;
  readonly uid: string;
  readonly created: string;
  readonly account: string;
  readonly path: string;
  /** Annotation and status of its object differ: it keeps others from the remote, and gives way to whoever proves it to be theirs. */
  readonly disputed: boolean;
}

/** Who was refused because another object holds a remote, or the name that it has. */
export type Refused = Pick<Claim, 'kind' | 'key' | 'uid'>;

/** Parents that went, as their children ask within minutes; and what objects let go of. */
const mostKept = 1000;
/** So long something may be without an object, because that is applied anew, or under another name. */
const withoutObject: Millis = minutes(15);

/** Which object holds which remote: one object per (account id, path), the older wins (README: identity). */
export class Claims {
  /** By account, then by path: joined they would be a text of its own for each of thousands. The oldest comes first. */
  readonly #byRemote = new Map<string, Map<string, readonly Claim[]>>();
  readonly #byUid = new Map<string, Claim>();
  /** How many there are of each account and collection. */
  readonly #in = new Map<string, number>();
  /** Remotes that another one has taken the place of, by account and path; and their names by uid. */
  readonly #retiring = new Map<string, Claim>();
  readonly #retiringOf = new Map<string, readonly string[]>();
  /** What was let go of for an object that has nothing yet, by account and path; and its name by uid. */
  readonly #promised = new Map<string, Claim>();
  readonly #promisedTo = new Map<string, string>();
  /** By account and path, then by uid. */
  readonly #refused = new Map<string, Map<string, Refused>>();
  readonly #awaited = new Map<string, string>();
  readonly #gone = new Set<string>();
  /** Who let go of it last, and when. Shared by namespace: that others let go of thousands must make nobody forget whose it was. */
  readonly #before = new SharedMap<{ readonly claim: Claim; readonly at: Millis }>(mostKept);
  readonly #ended = new Set<string>();
  readonly #released: (refused: Refused) => void;
  readonly #now: () => Millis;

  /** `released`: told of everybody who was refused, when the remote is free again. `now`: of a clock that only goes on. */
  constructor(released: (refused: Refused) => void = () => undefined, now: () => Millis = () => 0) {
    this.#released = released;
    this.#now = now;
  }

  /** Only for an identity that was proven: a forged annotation must not push the true owner aside. */
  claim(account: string, path: string, object: Resource, disputed = false): void {
    const { uid } = object.metadata;
    const claim = claimOf(object, { account, path }, disputed);
    if (isSame(this.#byUid.get(uid), claim)) return;
    this.release(uid);
    // What is called as something was that is gone is there again.
    this.#gone.delete(`${account}${path}`);
    this.#place(claim);
    this.#byUid.set(uid, claim);
    this.#dropPromise(uid);
    this.#count(claim, 1);
  }
  #place(claim: Claim): void {
    const { account, path } = claim;
    const remotes = this.#byRemote.get(account) ?? new Map<string, readonly Claim[]>();
    const before = remotes.get(path) ?? [];
    const all = [...before, claim].toSorted(byRight);
    this.#byRemote.set(account, remotes.set(path, all));
    const [first] = before;
    // Whoever had it has it no more, and is to say so.
    if (first !== undefined && all[0] !== first) this.#released(first);
  }
  /** Who comes first of those that name one remote. */
  firstOf<T extends Ranked>(all: readonly T[]): T | undefined {
    return all.toSorted(byRight)[0];
  }
  release(uid: string): void {
    const claim = this.#byUid.get(uid);
    if (claim === undefined) return;
    this.#byUid.delete(uid);
    this.#count(claim, -1);
    const remote = `${claim.account}${claim.path}`;
    this.#before.set(remote, claim.key.namespace, { claim, at: this.#now() });
    const remotes = this.#byRemote.get(claim.account);
    const others = remotes?.get(claim.path)?.filter((one) => one !== claim) ?? [];
    if (others.length > 0) remotes?.set(claim.path, others);
    else remotes?.delete(claim.path);
    this.tell(claim);
  }
  /** For this object it is let go of: until that has something, or is no more, it is nobody else's. */
  promise({ account, path }: Pick<Identity, 'account' | 'path'>, object: Resource): void {
    const { uid } = object.metadata;
    this.#dropPromise(uid);
    const remote = `${account}${path}`;
    this.#promised.set(remote, claimOf(object, { account, path }));
    this.#promisedTo.set(uid, remote);
  }
  promisedTo(uid: string): Pick<Identity, 'account' | 'path'> | undefined {
    const claim = this.#promised.get(this.#promisedTo.get(uid) ?? '');
    return claim?.uid === uid ? claim : undefined;
  }
  /** It asks for another one, or is no more: whoever was refused may ask again. */
  endPromise(uid: string): void {
    const claim = this.#dropPromise(uid);
    if (claim !== undefined) this.tell(claim);
  }
  /** What it has besides, until it goes: nobody else may take it over. */
  retire(remotes: readonly Pick<Identity, 'account' | 'path'>[], object: Resource): void {
    const { uid } = object.metadata;
    if (remotes.length === 0 && !this.#retiringOf.has(uid)) return;
    this.#dropRetiring(uid);
    if (remotes.length === 0) return;
    for (const { account, path } of remotes) this.#retiring.set(`${account}${path}`, claimOf(object, { account, path }));
    this.#retiringOf.set(
      uid,
      remotes.map(({ account, path }) => `${account}${path}`),
    );
  }
  /** Notes that this object cannot have the remote, or its name, for as long as another one holds it. Of a collection: until one of it is let go. */
  refuse(account: string, path: string, { kind, metadata: { uid, namespace, name } }: Resource): void {
    this.#endWait(uid);
    const remote = `${account}${path}`;
    const refused = this.#refused.get(remote) ?? new Map<string, Refused>();
    this.#refused.set(remote, refused.set(uid, { kind, key: { namespace, name }, uid }));
    this.#awaited.set(uid, remote);
  }
  /** Proven gone, with everything below it (README: references). */
  gone({ account, path }: Pick<Identity, 'account' | 'path'>): void {
    remember(this.#gone, `${account}${path}`);
  }
  isGone({ account, path }: Pick<Identity, 'account' | 'path'>): boolean {
    return this.#gone.has(`${account}${path}`);
  }
  /** It can still be read, and this process ended it, because its object was deleted or a person wants another in its place. */
  ended({ account, path }: Pick<Identity, 'account' | 'path'>): void {
    remember(this.#ended, `${account}${path}`);
  }
  wasEnded(account: string, path: string): boolean {
    return this.#ended.has(`${account}${path}`);
  }
  /** An object here had it since this process started. */
  wasHeld(account: string, path: string): boolean {
    return this.#before.has(`${account}${path}`);
  }
  /** Who let go of it last. */
  before(account: string, path: string): Claim | undefined {
    return this.#before.get(`${account}${path}`)?.claim;
  }
  /** The object is no more. */
  forget(uid: string): void {
    this.#endWait(uid);
    this.release(uid);
    this.endPromise(uid);
    this.#dropRetiring(uid);
  }
  known(): Iterable<string> {
    return [...this.#byUid.keys(), ...this.#awaited.keys(), ...this.#retiringOf.keys(), ...this.#promisedTo.keys()];
  }
  has(uid: string): boolean {
    return this.#byUid.get(uid)?.disputed === false;
  }
  /** What this object holds, be it disputed. */
  of(uid: string): Pick<Identity, 'account' | 'path'> | undefined {
    return this.#byUid.get(uid);
  }
  /** All that prove it to be theirs, the oldest first, and then those of which that is disputed. */
  all(account: string, path: string): readonly Claim[] {
    return this.#byRemote.get(account)?.get(path) ?? [];
  }
  /** An object has something of this collection. */
  hasIn(account: string, collection: string): boolean {
    return this.#in.has(`${account}${collection}`);
  }
  holder(account: string, path: string): Claim | undefined {
    const remote = `${account}${path}`;
    return this.#byRemote.get(account)?.get(path)?.[0] ?? this.#retiring.get(remote) ?? this.#promised.get(remote);
  }
  /** Who has it, or had it until some minutes ago: what is left undone for their sake must not be done while they are applied anew. */
  lastHolder(account: string, path: string): Claim | undefined {
    const holder = this.holder(account, path);
    if (holder !== undefined) return holder;
    const { claim, at } = this.#before.get(`${account}${path}`) ?? {};
    return at !== undefined && this.#now() - at < withoutObject && !this.isGone({ account, path }) ? claim : undefined;
  }

  /** What it has handed over meanwhile is the other one's. */
  #dropRetiring(uid: string): void {
    for (const remote of this.#retiringOf.get(uid) ?? []) if (this.#retiring.get(remote)?.uid === uid) this.#retiring.delete(remote);
    this.#retiringOf.delete(uid);
  }
  #dropPromise(uid: string): Claim | undefined {
    const remote = this.#promisedTo.get(uid);
    this.#promisedTo.delete(uid);
    const claim = this.#promised.get(remote ?? '');
    if (remote === undefined || claim?.uid !== uid) return undefined;
    this.#promised.delete(remote);
    return claim;
  }
  #count({ account, path }: Claim, by: 1 | -1): void {
    const place = `${account}${collectionOf(path)}`;
    const count = (this.#in.get(place) ?? 0) + by;
    if (count > 0) this.#in.set(place, count);
    else this.#in.delete(place);
  }
  /** Wakes whoever was refused: it is free again, or has another name. */
  tell({ account, path }: Pick<Identity, 'account' | 'path'>): void {
    const places = [path, collectionOf(path)];
    const all = places.flatMap((place) => [...(this.#refused.get(`${account}${place}`)?.values() ?? [])]);
    for (const refused of all) {
      this.#endWait(refused.uid);
      this.#released(refused);
    }
  }
  #endWait(uid: string): void {
    const remote = this.#awaited.get(uid);
    if (remote === undefined) return;
    this.#awaited.delete(uid);
    const refused = this.#refused.get(remote);
    refused?.delete(uid);
    if (refused?.size === 0) this.#refused.delete(remote);
  }
}

function remember(remotes: Set<string>, remote: string): void {
  remotes.add(remote);
  const [oldest] = remotes;
  if (remotes.size > mostKept && oldest !== undefined) remotes.delete(oldest);
}
const collectionOf = (path: string): string => path.slice(0, path.lastIndexOf('/'));
const claimOf = ({ kind, metadata }: Resource, { account, path }: Pick<Identity, 'account' | 'path'>, disputed = false): Claim => ({
  kind,
  key: { namespace: metadata.namespace, name: metadata.name },
  uid: metadata.uid,
  created: metadata.creationTimestamp,
  account,
  path,
  disputed,
});
const isSame = (known: Claim | undefined, { account, path, disputed }: Claim): boolean =>
  known?.account === account && known.path === path && known.disputed === disputed;
const byRight = (a: Ranked, b: Ranked): number => Number(a.disputed) - Number(b.disputed) || byAge(a, b);
type Ranked = Pick<Claim, 'uid' | 'created' | 'disputed'>;
const byAge = (a: Ranked, b: Ranked): number => (`${a.created}${a.uid}` < `${b.created}${b.uid}` ? -1 : 1);
