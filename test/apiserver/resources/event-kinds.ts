import { builtinStrategy } from './builtin-strategy.ts';
import { checkMicroTime } from './core-kinds.ts';
import { invalid, required } from './field-error.ts';
import type { FieldError } from './field-error.ts';
import { child, equal, text } from '../storage/json.ts';
import type { JsonObject } from '../storage/json.ts';
import type { KubeObject } from '../storage/kube-object.ts';
import type { Strategy } from './resource.ts';

/** events.k8s.io/v1 name -> core/v1 name. Both APIs serve the same objects; they are stored in the core form. */
const NAMES: Readonly<Record<string, string>> = {
  note: 'message',
  regarding: 'involvedObject',
  reportingController: 'reportingComponent',
  deprecatedSource: 'source',
  deprecatedFirstTimestamp: 'firstTimestamp',
  deprecatedLastTimestamp: 'lastTimestamp',
  deprecatedCount: 'count',
};
const SHARED = ['reason', 'type', 'action', 'related', 'series', 'eventTime', 'reportingInstance'];

function rename(event: KubeObject, names: readonly (readonly [string, string])[], apiVersion: string): KubeObject {
  const renamed: KubeObject = { ...event, apiVersion };
  for (const [from, to] of names) {
    if (!(from in event)) continue;
    delete renamed[from];
    renamed[to] = event[from];
  }
  return renamed;
}

const toCore = Object.entries(NAMES).map(([modern, core]) => [modern, core] as const);
const toModern = toCore.map(([modern, core]) => [core, modern] as const);

export const storeEvent = (event: KubeObject): KubeObject => rename(event, toCore, 'v1');

/** In the newer API absent reporters are left out; the old API shows them empty. */
export function presentEvent(event: KubeObject): KubeObject {
  const modern = rename(event, toModern, 'events.k8s.io/v1');
  for (const key of ['reportingController', 'reportingInstance']) if (modern[key] === '') delete modern[key];
  return modern;
}

/** A typed server writes some fields even when they are empty. */
function decode(event: JsonObject): void {
  checkMicroTime('Event', event['eventTime']);
  checkMicroTime('Event', child(event, 'series')['lastObservedTime']);
  for (const key of ['involvedObject', 'source']) event[key] ??= {};
  for (const key of ['firstTimestamp', 'lastTimestamp', 'eventTime']) event[key] = wholeSeconds(event[key], key);
  for (const key of ['reportingComponent', 'reportingInstance']) event[key] ??= '';
}

function wholeSeconds(time: unknown, key: string): unknown {
  if (time === undefined || time === null) return null;
  return key === 'eventTime' ? time : text(time).replace(/\.\d+/, '');
}

const isNew = (event: KubeObject): boolean => event['eventTime'] !== null && event['eventTime'] !== undefined;

function newEventErrors(event: KubeObject): FieldError[] {
  const errors: FieldError[] = [];
  if (!isNew(event)) errors.push(required('eventTime'));
  else
    for (const key of ['reportingComponent', 'reportingInstance', 'action', 'reason'])
      if (text(event[key]) === '') errors.push(required(key === 'reportingComponent' ? 'reportingController' : key));
  const type = text(event['type']);
  if (type !== 'Normal' && type !== 'Warning') errors.push(invalid('type', type, `has invalid value: ${type}`));
  if (text(event['message']).length > 1_024) errors.push(invalid('message', '', 'can have at most 1024 characters'));
  return errors;
}

function changeErrors(event: KubeObject, old: KubeObject): FieldError[] {
  if (!isNew(old)) return [];
  const frozen = [
    'involvedObject',
    'reason',
    'message',
    'type',
    'action',
    'related',
    'eventTime',
    'reportingComponent',
    'reportingInstance',
  ];
  return frozen.filter((key) => !equal(event[key], old[key])).map((key) => invalid(key, event[key] ?? '', 'field is immutable'));
}

/** Namespaced objects have their events in their own namespace, cluster-scoped ones in `default`. */
function namespaceErrors(event: KubeObject): FieldError[] {
  const involved = text(child(event, 'involvedObject')['namespace']);
  const own = event.metadata.namespace;
  if (involved === '' ? own === 'default' : involved === own) return [];
  return [invalid('involvedObject.namespace', involved, 'does not match event.namespace')];
}

export const coreEvent: Strategy = builtinStrategy({
  namespaced: true,
  fields: [...SHARED, ...Object.values(NAMES)],
  decode,
  validate: (event, old) => [...namespaceErrors(event), ...(old ? [] : isNew(event) ? newEventErrors(event) : [])],
});

export const modernEvent: Strategy = builtinStrategy({
  namespaced: true,
  // Bodies are renamed to the stored form before they are decoded.
  fields: [...SHARED, ...Object.values(NAMES)],
  decode,
  validate: (event, old) => [...namespaceErrors(event), ...(old ? changeErrors(event, old) : newEventErrors(event))],
});
