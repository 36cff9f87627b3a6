import { objectId } from '../../engine/model/object-id.ts';
import type { Resource } from '../../engine/ports/kubernetes.ts';
import { shownName, typed, withKubectl } from '../cluster/naming.ts';
import { stateOf } from '../objects/facts.ts';
import { linksOf } from '../objects/links.ts';
import type { Cause } from './causes/cause.ts';

const idOf = ({ kind, metadata }: Resource): string => objectId(kind, metadata);
export const isSame = (one: Resource, other: Resource): boolean => idOf(one) === idOf(other);

const refused: ReadonlySet<string> = new Set(['Rejected', 'Busy']);
const isRefused = (object: Resource): boolean => refused.has(stateOf(object).reason ?? '');

/**
 * What waits for each other, each for the next and the last for the first, goes no further by itself. The one of them that was refused
 * can be made once the one that names it lets it come first. The same for whichever of them is asked about.
 */
export function circleOf(all: readonly Resource[]): Cause | undefined {
  const at = all.findIndex(isRefused);
  const way = [...all.slice(at), ...all.slice(0, at)];
  const [first, last] = [way[0], way.at(-1)];
  if (at < 0 || first === undefined || last === undefined || way.length < 2) return undefined;
  const field = fieldTo(last, first);
  if (field === undefined) return undefined;
  const [it, there] = [shownName(first), shownName(last)];
  return {
    object: it,
    reason: stateOf(first).reason ?? 'Rejected',
    message: `these wait for each other: ${[...way, first].map(shownName).join(' -> ')}`,
    todo: `No wait ends that. Have ${it} come first: take it out of ${field} of ${there}, by the first line, and write it there again once ${it} is there. The second line has that tried at once.`,
    commands: [withKubectl('edit', last), `kubectl cloud reconcile ${typed(first)}`],
  };
}

function fieldTo(from: Resource, to: Resource): string | undefined {
  for (const link of linksOf(from)) if (link.is === 'object' && objectId(link.kind, link.key) === idOf(to)) return link.field;
  return undefined;
}
