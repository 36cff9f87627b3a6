import type { Access } from '../../engine/model/account.ts';
import { belongsTo } from '../../engine/guard/release-code.ts';
import { keyOf } from '../../engine/model/object-id.ts';
import { isLosing } from '../../engine/model/policy.ts';
import type { Resource } from '../../engine/ports/kubernetes.ts';
import type { Millis } from '../../lib/clock.ts';
import type { AnyKind } from '../../resource/index.ts';
import { registry } from '../command-line/kinds.ts';
import { CliError } from '../exit.ts';
import { pauseOf } from './facts.ts';

/** Of one namespace; rejects with {@link CliError} where the caller may not. */
export interface Lists {
  list(kind: AnyKind, namespace: string): Promise<readonly Resource[]>;
}
export interface Losing {
  readonly objects: readonly Resource[];
  /** Namespaces of which the caller may not list all kinds. */
  readonly unseen: readonly string[];
}

/** What is being deleted and takes something of the account along, unless its own pause keeps it. */
export async function losingIn(lists: Lists, account: Resource, now: Millis): Promise<Losing> {
  const namespaces = namespacesOf(account);
  const found = await Promise.all(
    namespaces.map((one) => objectsOf(lists, account, { namespaces: [one], kinds: registry.kinds }).catch(undefinedIfForbidden)),
  );
  return {
    objects: found.flatMap((list) => list ?? []).filter((object) => isGoing(object, now)),
    unseen: namespaces.filter((_, at) => found[at] === undefined),
  };
}
export const isGoing = (object: Resource, now: Millis): boolean => isLosing(object) && pauseOf(object, now) === undefined;

function undefinedIfForbidden(error: unknown): undefined {
  if (!(error instanceof CliError) || !error.isForbidden) throw error;
}

export interface Place {
  readonly namespaces: readonly string[];
  readonly kinds: readonly AnyKind[];
}
export async function objectsOf(lists: Lists, account: Resource, { namespaces, kinds }: Place): Promise<readonly Resource[]> {
  const found = await Promise.all(namespaces.flatMap((one) => kinds.map((each) => lists.list(each, one))));
  return found.flat().filter((object) => belongsTo({ key: keyOf(account) }, object));
}
/** Those that may use it. */
export const namespacesOf = ({ metadata, spec }: Resource): readonly string[] => {
  const access = (spec['access'] ?? []) as readonly Access[];
  return [...new Set([metadata.namespace, ...access.flatMap((one) => one.namespaces)])];
};
