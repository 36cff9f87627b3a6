import { canonical } from '../../engine/model/values.ts';
import type { Resource } from '../../engine/ports/kubernetes.ts';
import { shownName } from '../cluster/naming.ts';
import { registry } from '../kinds.ts';
import type { Entry } from './entries.ts';
import { isBelow } from './taken-along.ts';

/** What a change does by the way to what other objects have below it, and which field says that it shall not. */
export function withBeside(entry: Entry, { spec }: Resource, objects: readonly Resource[]): Entry {
  const texts = Object.entries(registry.kind(entry.kind).fields).flatMap(([field, { beside }]) => {
    if (beside === undefined || !entry.changes.some((change) => change.field === beside.at)) return [];
    if (canonical(spec[field] ?? null) === canonical(beside.says)) return [];
    const names = objects.filter((object) => object.kind === beside.kind && isBelow(object, entry)).map(shownName);
    return names.length === 0
      ? []
      : [`${beside.else} (${names.join(', ')}): set spec.${field}: ${JSON.stringify(beside.says)} to leave it as it is`];
  });
  if (texts.length === 0) return entry;
  return { ...entry, message: [...(entry.message === undefined ? [] : [entry.message]), ...texts].join('; ') };
}
