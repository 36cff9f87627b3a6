import type { FieldError } from './field-error.ts';
import type { KubeObject } from '../storage/kube-object.ts';
import type { JsonObject } from '../storage/json.ts';

/** What one write does to an object, besides what is the same for every resource. */
export interface Strategy {
  /** Brings a decoded body into the form that is stored: unknown fields out, defaults in. Returns the unknown fields' paths. */
  decode(object: JsonObject): readonly string[];
  prepareForCreate(object: KubeObject): void;
  /** Resets what this write may not change and bumps the generation. */
  prepareForUpdate(object: KubeObject, old: KubeObject, subresource: string): void;
  validate(object: KubeObject, old: KubeObject | undefined, subresource: string): FieldError[];
  /** Defaults that appear when the object is read from the store. */
  stored(object: KubeObject): KubeObject;
}

/** One served resource. */
export interface Resource {
  readonly group: string;
  readonly version: string;
  readonly plural: string;
  readonly singular: string;
  readonly kind: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly namespaced: boolean;
  readonly subresources: readonly string[];
  /** Name of the table in the store; two API groups may serve one table (Events). */
  readonly table: string;
  /** Custom resources take no strategic merge patch, and their list items keep `apiVersion` and `kind`. */
  readonly custom: boolean;
  readonly createOnUpdate: boolean;
  /** An update without a resource version is taken as "whatever is there now". */
  readonly unconditionalUpdate: boolean;
  readonly returnsDeletedObject: boolean;
  readonly selectableFields: readonly string[];
  readonly strategy: Strategy;
  /** From the stored form into this API's form, and back. */
  readonly present: (object: KubeObject) => KubeObject;
  readonly store: (object: KubeObject) => KubeObject;
}

export const apiVersionOf = (resource: Resource): string =>
  resource.group === '' ? resource.version : `${resource.group}/${resource.version}`;

/** How errors name the resource. */
export const resourceSubject = (resource: Resource): { group: string; kind: string } => ({ group: resource.group, kind: resource.plural });

/** How errors name the kind: by the group that it is stored under, which for Events is the core group. */
export const kindSubject = (resource: Resource): { group: string; kind: string } => ({
  group: resource.table.split('/')[0] ?? '',
  kind: resource.kind,
});
