import { isDeleting } from '../../engine/model/annotations.ts';
import type { Resource } from '../../engine/ports/kubernetes.ts';
import { counted } from '../../lib/counted.ts';
import { namesOf, shownName } from '../cluster/naming.ts';
import type { Landscape } from '../objects/landscape.ts';
import { parentOf } from '../why/causes/inside.ts';
import { absence, type Difference, isLost, policyOf, type Unknown } from './in-status.ts';

export interface Compared {
  readonly differences: readonly Difference[];
  /** Of these it is not known whether anything differs, or what else. */
  readonly unknown: readonly Unknown[];
}

/** What lay in something that is not in the account is not there either, whatever else is told of it. */
export async function withGone(landscape: Landscape, objects: readonly Resource[], { differences, unknown }: Compared): Promise<Compared> {
  const absent = new Set(differences.filter(({ field }) => field === 'spec').map(({ object }) => object));
  const gone: Difference[] = [];
  for (const object of objects) {
    const parent = isDeleting(object) ? undefined : await goneParent(landscape, object, absent);
    if (parent !== undefined) gone.push({ ...absence(shownName(object), policyOf(object)), with: parent });
  }
  const names = new Set(gone.map(({ object }) => object));
  const others = <T extends { readonly object: string }>(all: readonly T[]): readonly T[] => all.filter(({ object }) => !names.has(object));
  return { differences: [...others(differences), ...gone], unknown: others(unknown) };
}

async function goneParent(landscape: Landscape, object: Resource, absent: ReadonlySet<string>): Promise<string | undefined> {
  const link = parentOf(object);
  if (link === undefined) return undefined;
  const name = shownName({ kind: link.kind, metadata: link.key });
  if (absent.has(name)) return name;
  const parent = await landscape.find(link.kind, link.key);
  return typeof parent !== 'string' && isLost(parent) ? name : undefined;
}

/** Below what is told of the parent; `parent` undefined: it stands by itself. */
export function goneLines(gone: readonly Difference[], objects: readonly Resource[], parent?: string): readonly string[] {
  const [first] = gone;
  if (first === undefined) return [];
  const wanted = new Set(gone.map(({ object }) => object));
  const names = namesOf(objects.filter((object) => wanted.has(shownName(object))));
  const many = counted(gone.length, 'object');
  if (parent !== undefined) return [`  ${many} went with it: ${names}`];
  return [
    gone.length === 1
      ? `${names}: wanted, but not in the account: it went with ${first.with}`
      : `${many}: wanted, but not in the account: they went with ${first.with}: ${names}`,
  ];
}
