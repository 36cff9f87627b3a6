import type { Structural } from '../schema/structural-schema.ts';

/** The type of a field in the words of the reference: `list of string`. */
export function typeName(field: Structural): string {
  if (field['x-kubernetes-int-or-string']) return 'integer or string';
  if (field.enum) return field.enum.map((value) => `\`${quoted(value)}\``).join(', ');
  if (field.items) return `list of ${typeName(field.items)}`;
  if (field.additionalProperties) return `map of ${typeName(field.additionalProperties)}`;
  if (field.format === 'date-time') return 'time';
  return field.type ?? 'anything';
}

/** A bare `On` in a manifest is `true` for kubectl, which reads YAML 1.1. */
const quoted = (value: unknown): string => (/^(on|off|yes|no|y|n)$/i.test(String(value)) ? `"${String(value)}"` : String(value));

/** What admission checks of a field, shortly; rules of CEL in their own words. */
export function limits(field: Structural): string {
  const said = [
    range('', field.minimum, field.maximum),
    range(' characters', field.minLength, field.maxLength),
    range(' items', field.minItems, field.maxItems),
    range(' entries', field.minProperties, field.maxProperties),
    ...[field.pattern, ...(field.allOf ?? []).map(({ pattern }) => pattern)].flatMap((pattern) => (pattern ? [`\`${pattern}\``] : [])),
    ...rules(field),
    ...(field.items ? rules(field.items) : []),
  ];
  const each =
    field.items && !field.items.properties && !field.items.enum ? limits({ ...field.items, 'x-kubernetes-validations': [] }) : '';
  return [...said, each && `each ${each}`].filter((text) => text !== '').join('; ');
}

const rules = (field: Structural): readonly string[] => (field['x-kubernetes-validations'] ?? []).map(({ message }) => message);

function range(unit: string, low: number | undefined, high: number | undefined): string {
  if (low === undefined && high === undefined) return '';
  if (low === undefined) return `at most ${high}${unit}`;
  return high === undefined ? `at least ${low}${unit}` : `${low} to ${high}${unit}`;
}
