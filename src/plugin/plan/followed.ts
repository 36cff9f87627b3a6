import { type AnyKind, asCollection, collectionOf, placesOf } from '../../resource/index.ts';
import type { Verdict } from '../dry/verdict.ts';

/** What a create is followed by at an id that only its answer tells, so that no plan can name the call. */
export function followedBy(kind: AnyKind, { action, calls: [first] }: Pick<Verdict, 'action' | 'calls'>): string | undefined {
  if (action !== 'create' || first === undefined) return undefined;
  if (!isList(kind, first.path))
    return 'what it then has that differs from its spec is put right by further calls, at the id that the answer tells';
  const label = (first.body as Readonly<Record<string, unknown>> | undefined)?.[kind.label?.field ?? ''];
  return kind.label?.nonce === true && typeof label === 'string'
    ? 'its label is put right by one more call, at the id that the answer tells'
    : undefined;
}

/** A copy, an import or an upload is asked for elsewhere than in the list that it comes to stand in. */
function isList(kind: AnyKind, path: string): boolean {
  if (asCollection(kind)?.createPath === undefined) return true;
  if (kind.parent === undefined) return placesOf(kind).includes(path);
  const [list, found] = [collectionOf(kind, { name: '', [kind.parent.ref]: 0 }).split('/'), path.split('/')];
  return list.length === found.length && list.every((piece, at) => piece === '0' || piece === found[at]);
}
