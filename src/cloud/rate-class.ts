import type { Millis } from '../lib/clock.ts';
import type { Call, Method, RateClass } from '../resource/index.ts';

interface Route {
  readonly method: Method | 'any' | 'change';
  readonly path: RegExp;
  readonly rate: RateClass;
}

/** Routes with windows of their own (realities 3), whoever calls them. A call that names its class is believed. */
const routes: readonly Route[] = [
  { method: 'POST', path: /^\/vm\/instances(\/[^/]+\/clone)?$/, rate: 'instance-create' },
  { method: 'POST', path: /^\/volumes$/, rate: 'volume-create' },
  { method: 'GET', path: /^\/images$/, rate: 'image-list' },
  { method: 'GET', path: /^\/vm\/stackscripts$/, rate: 'script-list' },
  { method: 'POST', path: /^\/object-storage\/buckets$/, rate: 'object-write' },
  { method: 'change', path: /^\/object-storage\/keys(\/|$)/, rate: 'object-write' },
  { method: 'change', path: /^\/object-storage\/buckets\/.+\/access$/, rate: 'object-storage' },
  { method: 'any', path: /^\/object-storage\/buckets\/.+\/object-(list|url|acl)$/, rate: 'object-storage' },
];

/** `list` for paged reads, `general` for the rest. */
export function rateClassOf(call: Call): RateClass {
  if (call.rate !== undefined) return call.rate;
  const [path = '', query = ''] = call.path.split('?');
  const route = routes.find((row) => row.path.test(path) && methodFits(row.method, call.method));
  if (route !== undefined) return route.rate;
  return call.method === 'GET' && /(^|&)page(_size)?=/.test(query) ? 'list' : 'general';
}

const methodFits = (wanted: Route['method'], method: Method): boolean =>
  wanted === 'any' || wanted === method || (wanted === 'change' && method !== 'GET');

/** Requests in flight at once. The object storage's own limits are 1 and 2 (notes/reliability 0.1); the others spare sockets. */
export const concurrencyOf: Readonly<Record<RateClass, number>> = {
  general: 24,
  list: 8,
  'instance-create': 16,
  'volume-create': 16,
  'image-list': 4,
  'script-list': 4,
  'object-write': 2,
  'object-storage': 1,
};

/** Least time between two requests where a second, short window is in no header: at most 5 object writes a second. */
export const paceOf: Readonly<Partial<Record<RateClass, Millis>>> = { 'object-write': 250 };
