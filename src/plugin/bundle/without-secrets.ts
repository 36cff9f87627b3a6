import type { Resource } from '../../engine/ports/kubernetes.ts';
import { isGesture, ourAnnotations } from '../../engine/ports/annotations.ts';
import { group, version } from '../../generate/names.ts';
import type { Row } from '../../resource/index.ts';
import { lastOf, type Replaced, withoutDifferences } from './differences.ts';

/** Fields whose text may be a secret, although what the operator itself takes from a Secret is never in a spec. */
const secretive = /(password|secret|token|private[-_]?key|script|value|answer)$/i;
const longest = 200;

/** An object as it may be shown to strangers: without signatures, without long texts, without what may be a secret. */
export function shownObject({ kind, metadata, spec, status }: Resource): Row {
  const { annotations = {}, ...known } = metadata;
  const shown = Object.entries(annotations)
    .filter(([name]) => ourAnnotations.has(name))
    .map(([name, value]) => [name, isGesture(name) ? shortened(value) : '(by the operator)']);
  return {
    apiVersion: `${group}/${version}`,
    kind,
    metadata: { ...known, ...(shown.length > 0 && { annotations: Object.fromEntries(shown) as Row }) },
    spec: without('', spec),
    ...(status && { status: told(status) }),
  };
}

const hidden: Replaced = (value, field) => (secretive.test(lastOf(field)) ? '***' : value);
/** What differs is told with both values, also where the field may hold a secret. */
export const withoutSecrets = (text: string, where: Parameters<typeof withoutDifferences>[1]): string =>
  withoutDifferences(text, where, hidden);

/** What the operator wrote: its messages, and what differs field by field. */
function told(value: unknown, field?: string): unknown {
  if (Array.isArray(value)) return value.map((one) => told(one, field));
  if (typeof value === 'string') return field === undefined ? withoutSecrets(value, 'message') : hidden(value, field);
  if (typeof value !== 'object' || value === null) return value;
  const of = 'field' in value ? String(value.field) : field;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [name, told(one, name === 'was' || name === 'now' ? of : undefined)]),
  );
}

function without(field: string, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((one) => without(field, one));
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, without(name, one)]));
  if (typeof value !== 'string') return value;
  if (secretive.test(field)) return '***';
  return shortened(value);
}
const shortened = (text: string): string => (text.length > longest ? `(${text.length} characters)` : text);
