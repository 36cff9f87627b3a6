import { isObject } from '../storage/json.ts';
import type { JsonObject } from '../storage/json.ts';
import { joinPath, propertySchema } from './structural.ts';
import type { Structural } from './structural.ts';

const ROOT_FIELDS = new Set(['apiVersion', 'kind', 'metadata']);

/** Removes, in place, what the schema does not name. Returns the paths of what went. */
export function prune(object: JsonObject, schema: Structural): string[] {
  const unknown: string[] = [];
  pruneObject(object, schema, '', unknown);
  return unknown;
}

function pruneValue(value: unknown, schema: Structural | undefined, path: string, unknown: string[]): void {
  if (Array.isArray(value)) value.forEach((item, at) => pruneValue(item, schema?.items, `${path}[${at}]`, unknown));
  else if (isObject(value)) pruneObject(value, schema, path, unknown);
}

function pruneObject(object: JsonObject, schema: Structural | undefined, path: string, unknown: string[]): void {
  const isResource = path === '' || schema?.['x-kubernetes-embedded-resource'] === true;
  for (const key of Object.keys(object).toSorted()) {
    if (isResource && ROOT_FIELDS.has(key)) continue;
    const property = propertySchema(schema, key);
    if (property) pruneValue(object[key], property, joinPath(path, key), unknown);
    else if (!keepsUnknown(schema)) {
      delete object[key];
      unknown.push(joinPath(path, key));
    }
  }
}

function keepsUnknown(schema: Structural | undefined): boolean {
  return schema?.['x-kubernetes-preserve-unknown-fields'] === true || schema?.additionalProperties === true;
}
