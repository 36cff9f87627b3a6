import type { Resource } from '../../engine/ports/kubernetes.ts';
import type { Millis } from '../../lib/clock.ts';
import { shownName, typed } from '../cluster/naming.ts';
import { stateOf } from '../objects/facts.ts';
import type { StatusData } from '../output/shapes.ts';
import { unwantedSince } from '../output/times.ts';
import { brakeOf } from './held.ts';

type Cause = StatusData['accounts'][number]['needPerson'][number];
/** An object that goes on only when somebody does something. */
export interface Person {
  readonly cause: Cause;
  readonly typed: string;
  /** What holds it with others, as the account names it: one line lets them all go. */
  readonly heldIn?: string;
}

export function personOf(object: Resource): Person {
  const { reason = 'NotLookedAt', message, since } = stateOf(object);
  const cause = { object: shownName(object), reason, message, ...(since !== undefined && { since }) };
  const heldIn = reason === 'DeletionHeld' ? brakeOf(object) : undefined;
  return { cause, typed: typed(object), ...(heldIn !== undefined && { heldIn }) };
}

/** So many lines of objects, and so many names in one of them. */
const [most, mostNamed] = [20, 3];

export function peopleLines(people: readonly Person[], now: Millis): readonly string[] {
  const groups = [...Map.groupBy(people, (person) => person.heldIn ?? person).values()];
  const rest = groups.slice(most).flat().length;
  return [
    ...groups.slice(0, most).flatMap((group) => linesOf(group, now)),
    ...(rest > 0 ? [`and ${rest} more: -o json lists them all`] : []),
  ];
}

function linesOf(group: readonly Person[], now: Millis): readonly string[] {
  const [first] = group;
  if (first === undefined) return [];
  const { cause } = first;
  const why = `  kubectl cloud why ${first.typed}`;
  if (group.length === 1) return [`${cause.object}${unwantedSince(cause.since, now)}: ${cause.reason}`, why];
  const names = group.slice(0, mostNamed).map((one) => one.cause.object);
  const more = group.length > mostNamed ? ` and ${group.length - mostNamed} more` : '';
  const [oldest] = group.flatMap((one) => one.cause.since ?? []).toSorted();
  return [`${group.length} objects of ${first.heldIn}${unwantedSince(oldest, now)}: ${cause.reason}: ${names.join(', ')}${more}`, why];
}
