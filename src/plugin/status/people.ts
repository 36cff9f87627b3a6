import type { Resource } from '../../engine/ports/kubernetes.ts';
import type { Millis } from '../../lib/clock.ts';
import { shownName, typed } from '../cluster/naming.ts';
import { stateOf } from '../objects/facts.ts';
import type { StatusData } from '../output/shapes.ts';
import { unwantedSince } from '../output/times.ts';
import { type Brake, brakeOf } from './held.ts';
import { nameOf } from '../../engine/guard/release-code.ts';
import { ofHold } from '../gestures/held-set.ts';

type Cause = StatusData['accounts'][number]['needPerson'][number];
/** An object that goes on only when somebody does something. */
export interface Person {
  readonly cause: Cause;
  readonly typed: string;
  readonly namespace: string;
  readonly heldIn?: Brake;
}

export function personOf(object: Resource): Person {
  const { reason = 'NotLookedAt', message, since } = stateOf(object);
  const cause = { object: shownName(object), reason, message, ...(since !== undefined && { since }) };
  const heldIn = reason === 'DeletionHeld' ? brakeOf(object) : undefined;
  return { cause, typed: typed(object), namespace: object.metadata.namespace, ...(heldIn !== undefined && { heldIn }) };
}

/** Without those that the account tells of, with the line that lets all of them go. */
export function apartFrom(holds: readonly Brake[], people: readonly Person[]): readonly Person[] {
  const told = new Set(holds.map(nameOf));
  return people.filter(({ heldIn }) => heldIn === undefined || !told.has(nameOf(heldIn)));
}

/** So many lines of objects, and so many names in one of them. */
const [most, mostNamed] = [20, 3];

export function peopleLines(people: readonly Person[], now: Millis): readonly string[] {
  const groups = [...Map.groupBy(people, (person) => (person.heldIn === undefined ? person : nameOf(person.heldIn))).values()];
  const shown = inTurns(groups);
  const rest = people.length - shown.flat().length;
  return [...shown.flatMap((group) => linesOf(group, now)), ...(rest > 0 ? [`and ${rest} more: -o json lists them all`] : [])];
}

type Group = readonly Person[];
/** As many as are listed, of each namespace in turn: one that has hundreds hides none of another. */
function inTurns(groups: readonly Group[]): readonly Group[] {
  const turns = [...Map.groupBy(groups, ([first]) => first?.namespace).values()].flatMap((those) => [...those.entries()]);
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
  const { cause } = first;
  const why = `  kubectl cloud why ${first.typed}`;
  if (group.length === 1) return [`${cause.object}${unwantedSince(cause.since, now)}: ${cause.reason}`, why];
  const names = group.slice(0, mostNamed).map((one) => one.cause.object);
  const more = group.length > mostNamed ? ` and ${group.length - mostNamed} more` : '';
  const [oldest] = group.flatMap((one) => one.cause.since ?? []).toSorted();
  return [
    `${group.length} objects of ${ofHold(first.heldIn ?? {})}${unwantedSince(oldest, now)}: ${cause.reason}: ${names.join(', ')}${more}`,
    why,
  ];
}
