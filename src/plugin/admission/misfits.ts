import type { Structural } from '../../generate/schema/structural-schema.ts';
import { readTime } from '../../lib/utc-time.ts';
import type { Row } from '../../resource/index.ts';

/** Where a value does not fit its schema, each place in words. */
export function misfits(schema: Structural, value: unknown, at: string): readonly string[] {
  if (value === undefined || (value === null && schema.nullable === true)) return [];
  const type = schema['x-kubernetes-int-or-string'] === true ? 'integer or a string' : schema.type;
  if (type !== undefined && !is[type](value)) return [`${at}: ${article(type)} is wanted, and it is ${shown(value)}${hint(type, value)}`];
  if (Array.isArray(value)) return misfitsOfElements(schema, value, at);
  return typeof value === 'object' ? misfitsOfFields(schema, value as Row, at) : ofValue(schema, value, at);
}

function misfitsOfElements(schema: Structural, value: readonly unknown[], at: string): readonly string[] {
  const { items = {}, minItems, maxItems } = schema;
  const all = value.map((one) => JSON.stringify(one));
  const again = schema['x-kubernetes-list-type'] === 'set' ? all.flatMap((one, index) => (all.indexOf(one) < index ? [index] : [])) : [];
  return [
    ...ofCount({ count: value.length, of: 'elements', least: minItems, most: maxItems }, at),
    ...value.flatMap((one, index) => misfits(items, one, `${at}[${index}]`)),
    ...again.map((index) => `${at}[${index}]: ${shown(value[index])} stands there for the second time`),
  ];
}

function misfitsOfFields(schema: Structural, value: Row, at: string): readonly string[] {
  const { properties = {}, additionalProperties, required = [] } = schema;
  const isOpen = additionalProperties !== undefined || schema['x-kubernetes-preserve-unknown-fields'] === true;
  return [
    ...ofCount({ count: Object.keys(value).length, of: 'entries', least: schema.minProperties, most: schema.maxProperties }, at),
    ...required.filter((name) => value[name] === undefined).map((name) => `${at}.${name}: it is required`),
    ...Object.entries(value).flatMap(([name, one]) => {
      const inner = properties[name] ?? additionalProperties;
      if (inner === undefined) return isOpen ? [] : [`unknown field "${at}.${name}"`];
      return misfits(inner, one, `${at}.${name}`);
    }),
  ];
}

const is: Readonly<Record<NonNullable<Structural['type']> | 'integer or a string', (value: unknown) => boolean>> = {
  object: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  array: Array.isArray,
  string: (value) => typeof value === 'string',
  integer: Number.isInteger,
  'integer or a string': (value) => typeof value === 'string' || Number.isInteger(value),
  number: (value) => typeof value === 'number',
  boolean: (value) => typeof value === 'boolean',
};
/** YAML makes a number of 443, and a boolean of on, where the field is text. */
export const inQuotes = 'write it in quotes: without them YAML reads a number, or true or false';
const hint = (type: string, value: unknown): string =>
  type === 'string' && ['number', 'boolean'].includes(typeof value) ? ` (${inQuotes})` : '';
const article = (type: string): string => `${/^[aeio]/.test(type) ? 'an' : 'a'} ${type}`;
const shown = (value: unknown): string => JSON.stringify(value).slice(0, 100);

interface Counted {
  readonly count: number;
  readonly of: 'elements' | 'entries';
  readonly least: number | undefined;
  readonly most: number | undefined;
}
function ofCount({ count, of, least = 0, most = Infinity }: Counted, at: string): readonly string[] {
  const allowed = most === Infinity ? `at least ${least}` : `${least} to ${most}`;
  return count >= least && count <= most ? [] : [`${at}: it has ${count} ${of}, and ${allowed} are allowed`];
}

function ofValue(schema: Structural, value: unknown, at: string): readonly string[] {
  if (schema.enum?.includes(value) === false) return [`${at}: ${shown(value)} is none of ${schema.enum.map(shown).join(', ')}`];
  if (typeof value === 'number') return inRange(schema, value) ? [] : [`${at}: ${value} is out of range`];
  return typeof value !== 'string' || fits(schema, value) ? [] : [`${at}: ${shown(value)} does not fit its form`];
}

const inRange = ({ minimum = -Infinity, maximum = Infinity, multipleOf = 0 }: Structural, value: number): boolean =>
  value >= minimum && value <= maximum && (multipleOf === 0 || value % multipleOf === 0);
function fits({ minLength = 0, maxLength = Infinity, pattern, allOf = [], format }: Structural, value: string): boolean {
  const length = Array.from(value).length;
  const patterns = [...(pattern === undefined ? [] : [pattern]), ...allOf.map((one) => one.pattern)];
  if (format === 'date-time' && !isTime(value)) return false;
  return length >= minLength && length <= maxLength && patterns.every((one) => new RegExp(one, 'u').test(value));
}
const isTime = (value: string): boolean => readTime(value) !== undefined && /T\d\d:\d\d:\d\d/i.test(value);
