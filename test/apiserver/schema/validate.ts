import { fieldError, invalid, required } from '../resources/field-error.ts';
import type { FieldError } from '../resources/field-error.ts';
import { isObject } from '../storage/json.ts';
import type { JsonObject } from '../storage/json.ts';
import { correlateField, correlateItem, correlateRoot } from './correlate.ts';
import type { Correlation } from './correlate.ts';
import { joinPath, propertySchema } from './structural.ts';
import type { Structural } from './structural.ts';
import { typeErrors, valueErrors } from './validate-value.ts';
import type { Place } from './validate-value.ts';

/** Validates against the schema's value rules (CEL apart). Faults in unchanged parts are forgiven on an update. */
export function validateSchema(value: unknown, old: unknown, schema: Structural, field = ''): FieldError[] {
  return validateAt(value, schema, { field, name: '' }, correlateRoot(value, old));
}

function validateAt(value: unknown, schema: Structural, at: Place, correlation: Correlation): FieldError[] {
  if (correlation.unchanged) return [];
  const wrongType = typeErrors(value, schema, at);
  if (wrongType.length > 0) return wrongType;
  const errors = [...valueErrors(value, schema, at), ...combinationErrors(value, schema, at)];
  if (Array.isArray(value)) errors.push(...itemErrors(value, schema, at, correlation));
  else if (isObject(value)) errors.push(...fieldErrors(value, schema, at, correlation));
  return errors;
}

function itemErrors(value: readonly unknown[], schema: Structural, at: Place, correlation: Correlation): FieldError[] {
  const { items } = schema;
  if (!items) return [];
  return value.flatMap((item, n) => {
    const place = { field: `${at.field}[${n}]`, name: `${at.name}[${n}]` };
    return validateAt(item, items, place, correlateItem(correlation, schema, item));
  });
}

function fieldErrors(value: JsonObject, schema: Structural, at: Place, correlation: Correlation): FieldError[] {
  const missing = (schema.required ?? []).filter((key) => value[key] === undefined);
  const errors = missing.map((key) => required(joinPath(at.field, key)));
  for (const key of Object.keys(value)) {
    const property = propertySchema(schema, key);
    const place = { field: joinPath(at.field, key), name: joinPath(at.name, key) };
    if (property) errors.push(...validateAt(value[key], property, place, correlateField(correlation, key, value[key])));
  }
  return errors;
}

function combinationErrors(value: unknown, schema: Structural, at: Place): FieldError[] {
  const fits = (one: Structural): boolean => validateSchema(value, undefined, one).length === 0;
  const errors = (schema.allOf ?? []).flatMap((one) => validateAt(value, one, at, { old: undefined, unchanged: false }));
  const says = (detail: string): unknown => errors.push(invalid(at.field || '<nil>', '', `"${at.name}" ${detail}`));
  if (schema.anyOf && !schema.anyOf.some(fits)) says('must validate at least one schema (anyOf)');
  if (schema.oneOf) {
    const count = schema.oneOf.filter(fits).length;
    if (count !== 1)
      says(`must validate one and only one schema (oneOf). ${count === 0 ? 'Found none valid' : `Found ${count} valid alternatives`}`);
  }
  if (schema.not && fits(schema.not)) says('must not validate the schema (not)');
  return errors;
}

/** Duplicates in lists of type `set` and `map`. */
export function duplicateErrors(value: unknown, schema: Structural | undefined, field = ''): FieldError[] {
  if (!schema) return [];
  if (Array.isArray(value))
    return [...listDuplicates(value, schema, field), ...value.flatMap((item, n) => duplicateErrors(item, schema.items, `${field}[${n}]`))];
  if (!isObject(value)) return [];
  return Object.keys(value).flatMap((key) => duplicateErrors(value[key], propertySchema(schema, key), joinPath(field, key)));
}

function listDuplicates(value: readonly unknown[], schema: Structural, field: string): FieldError[] {
  const type = schema['x-kubernetes-list-type'];
  if (type !== 'set' && type !== 'map') return [];
  const seen = new Set<string>();
  const errors: FieldError[] = [];
  value.forEach((item, n) => {
    const identity = type === 'set' ? item : mapKey(item, schema);
    const key = JSON.stringify(identity);
    if (seen.has(key)) errors.push(fieldError('FieldValueDuplicate', `${field}[${n}]`, { value: identity }));
    seen.add(key);
  });
  return errors;
}

function mapKey(item: unknown, schema: Structural): JsonObject {
  const key: JsonObject = {};
  for (const name of schema['x-kubernetes-list-map-keys'] ?? []) if (isObject(item) && item[name] !== undefined) key[name] = item[name];
  return key;
}
