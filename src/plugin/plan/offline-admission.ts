import { schemaOf } from '../../generate/schema.ts';
import type { Structural } from '../../generate/structural-schema.ts';
import { group, version } from '../../generate/names.ts';
import type { Row } from '../../resource/index.ts';
import { broken } from '../admission/cel.ts';
import type { Manifest } from './manifests.ts';

/** Why the API server would refuse a manifest, as far as its CRD says it; policies and quotas only the cluster knows. */
export function refusedOffline(manifest: Manifest, before: Manifest | undefined): string | undefined {
  const { kind, apiVersion, beside } = manifest;
  const known = `${group}/${version}`;
  if (apiVersion !== known) return `apiVersion ${apiVersion} is not served by this release: write ${known}`;
  const schema = schemaOf(kind);
  const wrong = [
    ...Object.keys(beside).map((name) => `unknown field "${name}"`),
    ...misfits(schema.properties?.['spec'] ?? {}, manifest.spec, 'spec'),
  ];
  if (wrong.length > 0) return wrong.join(', ');
  const rules = broken(schema, wholeOf(manifest), before && wholeOf(before));
  return rules.length === 0 ? undefined : [...new Set(rules)].join(', ');
}

const wholeOf = ({ name, namespace, spec }: Manifest): Row => ({ metadata: { name, namespace }, spec });

/** Where a value does not fit its schema, each place in words. */
function misfits(schema: Structural, value: unknown, at: string): readonly string[] {
  if (value === undefined || (value === null && schema.nullable === true) || schema['x-kubernetes-int-or-string'] === true) return [];
  if (schema.type !== undefined && !is[schema.type](value)) return [`${at}: ${article(schema.type)} is wanted, and it is ${shown(value)}`];
  if (Array.isArray(value))
    return [...ofCount(schema, value.length, at), ...value.flatMap((one, index) => misfits(schema.items ?? {}, one, `${at}[${index}]`))];
  return typeof value === 'object' ? misfitsOfFields(schema, value as Row, at) : ofValue(schema, value, at);
}

function misfitsOfFields(schema: Structural, value: Row, at: string): readonly string[] {
  const { properties = {}, additionalProperties, required = [] } = schema;
  const isOpen = additionalProperties !== undefined || schema['x-kubernetes-preserve-unknown-fields'] === true;
  return [
    ...required.filter((name) => value[name] === undefined).map((name) => `${at}.${name}: it is required`),
    ...Object.entries(value).flatMap(([name, one]) => {
      const inner = properties[name] ?? additionalProperties;
      if (inner === undefined) return isOpen ? [] : [`unknown field "${at}.${name}"`];
      return misfits(inner, one, `${at}.${name}`);
    }),
  ];
}

const is: Readonly<Record<NonNullable<Structural['type']>, (value: unknown) => boolean>> = {
  object: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  array: Array.isArray,
  string: (value) => typeof value === 'string',
  integer: Number.isInteger,
  number: (value) => typeof value === 'number',
  boolean: (value) => typeof value === 'boolean',
};
const article = (type: string): string => `${/^[aeio]/.test(type) ? 'an' : 'a'} ${type}`;
const shown = (value: unknown): string => JSON.stringify(value).slice(0, 100);

const ofCount = ({ minItems = 0, maxItems = Infinity }: Structural, count: number, at: string): readonly string[] =>
  count < minItems || count > maxItems ? [`${at}: it has ${count} elements, and ${minItems} to ${maxItems} are allowed`] : [];

function ofValue(schema: Structural, value: unknown, at: string): readonly string[] {
  if (schema.enum?.includes(value) === false) return [`${at}: ${shown(value)} is none of ${schema.enum.map(shown).join(', ')}`];
  if (typeof value === 'number') return inRange(schema, value) ? [] : [`${at}: ${value} is out of range`];
  return typeof value !== 'string' || fits(schema, value) ? [] : [`${at}: ${shown(value)} does not fit its form`];
}

const inRange = ({ minimum = -Infinity, maximum = Infinity, multipleOf = 0 }: Structural, value: number): boolean =>
  value >= minimum && value <= maximum && (multipleOf === 0 || value % multipleOf === 0);
function fits({ minLength = 0, maxLength = Infinity, pattern, allOf = [] }: Structural, value: string): boolean {
  const length = Array.from(value).length;
  const patterns = [...(pattern === undefined ? [] : [pattern]), ...allOf.map((one) => one.pattern)];
  return length >= minLength && length <= maxLength && patterns.every((one) => new RegExp(one, 'u').test(value));
}
