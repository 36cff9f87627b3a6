export interface OwnerReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  readonly controller?: boolean;
  readonly blockOwnerDeletion?: boolean;
}

export interface ObjectMeta {
  name: string;
  namespace?: string;
  generateName?: string;
  uid: string;
  resourceVersion: string;
  generation?: number;
  creationTimestamp: string;
  deletionTimestamp?: string;
  deletionGracePeriodSeconds?: number;
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
  finalizers?: string[];
  ownerReferences?: OwnerReference[];
  [field: string]: unknown;
}

/** Any API object as it is stored. What the store hands out is shared: copy before changing. */
export interface KubeObject {
  apiVersion: string;
  kind: string;
  metadata: ObjectMeta;
  [field: string]: unknown;
}

/** `namespace/name`, or the bare name of a cluster-scoped object: also the order in which lists are given. */
export function objectKey(namespace: string | undefined, name: string): string {
  return namespace ? `${namespace}/${name}` : name;
}

const encoded = new WeakMap<KubeObject, string>();

/** JSON of a stored object, kept as long as the object is: lists and watches of many clients share it. */
export function encode(object: KubeObject): string {
  let json = encoded.get(object);
  if (json === undefined) encoded.set(object, (json = JSON.stringify(object)));
  return json;
}
