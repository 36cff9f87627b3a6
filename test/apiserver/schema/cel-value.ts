import { isObject } from '../storage/json.ts';
import type { JsonObject } from '../storage/json.ts';
import type { Structural } from './structural.ts';

const RESERVED = new Set(
  'true false null in as break const continue else for function if import let loop package namespace return var void while'.split(' '),
);

/** A property name as rules write it: CEL's own words and signs are escaped. */
export function escapeName(name: string): string {
  if (RESERVED.has(name)) return `__${name}__`;
  return name.replaceAll('__', '__underscores__').replaceAll('.', '__dot__').replaceAll('-', '__dash__').replaceAll('/', '__slash__');
}

/** JSON as CEL sees it through the schema: integers are ints, date-times timestamps, declared properties fields. */
export function toCel(value: unknown, schema: Structural | undefined): unknown {
  if (Array.isArray(value)) return value.map((item) => toCel(item, schema?.items));
  if (isObject(value)) return objectToCel(value, schema);
  if (typeof value === 'number') return isInt(value, schema) ? BigInt(value) : value;
  if (typeof value === 'string' && isTimestamp(schema)) return new Date(value);
  return value;
}

const isInt = (value: number, schema: Structural | undefined): boolean => schema?.type !== 'number' && Number.isInteger(value);
const isTimestamp = (schema: Structural | undefined): boolean => schema?.format === 'date-time' || schema?.format === 'date';

function objectToCel(value: JsonObject, schema: Structural | undefined): JsonObject {
  const result: JsonObject = {};
  const { properties, additionalProperties } = schema ?? {};
  for (const key of Object.keys(value)) {
    const declared = properties?.[key];
    if (declared) result[escapeName(key)] = toCel(value[key], declared);
    // A real server takes this one by its own name, too: of the reserved words the one that fields are called by.
    if (declared && key === 'namespace') result[key] = result[escapeName(key)];
    else result[key] = toCel(value[key], typeof additionalProperties === 'object' ? additionalProperties : undefined);
  }
  return result;
}

const META: Structural = { type: 'object', properties: { name: { type: 'string' }, generateName: { type: 'string' } } };

/** What `self` is at the root: of metadata, rules see only the names. */
export function resourceToCel(value: unknown, schema: Structural): unknown {
  if (!isObject(value)) return value;
  const metadata = isObject(value['metadata']) ? value['metadata'] : {};
  const names: JsonObject = {};
  for (const key of ['name', 'generateName']) if (metadata[key] !== undefined) names[key] = metadata[key];
  const rooted: Structural = {
    ...schema,
    properties: { ...schema.properties, apiVersion: { type: 'string' }, kind: { type: 'string' }, metadata: META },
  };
  return toCel({ ...value, metadata: names }, rooted);
}
