import { fewOf } from '../../lib/few-of.ts';
import { isDeleting } from '../../engine/model/annotations.ts';
import { objectId } from '../../engine/model/object-id.ts';
import type { Resource } from '../../engine/ports/kubernetes.ts';
import { shownName } from '../cluster/naming.ts';
import { registry } from '../command-line/kinds.ts';
import { askedFor, askedUnseen, goingUnseen, isBehind, isCutOff, stateOf } from '../objects/facts.ts';
import type { DeadLease } from '../cluster/serving.ts';
import type { Landscape } from '../objects/landscape.ts';
import { circleOf, isSame } from './circle.ts';
import { commandsFor, oncePowered, todoOf } from './actions.ts';
import { alone, type Cause, type Chain } from './causes/cause.ts';
import { goingIn, holdsWhatIsAsked } from './causes/of-account.ts';
import { hasNothingToBoot, partsToCome } from './causes/refused.ts';
import { withOther } from './causes/there-already.ts';
import { atAGlance, nextOf, type Offered } from './next.ts';

/** A list may name hundreds that are not there. */
const mostTold = 10;
/** Who makes thousands that wait for each other keeps nobody from an answer. */
export const mostFollowed = 20;

/** From an object to all that it waits for: the operator's own words, and no guess beyond them. */
export async function chainOf(landscape: Landscape, object: Resource, offered?: Offered): Promise<Chain> {
  return (await walk({ landscape, offered, seen: new Set(), above: [] }, object)) ?? alone(causeOf(object));
}
interface Walk {
  readonly landscape: Landscape;
  readonly offered: Offered | undefined;
  readonly seen: Set<string>;
  /** From the one that was asked about to the one above. */
  readonly above: readonly Resource[];
}

/** Undefined: it was told already, or leads back to itself. */
async function walk(way: Walk, next: Resource | Cause): Promise<Chain | undefined> {
  if ('reason' in next) return alone(next);
  if (!isNew(next, way.seen)) return undefined;
  if (way.seen.size >= mostFollowed) return leap(way, next);
  const all = await nextKnown(way, next);
  const below: Chain[] = [];
  const above = [...way.above, next];
  for (const one of all.slice(0, mostTold)) {
    const chain = await walk({ ...way, above }, one);
    if (chain !== undefined) below.push(chain);
  }
  const back = below.length > 0 ? -1 : above.findIndex((one) => all.some((other) => !('reason' in other) && isSame(one, other)));
  const circle = back < 0 ? undefined : circleOf(above.slice(back));
  if (circle !== undefined) below.push(alone(circle));
  return { cause: await causeNow(way, next), below, more: Math.max(0, all.length - mostTold) };
}

/** What it was refused for want of what is to be in it is no news before that is there. */
async function causeNow({ landscape, offered }: Walk, object: Resource): Promise<Cause> {
  const held = await holdsWhatIsAsked(landscape, object);
  if (held.length > 0) return waitsForAccount(object);
  const cause = await withGoing(landscape, object, offered);
  const parts = await partsToCome(landscape, object);
  if (parts.length === 0) return withOther(landscape, object, cause, offered === atAGlance);
  const named = fewOf(parts.map(shownName), mostTold);
  const [are, come] = parts.length > 1 ? ['are', 'they come'] : ['is', 'it comes'];
  const coming = `${named} ${are} to be in it, and ${are} not there yet; until then`;
  if (hasNothingToBoot(object)) {
    const message = `${coming} there is nothing to boot. It stays off after that, too, unless spec.power is On`;
    return { ...cause, reason: 'Incomplete', message, ...oncePowered(object) };
  }
  return { ...cause, reason: 'Incomplete', message: `${coming} it is ${cause.reason}, and asked for again as ${come}` };
}

/** What can be done is not read at a glance, and costs a list of each kind. */
async function withGoing(landscape: Landscape, object: Resource, offered: Offered | undefined): Promise<Cause> {
  const cause = causeOf(object);
  if (object.kind !== registry.connection.kind || offered === atAGlance || !isCutOff(object)) return cause;
  const going = await goingIn(landscape, object);
  if (going === undefined) return cause;
  return { ...cause, todo: `${going.todo} ${cause.todo}`, commands: [...going.commands, ...cause.commands] };
}

/** From here on only what nothing else stands in the way of is told; `more` counts what is left out. */
async function leap(way: Walk, from: Resource): Promise<Chain> {
  const ends: Cause[] = [];
  const left: Resource[] = [from];
  let passed = 0;
  for (let one = left.pop(); one !== undefined; one = left.pop()) {
    const all = await nextKnown(way, one);
    if (all.length === 0 && one !== from) ends.push(causeOf(one));
    else passed += 1;
    for (const next of all) {
      if ('reason' in next) ends.push(next);
      else if (isNew(next, way.seen)) left.push(next);
    }
  }
  const told = ends.slice(0, mostTold);
  return { cause: await causeNow(way, from), below: told.map(alone), more: passed - 1 + ends.length - told.length };
}

function isNew({ kind, metadata }: Resource, seen: Set<string>): boolean {
  const id = objectId(kind, metadata);
  if (seen.has(id)) return false;
  seen.add(id);
  return true;
}

/** Of all that are asked about the same ones are on the way. */
const known = new WeakMap<Landscape, Map<Resource, ReturnType<typeof nextOf>>>();
function nextKnown({ landscape, offered }: Walk, object: Resource): ReturnType<typeof nextOf> {
  const all = known.get(landscape) ?? new Map<Resource, ReturnType<typeof nextOf>>();
  known.set(landscape, all);
  const next = all.get(object) ?? nextOf(landscape, object, offered);
  all.set(object, next);
  return next;
}

function waitsForAccount(object: Resource): Cause {
  const { reason = 'NotLookedAt', since, message: seen } = stateOf(object);
  const asked = askedFor(object);
  const message = asked === undefined ? seen : `${asked}, which is taken up once changes may be made in its account`;
  return { object: shownName(object), reason, message, ...(since !== undefined && { since }), todo: '', commands: [] };
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
