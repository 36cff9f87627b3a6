import { objectId } from '../../engine/model/object-id.ts';
import type { Resource } from '../../engine/ports/kubernetes.ts';
import { shownName } from '../cluster/naming.ts';
import { registry } from '../kinds.ts';
import { linksOf } from '../links.ts';
import type { Entry } from './entries.ts';

const mostNamed = 10;

/** What goes, is made anew or is erased takes along what other objects have below it, whatever the policy of those says. */
export function withTakenAlong(entry: Entry, objects: readonly Resource[]): Entry {
  const isLoss = entry.action === 'delete' || entry.action === 'replace' || entry.effect === 'Rebuild';
  const names = isLoss ? objects.filter((object) => isBelow(object, entry)).map(shownName) : [];
  if (names.length === 0) return entry;
  const more = names.length > mostNamed ? ` and ${names.length - mostNamed} more` : '';
  const loss = `what these have is lost with it: ${names.slice(0, mostNamed).join(', ')}${more}`;
  return { ...entry, message: entry.message === undefined ? loss : `${entry.message}; ${loss}` };
}

function isBelow(object: Resource, entry: Entry): boolean {
  const { goesWithParent, parent } = registry.kind(object.kind);
  return (
    goesWithParent === true &&
    object.status?.['path'] !== undefined &&
    linksOf(object).some(
      (link) =>
        link.is === 'object' && link.field === `spec.${parent?.ref}` && objectId(link.kind, link.key) === objectId(entry.kind, entry),
    )
  );
}
