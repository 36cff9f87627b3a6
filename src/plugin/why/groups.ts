import { literalPattern } from '../../lib/literal-pattern.ts';
import type { Resource } from '../../engine/ports/kubernetes.ts';
import { namesOf } from '../cluster/naming.ts';
import { unwantedSince } from '../output/times.ts';
import type { Cause } from './causes/cause.ts';
import { causeLine, type Explained, whatToDo } from './explain.ts';

/** What is told of one object, and below it what the account says, where that was asked. */
export interface Told extends Explained {
  readonly differing: readonly string[];
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
function groupsOf(all: readonly Told[]): readonly Group[] {
  const groups = groupBy(all, (one) => [...one.roots.map(({ object, reason }) => `${object} ${reason}`), ...one.differing].join('\n'));
  const [several, single] = [groups.filter((group) => !isSelf(group)), groups.filter(isSelf).flat()];
  return [...several, ...groupBy(single, wordsOf)];
}
const groupBy = (all: readonly Told[], key: (one: Told) => string): readonly Group[] => [
  ...Map.groupBy(all, (one) => (one.isOwn ? one : key(one))).values(),
];
const isSelf = (group: Group): boolean => group.length === 1 && group[0]?.roots[0]?.object === group[0]?.data.object;

function wordsOf({ object, roots, differing }: Told): string {
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
  const held = group.filter(({ data }) => !roots.some(({ object }) => object === data.object));
  return isOwnCause(group)
    ? [
        `${group.length} objects${unwantedSince(oldest(group), now)}: ${root.reason}: ${root.message}`,
        `  ${namesOf(objectsOf(group))}`,
        ...todo,
        ...first.differing,
      ]
    : [...roots.map((one) => causeLine(one, now)), `  holds up ${counted(held)}: ${namesOf(objectsOf(held))}`, ...todo, ...first.differing];
}
const objectsOf = (group: Group): readonly Resource[] => group.map(({ object }) => object);
const isOwnCause = (group: Group): boolean => group.every(({ roots, data }) => roots[0]?.object === data.object);
const todoOf = ({ roots }: Told): readonly Pick<Cause, 'todo' | 'commands'>[] => roots.map(({ todo, commands }) => ({ todo, commands }));
const counted = ({ length }: Group): string => (length === 1 ? '1 object' : `${length} objects`);
const oldest = (group: Group): string | undefined => group.flatMap(({ roots }) => roots[0]?.since ?? []).toSorted()[0];
