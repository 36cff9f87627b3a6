import type { AnyKind, Row } from '../../resource/index.ts';
import type { Connection, Key, Objects, Resource } from '../ports/index.ts';
import type { ObjectName } from './identity.ts';
import type { AccountPolicy } from './policy.ts';

/** One entry of `CloudAccount.spec.access`. */
export interface Access {
  readonly namespaces: readonly string[];
  readonly kinds?: readonly string[];
  readonly adopt?: 'None' | 'Any';
  readonly maxObjects?: number;
}

/** A connected account as objects see it. */
export interface Account<C = Connection> extends AccountPolicy {
  readonly key: Key;
  readonly connection: C;
  readonly installation: string;
  /** `spec.installation` is set. */
  readonly installationNamed: boolean;
  readonly recover: boolean;
  readonly region?: string;
  readonly tags: readonly string[];
  readonly access: readonly Access[];
  /** What the token could do when this was written: a change may help what was forbidden. */
  readonly scopes: readonly string[];
  /** Likewise, whether its user was restricted. */
  readonly restricted: boolean;
  /** Why only deletions may use it now, for example because its token Secret is gone; undefined when all may. */
  readonly limited?: string;
}

/** One that can be read: without permits nothing is sent. */
export type ReadAccount = Account<Omit<Connection, 'permit'>>;

/** `spec.accountRef`, by default the account called `default` in the object's own namespace. */
export function accountKey(object: Resource): Key {
  const { name = 'default', namespace = object.metadata.namespace } = (object.spec['accountRef'] ?? {}) as {
    name?: string;
    namespace?: string;
  };
  return { name, namespace };
}

export interface Naming {
  readonly objects: Pick<Objects, 'get'>;
  readonly connectionKind: AnyKind;
  readonly clusterUid: string;
}
interface NamingSource {
  readonly objects: Pick<Objects, 'get'>;
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

/** Whether objects of this namespace may refer to it. */
export function admits({ metadata, spec }: Resource, namespace: string): boolean {
  const { namespaces = [] } = (spec['allowedRefs'] ?? {}) as { namespaces?: readonly string[] };
  return namespace === metadata.namespace || namespaces.includes(namespace) || namespaces.includes('*');
}

/** The parts of an account's spec that rule its objects; a pause of the account makes it read-only. */
export function accountRules(
  spec: Row,
  paused?: string,
): Pick<Account, 'installationNamed' | 'readOnly' | 'paused' | 'recover' | 'access' | 'tags' | 'region' | 'onDelete'> {
  const {
    defaults = {},
    installation,
    mode,
    recover,
    access = [],
  } = spec as {
    defaults?: { tags?: string[]; region?: string; onDelete?: 'Delete' | 'Retain' };
    installation?: string;
    mode?: string;
    recover?: boolean;
    access?: Access[];
  };
  return {
    installationNamed: installation !== undefined,
    readOnly: mode === 'ReadOnly' || paused !== undefined,
    ...(paused !== undefined && { paused }),
    recover: recover === true,
    access,
    tags: defaults.tags ?? [],
    ...(defaults.region !== undefined && { region: defaults.region }),
    ...(defaults.onDelete && { onDelete: defaults.onDelete }),
  };
}
