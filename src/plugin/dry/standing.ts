import { notedDuplicates } from '../../engine/delete/duplicates.ts';
import { hasForeignTag, hasKey, hasOurTag } from '../../engine/identity/ownership.ts';
import { proofOf } from '../../engine/identity/proof.ts';
import { accountKey, accountRules, admission, naming, objectName } from '../../engine/model/account.ts';
import { annotation, isDeleting, remoteAnnotation } from '../../engine/model/annotations.ts';
import { type Identity, looksDerived, type ObjectName, parseIdentity, readableName } from '../../engine/model/identity.ts';
import { type Intent, intentOf } from '../../engine/model/intent.ts';
import type { Registry } from '../../engine/model/kind-registry.ts';
import { nameOf } from '../../engine/model/object-id.ts';
import { isReplacing, replacingOf, retiringOf } from '../../engine/model/replacing.ts';
import type { Key, Resource } from '../../engine/ports/kubernetes.ts';
import type { Millis } from '../../lib/clock.ts';
import { type AnyKind, madeAt, type Row } from '../../resource/index.ts';
import { type MemberOf, membersBelow } from './members.ts';
import { UnsignedKey } from './ports/unsigned-key.ts';

interface Cluster {
  readonly registry: Registry;
  /** Those that lead to the account that is looked at. */
  readonly accounts: readonly Resource[];
  /** Of all namespaces. */
  readonly objects: readonly Resource[];
  /** The account's own id. */
  readonly account: string;
  /** The installation of accounts that name none. */
  readonly clusterUid: string;
}

/** Something of the account, as its list shows it. */
export interface Remote {
  readonly kind: AnyKind;
  readonly row: Row;
  readonly path: string;
  /** The list that it stands in. */
  readonly collection: string;
  /** Something else was made with it (`firstIsPart` of its kind). */
  readonly cameWith?: true;
}

/**
 * `like`: the object that its label is derived from, as far as that can be told without the operator's key.
 * `claimedBy`: an object whose annotation names it, which anybody may have written and its status does not confirm.
 */
export interface Ownerless {
  readonly is: 'unmanaged' | 'retained' | 'lost' | 'foreign';
  readonly tag: 'ours' | 'foreign' | 'none';
  readonly like?: Resource;
  readonly claimedBy?: Resource;
  /** Absent where the service does not show it. */
  readonly madeAt?: Millis;
}

interface Making {
  readonly object: Resource;
  readonly intent: Intent;
}
/** An object that has its remote in this account. */
export interface Bound {
  readonly object: Resource;
  readonly path: string;
}

/** What objects stand for in one account, as the engine wrote it on them: its own code reads it, without its key. */
export class Standing {
  readonly bound: readonly Bound[];
  readonly #cluster: Cluster;
  /** By kind and path. */
  readonly #bound: ReadonlyMap<string, Resource>;
  readonly #key = new UnsignedKey();
  readonly #keys: ReadonlySet<string>;
  readonly #installations: readonly string[];
  /** Paths that objects name in any way. */
  readonly #held: ReadonlySet<string>;
  readonly #members: ReadonlyMap<string, MemberOf>;
  readonly #making: readonly Making[];
  /** By kind and path. */
  readonly #claims: ReadonlyMap<string, Resource>;
  /** By kind and id. */
  readonly #adopting: ReadonlyMap<string, Resource>;
  /** By kind and what people read in a derived label. */
  readonly #called: ReadonlyMap<string, readonly Resource[]>;

