import { accountKey } from '../../engine/model/account.ts';
import { nameOf } from '../../engine/model/object-id.ts';
import type { Resource } from '../../engine/ports/kubernetes.ts';
import { shownName } from '../cluster/naming.ts';
import { registry } from '../command-line/kinds.ts';
import { type FieldValue, idsIn } from '../../resource/index.ts';
import type { Landscape } from '../objects/landscape.ts';
import { unread } from '../why/causes/inside.ts';
import type { Difference } from './in-status.ts';

/** With what the ids in them are called, among the objects of the same namespace and account that the caller may list. */
export async function withNames(
  landscape: Landscape,
  objects: readonly Resource[],
  differences: readonly Difference[],
): Promise<readonly Difference[]> {
  const known = new Map(objects.map((object) => [shownName(object), object]));
  return Promise.all(
    differences.map(async (difference) => {
      const object = known.get(difference.object);
      const names = object === undefined ? [] : await namesFor(landscape, object, valuesOf(difference));
      return names.length === 0 ? difference : { ...difference, names: [...names] };
    }),
  );
}

function valuesOf({ field, want, have }: Difference): readonly FieldValue[] {
  const [, name] = /^spec\.(\w+)$/.exec(field) ?? [];
  return name === undefined ? [] : [want, have].map((value) => ({ field: name, value: read(value) }));
}

/** A list, as status has it: as text, which may have been cut. */
function read(value: unknown): unknown {
  if (typeof value !== 'string' || !/^[[{]/.test(value)) return value;
  try {
    return JSON.parse(value);
  } catch {
    return undefined;
  }
}

async function namesFor(landscape: Landscape, object: Resource, values: readonly FieldValue[]): Promise<readonly string[]> {
  const account = nameOf(accountKey(object));
  const lists = [...idsIn(registry.sites(object.kind), values)].map(async ([kind, ids]) => {
    const all = await landscape.list(registry.kind(kind), object.metadata.namespace).catch(unread);
    return all.flatMap((one) => {
      const id = String(one.status?.['id']);
      return ids.has(id) && nameOf(accountKey(one)) === account ? [`${id} is ${shownName(one)}`] : [];
    });
  });
  return [...new Set((await Promise.all(lists)).flat())].toSorted();
}
