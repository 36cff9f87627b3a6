import { badRequest } from '../requests/api-error.ts';
import { builtinStrategy } from './builtin-strategy.ts';
import { invalid } from './field-error.ts';
import type { FieldError } from './field-error.ts';
import { child, equal, isObject, text } from '../storage/json.ts';
import type { JsonObject } from '../storage/json.ts';
import type { KubeObject } from '../storage/kube-object.ts';
import type { Strategy } from './resource.ts';

const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;
const KEY = /^[-._a-zA-Z0-9]+$/;
const KEY_RULE =
  "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', " +
  "regex used for validation is '[-._a-zA-Z0-9]+')";

function decodeStrings(object: JsonObject, kind: string, field: string): Record<string, string> {
  const map = object[field];
  if (map === undefined) return {};
  const bad = isObject(map) ? Object.values(map).find((value) => typeof value !== 'string') : map;
  if (bad !== undefined)
    throw undecodable(kind, `json: cannot unmarshal ${typeof bad} into Go struct field ${kind}.${field} of type string`);
  return map as Record<string, string>;
}

const undecodable = (kind: string, why: string): Error => badRequest(`${kind} in version "v1" cannot be handled as a ${kind}: ${why}`);

function keyErrors(data: JsonObject, field: string): FieldError[] {
  return Object.keys(data)
    .filter((key) => !KEY.test(key))
    .map((key) => invalid(`${field}[${key}]`, key, KEY_RULE));
}

function immutableErrors(object: KubeObject, old: KubeObject | undefined): FieldError[] {
  if (old?.['immutable'] !== true) return [];
  return equal(object['data'], old['data']) && object['immutable'] === true
    ? []
    : [invalid('data', '', 'field is immutable when `immutable` is set')];
}

/** `stringData` is write-only and becomes part of `data`. */
function decodeSecret(secret: JsonObject): void {
  const data = { ...decodeStrings(secret, 'Secret', 'data') };
  const bad = Object.values(data).find((value) => !BASE64.test(value) || value.length % 4 !== 0);
  if (bad !== undefined) throw undecodable('Secret', `illegal base64 data at input byte ${Math.max(0, bad.search(/[^A-Za-z0-9+/=]/))}`);
  for (const [key, value] of Object.entries(decodeStrings(secret, 'Secret', 'stringData')))
    data[key] = Buffer.from(value).toString('base64');
  delete secret['stringData'];
  if (Object.keys(data).length > 0) secret['data'] = data;
  else delete secret['data'];
  secret['type'] ??= 'Opaque';
}

export const secret: Strategy = builtinStrategy({
  namespaced: true,
  fields: ['data', 'stringData', 'type', 'immutable'],
  decode: decodeSecret,
  validate: (object, old) => [
    ...keyErrors(child(object, 'data'), 'data'),
    ...(old && old['type'] !== object['type'] ? [invalid('type', object['type'], 'field is immutable')] : []),
    ...immutableErrors(object, old),
  ],
});

export const configMap: Strategy = builtinStrategy({
  namespaced: true,
  fields: ['data', 'binaryData', 'immutable'],
  decode: (object) => {
    if (Object.keys(decodeStrings(object, 'ConfigMap', 'data')).length === 0) delete object['data'];
  },
  validate: (object, old) => [...keyErrors(child(object, 'data'), 'data'), ...immutableErrors(object, old)],
});

export const serviceAccount: Strategy = builtinStrategy({
  namespaced: true,
  fields: ['secrets', 'imagePullSecrets', 'automountServiceAccountToken'],
});

export const namespace: Strategy = builtinStrategy({
  namespaced: false,
  fields: ['spec', 'status'],
  hasStatus: true,
  prepareForCreate: (object) => {
    object['spec'] = { finalizers: ['kubernetes'] };
    object['status'] = { phase: 'Active' };
    object.metadata.labels = { ...object.metadata.labels, 'kubernetes.io/metadata.name': object.metadata.name };
  },
  prepareForUpdate: (object, old, subresource) => {
    if (subresource !== 'finalize') object['spec'] = old['spec'];
  },
});

const MICRO_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;

/** MicroTime wants exactly the form with a six-digit fraction; `toISOString()` is refused, as by the real server. */
export function checkMicroTime(kind: string, value: unknown): void {
  if (value === undefined || value === null) return;
  const fraction = MICRO_TIME.exec(text(value))?.[1];
  if (fraction?.length === 7) return;
  const rest = /(\.\d+)?(Z|[+-]\d\d:\d\d)$/.exec(text(value))?.[0] ?? text(value);
  const layout = '2006-01-02T15:04:05.000000Z07:00';
  throw undecodable(kind, `parsing time "${text(value)}" as "${layout}": cannot parse "${rest}" as ".000000"`);
}

const LEASE_FIELDS = [
  'holderIdentity',
  'leaseDurationSeconds',
  'acquireTime',
  'renewTime',
  'leaseTransitions',
  'strategy',
  'preferredHolder',
];

export const lease: Strategy = builtinStrategy({
  namespaced: true,
  fields: ['spec'],
  decode: (object) => {
    const spec = child(object, 'spec');
    for (const key of Object.keys(spec)) if (!LEASE_FIELDS.includes(key) || spec[key] === null) delete spec[key];
    checkMicroTime('Lease', spec['acquireTime']);
    checkMicroTime('Lease', spec['renewTime']);
    object['spec'] = spec;
  },
  validate: (object) => {
    const { leaseDurationSeconds, leaseTransitions, holderIdentity } = child(object, 'spec');
    const errors: FieldError[] = [];
    if (typeof leaseDurationSeconds === 'number' && leaseDurationSeconds <= 0)
      errors.push(invalid('spec.leaseDurationSeconds', leaseDurationSeconds, 'must be greater than 0'));
    if (typeof leaseTransitions === 'number' && leaseTransitions < 0)
      errors.push(invalid('spec.leaseTransitions', leaseTransitions, 'must be greater than or equal to 0'));
    if (holderIdentity === '') errors.push(invalid('spec.holderIdentity', '', 'must not be empty'));
    return errors;
  },
});
