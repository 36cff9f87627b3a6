import { isDeleting } from '../../engine/model/annotations.ts';
import { objectId } from '../../engine/model/object-id.ts';
import type { Resource } from '../../engine/ports/kubernetes.ts';
import { shownName } from '../cluster/naming.ts';
import { askedUnseen, goingUnseen, isBehind, stateOf } from '../objects/facts.ts';
import type { DeadLease } from '../cluster/serving.ts';
import type { Landscape } from '../objects/landscape.ts';
import { commandsFor, todoOf } from './actions.ts';
import { alone, type Cause, type Chain } from './causes/cause.ts';
import { nextOf } from './next.ts';

/** A list may name hundreds that are not there. */
const mostTold = 10;

/** From an object to all that it waits for: the operator's own words, and no guess beyond them. */
export async function chainOf(landscape: Landscape, object: Resource): Promise<Chain> {
  return (await walk(landscape, object, new Set())) ?? alone(causeOf(object));
}

/** Undefined: it was told already, or leads back to itself. */
async function walk(landscape: Landscape, next: Resource | Cause, seen: Set<string>): Promise<Chain | undefined> {
  if ('reason' in next) return alone(next);
  const id = objectId(next.kind, next.metadata);
  if (seen.has(id)) return undefined;
  seen.add(id);
  const all = await nextOf(landscape, next);
  const below: Chain[] = [];
  for (const one of all.slice(0, mostTold)) {
    const chain = await walk(landscape, one, seen);
    if (chain !== undefined) below.push(chain);
  }
  return { cause: causeOf(next), below, more: Math.max(0, all.length - mostTold) };
}

function causeOf(object: Resource): Cause {
  const { reason, message, since } = stateOf(object);
  if (reason === undefined) return notLookedAt(object, nobodyYet);
  if (isBehind(object)) return notLookedAt(object, notSince(object));
  const asked = askedUnseen(object);
  if (asked !== undefined) return notLookedAt(object, asked);
  return {
    object: shownName(object),
    reason,
    message,
    ...(since !== undefined && { since }),
    todo: todoOf(reason, object),
    commands: commandsFor(reason, object),
  };
}

const nobodyYet = 'no operator has written a status yet: it was just made, or no operator runs that serves its account and namespace';

function notSince(object: Resource): string {
  const { metadata, status } = object;
  const { reason, message } = stateOf(object);
  if (isDeleting(object)) return `${goingUnseen(object)} then, when it was ${reason}`;
  return `its spec was edited (generation ${metadata.generation}) after an operator looked last (generation ${String(status?.['observedGeneration'])}), when it was ${reason}${message === '' ? '' : `: ${message}`}`;
}

const notLookedAt = (object: Resource, message: string): Cause => ({
  object: shownName(object),
  reason: 'NotLookedAt',
  message,
  todo: 'Wait some seconds. If it stays so, see whether the operator runs, and whether its namespaces and its selector of accounts include this object.',
  commands: [`kubectl cloud doctor -n ${object.metadata.namespace}`],
});

export const withoutOperator = ({ name, since }: DeadLease, account: string): Cause => ({
  object: `Lease ${name}`,
  reason: 'NotHeld',
  message: `nobody has renewed it since ${since}: no operator works for ${account}`,
  todo: 'See whether its Pods run, and what they log. Nothing is seen or done until one works.',
  commands: [
    `kubectl -n ${name.split('/')[0]} get pods`,
    `kubectl -n ${name.split('/')[0]} logs -l app.kubernetes.io/name=cloud-operator --tail=50`,
  ],
});
