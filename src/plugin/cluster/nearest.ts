import type { Key, Resource } from '../../engine/ports/kubernetes.ts';
import { alike } from '../../lib/closest.ts';
import type { AnyKind } from '../../resource/index.ts';
import { CliError } from '../exit.ts';

/** What lists objects of a kind in a namespace; rejects with {@link CliError} where the caller may not. */
interface Lists {
  list(kind: AnyKind, namespace: string): Promise<readonly Resource[]>;
}

/** `; did you mean cvol/data?` by what is there; undefined where the caller may not list it, or nothing is called nearly so. */
export async function nearest(lists: Lists, kind: AnyKind, { namespace, name }: Key): Promise<string | undefined> {
  const names = await namesOf(lists, kind, namespace);
  const like = alike(name, names);
  return like.length === 0 ? undefined : `; did you mean ${like.map((one) => `${kind.shortName}/${one}`).join(', ')}?`;
}

async function namesOf(lists: Lists, kind: AnyKind, namespace: string): Promise<readonly string[]> {
  try {
    return (await lists.list(kind, namespace)).map(({ metadata }) => metadata.name);
  } catch (error) {
    if (error instanceof CliError) return [];
    throw error;
  }
}
