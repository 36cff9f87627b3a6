import { clone, isObject } from '../storage/json.ts';
import type { JsonObject } from '../storage/json.ts';
import { propertySchema } from './structural.ts';
import type { Structural } from './structural.ts';

/** Fills in defaults and removes nulls that the schema does not allow, in place. */
export function applyDefaults(value: unknown, schema: Structural | undefined): void {
  if (!schema) return;
  if (Array.isArray(value)) for (const item of value) applyDefaults(item, schema.items);
  else if (isObject(value)) defaultObject(value, schema);
}

function defaultObject(object: JsonObject, schema: Structural): void {
  for (const key of Object.keys(object)) {
    const property = propertySchema(schema, key);
    if (object[key] === null && property && !property.nullable) delete object[key];
  }
  for (const [key, property] of Object.entries(schema.properties ?? {})) {
    if (object[key] === undefined && property.default !== undefined) object[key] = clone(property.default);
  }
  for (const key of Object.keys(object)) applyDefaults(object[key], propertySchema(schema, key));
}
