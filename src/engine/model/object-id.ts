import type { Key, Resource } from '../ports/index.ts';

export const keyOf = (object: Resource): Key => ({ namespace: object.metadata.namespace, name: object.metadata.name });

/** For texts, and where the kind is known. */
export const nameOf = ({ namespace, name }: Key): string => `${namespace}/${name}`;

/** Names one object everywhere: work queue, links, logs. */
export const objectId = (kind: string, key: Key): string => `${kind}/${key.namespace}/${key.name}`;

/** Stands for every object of a kind in a namespace, where a selector chooses among them; no object has this name. */
export const anyOf = (kind: string, namespace: string): string => objectId(kind, { namespace, name: '*' });
export function parseObjectId(id: string): { kind: string; key: Key } {
  const [kind = '', namespace = '', name = ''] = id.split('/');
  return { kind, key: { namespace, name } };
}
