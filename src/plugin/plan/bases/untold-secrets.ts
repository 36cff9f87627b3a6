import { objectId } from '../../../engine/model/object-id.ts';
import { unshownIn } from '../../dry/marking.ts';
import type { Turned } from '../../dry/turned.ts';
import type { Entry } from '../entries.ts';

/**
 * The same entries; of what is taken over they say what is sent for a value that no answer of the service shows. Whether it was applied
 * already the operator's key and memory alone tell.
 */
export function tellingSecrets(turned: readonly Turned[]): (entry: Entry) => Entry {
  const known = new Map(turned.map((one) => [objectId(one.object.kind, one.object.metadata), one] as const));
  return (entry) => {
    const one = known.get(objectId(entry.kind, entry));
    const text = entry.action === 'adopt' && one !== undefined ? textOf(one) : undefined;
    return text === undefined ? entry : { ...entry, message: entry.message === undefined ? text : `${entry.message}; ${text}` };
  };
}

function textOf({ kind, steps, object }: Turned): string | undefined {
  const present = steps.at(-1)?.present;
  if (present === undefined || looksOnly(object)) return undefined;
  const unshown = unshownIn(kind, present.want, present.remote);
  if (unshown.size === 0) return undefined;
  const names = [...unshown.keys()].map((field) => `spec.${field}`).join(' and ');
  const calls = new Set([...unshown.values()].map(({ method, path }) => `${method} ${path}`));
  return `whether ${names} has another value than was applied last the running operator alone knows, if an object of this namespace had this before: then it sends ${[...calls].join('; ')}. Else the value counts as applied`;
}

const looksOnly = ({ spec }: Turned['object']): boolean =>
  (spec['lifecycle'] as { readonly management?: string } | undefined)?.management === 'Observe';
