import { badRequest, internal, invalidObject } from '../requests/api-error.ts';
import { forbidden } from '../resources/field-error.ts';
import type { Predicate } from './selector.ts';
import { fieldSelector, labelSelector } from './selector.ts';
import type { Call } from '../requests/call.ts';

export interface ListOptions {
  readonly limit: number;
  readonly continueToken: string;
  /** As given: '' asks for the latest, '0' for anything. */
  readonly resourceVersion: string;
  readonly match: '' | 'Exact' | 'NotOlderThan';
  readonly sendInitialEvents: boolean | undefined;
  readonly bookmarks: boolean;
  readonly timeoutSeconds: number | undefined;
  readonly matches: Predicate;
  /** Selectors were given, so the rest of a page cannot be counted. */
  readonly selective: boolean;
}

const isTrue = (value: string): boolean => value === 'true' || value === '1';

export function listOptions(call: Call): ListOptions {
  const options = parse(call.query, call);
  if (options.resourceVersion !== '' && !/^\d+$/.test(options.resourceVersion)) throw badVersion(options.resourceVersion);
  const wrong = call.verb === 'watch' ? watchFault(options) : listFault(options);
  if (wrong) throw invalidObject({ group: 'meta.k8s.io', kind: 'ListOptions' }, '', [forbidden(wrong.field, wrong.why)]);
  return options;
}

function parse(query: URLSearchParams, { namespace, resource }: Call): ListOptions {
  const value = (name: string): string => query.get(name) ?? '';
  const labels = labelSelector(value('labelSelector'));
  const fields = fieldSelector(value('fieldSelector'), resource.selectableFields);
  return {
    limit: integer(value('limit')) ?? 0,
    continueToken: value('continue'),
    resourceVersion: value('resourceVersion'),
    match: value('resourceVersionMatch') as ListOptions['match'],
    sendInitialEvents: query.has('sendInitialEvents') ? isTrue(value('sendInitialEvents')) : undefined,
    bookmarks: isTrue(value('allowWatchBookmarks')),
    timeoutSeconds: integer(value('timeoutSeconds')),
    matches: (object) => (namespace === undefined || object.metadata.namespace === namespace) && labels(object) && fields(object),
    selective: value('labelSelector') !== '' || value('fieldSelector') !== '',
  };
}

function badVersion(version: string): Error {
  const quoted = JSON.stringify(version);
  return internal(`resourceVersion: Invalid value: ${quoted}: strconv.ParseUint: parsing ${quoted}: invalid syntax`);
}

function integer(value: string): number | undefined {
  if (value === '') return undefined;
  if (!/^-?\d+$/.test(value)) throw badRequest(`strconv.ParseInt: parsing ${JSON.stringify(value)}: invalid syntax`);
  return Number(value);
}

interface Fault {
  readonly field: string;
  readonly why: string;
}

function listFault(options: ListOptions): Fault | undefined {
  const field = 'resourceVersionMatch';
  if (options.sendInitialEvents !== undefined) return { field: 'sendInitialEvents', why: 'sendInitialEvents is forbidden for list' };
  if (options.match === '') return undefined;
  if (options.continueToken !== '') return { field, why: 'resourceVersionMatch is forbidden when continue is provided' };
  if (options.resourceVersion === '') return { field, why: 'resourceVersionMatch is forbidden unless resourceVersion is provided' };
  if (options.match === 'Exact' && options.resourceVersion === '0')
    return { field, why: 'resourceVersionMatch "exact" is forbidden for resourceVersion "0"' };
  return undefined;
}

function watchFault(options: ListOptions): Fault | undefined {
  const field = 'resourceVersionMatch';
  if (options.sendInitialEvents === undefined) {
    return options.match === ''
      ? undefined
      : { field, why: 'resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided' };
  }
  return options.match === 'NotOlderThan'
    ? undefined
    : { field, why: 'sendInitialEvents requires setting resourceVersionMatch to NotOlderThan' };
}
