import type { Resource } from '../../engine/ports/kubernetes.ts';
import type { AnyKind } from '../../resource/index.ts';

/** The object whose spec names something below its remote, as the node pools of a cluster, and the field that does. */
export interface MemberOf {
  readonly object: Resource;
  readonly field: string;
}

/** Fields whose members are listed below a remote, with the path of that list. */
const listsOf = ({ fields, parts = {} }: AnyKind, path: string): readonly (readonly [string, string])[] =>
  Object.entries(fields).flatMap(([field, { members, part = '' }]) => {
    const list = members === undefined ? undefined : parts[part]?.path(path, {});
    return list === undefined ? [] : [[field, list] as const];
  });

/**
 * By the path of each, as status remembers them; while that tells nothing yet, by the path of their list: what a cluster was made
 * with is there before anything shows which of them are its own.
 */
export const membersBelow = (kind: AnyKind, object: Resource, path: string): readonly (readonly [string, MemberOf])[] =>
  listsOf(kind, path).flatMap(([field, list]) => {
    const known = object.status?.[field];
    if (!Array.isArray(known)) return [[list, { object, field }] as const];
    return (known as readonly { readonly id: number | string }[]).map(({ id }) => [`${list}/${id}`, { object, field }] as const);
  });

/** Whether its objects name what also kinds of its own stand for. */
export const hasMembers = ({ fields }: AnyKind): boolean => Object.values(fields).some(({ members }) => members !== undefined);
