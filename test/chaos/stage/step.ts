import type { Row } from '../../../src/resource/index.ts';
import type { BackendRequest } from '../../support/virtual/backend.ts';

export type ServerName = 'kube' | 'cloud';

/** A point in a recorded run: the n-th request of its shape since the operation began. */
export interface Step {
  readonly server: ServerName;
  /** `POST /volumes`, `PATCH cloudvolumes/db-data intent finalizers`. */
  readonly shape: string;
  readonly nth: number;
  readonly changes: boolean;
}

export const stepId = ({ server, shape, nth }: Step): string => `${server}:${shape.replaceAll(' ', '_')}#${nth}`;

/** Requests that differ only in ids and pages have one shape. */
export function shapeOf(server: ServerName, request: BackendRequest): string {
  const path = request.path.replace(/\?.*$/, '');
  return server === 'cloud' ? `${request.method} ${cloudPath(path)}` : `${request.method} ${kubePath(path)}${purpose(request)}`;
}

const cloudPath = (path: string): string =>
  path
    .replace(/^\/v4(beta)?/, '')
    .replaceAll(/\/\d+(?=\/|$)/g, '/{id}')
    .replaceAll(/\/\d+\.\d+\.\d+\.\d+/g, '/{ip}');

function kubePath(path: string): string {
  const short = path.replace(/^\/apis?\/(?:[^/]+\/)?v[^/]+\//, '').replace(/^namespaces\//, '');
  return short.replace(/^[^/]+\/(?=.)/, '');
}

/** What a patch is about, so that W1, W2 and W3 of a create have shapes of their own. */
function purpose({ method, path, body }: BackendRequest): string {
  if (method !== 'PATCH' || /\/status(\?|$)/.test(path)) return '';
  const patch = JSON.parse(body.toString() || '{}') as Row | { op: string; path: string }[];
  const parts = Array.isArray(patch)
    ? patch.filter(({ op }) => op !== 'test').map(({ op, path }) => `${op}-${last(path)}`)
    : mergeParts(patch);
  return parts.map((part) => ` ${part}`).join('');
}

function mergeParts(patch: Row): readonly string[] {
  const { annotations = {}, finalizers } = (patch['metadata'] ?? {}) as { annotations?: Row; finalizers?: readonly string[] };
  const names = Object.entries(annotations).map(([name, value]) => `${value === null ? 'no-' : ''}${last(name)}`);
  return [...names, ...(finalizers === undefined ? [] : [finalizers.length === 0 ? 'no-finalizers' : 'finalizers'])];
}

const last = (path: string): string => path.replaceAll('~1', '/').split('/').at(-1) ?? path;

/** Reads of Kubernetes and renewals of the lease change nothing that a crash could leave half done. */
export function isStep(server: ServerName, request: BackendRequest): boolean {
  if (server === 'cloud') return true;
  return request.method !== 'GET' && !request.path.includes('/leases');
}

export const changesSomething = (request: BackendRequest): boolean => request.method !== 'GET' && request.method !== 'HEAD';
