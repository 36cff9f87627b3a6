import { group, plural } from '../../generate/names.ts';
import { kinds } from '../../generated/kinds.ts';
import { Registry } from '../../engine/model/kind-registry.ts';
import { alike } from '../../lib/closest.ts';
import { type AnyKind, asCollection } from '../../resource/index.ts';
import { CliError } from '../exit.ts';

export const registry = new Registry(kinds);

/** Everything that kubectl understands as the name of a kind. */
const wordsOf = ({ kind, shortName }: AnyKind): readonly string[] => [kind.toLowerCase(), plural(kind), shortName];
const known: ReadonlyMap<string, AnyKind> = new Map(registry.kinds.flatMap((kind) => wordsOf(kind).map((word) => [word, kind] as const)));

export const kindCalled = (word: string): AnyKind | undefined => {
  const lower = word.toLowerCase();
  return known.get(lower.endsWith(`.${group}`) ? lower.slice(0, -group.length - 1) : lower);
};

/** Kinds that give out what can be renewed. */
export const renewable = (): readonly string[] =>
  registry.kinds.flatMap((kind) => (asCollection(kind)?.rotation === undefined ? [] : [kind.kind]));

export function kindFrom(word: string): AnyKind {
  const kind = kindCalled(word);
  if (kind !== undefined) return kind;
  const words = registry.kinds.flatMap(wordsOf);
  const lower = word.toLowerCase();
  // Whoever types the beginning of a word, or of what it is about, means that one first.
  const begun = words.filter((one) => one.startsWith(lower) || one.startsWith(`cloud${lower}`));
  const within = words.filter((one) => lower.length > 2 && one.includes(lower));
  const near = [...new Set([...begun, ...alike(word, words), ...within])].slice(0, 3);
  const hint = near.length === 0 ? 'kubectl cloud schema lists them.' : `Did you mean ${near.join(', ')}?`;
  throw new CliError(2, `${word} is no kind of ${group}. ${hint}`);
}
