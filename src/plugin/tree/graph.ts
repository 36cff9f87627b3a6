import { nameOf } from '../../engine/model/object-id.ts';
import type { Key, Resource } from '../../engine/ports/kubernetes.ts';
import { shownName } from '../cluster/naming.ts';
import { isApprovedUnseen, isBehind, stateOf } from '../objects/facts.ts';
import { registry } from '../command-line/kinds.ts';
import type { Landscape } from '../objects/landscape.ts';
import { accountOf, type Link, linksOf, selects } from '../objects/links.ts';

export interface Node {
  /** `CloudVolume shop/data`; of what has no object `CloudVolume with id 1000`. */
  readonly id: string;
  /** Reason of its condition, or why there is none. */
  readonly state: string;
  readonly well: boolean;
  /** The first words of what `kubectl get` shows of it; of an account its user. */
  readonly brief: string;
  /** Something refers to it, and there is no such object. */
  readonly missing?: true;
}
/** `from` refers to `to` in this field. */
export interface Edge {
  readonly from: string;
  readonly to: string;
  readonly field: string;
}
export interface Graph {
  readonly nodes: ReadonlyMap<string, Node>;
  readonly edges: readonly Edge[];
}

/** By what they hang on: the object that is referred to; `up`: the one that refers. */
export const edgesBelow = (edges: readonly Edge[], up: boolean): ReadonlyMap<string, readonly Edge[]> =>
  Map.groupBy(edges, ({ from, to }) => (up ? from : to));
export const otherEnd = ({ from, to }: Edge, up: boolean): string => (up ? to : from);

/** All objects of a landscape and what they name, also what is elsewhere, not there, or without an object. */
export async function graphOf(landscape: Landscape, { secrets }: { readonly secrets: boolean }): Promise<Graph> {
  const nodes = new Map(landscape.all.map((object) => [shownName(object), nodeOf(object)]));
  const edges: Edge[] = [];
  for (const object of landscape.all)
    for (const link of linksOf(object))
      for (const { node, field } of await endsOf(landscape, link, object, secrets)) {
        nodes.set(node.id, nodes.get(node.id) ?? node);
        edges.push({ from: shownName(object), to: node.id, field });
      }
  for (const [from, to] of await toAccounts(landscape, edges, nodes)) edges.push({ from, to, field: 'spec.accountRef' });
  return { nodes, edges };
}

interface End {
  readonly node: Node;
  readonly field: string;
}
async function endsOf(landscape: Landscape, link: Link, { metadata }: Resource, secrets: boolean): Promise<readonly End[]> {
  switch (link.is) {
    case 'object':
      return [{ field: link.field, node: await keyedNode(landscape, link.kind, link.key) }];
    case 'selector':
      return landscape.all
        .filter((one) => selects(link, one))
        .map((one) => ({ field: `${link.field} ${labelsText(link.labels)}`, node: nodeOf(one) }));
    case 'external':
      return [{ field: link.field, node: bare(`${link.kind} with id ${link.id}`, 'has no object') }];
    case 'data':
      return secrets ? [{ field: link.field, node: bare(`${link.kind} ${metadata.namespace}/${link.name}`, '') }] : [];
  }
}

const labelsText = (labels: Readonly<Record<string, string>>): string =>
  Object.entries(labels)
    .map(([name, value]) => `${name}=${value}`)
    .join(',');

/** What hangs on nothing else hangs on its account. */
async function toAccounts(
  landscape: Landscape,
  edges: readonly Edge[],
  nodes: Map<string, Node>,
): Promise<readonly (readonly [string, string])[]> {
  const bound = new Set(edges.filter(({ to }) => !/^(Secret|ConfigMap) /.test(to)).map(({ from }) => from));
  const added: (readonly [string, string])[] = [];
  for (const object of landscape.all) {
    const key = accountOf(object);
    if (key === undefined || bound.has(shownName(object))) continue;
    const id = `${registry.connection.kind} ${nameOf(key)}`;
    if (!nodes.has(id)) nodes.set(id, await keyedNode(landscape, registry.connection.kind, key));
    added.push([shownName(object), id]);
  }
  return added;
}

const bare = (id: string, state: string): Node => ({ id, state, well: true, brief: '' });

async function keyedNode(landscape: Landscape, kind: string, key: Key): Promise<Node> {
  const id = `${kind} ${nameOf(key)}`;
  const found = await landscape.find(kind, key);
  if (found === 'missing') return { ...bare(id, `(not found${(await landscape.near(kind, key)) ?? ''})`), well: false, missing: true };
  return found === 'unseen' ? bare(id, '(no right to read)') : nodeOf(found);
}

export function nodeOf(object: Resource): Node {
  const { off, reason, ...state } = stateOf(object);
  const well = state.well && !off;
  const seen = isBehind(object) || isApprovedUnseen(object) ? '(not looked at since)' : (reason ?? '(not looked at yet)');
  return { id: shownName(object), state: well ? 'Ready' : seen, well, brief: briefOf(object) };
}

const most = 2;
function briefOf({ kind, status }: Resource): string {
  // A name and a sum of money do not say what they are.
  if (kind === registry.connection.kind) return typeof status?.['user'] === 'string' ? `user ${status['user']}` : '';
  const paths = Object.values(registry.kind(kind).columns).flatMap(
    (path) => /^\.status\.(?<field>\w+)$/.exec(path)?.groups?.['field'] ?? [],
  );
  const texts = paths.map((field) => status?.[field]).filter((value) => typeof value === 'string');
  // As the record of a domain itself has no name below it: the next text must not stand for it.
  return texts
    .slice(0, most)
    .map((value) => (value === '' ? '-' : value))
    .join(' ');
}
