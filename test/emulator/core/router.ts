import type { Operation } from '../contract/operation.ts';

interface Node {
  readonly literals: Map<string, Node>;
  parameter?: { readonly name: string; readonly node: Node };
  rest?: { readonly name: string; readonly node: Node };
  readonly operations: Map<string, Operation>;
}

export interface Match {
  readonly operation: Operation;
  readonly params: Readonly<Record<string, string>>;
}

/** A path that exists without that method gives the methods that it has, so that 405 and 404 can be told apart. */
export type Route = Match | { readonly allowed: readonly string[] } | undefined;

const emptyNode = (): Node => ({ literals: new Map(), operations: new Map() });

function child(node: Node, segment: string): Node {
  const named = /^\{(\w+)(\*?)\}$/.exec(segment);
  const name = named?.[1];
  if (name === undefined) {
    const known = node.literals.get(segment) ?? emptyNode();
    node.literals.set(segment, known);
    return known;
  }
  if (named?.[2] === '*') return (node.rest ??= { name, node: emptyNode() }).node;
  return (node.parameter ??= { name, node: emptyNode() }).node;
}

interface Found {
  readonly node: Node;
  readonly params: Record<string, string>;
}

function find(node: Node, segments: readonly string[], at: number): Found | undefined {
  const segment = segments[at];
  if (segment === undefined) return node.operations.size > 0 ? { node, params: {} } : undefined;
  const literal = node.literals.get(segment);
  const direct = literal === undefined ? undefined : find(literal, segments, at + 1);
  if (direct !== undefined) return direct;
  return viaParameter(node, segments, at) ?? viaRest(node, segments, at);
}

function viaParameter(node: Node, segments: readonly string[], at: number): Found | undefined {
  const segment = segments[at];
  if (node.parameter === undefined || segment === undefined || segment === '') return undefined;
  const found = find(node.parameter.node, segments, at + 1);
  if (found !== undefined) found.params[node.parameter.name] = segment;
  return found;
}

/** The longest tail that still lets the rest of the template match. */
function viaRest(node: Node, segments: readonly string[], at: number): Found | undefined {
  if (node.rest === undefined) return undefined;
  for (let end = segments.length; end > at; end -= 1) {
    const found = find(node.rest.node, segments, end);
    if (found !== undefined) {
      found.params[node.rest.name] = segments.slice(at, end).join('/');
      return found;
    }
  }
  return undefined;
}

/** Finds operations by neutral, undecoded path segments. */
export class Router {
  readonly #root = emptyNode();

  add(operation: Operation): void {
    const node = operation.path.split('/').slice(1).reduce(child, this.#root);
    if (node.operations.has(operation.method)) throw new Error(`two operations for ${operation.method} ${operation.path}`);
    node.operations.set(operation.method, operation);
  }

  match(method: string, path: string): Route {
    const segments = withoutEmpty(path.split('/').slice(1)).map(decode);
    const found = find(this.#root, segments, 0);
    if (found === undefined) return undefined;
    const operation = found.node.operations.get(method === 'HEAD' ? 'GET' : method);
    return operation === undefined ? { allowed: [...found.node.operations.keys()] } : { operation, params: found.params };
  }
}

/** Trailing and double slashes mean nothing to the service, and its own clients send them. */
function withoutEmpty(segments: readonly string[]): readonly string[] {
  return segments.filter((segment) => segment !== '');
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
