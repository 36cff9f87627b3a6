import { nameOf } from '../../engine/guard/release-code.ts';
import type { Resource } from '../../engine/ports/kubernetes.ts';
import type { Millis } from '../../lib/clock.ts';
import { namesOf, shownName, typed } from '../cluster/naming.ts';
import { ofHold } from '../gestures/held-set.ts';
import { stateOf } from '../objects/facts.ts';
import type { Landscape } from '../objects/landscape.ts';
import type { StatusData } from '../output/shapes.ts';
import { unwantedSince } from '../output/times.ts';
import { type Cause, causesOf, rootsOf } from '../why/causes/cause.ts';
import { chainOf } from '../why/chain.ts';
import { type Caused, groupsOf, holdsUp, isOwnCause, oldest } from '../why/groups.ts';
import { atAGlance } from '../why/next.ts';
import { type Brake, brakeOf } from './held.ts';

type Needy = StatusData['accounts'][number]['needPerson'][number];

/** What is not as wanted, and what it waits for, as `why` follows that. */
export interface Behind extends Caused {
  /** It goes on only when somebody does something. */
  readonly isNeedy: boolean;
  /** All of its chain, as sentences name it. */
  readonly through: ReadonlySet<string>;
  readonly heldIn?: Brake | undefined;
}

export async function behindOf(landscape: Landscape, object: Resource, isNeedy: boolean): Promise<Behind> {
  const chain = await chainOf(landscape, object, atAGlance);
  const through = new Set(causesOf(chain).map((cause) => cause.object));
  const heldIn = stateOf(object).reason === 'DeletionHeld' ? brakeOf(object) : undefined;
  return { object, roots: rootsOf(chain), isNeedy, through, heldIn };
}

export function needyOf({ object }: Behind): Needy {
  const { reason = 'NotLookedAt', message, since } = stateOf(object);
  return { object: shownName(object), reason, message, ...(since !== undefined && { since }) };
}

/** Without those that the account tells of, with the line that lets all of them go. */
export function apartFrom(holds: readonly Brake[], all: readonly Behind[]): readonly Behind[] {
  const told = new Set(holds.map(nameOf));
  return all.filter(({ heldIn }) => heldIn === undefined || !told.has(nameOf(heldIn)));
}

export type Group = readonly Behind[];
/** By their causes, those that only a person moves, what holds up most first; what one brake holds is one. */
export function groupsForPerson(all: readonly Behind[]): readonly Group[] {
  const [free, held] = [all.filter(({ heldIn }) => heldIn === undefined), all.filter(({ heldIn }) => heldIn !== undefined)];
  return [...groupsOf(free), ...Map.groupBy(held, ({ heldIn = {} }) => nameOf(heldIn)).values()]
    .filter((group) => group.some(({ isNeedy }) => isNeedy))
    .toSorted((a, b) => b.length - a.length);
}

/** So many causes. */
const most = 20;

export function groupLines(groups: readonly Group[], now: Millis): readonly string[] {
  const shown = inTurns(groups);
  const rest = groups.length - shown.length;
  return [...shown.flatMap((group) => linesOf(group, now)), ...(rest > 0 ? [`and ${rest} more: -o json lists them all`] : [])];
}

/** As many as are listed, of each namespace in turn: one that has hundreds hides none of another. */
export function inTurns(groups: readonly Group[]): readonly Group[] {
  const turns = [...Map.groupBy(groups, ([first]) => first?.object.metadata.namespace).values()].flatMap((those) => [...those.entries()]);
  const chosen = new Set(
    turns
      .toSorted(([a], [b]) => a - b)
      .slice(0, most)
      .map(([, group]) => group),
  );
  return groups.filter((group) => chosen.has(group));
}

function linesOf(group: Group, now: Millis): readonly string[] {
  const [first] = group;
  if (first === undefined) return [];
  const { roots, heldIn } = first;
  const root = group.find(({ object }) => roots.some((one) => one.object === shownName(object)));
  const line = `  kubectl cloud why ${typed((root ?? group.find(({ isNeedy }) => isNeedy) ?? first).object)}`;
  const all = namesOf(group.map(({ object }) => object));
  const since = unwantedSince(oldest(group), now);
  if (heldIn !== undefined && group.length > 1)
    return [`${group.length} objects of ${ofHold(heldIn)}${since}: ${roots[0]?.reason}: ${all}`, line];
  if (group.length > 1 && isOwnCause(group)) return [`${group.length} objects${since}: ${roots[0]?.reason}: ${all}`, line];
  return [...roots.map((one) => `${one.object}${unwantedSince(one.since, now)}: ${one.reason}${lacking(one)}`), ...holdsUp(group), line];
}
/** Its name alone does not say what of it is missing. */
const lacking = ({ reason, message }: Cause): string => (reason === 'KeyMissing' ? `: ${message}` : '');
