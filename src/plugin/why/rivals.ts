import { accountKey } from '../../engine/model/account.ts';
import { isDeleting } from '../../engine/model/annotations.ts';
import { nameOf } from '../../engine/model/object-id.ts';
import { namesPath } from '../../engine/model/step.ts';
import type { Resource } from '../../engine/ports/kubernetes.ts';
import { fewOf } from '../../lib/few-of.ts';
import { shownName, typed } from '../cluster/naming.ts';
import { registry } from '../command-line/kinds.ts';
import { isBehind, isKnownGone, stateOf } from '../objects/facts.ts';
import type { Landscape } from '../objects/landscape.ts';
import { adoptsInstead } from '../objects/stale-adopt.ts';
import type { Cause } from './causes/cause.ts';
import { type Offered, offeredIn } from './causes/gone.ts';
import { unread } from './causes/inside.ts';

const most = 5;

/** What is there in place of what is gone is offered to each object that lost something there: who else is offered it, and who has it by now. */
export async function amongRivals(landscape: Landscape, object: Resource, cause: Cause): Promise<Cause> {
  const { ids, of } = offeredTo(object);
  if (ids.length === 0) return cause;
  const account = nameOf(accountKey(object));
  const kind = registry.kind(object.kind);
  const all = await landscape.list(kind, object.metadata.namespace).catch(unread);
  const others = all.filter((one) => one.metadata.uid !== object.metadata.uid && nameOf(accountKey(one)) === account);
  const had = new Map(ids.flatMap((id) => holderOf(id, of, others).map((one) => [id, `${shownName(one)} has ${id} by now`] as const)));
  if (had.size === ids.length) return lookAgain(object, cause, [...had.values()]);
  const free = ids.filter((id) => !had.has(id));
  const told = [...had.values(), ...contested({ ids: free, of }, others)].map((text) => ` ${text}.`);
  return { ...cause, todo: `${cause.todo}${told.join('')}` };
}

/** By the message, or by its spec once that names one. */
function offeredTo(object: Resource): Offered {
  const { reason, message } = stateOf(object);
  const none = { ids: [], of: '' };
  if (reason !== 'RemoteMissing' || isBehind(object) || isDeleting(object)) return none;
  const offered = offeredIn(message) ?? none;
  const named = adoptsInstead(object);
  return named === undefined ? offered : { ...offered, ids: offered.of === '' ? [] : [named] };
}

const holderOf = (id: string | number, of: string, others: readonly Resource[]): readonly Resource[] =>
  others.filter((one) => {
    const path = one.status?.['path'];
    return typeof path === 'string' && path.startsWith(`${of}/`) && namesPath(registry.kind(one.kind), id, path) && !isKnownGone(one);
  });

/** The operator tells it so at its next look. */
function lookAgain(object: Resource, cause: Cause, had: readonly string[]): Cause {
  return {
    ...cause,
    todo: `${had.join('; ')}, and the operator has not looked at this object since: it cannot have that, too. Have it looked at again by the first line; the second tells then what is left to do.`,
    commands: [`kubectl cloud reconcile ${typed(object)}`, `kubectl cloud why ${typed(object)}`],
  };
}

/** It is nowhere told whose it was. */
function contested({ ids, of }: Offered, others: readonly Resource[]): readonly string[] {
  const rivals = others.filter((one) => {
    const offered = offeredTo(one);
    return offered.of === of && offered.ids.some((id) => ids.map(String).includes(String(id)));
  });
  if (rivals.length === 0) return [];
  const those = fewOf(rivals.map(shownName), most);
  const are = rivals.length === 1 ? 'is' : 'are';
  return [
    ids.length === 1
      ? `${those} ${are} offered ${ids[0]}, too: only one of these objects can have it. Name it in the one whose it was, and see then what is left to do for the other${rivals.length === 1 ? '' : 's'}`
      : `${those} ${are} offered some of these, too: each of ${ids.join(', ')} can be had by one object only. Name each in the one whose it was`,
  ];
}
