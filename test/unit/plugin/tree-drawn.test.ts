import { describe, expect, test } from 'vitest';
import { drawn } from '../../../src/plugin/tree/draw.ts';
import type { Graph } from '../../../src/plugin/tree/graph.ts';

/** `web>account`: the first refers to the second. */
function graphOf(...texts: readonly string[]): Graph {
  const edges = texts.map((text) => {
    const [from = '', to = ''] = text.split('>');
    return { from, to, field: 'spec.ref' };
  });
  const ids = [...new Set(edges.flatMap(({ from, to }) => [from, to]))];
  return { nodes: new Map(ids.map((id) => [id, { id, state: 'Ready', well: true, brief: '' }])), edges };
}
const all = { from: undefined, up: false, depth: Infinity };
const shown = (graph: Graph, drawing = all): readonly string[] =>
  drawn(graph, drawing)
    .slice(1)
    .map((line) => (line.split('  Ready')[0] ?? '').trimEnd());

describe('a tree', () => {
  test('shows below each who refers to it', () => {
    expect(shown(graphOf('disk>web', 'web>account', 'zone>account'))).toEqual(['account', '├─ web', '│  └─ disk', '└─ zone']);
  });

  // A machine names the configuration that it boots, and that names the machine: both, and what was in the machine, were in no tree.
  test('shows a circle, and all that hangs on it', () => {
    const graph = graphOf('config>machine', 'machine>config', 'volume>machine', 'lonely>account');
    expect(shown(graph)).toEqual(['account', '└─ lonely', 'config', '└─ machine', '   ├─ config (see above)', '   └─ volume']);
  });

  test('begins where everything else of several circles is reached from', () => {
    const graph = graphOf('b>a', 'a>b', 'd>c', 'c>d', 'a>c', 'x>a');
    const lines = shown(graph);
    expect.soft(lines.filter((line) => /^\w/.test(line))).toEqual(['c']);
    for (const id of ['a', 'b', 'c', 'd', 'x']) expect.soft(lines.join('\n')).toMatch(new RegExp(String.raw`(^|\s)${id}$`, 'm'));
  });

  test('shows everything at least once, however all is tied', () => {
    const graph = graphOf('a>a', 'c>d', 'd>e', 'e>c', 'f>e');
    for (const up of [false, true]) for (const id of graph.nodes.keys()) expect.soft(shown(graph, { ...all, up }).join('\n')).toContain(id);
  });

  test('of many that all refer to each other has no more lines than they have references', () => {
    const ids = Array.from({ length: 12 }, (_, n) => `n${n}`);
    const graph = graphOf(...ids.flatMap((from) => ids.filter((to) => to !== from).map((to) => `${from}>${to}`)));
    expect(shown(graph).length).toBeLessThanOrEqual(12 * 11 + 1);
  });

  test('counts what is deeper than asked for', () => {
    expect(shown(graphOf('disk>web', 'web>account'), { ...all, depth: 1 })).toEqual(['account', '└─ web', '   └─ 1 more']);
  });
});
