import { blockingError, invalid } from './field-error.ts';
import type { FieldError } from './field-error.ts';
import { child, clone, equal, isObject } from '../storage/json.ts';
import type { JsonObject } from '../storage/json.ts';
import type { KubeObject } from '../storage/kube-object.ts';
import { metadataErrors, metadataUpdateErrors } from '../storage/object-meta.ts';
import type { Strategy } from './resource.ts';
import { ruleErrors } from '../schema/cel-rules.ts';
import { applyDefaults } from '../schema/defaults.ts';
import { prune } from '../schema/prune.ts';
import type { Structural } from '../schema/structural.ts';
import { duplicateErrors, validateSchema } from '../schema/validate.ts';

export interface CustomResourceKind {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespaced: boolean;
  readonly schema: Structural;
  readonly hasStatus: boolean;
}

/** How writes to a custom resource are treated, after its CRD's schema. */
export function customResourceStrategy(of: CustomResourceKind): Strategy {
  const coerce = (object: JsonObject): string[] => {
    const unknown = prune(object, of.schema);
    applyDefaults(object, of.schema);
    return unknown;
  };
  return {
    decode: coerce,
    prepareForCreate: (object) => {
      if (of.hasStatus) delete object['status'];
      object.metadata.generation = 1;
    },
    prepareForUpdate: (object, old, subresource) => {
      if (subresource === 'status') keepAllButStatus(object, old);
      else prepareMainUpdate(object, old, of.hasStatus);
    },
    validate: (object, old, subresource) => validate(of, object, old, subresource),
    stored: (object) => {
      const read = clone(object);
      coerce(read);
      return equal(read, object) ? object : read;
    },
  };
}

/** A write to the status subresource changes nothing else, metadata included. */
function keepAllButStatus(object: KubeObject, old: KubeObject): void {
  const status = object['status'];
  for (const key of Object.keys(object)) delete object[key];
  Object.assign(object, clone(old));
  if (status === undefined) delete object['status'];
  else object['status'] = status;
}

/** Anything outside metadata and status that changes makes a new generation. */
function prepareMainUpdate(object: KubeObject, old: KubeObject, hasStatus: boolean): void {
  if (hasStatus && old['status'] !== undefined) object['status'] = clone(old['status']);
  else if (hasStatus) delete object['status'];
  if (!equal({ ...object, metadata: null }, { ...old, metadata: null })) object.metadata.generation = (old.metadata.generation ?? 0) + 1;
}

function validate(of: CustomResourceKind, object: KubeObject, old: KubeObject | undefined, subresource: string): FieldError[] {
  const wrong = typeMetaErrors(of, object);
  if (wrong.length > 0) return wrong;
  const errors = metadataErrors(object, of.namespaced);
  if (old) errors.push(...metadataUpdateErrors(object, old));
  errors.push(...schemaErrors(of.schema, object, old, subresource));
  if (!old || duplicateErrors(old, of.schema).length === 0) errors.push(...duplicateErrors(object, of.schema));
  const blocking = blockingError(errors);
  return blocking ? [...errors, blocking] : [...errors, ...ruleErrors(object, old, of.schema)];
}

function schemaErrors(schema: Structural, object: KubeObject, old: KubeObject | undefined, subresource: string): FieldError[] {
  if (subresource !== 'status') return validateSchema(withoutMeta(object), old && withoutMeta(old), schema);
  const status = schema.properties?.['status'];
  return status && isObject(object['status']) ? validateSchema(object['status'], child(old, 'status'), status, 'status') : [];
}

function withoutMeta(object: KubeObject): JsonObject {
  return { ...object, metadata: {} };
}

function typeMetaErrors(of: CustomResourceKind, object: KubeObject): FieldError[] {
  const errors: FieldError[] = [];
  if (object.kind !== of.kind) errors.push(invalid('kind', object.kind, `must be ${of.kind}`));
  if (object.apiVersion !== of.apiVersion) errors.push(invalid('apiVersion', object.apiVersion, `must be ${of.apiVersion}`));
  return errors;
}
