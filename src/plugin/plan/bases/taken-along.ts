import { objectId } from '../../../engine/model/object-id.ts';
import type { Resource } from '../../../engine/ports/kubernetes.ts';
import { shownName } from '../../cluster/naming.ts';
import { registry } from '../../command-line/kinds.ts';
import { linksOf } from '../../objects/links.ts';
import type { Entry } from '../entries.ts';

const mostNamed = 10;

/** A change of an object, be it only planned. */
export interface Changing extends Pick<Entry, 'kind' | 'namespace' | 'name' | 'action' | 'effect'> {
  readonly fields: readonly string[];
}

export function withTakenAlong(entry: Entry, objects: readonly Resource[]): Entry {
  const own = objects.find((object) => objectId(object.kind, object.metadata) === objectId(entry.kind, entry));
  const told = takenAlong({ ...entry, fields: entry.changes.map(({ field }) => field) }, own, objects);
  if (told.length === 0) return entry;
  return { ...entry, message: [...(entry.message === undefined ? [] : [entry.message]), ...told].join('; ') };
}

/** What a change does to others besides, which none of its calls says: to what lies below it, whatever the objects of that say. */
export const takenAlong = (change: Changing, own: Resource | undefined, objects: readonly Resource[]): readonly string[] => [
  ...lossOf(change, objects),
  ...fittedWith(change, own, objects),
];

/** What goes, is made anew or is erased takes along what other objects have below it. */
function lossOf(entry: Changing, objects: readonly Resource[]): readonly string[] {
  const isLoss = entry.action === 'delete' || entry.action === 'replace' || entry.effect === 'Rebuild';
  const lost = isLoss ? objects.filter((object) => registry.kind(object.kind).goesWithParent === true && isBelow(object, entry)) : [];
  return lost.length === 0 ? [] : [`what these have is lost with it: ${named(lost)}`];
}

/** What lies below it and changes with one of its fields, as a disk does with a plan. */
function fittedWith(entry: Changing, own: Resource | undefined, objects: readonly Resource[]): readonly string[] {
  if (entry.action !== 'change' || own === undefined) return [];
  const changed = new Set(entry.fields);
  return Object.entries(registry.kind(entry.kind).fields).flatMap(([field, { beside }]) => {
    if (beside === undefined || !changed.has(beside.with) || own.spec[field] === beside.says) return [];
    const those = objects.filter((object) => object.kind === beside.kind && isBelow(object, entry));
    return [`${beside.takes}${those.length === 0 ? '' : `. ${asksBack({ field, ...beside }, own, those)}`}`];
  });
}

interface Kept {
  readonly field: string;
  readonly says: unknown;
  readonly follows: { readonly field: string };
}
/** Whoever says nothing is asked next to undo it, and by the next change again: so both ways out are told. */
const asksBack = ({ field, says, follows }: Kept, own: Resource, those: readonly Resource[]): string =>
  `What these say of it then differs, and they ask to have it set back: ${named(those)}. To leave them as they are, set spec.${field}: ${String(says)} on ${shownName(own)} before the yes (the plan and its hash stay the same); to keep what comes of it, write into their spec.${follows.field} afterwards what status.${follows.field} shows`;

function named(objects: readonly Resource[]): string {
  const names = objects.map(shownName);
  const more = names.length > mostNamed ? ` and ${names.length - mostNamed} more` : '';
  return `${names.slice(0, mostNamed).join(', ')}${more}`;
}

function isBelow(object: Resource, entry: Changing): boolean {
  const { parent } = registry.kind(object.kind);
  return (
    object.status?.['path'] !== undefined &&
    linksOf(object).some(
      (link) =>
        link.is === 'object' && link.field === `spec.${parent?.ref}` && objectId(link.kind, link.key) === objectId(entry.kind, entry),
    )
  );
}
