import { isDeepStrictEqual } from 'node:util';
import { type JsonPatchOp, KubeError } from '../../../engine/ports/kubernetes.ts';

interface Tree {
  [name: string]: unknown;
}
const isTree = (value: unknown): value is Tree => typeof value === 'object' && value !== null && !Array.isArray(value);

/** As the API server applies them, as far as the engine writes them. Neither changes what it is given. */
export function jsonPatched<T>(object: T, ops: readonly JsonPatchOp[]): T {
  const next = structuredClone(object);
  for (const op of ops) applied(next as Tree, op);
  return next;
}

function applied(root: Tree, { op, path, value }: JsonPatchOp): void {
  const names = path
    .slice(1)
    .split('/')
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'));
  const last = names.pop() ?? '';
  const place = names.reduce<Tree | undefined>((at, name) => at?.[name] as Tree | undefined, root);
  if (op === 'test' && !isDeepStrictEqual(place?.[last], value)) throw new KubeError('Invalid', `the test of ${path} failed`);
  if (op === 'test') return;
  if (place === undefined) throw new KubeError('Invalid', `${path} leads nowhere`);
  if (op === 'remove') delete place[last];
  else place[last] = value;
}

export function merged<T>(object: T, change: unknown): T {
  if (!isTree(change)) return change as T;
  const next: Tree = isTree(object) ? { ...object } : {};
  for (const [name, value] of Object.entries(change)) {
    if (value === null) delete next[name];
    else next[name] = merged(next[name], value);
  }
  return next as T;
}
