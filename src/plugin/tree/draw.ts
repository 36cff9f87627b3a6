import { table } from '../output/table.ts';
import { type Edge, edgesBelow, type Graph, type Node, otherEnd } from './graph.ts';

type Line = readonly [name: string, state: string, brief: string, field: string];

interface Drawing {
  readonly from: readonly string[] | undefined;
  readonly up: boolean;
  /** So many levels below the first; what lies deeper is counted. */
  readonly depth: number;
}
/**
 * Below each object stands who refers to it; `up`: to whom it refers. What hangs on one is drawn once. Without `from`: all, from those
 * that refer to nobody, and of a circle from one of it.
 */
export function drawn(graph: Graph, { from, up, depth }: Drawing): readonly string[] {
  const { nodes, edges } = graph;
  const below = edgesBelow(edges, up);
  const lines: Line[] = [];
  const drawnBelow = new Set<string>();
  const walk = (id: string, field: string, { before, last, level }: Branch): void => {
    const children = (below.get(id) ?? []).toSorted((a, b) => compare(otherEnd(a, up), otherEnd(b, up)));
    const again = children.length > 0 && drawnBelow.has(id);
    const { stem, inner } = level === 0 ? { stem: '', inner: '' } : marginOf(before, last);
    lines.push(lineOf(`${stem}${id}${again ? ' (see above)' : ''}`, nodes.get(id), field));
    if (again) return;
    if (level >= depth) return void lines.push(...deeper(inner, children.length));
    drawnBelow.add(id);
    for (const [index, edge] of children.entries())
      walk(otherEnd(edge, up), edge.field, { before: inner, last: index === children.length - 1, level: level + 1 });
  };
  for (const id of from ?? startsOf(graph, up)) walk(id, '', { before: '', last: true, level: 0 });
  return lines.length === 0 ? [] : table(['OBJECT', 'STATE', 'DETAILS', 'BY'], lines);
}

const marginOf = (before: string, last: boolean) => ({
  stem: `${before}${last ? '└─ ' : '├─ '}`,
  inner: `${before}${last ? '   ' : '│  '}`,
});
const deeper = (inner: string, count: number): readonly Line[] => (count === 0 ? [] : [[`${inner}└─ ${count} more`, '', '', '']]);

interface Branch {
  readonly before: string;
  readonly last: boolean;
  readonly level: number;
}

/** From these all is reached: those that hang on nothing, and one of each circle that hangs on nothing else. */
function startsOf({ nodes, edges }: Graph, up: boolean): readonly string[] {
  const below = edgesBelow(edges, up);
  const hanging = new Set(edges.map((edge) => otherEnd(edge, up)));
  const ids = [...nodes.keys()].toSorted();
  const starts = ids.filter((id) => !hanging.has(id));
  const reached = new Set<string>();
  for (const id of starts) finishedFrom(id, { below, up, seen: reached });
  // Who is finished last has nothing above it that it does not reach itself.
  const seen = new Set(reached);
  const finished = ids.flatMap((id) => finishedFrom(id, { below, up, seen }));
  const circles = finished.toReversed().filter((id) => {
    const isReached = reached.has(id);
    finishedFrom(id, { below, up, seen: reached });
    return !isReached;
  });
  return [...starts, ...circles.toSorted()];
}

interface Search {
  readonly below: ReadonlyMap<string, readonly Edge[]>;
  readonly up: boolean;
  readonly seen: Set<string>;
}
/** All that hang on it and were not seen, each after what hangs on it. */
function finishedFrom(start: string, { below, up, seen }: Search): readonly string[] {
  if (seen.has(start)) return [];
  const finished: string[] = [];
  const branch = (id: string) => {
    seen.add(id);
    return { id, left: (below.get(id) ?? []).values() };
  };
  const stack = [branch(start)];
  for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
    const next = top.left.find((edge) => !seen.has(otherEnd(edge, up)));
    if (next !== undefined) stack.push(branch(otherEnd(next, up)));
    else finished.push(stack.pop()?.id ?? top.id);
  }
  return finished;
}

const compare = (a: string, b: string): number => (a < b ? -1 : 1);
const lineOf = (name: string, node: Node | undefined, field: string): Line => [
  name,
  `${node?.state ?? ''}${node?.well === false ? ' ●' : ''}`,
  node?.brief ?? '',
  field.replace(/^spec\./, ''),
];
