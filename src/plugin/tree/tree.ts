import type { Resource } from '../../engine/ports/kubernetes.ts';
import type { Verb } from '../command-line/command.ts';
import { nothing, selected } from '../cluster/select.ts';
import { tellSkew } from '../cluster/skew.ts';
import { CliError } from '../exit.ts';
import { type Flags, on, text } from '../command-line/flag.ts';
import { Landscape } from '../objects/landscape.ts';
import type { TreeData } from '../output/shapes.ts';
import { dotOf, mermaidOf } from './diagram.ts';
import { partOf } from './changes.ts';
import { drawn } from './draw.ts';
import { followed } from './follow.ts';
import { type Graph, graphOf } from './graph.ts';

/** Who refers to whom. */
export const tree: Verb = async (call) => {
  const { session, args, flags } = call;
  const depth = depthOf(flags);
  const everywhere = on(flags, 'allNamespaces');
  const roots = args.length === 0 ? undefined : await selected(call);
  const namespace = everywhere ? undefined : await session.namespace();
  const { landscape, kinds } = await Landscape.ofReadable(await session.reader(), namespace, (message) => session.warn(message));
  const whole = await graphOf(landscape, { secrets: on(flags, 'secrets') });
  await tellSkew(
    session,
    landscape.all.map(({ kind }) => kind),
  );
  const from = roots?.map(({ kind, metadata }) => idOf({ kind, metadata }));
  const drawing = { from, up: on(flags, 'up'), depth };
  const part = (of: Graph): Graph => (from === undefined ? of : partOf(of, from, drawing.up));
  const graph = part(whole);
  if (on(flags, 'watch')) {
    session.print(...shown(graph, drawing, 'text'));
    await followed(session, { kinds, namespace, secrets: on(flags, 'secrets'), drawn: graph, part });
    return { exit: 0, kind: 'Tree', data: dataOf(graph), lines: [] };
  }
  return {
    exit: 0,
    kind: 'Tree',
    data: dataOf(graph),
    lines:
      graph.nodes.size === 0
        ? [await nothing(call, 'There is nothing of cloudhosting.dev')]
        : shown(graph, drawing, text(flags, 'output') ?? 'text'),
  };
};

const idOf = ({ kind, metadata }: Pick<Resource, 'kind' | 'metadata'>): string => `${kind} ${metadata.namespace}/${metadata.name}`;

function shown(graph: Graph, drawing: Parameters<typeof drawn>[1], form: string): readonly string[] {
  if (form === 'dot') return dotOf(graph);
  if (form === 'mermaid') return mermaidOf(graph);
  return drawn(graph, drawing);
}

function depthOf(flags: Flags): number {
  const given = text(flags, 'depth');
  if (on(flags, 'watch') && text(flags, 'output') !== 'text') throw new CliError(2, '--watch writes text: leave -o out');
  if (on(flags, 'up') && on(flags, 'down')) throw new CliError(2, 'either --up or --down');
  if (given !== undefined && !/^\d{1,4}$/.test(given))
    throw new CliError(2, `--depth ${given} cannot be read: write for example --depth 2`);
  return given === undefined ? Infinity : Number(given);
}

const dataOf = ({ nodes, edges }: Graph): TreeData => ({
  nodes: [...nodes.values()].map((node) => ({ ...node })),
  edges: edges.map((edge) => ({ ...edge })),
});
