import { accountKey } from '../../../engine/model/account.ts';
import { nameOf, objectId } from '../../../engine/model/object-id.ts';
import { canonical, shown } from '../../../engine/model/values.ts';
import type { Resource } from '../../../engine/ports/kubernetes.ts';
import { counted } from '../../../lib/counted.ts';
import { registry } from '../../command-line/kinds.ts';
import type { Entry } from '../entries.ts';

const isAccount = ({ kind }: Pick<Resource, 'kind'>): boolean => kind === registry.connection.kind;

/**
 * An edit of an account that sends nothing is one all the same: what its objects may do hangs on it (`mode`, `access`, `recover`), and
 * those that no manifest names are not looked at.
 */
export function tellingAccounts(before: readonly Resource[], wanted: readonly Resource[]): (entry: Entry) => Entry {
  const there = byId(before.filter(isAccount));
  const edited = byId(wanted.filter(isAccount));
  const planned = byId(wanted);
  const others = before.filter((one) => !isAccount(one) && !planned.has(idOf(one)));
  return (entry) => {
    const [old, now] = [there.get(objectId(entry.kind, entry)), edited.get(objectId(entry.kind, entry))];
    if (old === undefined || now === undefined || entry.action === 'refused') return entry;
    const told = new Set(entry.changes.map(({ field }) => field));
    const more = changesOf(old.spec, now.spec).filter(({ field }) => !told.has(field));
    if (more.length === 0) return entry;
    const count = others.filter((one) => nameOf(accountKey(one)) === nameOf(now.metadata)).length;
    const words = [...(entry.message === undefined ? [] : [entry.message]), ...(count === 0 ? [] : [leftOut(count)])];
    return {
      ...entry,
      ...(entry.action === 'none' && { action: 'change', effect: 'InPlace' }),
      changes: [...entry.changes, ...more],
      ...(words.length > 0 && { message: words.join('; ') }),
    };
  };
}

const idOf = ({ kind, metadata }: Resource): string => objectId(kind, metadata);
const byId = (objects: readonly Resource[]): ReadonlyMap<string, Resource> => new Map(objects.map((one) => [idOf(one), one]));
const leftOut = (count: number): string =>
  `what that does to ${counted(count, 'object')} of it that no manifest here names is not part of the plan: kubectl cloud plan -A tells what they wait to do`;

function changesOf(old: Resource['spec'], now: Resource['spec']): Entry['changes'] {
  const fields = [...new Set([...Object.keys(old), ...Object.keys(now)])].toSorted();
  return fields
    .filter((field) => canonical(old[field]) !== canonical(now[field]))
    .map((field) => ({ field, from: shown(old[field]), to: shown(now[field]), effect: 'InPlace', secret: false }));
}
