import type { Key, Resource } from '../../engine/ports/kubernetes.ts';
import { registry } from '../kinds.ts';

/** `CloudVolume shop/data`, in sentences. */
export const shownName = ({ kind, metadata }: Pick<Resource, 'kind'> & { readonly metadata: Key }): string =>
  `${kind} ${metadata.namespace}/${metadata.name}`;

/** `-n shop cvol/data`, in lines to type. */
export const typed = ({ kind, metadata }: Pick<Resource, 'kind'> & { readonly metadata: Key }): string =>
  `-n ${metadata.namespace} ${registry.kind(kind).shortName}/${metadata.name}`;
