import { badRequest } from '../requests/api-error.ts';
import { fieldError, forbidden, invalid, required } from '../resources/field-error.ts';
import type { FieldError } from '../resources/field-error.ts';
import { isObject, list, text } from './json.ts';
import type { JsonObject } from './json.ts';
import type { KubeObject, ObjectMeta } from './kube-object.ts';

const KNOWN = new Set(
  (
    'name generateName namespace selfLink uid resourceVersion generation creationTimestamp deletionTimestamp deletionGracePeriodSeconds ' +
    'labels annotations ownerReferences finalizers managedFields'
  ).split(' '),
);

const SUBDOMAIN = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
const LABEL_VALUE = /^(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$/;
const NAME_PART = /^([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$/;
const ANNOTATIONS_LIMIT = 256 * 1024;

/** Brings metadata of a request body into shape, in place: unknown fields and nulls go. Returns the unknown ones' paths. */
export function decodeMetadata(object: JsonObject, kind: string): string[] {
  const metadata = isObject(object['metadata']) ? object['metadata'] : {};
  object['metadata'] = metadata;
  const unknown = Object.keys(metadata).filter((key) => !KNOWN.has(key));
  for (const key of Object.keys(metadata)) if (!KNOWN.has(key) || metadata[key] === null || isEmpty(metadata[key])) delete metadata[key];
  delete metadata['managedFields'];
  for (const key of ['labels', 'annotations']) checkStrings(metadata[key], `${kind} in version`, key);
  return unknown.toSorted().map((key) => `metadata.${key}`);
}

function isEmpty(value: unknown): boolean {
  return value === '' || (Array.isArray(value) && value.length === 0) || (isObject(value) && Object.keys(value).length === 0);
}

function checkStrings(map: unknown, prefix: string, field: string): void {
  if (map === undefined) return;
  const bad = isObject(map) ? Object.values(map).find((value) => typeof value !== 'string') : map;
  if (bad === undefined) return;
  throw badRequest(
    `${prefix} cannot be handled: json: cannot unmarshal ${typeof bad} into Go struct field ObjectMeta.${field} of type string`,
  );
}

/** The checks that every object passes, on create as on update. */
export function metadataErrors(object: KubeObject, namespaced: boolean): FieldError[] {
  const { metadata } = object;
  const errors = [...nameErrors(metadata), ...labelErrors(metadata.labels ?? {}), ...annotationErrors(metadata.annotations ?? {})];
  errors.push(...ownerErrors(metadata), ...finalizerErrors(metadata.finalizers ?? []));
  if (namespaced && !metadata.namespace) errors.push(required('metadata.namespace'));
  return errors;
}

/** What may not change once the object exists. */
export function metadataUpdateErrors(object: KubeObject, old: KubeObject): FieldError[] {
  const errors: FieldError[] = [];
  for (const key of ['name', 'namespace', 'uid', 'creationTimestamp', 'deletionTimestamp'] as const) {
    if (object.metadata[key] !== old.metadata[key])
      errors.push(invalid(`metadata.${key}`, object.metadata[key] ?? '', 'field is immutable'));
  }
  const added = (object.metadata.finalizers ?? []).filter((one) => !(old.metadata.finalizers ?? []).includes(one));
  if (old.metadata.deletionTimestamp && added.length > 0) {
    const found = added.map((one) => JSON.stringify(one)).join(', ');
    errors.push(
      forbidden(
        'metadata.finalizers',
        `no new finalizers can be added if the object is being deleted, found new finalizers []string{${found}}`,
      ),
    );
  }
  return errors;
}

function nameErrors(metadata: ObjectMeta): FieldError[] {
  if (!metadata.name) return [required('metadata.name', 'name or generateName is required')];
  if (metadata.name.length > 253) return [invalid('metadata.name', metadata.name, 'must be no more than 253 bytes')];
  return SUBDOMAIN.test(metadata.name) ? [] : [invalid('metadata.name', metadata.name, SUBDOMAIN_RULE)];
}

const SUBDOMAIN_RULE =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character " +
  "(e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
const LABEL_RULE =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character " +
  "(e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";
const NAME_PART_RULE =
  "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character " +
  "(e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";

function qualifiedNameErrors(name: string, field: string): FieldError[] {
  const at = name.indexOf('/');
  const part = name.slice(at + 1);
  if (at >= 0 && !SUBDOMAIN.test(name.slice(0, at))) return [invalid(field, name, `prefix part ${SUBDOMAIN_RULE}`)];
  if (part.length > 63) return [invalid(field, name, 'name part must be no more than 63 bytes')];
  return NAME_PART.test(part) ? [] : [invalid(field, name, NAME_PART_RULE)];
}

function labelErrors(labels: Readonly<Record<string, string>>): FieldError[] {
  return Object.entries(labels).flatMap(([key, value]) => {
    const errors = qualifiedNameErrors(key, 'metadata.labels');
    if (value.length > 63) errors.push(invalid('metadata.labels', value, 'must be no more than 63 bytes'));
    else if (!LABEL_VALUE.test(value)) errors.push(invalid('metadata.labels', value, LABEL_RULE));
    return errors;
  });
}

function annotationErrors(annotations: Readonly<Record<string, string>>): FieldError[] {
  const errors = Object.keys(annotations).flatMap((key) => qualifiedNameErrors(key.toLowerCase(), 'metadata.annotations'));
  const size = Object.entries(annotations).reduce((bytes, [key, value]) => bytes + Buffer.byteLength(key) + Buffer.byteLength(value), 0);
  if (size > ANNOTATIONS_LIMIT)
    errors.push(fieldError('FieldValueTooLong', 'metadata.annotations', { detail: `may not be more than ${ANNOTATIONS_LIMIT} bytes` }));
  return errors;
}

function ownerErrors(metadata: ObjectMeta): FieldError[] {
  return list(metadata.ownerReferences).flatMap((reference) =>
    ['apiVersion', 'kind', 'name', 'uid']
      .filter((key) => !isObject(reference) || text(reference[key]) === '')
      .map((key) =>
        invalid(`metadata.ownerReferences.${key}`, '', key === 'apiVersion' ? 'version must not be empty' : 'must not be empty'),
      ),
  );
}

function finalizerErrors(finalizers: readonly string[]): FieldError[] {
  return finalizers.flatMap((name) => qualifiedNameErrors(name, 'metadata.finalizers'));
}