  constructor(cluster: Cluster) {
    this.#cluster = cluster;
    const { accounts, objects } = cluster;
    for (const object of objects) this.#key.know(object);
    this.#keys = new Set(accounts.map(({ metadata }) => nameOf(metadata)));
    this.#installations = [...new Set(accounts.map((account) => this.#nameOf(account).installation))];
    const here = objects.filter((object) => this.#keys.has(nameOf(accountKey(object))));
    const unbound = here.filter((object) => this.#identityOf(object) === undefined);
    this.bound = here.flatMap((object) => this.#boundOf(object));
    this.#bound = new Map(this.bound.map(({ object, path }) => [`${object.kind} ${path}`, object]));
    this.#held = new Set(objects.flatMap((object) => this.#pathsOf(object)));
    this.#members = new Map(
      here.flatMap((object) => {
        const identity = this.#identityOf(object);
        return identity === undefined ? [] : membersBelow(this.#kindOf(object), object, identity.path);
      }),
    );
    this.#claims = new Map(here.toReversed().flatMap((object) => (this.#isAdmitted(object) ? this.#claimOf(object) : [])));
    this.#making = here.flatMap((object) => this.#makingOf(object));
    this.#adopting = new Map(unbound.toReversed().flatMap((object) => (this.#mayAdopt(object) ? adoptionOf(object) : [])));
    this.#called = Map.groupBy(
      here.filter((object) => this.#isCalledByUs(object)),
      (object) => `${object.kind} ${readableName(this.#kindOf(object).label, this.#nameOf(object))}`,
    );
  }

  /** Of all namespaces, whether they have anything in this account or not. */
  get objects(): readonly Resource[] {
    return this.#cluster.objects;
  }

  /** Undefined: an object stands for it. */
  of(remote: Remote): Ownerless | undefined {
    if (this.#isMeant(remote)) return undefined;
    const tag = this.#tagOf(remote);
    const like = this.#alike(remote);
    const made = madeAt(remote.kind, remote.row);
    const claimedBy = this.#claims.get(`${remote.kind.kind} ${remote.path}`);
    const told = { tag, ...(like && { like }), ...(claimedBy && { claimedBy }), ...(made !== undefined && { madeAt: made }) };
    if (like !== undefined && this.#isLost(remote.kind, tag, like)) return { is: 'lost', ...told };
    return { is: tag === 'none' ? 'unmanaged' : tag === 'ours' ? 'retained' : 'foreign', ...told };
  }

  /** The object that has it, or is about to. */
  objectOf(remote: Remote): Resource | undefined {
    const { kind, row, path, collection } = remote;
    const id = String(kind.id?.(row) ?? row['id']);
    return (
      this.#bound.get(`${kind.kind} ${path}`) ??
      this.#adopting.get(`${kind.kind} ${id}`) ??
      this.#making.find(
        ({ object, intent }) =>
          object.kind === kind.kind && intent.key.in === collection && hasKey({ kind }, intent.key.is, wantOf(object), row),
      )?.object
    );
  }

  /** Whose spec names it beside what that stands for. */
  memberOf({ path, collection }: Remote): MemberOf | undefined {
    return this.#members.get(path) ?? this.#members.get(collection);
  }

  #isMeant(remote: Remote): boolean {
    return this.#held.has(remote.path) || this.memberOf(remote) !== undefined || this.objectOf(remote) !== undefined;
  }

  #tagOf({ kind, row }: Remote): Ownerless['tag'] {
    const all = this.#installations.map((installation) => ({ kind, name: { ...nobody, installation } }));
    if (all.every((context) => hasForeignTag(context, row))) return 'foreign';
    return all.some((context) => kind.tags !== undefined && hasOurTag(context, row)) ? 'ours' : 'none';
  }

  /** As in the engine's look-alike: a foreign tag counts where a rebuilt cluster would be a stranger to what it had. */
  #isLost(kind: AnyKind, tag: Ownerless['tag'], like: Resource): boolean {
    if (kind.tags === undefined || tag === 'ours') return true;
    const account = this.#accountOf(like);
    return tag === 'foreign' && account !== undefined && !accountRules(account.spec).installationNamed;
  }

  #alike({ kind, row }: Remote): Resource | undefined {
    const label = kind.label === undefined ? undefined : row[kind.label.field];
    if (typeof label !== 'string') return undefined;
    const called = this.#called.get(`${kind.kind} ${label.replace(/-[a-z2-7]{8}$/, '')}`) ?? [];
    return called.find((object) => looksDerived(kind.label, this.#nameOf(object), label));
  }

  /** Who may not adopt could hide what is anybody's by asking for it. */
  #mayAdopt(object: Resource): boolean {
    return !isDeleting(object) && this.#ruleOf(object)?.adopt === 'Any';
  }
  #isAdmitted(object: Resource): boolean {
    return this.#ruleOf(object) !== undefined;
  }
  #ruleOf(object: Resource): ReturnType<typeof admission> {
    const account = this.#accountOf(object);
    if (account === undefined) return undefined;
    const rules = { key: account.metadata, access: accountRules(account.spec).access };
    return admission(rules, this.#kindOf(object), object.metadata.namespace);
  }

