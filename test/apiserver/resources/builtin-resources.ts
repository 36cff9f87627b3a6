import { configMap, lease, namespace, secret, serviceAccount } from './core-kinds.ts';
import { coreEvent, modernEvent, presentEvent, storeEvent } from './event-kinds.ts';
import type { KubeObject } from '../storage/kube-object.ts';
import type { Resource, Strategy } from './resource.ts';

const same = (object: KubeObject): KubeObject => object;

export function builtin(kind: string, strategy: Strategy, more: Partial<Resource> = {}): Resource {
  const singular = kind.toLowerCase();
  const plural = more.plural ?? `${singular}s`;
  const group = more.group ?? '';
  return {
    group,
    version: 'v1',
    plural,
    singular,
    kind,
    shortNames: [],
    categories: [],
    namespaced: true,
    subresources: [],
    table: `${group}/${plural}`,
    custom: false,
    createOnUpdate: false,
    unconditionalUpdate: true,
    returnsDeletedObject: false,
    selectableFields: ['metadata.name', 'metadata.namespace'],
    strategy,
    present: same,
    store: same,
    ...more,
  };
}

const eventFields = [
  'metadata.name',
  'metadata.namespace',
  'reason',
  'type',
  'involvedObject.kind',
  'involvedObject.name',
  'involvedObject.namespace',
  'involvedObject.uid',
];

/** What is served from the start, CustomResourceDefinitions apart. */
export const builtinResources: readonly Resource[] = [
  builtin('Namespace', namespace, {
    namespaced: false,
    subresources: ['status', 'finalize'],
    shortNames: ['ns'],
    selectableFields: ['metadata.name', 'status.phase'],
  }),
  builtin('Secret', secret, { selectableFields: ['metadata.name', 'metadata.namespace', 'type'] }),
  builtin('ConfigMap', configMap, { shortNames: ['cm'] }),
  builtin('ServiceAccount', serviceAccount, { shortNames: ['sa'], returnsDeletedObject: true }),
  builtin('Event', coreEvent, { shortNames: ['ev'], createOnUpdate: true, selectableFields: eventFields }),
  builtin('Event', modernEvent, {
    group: 'events.k8s.io',
    table: '/events',
    shortNames: ['ev'],
    createOnUpdate: true,
    present: presentEvent,
    store: storeEvent,
    selectableFields: [
      'metadata.name',
      'metadata.namespace',
      'reason',
      'type',
      'regarding.kind',
      'regarding.name',
      'regarding.namespace',
      'regarding.uid',
    ],
  }),
  builtin('Lease', lease, { group: 'coordination.k8s.io', createOnUpdate: true, unconditionalUpdate: false }),
];
