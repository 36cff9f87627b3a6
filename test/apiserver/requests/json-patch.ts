import { badRequest, unprocessablePatch } from './api-error.ts';
import { clone, equal, isObject } from '../storage/json.ts';
import type { JsonObject } from '../storage/json.ts';

type Container = JsonObject | unknown[];

const unescape = (token: string): string => token.replaceAll('~1', '/').replaceAll('~0', '~');

function tokens(pointer: unknown): string[] {
  if (typeof pointer !== 'string' || (pointer !== '' && !pointer.startsWith('/'))) throw unprocessablePatch();
  return pointer.split('/').slice(1).map(unescape);
}

function read(container: unknown, key: string): unknown {
  if (Array.isArray(container)) return (container as unknown[])[index(container, key)];
  return isObject(container) ? container[key] : undefined;
}

function index(container: readonly unknown[], key: string): number {
  if (!/^(0|[1-9]\d*)$/.test(key) || Number(key) >= container.length) throw unprocessablePatch();
  return Number(key);
}

/** The container that holds the last token, which must exist already. */
function parent(document: JsonObject, path: readonly string[]): Container {
  let at: unknown = document;
  for (const key of path.slice(0, -1)) at = read(at, key);
  if (!Array.isArray(at) && !isObject(at)) throw unprocessablePatch();
  return at;
}

function get(document: JsonObject, path: readonly string[]): unknown {
  return path.length === 0 ? document : read(parent(document, path), path.at(-1) ?? '');
}

function add(document: JsonObject, path: readonly string[], value: unknown): void {
  const container = parent(document, path);
  const key = path.at(-1) ?? '';
  if (!Array.isArray(container)) container[key] = value;
  else if (key === '-' || key === String(container.length)) container.push(value);
  else container.splice(index(container, key), 0, value);
}

function remove(document: JsonObject, path: readonly string[]): void {
  const container = parent(document, path);
  const key = path.at(-1) ?? '';
  if (Array.isArray(container)) container.splice(index(container, key), 1);
  else if (key in container) delete container[key];
  else throw unprocessablePatch();
}

/** The real server is lenient here: replacing an absent field adds it. */
function replace(document: JsonObject, path: readonly string[], value: unknown): void {
  const container = parent(document, path);
  const key = path.at(-1) ?? '';
  if (Array.isArray(container)) container[index(container, key)] = value;
  else container[key] = value;
}

/** An absent field equals null, as long as what would hold it is there. */
function test(document: JsonObject, path: readonly string[], value: unknown): void {
  if (!equal(get(document, path) ?? null, value ?? null)) throw unprocessablePatch();
}

function move(document: JsonObject, operation: JsonObject, path: readonly string[]): void {
  const from = tokens(operation['from']);
  const value = get(document, from);
  if (value === undefined) throw unprocessablePatch();
  if (operation['op'] === 'move') remove(document, from);
  add(document, path, clone(value));
}

function apply(document: JsonObject, operation: JsonObject): void {
  const path = tokens(operation['path']);
  const value = clone(operation['value']);
  switch (operation['op']) {
    case 'add':
      return add(document, path, value);
    case 'remove':
      return remove(document, path);
    case 'replace':
      return replace(document, path, value);
    case 'test':
      return test(document, path, value);
    case 'move':
    case 'copy':
      return move(document, operation, path);
    default:
      throw unprocessablePatch();
  }
}

/** RFC 6902 as the API server applies it. All or nothing; every failure is the same 422. */
export function jsonPatch(target: JsonObject, patch: unknown): JsonObject {
  if (!Array.isArray(patch))
    throw badRequest('error decoding patch: json: cannot unmarshal object into Go value of type []handlers.jsonPatchOp');
  const document = clone(target);
  for (const operation of patch) {
    if (!isObject(operation)) throw unprocessablePatch();
    apply(document, operation);
  }
  return document;
}