  #accountOf(object: Resource): Resource | undefined {
    return this.#cluster.accounts.find(({ metadata }) => nameOf(metadata) === nameOf(accountKey(object)));
  }
  #kindOf({ kind }: Resource): AnyKind {
    return this.#cluster.registry.kind(kind);
  }
  #nameOf(object: Resource): ObjectName {
    const { accounts, clusterUid, registry } = this.#cluster;
    const get = (_: string, at: Key): Resource | undefined => accounts.find(({ metadata }) => nameOf(metadata) === nameOf(at));
    return objectName(naming({ objects: { get }, registry, clusterUid }), object);
  }
  #holderOf(object: Resource): { readonly key: UnsignedKey; readonly name: ObjectName; readonly object: Resource } {
    return { key: this.#key, name: this.#nameOf(object), object };
  }

  #isCalledByUs(object: Resource): boolean {
    const { label } = this.#kindOf(object);
    return label !== undefined && object.spec[label.field] === undefined;
  }

  /** In this account. Only what the operator wrote into status counts: an annotation alone could give anybody what is another's. */
  #identityOf(object: Resource): Identity | undefined {
    const proof = proofOf({ key: this.#key, name: this.#nameOf(object) }, object);
    const identity = proof.is === 'ours' ? proof.identity : proof.is === 'conflict' ? proof.shown : undefined;
    return identity?.account === this.#cluster.account ? identity : undefined;
  }
  #claimOf(object: Resource): readonly (readonly [string, Resource])[] {
    const name = this.#nameOf(object);
    const told = parseIdentity({ key: this.#key, name, life: '' }, annotation(object, remoteAnnotation) ?? '');
    return told?.account === this.#cluster.account ? [[`${object.kind} ${told.path}`, object]] : [];
  }
  #boundOf(object: Resource): readonly Bound[] {
    const identity = this.#identityOf(object);
    if (identity === undefined || isDeleting(object) || isReplacing(this.#holderOf(object), { ...identity, how: 'created' })) return [];
    return [{ object, path: identity.path }];
  }
  #pathsOf(object: Resource): readonly string[] {
    const holder = this.#holderOf(object);
    const identity = this.#identityOf(object);
    const replacing = replacingOf(holder);
    const own = identity === undefined ? [] : [identity, ...notedDuplicates(holder)];
    const old = replacing?.account === this.#cluster.account ? [replacing] : [];
    const retiring = retiringOf(holder).filter(({ account }) => account === this.#cluster.account);
    return [...own, ...retiring, ...old].map(({ path }) => path);
  }
  #makingOf(object: Resource): readonly Making[] {
    const intent = intentOf(this.#holderOf(object));
    return intent === undefined ? [] : [{ object, intent }];
  }
}

const nobody = { kind: '', namespace: '', name: '' };
const wantOf = ({ spec, metadata: { name } }: Resource): Row & { readonly name: string } => ({ ...spec, name });

/** What it asks to take over, and has not yet. */
function adoptionOf(object: Resource): readonly (readonly [string, Resource])[] {
  const { id } = (object.spec['adopt'] ?? {}) as { readonly id?: string | number };
  return id === undefined ? [] : [[`${object.kind} ${id}`, object]];
}
