import { edgesBelow, type Graph, type Node, otherEnd } from './graph.ts';

/** What is another than it was, a line each: how objects are, which came and went, and to what they refer. */
export function changesBetween(before: Graph, now: Graph): readonly string[] {
  const ids = [...new Set([...before.nodes.keys(), ...now.nodes.keys()])].toSorted();
  const [were, are] = [edgesOf(before), edgesOf(now)];
  return ids.flatMap((id) => [
    ...nodeLine(before.nodes.get(id), now.nodes.get(id)),
    ...[...(are.get(id) ?? [])].filter((one) => were.get(id)?.has(one) !== true).map((one) => `${id}  refers to ${one}`),
    ...[...(were.get(id) ?? [])]
      .filter((one) => now.nodes.has(id) && are.get(id)?.has(one) !== true)
      .map((one) => `${id}  no longer refers to ${one}`),
  ]);
}

function nodeLine(before: Node | undefined, now: Node | undefined): readonly string[] {
  if (now === undefined) return before === undefined ? [] : [`${before.id}  gone (was ${before.state})`];
  const how = `${now.state}${now.well ? '' : ' ●'}${now.brief === '' ? '' : `  ${now.brief}`}`;
  if (before === undefined) return [`${now.id}  new: ${how}`];
  if (before.state === now.state && before.brief === now.brief) return [];
  return [`${now.id}  ${before.state === now.state ? '' : `${before.state} -> `}${how}`];
}

function edgesOf({ edges }: Graph): ReadonlyMap<string, ReadonlySet<string>> {
  const all = Map.groupBy(edges, ({ from }) => from);
  return new Map([...all].map(([from, those]) => [from, new Set(those.map(({ to, field }) => `${to} (${field})`))]));
}

/** What hangs on these, in the direction that is drawn. */
export function partOf({ nodes, edges }: Graph, from: readonly string[], up: boolean): Graph {
  const below = edgesBelow(edges, up);
  const seen = new Set<string>();
  const next = [...from];
  for (let id = next.pop(); id !== undefined; id = next.pop()) {
    if (seen.has(id)) continue;
    seen.add(id);
    for (const edge of below.get(id) ?? []) next.push(otherEnd(edge, up));
  }
  return {
    nodes: new Map([...nodes].filter(([id]) => seen.has(id))),
    edges: edges.filter((edge) => seen.has(edge.from) && seen.has(edge.to)),
  };
}
