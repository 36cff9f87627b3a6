import { literalPattern } from '../../lib/literal-pattern.ts';
import type { Resource } from '../../engine/ports/kubernetes.ts';
import { counted } from '../../lib/counted.ts';
import { isAsking, recreateLines } from '../gestures/held/asking.ts';
import { namesOf, shownName } from '../cluster/naming.ts';
import { unwantedSince } from '../output/times.ts';
import type { Cause } from './causes/cause.ts';
import { causeLine, type Explained, whatToDo } from './explain.ts';

/** What is told of one object, and below it what the account says, where that was asked. */
export interface Told extends Explained {
  readonly differing: readonly string[];
}
/** By what an object stands with others that have the same cause. */
export interface Caused {
  readonly object: Resource;
  /** None: it is well. */
  readonly roots: readonly Cause[];
  /** It stands by itself. */
  readonly isOwn?: boolean;
  readonly differing?: readonly string[];
}

/** Each cause once, with what it holds up, the worst first; then each account once. */
export function told(all: readonly Told[], now: number): readonly string[] {
  const paragraphs = groupsOf(all)
    .toSorted((a, b) => rankOf(a) - rankOf(b) || b.length - a.length)
    .map((group) => paragraphOf(group, now));
  const accounts = [...new Set(all.map(({ account }) => account))];
  // Of one object its account stands with it.
  const [only] = paragraphs;
  if (all.length === 1 && only !== undefined) return [...only, ...accounts];
  return [...paragraphs.flatMap((lines) => [...lines, '']), ...accounts];
}

type Group = readonly Told[];
/** By what they wait for; then what waits for nothing else, by what it says, its own name apart. */
export function groupsOf<C extends Caused>(all: readonly C[]): readonly (readonly C[])[] {
  const groups = groupBy(all, ({ roots, differing = [] }) =>
    [...roots.map(({ object, reason }) => `${object} ${reason}`), ...differing].join('\n'),
  );
  const [several, single] = [groups.filter((group) => !isSelf(group)), groups.filter(isSelf).flat()];
  return [...several, ...groupBy(single, wordsOf)];
}
const groupBy = <C extends Caused>(all: readonly C[], key: (one: C) => string): readonly (readonly C[])[] => [
  ...Map.groupBy(all, (one) => (one.isOwn === true ? one : key(one))).values(),
];
const isItsOwnCause = ({ object, roots }: Caused): boolean => roots[0]?.object === shownName(object);
const isSelf = (group: readonly Caused[]): boolean => group.length === 1 && group.every(isItsOwnCause);

function wordsOf({ object, roots, differing = [] }: Caused): string {
  const { metadata, status } = object;
  const own = [metadata.name, status?.['id'], status?.['path']].filter((word) => typeof word === 'string');
  const text = JSON.stringify([
    object.kind,
    metadata.namespace,
    roots.map(({ reason, message, todo, commands }) => [reason, message, todo, commands]),
    differing,
  ]);
  return own.reduce((rest, word) => rest.replaceAll(new RegExp(`(?<![\\w-])${literalPattern(word)}(?![\\w-])`, 'g'), '*'), text);
}

function rankOf(group: Group): number {
  if (group.some(({ forPerson }) => forPerson)) return 0;
  return group.some(({ data }) => !data.well) ? 1 : 2;
}

function paragraphOf(group: Group, now: number): readonly string[] {
  const [first, ...others] = group;
  if (first === undefined) return [];
  if (others.length === 0) return [...first.lines, ...first.differing];
  const roots = first.roots;
  const [root] = roots;
  if (root === undefined) return [`${group.length} objects are Ready and as wanted: ${namesOf(objectsOf(group))}`, ...first.differing];
  const isSame = group.every((one) => JSON.stringify(todoOf(one)) === JSON.stringify(todoOf(first)));
  const todo = whatToDo(roots, isSame ? undefined : first.data.object);
  return isOwnCause(group)
    ? [
        `${group.length} objects${unwantedSince(oldest(group), now)}: ${root.reason}: ${root.message}`,
        `  ${namesOf(objectsOf(group))}`,
        ...todo,
        ...allAtOnce(group),
        ...first.differing,
      ]
    : [...roots.map((one) => causeLine(one, now)), ...holdsUp(group), ...todo, ...first.differing];
}
/** The lines above are of one of them. */
function allAtOnce(group: Group): readonly string[] {
  const objects = objectsOf(group);
  if (!objects.every(isAsking)) return [];
  return ['To have all of them made anew, empty, which lists them and asks:', ...recreateLines(objects).map((line) => `  ${line}`)];
}
const objectsOf = (group: readonly Caused[]): readonly Resource[] => group.map(({ object }) => object);
/** Each is its own cause, in the same words. */
export const isOwnCause = (group: readonly Caused[]): boolean => group.every(isItsOwnCause);

/** Which of them the cause of all holds up, that one apart. */
export function holdsUp(group: readonly Caused[]): readonly string[] {
  const roots = new Set(group[0]?.roots.map(({ object }) => object));
  const held = objectsOf(group).filter((object) => !roots.has(shownName(object)));
  return held.length === 0 ? [] : [`  holds up ${counted(held.length, 'object')}: ${namesOf(held)}`];
}
const todoOf = ({ roots }: Told): readonly Pick<Cause, 'todo' | 'commands'>[] => roots.map(({ todo, commands }) => ({ todo, commands }));
/** Of the causes of several. */
export const oldest = (group: readonly Caused[]): string | undefined => group.flatMap(({ roots }) => roots[0]?.since ?? []).toSorted()[0];
