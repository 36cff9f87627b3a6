import { labelAnnotation } from '../../engine/model/annotations.ts';
import { namesPath, openWish } from '../../engine/model/step.ts';
import type { Resource } from '../../engine/ports/kubernetes.ts';
import { lastSegment } from '../../lib/last-segment.ts';
import { registry } from '../command-line/kinds.ts';

interface Adopting {
  readonly named: string;
  readonly has: string;
  readonly isSame: boolean;
}
/** What its spec names to be taken over, and what it has, or had last: both by id. */
function adopting({ kind, spec, status }: Resource): Adopting | undefined {
  const named = (spec['adopt'] as { readonly id?: string | number } | undefined)?.id;
  if (named === undefined) return undefined;
  const plain = registry.kind(kind).ids?.plain?.(String(named)) ?? String(named);
  const id = status?.['id'];
  if (id !== undefined) return { named: String(named), has: String(id), isSame: plain === String(id) };
  // What it lay in is gone, and its id is shown no more.
  const path = status?.['path'];
  if (typeof path !== 'string') return undefined;
  return { named: String(named), has: lastSegment(decodeURIComponent(path)), isSame: namesPath(registry.kind(kind), named, path) };
}

/** What it adopted went, and another one has come in its place, which its spec does not name. */
export function staleAdopt(object: Resource): { readonly named: string; readonly has: string } | undefined {
  const found = object.status?.['id'] === undefined ? undefined : adopting(object);
  return found === undefined || found.isSame ? undefined : { named: found.named, has: found.has };
}

/** Its spec names just what it has, or had, to be taken over, which is gone or is about to go. Any other that it names may be there. */
export function adoptsTheGone(object: Resource): string | undefined {
  const found = adopting(object);
  return found?.isSame === true ? found.named : undefined;
}

/** Its id is made of what the spec says, as of a bucket, so that another one that is made has the very same. */
export function sameIdAgain(object: Resource): string | undefined {
  const { kind, status = {} } = object;
  const path = status['path'];
  const again = idBySpec(object);
  if (again === undefined || typeof path !== 'string') return undefined;
  const isIt = status['id'] === undefined ? namesPath(registry.kind(kind), again, path) : String(status['id']) === again;
  return isIt ? again : undefined;
}
function idBySpec({ kind, metadata, spec }: Resource): string | undefined {
  const { id, key, label: rule } = registry.kind(kind);
  if (id === undefined || key === undefined) return undefined;
  // A derived label stays with its object; of what was adopted none is noted.
  const label = (rule && spec[rule.field]) ?? notedLabel(metadata.annotations?.[labelAnnotation]);
  const again = String(id(key.of({ name: '', ...spec, ...(rule && { [rule.field]: label }) })) ?? '');
  return again === '' ? undefined : again;
}
const notedLabel = (note = ''): string | undefined => /^(?<label>.+)[.][a-z2-7]{16}$/.exec(note)?.groups?.['label'];

/** What it had is gone, and its spec names another one: that is taken in its place, once a person asks for one. */
export function adoptsInstead(object: Resource): string | undefined {
  const { kind, status } = object;
  const named = openWish(object)?.id;
  const path = status?.['path'];
  if (named === undefined || typeof path !== 'string') return undefined;
  return namesPath(registry.kind(kind), named, path) ? undefined : String(named);
}
