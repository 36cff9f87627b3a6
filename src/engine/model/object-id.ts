import type { Key, Objects, Resource } from '../ports/index.ts';
import { accountKey } from './account.ts';

export const keyOf = (object: Resource): Key => ({ namespace: object.metadata.namespace, name: object.metadata.name });

/** For texts, and where the kind is known. */
export const nameOf = ({ namespace, name }: Key): string => `${namespace}/${name}`;

/** Names one object everywhere: work queue, links, logs. */
export const objectId = (kind: string, key: Key): string => `${kind}/${key.namespace}/${key.name}`;

/** Stands for every object of a kind in a namespace, where a selector chooses among them; no object has this name. */
export const anyOf = (kind: string, namespace: string): string => objectId(kind, { namespace, name: '*' });

interface Asking {
  readonly engine: { readonly objects: Pick<Objects, 'get'> };
  readonly account: { readonly key: Key };
  readonly object: Resource;
}
/**
 * What another object is called, for a message on this one; undefined where that is no business of its namespace. Who has the
 * CloudAccount is told of all that use it, and not of those who use another CloudAccount of the same account.
 */
export function toldName(
  { engine, account, object }: Asking,
  { kind, key }: { readonly kind: string; readonly key: Key },
): string | undefined {
  const { namespace } = object.metadata;
  const other = account.key.namespace === namespace ? engine.objects.get(kind, key) : undefined;
  const isTold = key.namespace === namespace || (other !== undefined && accountKey(other).namespace === namespace);
  return isTold ? `${kind} ${nameOf(key)}` : undefined;
}

export function parseObjectId(id: string): { kind: string; key: Key } {
  const [kind = '', namespace = '', name = ''] = id.split('/');
  return { kind, key: { namespace, name } };
}

/** Whatever makes it makes another one each time, whether this one is there or not. */
export const isNamedAnew = ({ metadata: { name, generateName } }: Resource): boolean =>
  generateName !== undefined && name.startsWith(generateName);
