import type { AnyKind, Row } from '../../resource/index.ts';
import type { ObjectName } from '../identity/marks.ts';
import type { AccountPolicy } from '../converge/policy.ts';
import type { Connection, Key, Objects, Resource } from '../ports.ts';

/** One entry of `CloudAccount.spec.access`. */
export interface Access {
  readonly namespaces: readonly string[];
  readonly kinds?: readonly string[];
  readonly adopt?: 'None' | 'Any';
  readonly maxObjects?: number;
}
/** A connected account as objects see it. */
export interface Account extends AccountPolicy {
  readonly key: Key;
  readonly connection: Connection;
  readonly installation: string;
  readonly recover: boolean;
  readonly region?: string;
  readonly tags: readonly string[];
  readonly access: readonly Access[];
  /** What the token could do when this was written: a change may help what was forbidden. */
  readonly scopes: readonly string[];
  /** Why only deletions may use it now, for example because its token Secret is gone; undefined when all may. */
  readonly limited?: string;
}

/** The accounts that are connected now; written by the reconciler of the connection kind alone. */
export class Accounts {
  readonly #connected = new Map<string, Account>();
  readonly #shut = new Set<string>();
  get(key: Key): Account | undefined {
    return this.#connected.get(`${key.namespace}/${key.name}`);
  }
  /** True once a way to this account was tried and found shut; before that nothing is said of it on objects. */
  isShut(key: Key): boolean {
    return this.#shut.has(`${key.namespace}/${key.name}`);
  }
  shut(key: Key): void {
    this.#shut.add(`${key.namespace}/${key.name}`);
  }
  set(account: Account): void {
    this.#shut.delete(`${account.key.namespace}/${account.key.name}`);
    this.#connected.set(`${account.key.namespace}/${account.key.name}`, account);
  }
  remove(key: Key): void {
    this.#connected.delete(`${key.namespace}/${key.name}`);
  }
}

/** `spec.accountRef`, by default the account called `default` in the object's own namespace. */
export function accountKey(object: Resource): Key {
  const { name = 'default', namespace = object.metadata.namespace } = (object.spec['accountRef'] ?? {}) as {
    name?: string;
    namespace?: string;
  };
  return { name, namespace };
}

export interface Naming {
  readonly objects: Objects;
  readonly connectionKind: AnyKind;
  readonly clusterUid: string;
}
interface NamingSource {
  readonly objects: Objects;
  readonly registry: { readonly connection: AnyKind };
  readonly clusterUid: string;
}
export const naming = ({ objects, registry, clusterUid }: NamingSource): Naming => ({
  objects,
  connectionKind: registry.connection,
  clusterUid,
});
/** Installation, kind, namespace and name: what the owner key and the mac of an object are made of. */
export function objectName({ objects, connectionKind, clusterUid }: Naming, object: Resource): ObjectName {
  const account = object.kind === connectionKind.kind ? object : objects.get(connectionKind.kind, accountKey(object));
  const installation = typeof account?.spec['installation'] === 'string' ? account.spec['installation'] : clusterUid;
  return { installation, kind: object.kind, namespace: object.metadata.namespace, name: object.metadata.name };
}

/** What the account admits of this object; undefined where it admits nothing. Entries add up, but a limit that one sets holds beside the others. */
export function admission(account: Pick<Account, 'key' | 'access'>, kind: AnyKind, namespace: string): Access | undefined {
  if (namespace === account.key.namespace) return { namespaces: [namespace], adopt: 'Any' };
  if (kind.accountLevel === true) return undefined;
  const fitting = account.access.filter(
    ({ namespaces, kinds }) => namespaces.includes(namespace) && (kinds === undefined || kinds.length === 0 || kinds.includes(kind.kind)),
  );
  if (fitting.length === 0) return undefined;
  const limits = fitting.flatMap(({ maxObjects }) => maxObjects ?? []);
  return {
    namespaces: [namespace],
    adopt: fitting.some(({ adopt }) => adopt === 'Any') ? 'Any' : 'None',
    ...(limits.length > 0 && { maxObjects: Math.min(...limits) }),
  };
}

/** The parts of an account's spec that rule its objects. */
export function accountRules(spec: Row): Pick<Account, 'readOnly' | 'recover' | 'access' | 'tags' | 'region' | 'onDelete'> {
  const {
    defaults = {},
    mode,
    recover,
    access = [],
  } = spec as {
    defaults?: { tags?: string[]; region?: string; onDelete?: 'Delete' | 'Retain' };
    mode?: string;
    recover?: boolean;
    access?: Access[];
  };
  return {
    readOnly: mode === 'ReadOnly',
    recover: recover === true,
    access,
    tags: defaults.tags ?? [],
    ...(defaults.region !== undefined && { region: defaults.region }),
    ...(defaults.onDelete && { onDelete: defaults.onDelete }),
  };
}
