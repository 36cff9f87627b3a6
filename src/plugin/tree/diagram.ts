import type { Graph } from './graph.ts';

const quoted = (text: string): string => `"${text.replaceAll('"', "'")}"`;

/** For Graphviz: an arrow leads from what refers to what is referred to. */
export const dotOf = ({ nodes, edges }: Graph): readonly string[] => [
  'digraph cloud {',
  ...[...nodes.values()].map(({ id, state }) => `  ${quoted(id)} [label=${quoted(`${id}\\n${state}`)}];`),
  ...edges.map(({ from, to, field }) => `  ${quoted(from)} -> ${quoted(to)} [label=${quoted(field)}];`),
  '}',
];

/** For Markdown that draws mermaid. */
export function mermaidOf({ nodes, edges }: Graph): readonly string[] {
  const numbers = new Map([...nodes.keys()].map((id, index) => [id, `n${index}`]));
  return [
    'graph TD',
    ...[...nodes.values()].map(({ id, state }) => `  ${numbers.get(id)}[${quoted(`${id}<br>${state}`)}]`),
    ...edges.map(({ from, to, field }) => `  ${numbers.get(from)} -->|${quoted(field)}| ${numbers.get(to)}`),
  ];
}
