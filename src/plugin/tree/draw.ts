import { table } from '../output/table.ts';
import { edgesBelow, type Graph, type Node, otherEnd } from './graph.ts';

type Line = readonly [name: string, state: string, brief: string, field: string];

interface Drawing {
  readonly from: readonly string[] | undefined;
  readonly up: boolean;
  /** So many levels below the first; what lies deeper is counted. */
  readonly depth: number;
}
/** Below each object stands who refers to it; `up`: to whom it refers. Without `from`: all, from those that refer to nobody. */
export function drawn({ nodes, edges }: Graph, { from, up, depth }: Drawing): readonly string[] {
  const below = edgesBelow(edges, up);
  const hanging = new Set(edges.map((edge) => otherEnd(edge, up)));
  const starts = from ?? [...nodes.keys()].filter((id) => !hanging.has(id)).toSorted();
  const lines: Line[] = [];
  const walk = (id: string, field: string, { before, last, path }: Branch): void => {
    const again = path.includes(id);
    const isFirst = path.length === 0;
    const stem = isFirst ? '' : `${before}${last ? '└─ ' : '├─ '}`;
    lines.push(lineOf(`${stem}${id}${again ? ' (see above)' : ''}`, nodes.get(id), field));
    const children = again ? [] : (below.get(id) ?? []).toSorted((a, b) => compare(otherEnd(a, up), otherEnd(b, up)));
    const inner = isFirst ? '' : `${before}${last ? '   ' : '│  '}`;
    if (path.length >= depth) return void lines.push(...deeper(inner, children.length));
    for (const [index, edge] of children.entries())
      walk(otherEnd(edge, up), edge.field, { before: inner, last: index === children.length - 1, path: [...path, id] });
  };
  for (const id of starts) walk(id, '', { before: '', last: true, path: [] });
  return lines.length === 0 ? [] : table(['OBJECT', 'STATE', 'DETAILS', 'BY'], lines);
}

const deeper = (inner: string, count: number): readonly Line[] => (count === 0 ? [] : [[`${inner}└─ ${count} more`, '', '', '']]);

interface Branch {
  readonly before: string;
  readonly last: boolean;
  readonly path: readonly string[];
}
const compare = (a: string, b: string): number => (a < b ? -1 : 1);
const lineOf = (name: string, node: Node | undefined, field: string): Line => [
  name,
  `${node?.state ?? ''}${node?.well === false ? ' ●' : ''}`,
  node?.brief ?? '',
  field.replace(/^spec\./, ''),
];
