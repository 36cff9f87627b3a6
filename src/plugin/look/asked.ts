import { type AnyKind, collectionOf, path, placesOf } from '../../resource/index.ts';
import { kindCalled } from '../command-line/kinds.ts';
import { type Noun, nouns, words } from './nouns.ts';

/** The rows that somebody means who names one of them, or their kind, as kubectl lets one do. */
export function nounOf(word: string): string | undefined {
  if (Object.hasOwn(nouns, `${word}s`)) return `${word}s`;
  const kind = kindCalled(word);
  if (kind === undefined) return undefined;
  const places = kind.parent === undefined ? placesOf(kind) : placesBelow(kind, kind.parent.ref);
  return Object.keys(nouns).find((name) => {
    const { list = '', kind: short } = nouns[name] ?? {};
    if (short !== undefined) return short === kind.shortName;
    // By the place of all, or of those below one thing: as buckets of a cluster, records of a domain.
    return places.includes(list) || places.includes(list.replace(/\/\{\w+\}$/, '')) || places.includes(list.replace(/\{\w+\}/, '1'));
  });
}

/** Where the ones below one thing are; not told where that thing is of several sorts, as a database. */
function placesBelow(kind: AnyKind, ref: string): readonly string[] {
  try {
    return [collectionOf(kind, { name: '', [ref]: 1 })];
  } catch {
    return [];
  }
}

export interface Asked {
  readonly is: 'list' | 'item';
  readonly path: string;
}

/** What these ids ask for; undefined where they are too few or too many. */
export function asked(noun: Noun, ids: readonly string[]): Asked | undefined {
  const { list, item, all } = noun;
  const above = words(list).length;
  if (ids.length === 0 && all !== undefined) return { is: 'list', path: all };
  if (ids.length === above) return { is: 'list', path: filled(list, ids) };
  return ids.length === above + 1 && item !== null ? { is: 'item', path: filled(`${list}/{ID}`, ids) } : undefined;
}

/** An id can never lead elsewhere: each is one segment. */
function filled(template: string, ids: readonly string[]): string {
  const [first = '', ...rest] = template.split(/\{\w+\}/);
  return rest.reduce((text, part, index) => `${text}${path`${ids[index] ?? ''}`}${part}`, first);
}
