import { fewOf } from '../../lib/few-of.ts';
import type { Key, Resource } from '../../engine/ports/kubernetes.ts';
import { shellWord } from '../../lib/shell-word.ts';
import { isObjectName } from '../../resource/index.ts';
import { registry } from '../command-line/kinds.ts';

/** `CloudVolume shop/data`, in sentences. */
export const shownName = ({ kind, metadata }: Pick<Resource, 'kind'> & { readonly metadata: Key }): string =>
  `${kind} ${metadata.namespace}/${metadata.name}`;

/** `-n shop cvol/data`, in lines to type. */
export const typed = ({ kind, metadata }: Pick<Resource, 'kind'> & { readonly metadata: Key }): string =>
  `-n ${shellWord(metadata.namespace)} ${shellWord(`${registry.kind(kind).shortName}/${metadata.name}`)}`;

type Named = Pick<Resource, 'kind'> & { readonly metadata: Key };
/** `kubectl -n shop edit cloudvolume data`. What no object can be called, as a spec may name one, is no flag and no shell. */
export const withKubectl = (verb: string, { kind, metadata: { namespace, name } }: Named): string =>
  `kubectl -n ${shellWord(namespace)} ${verb} ${isObjectName(name) ? `${kind.toLowerCase()} ${name}` : shellWord(`${kind.toLowerCase()}/${name}`)}`;
/** A line that changes nothing else of it. */
export const mergePatch = (object: Named, patch: object): string =>
  `${withKubectl('patch', object)} --type=merge -p ${shellWord(JSON.stringify(patch))}`;

const mostNamed = 10;
/** `CloudVolume shop/a, b, CloudDomain shop/c and 2 more`. */
export function namesOf(objects: readonly Named[], most = mostNamed): string {
  const names = objects.map((object, at) => (at > 0 && isBeside(object, objects[at - 1]) ? object.metadata.name : shownName(object)));
  return fewOf(names, most);
}
const isBeside = ({ kind, metadata }: Named, other: Named | undefined): boolean =>
  other !== undefined && other.kind === kind && other.metadata.namespace === metadata.namespace;
