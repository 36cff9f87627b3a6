import { fewOf } from '../../../lib/few-of.ts';
import { KubeError, type Resource } from '../../../engine/ports/kubernetes.ts';
import { asCollection } from '../../../resource/index.ts';
import { shownName, typed } from '../../cluster/naming.ts';
import type { Reader } from '../../cluster/reader.ts';
import { CliError } from '../../exit.ts';
import { stateOf } from '../../objects/facts.ts';
import { registry } from '../../command-line/kinds.ts';
import { type Link, linksOf } from '../../objects/links.ts';

/** Objects of what goes with its parent, where the spec names this one as that. */
export async function insideOf(reader: Pick<Reader, 'list'>, object: Resource): Promise<readonly Resource[]> {
  const kinds = registry.kinds.filter((kind) => asCollection(kind)?.goesWithParent === true && namesParent(kind.kind, object.kind));
  const lists = await Promise.all(kinds.map((kind) => reader.list(kind, object.metadata.namespace).catch(unread)));
  return lists.flat().filter((one) => isInside(one, object));
}
/** Whoever may not read them is told the rest. */
export function unread(error: unknown): readonly Resource[] {
  if (error instanceof CliError || (error instanceof KubeError && error.fault === 'Forbidden')) return [];
  throw error;
}

const parentField = (kind: string): string => `spec.${asCollection(registry.kind(kind))?.parent?.ref ?? ''}`;
const namesParent = (kind: string, parent: string): boolean =>
  registry
    .sites(kind)
    .some(({ at, what }) => what.is === 'ref' && what.target.kind === parent && `spec.${at.join('.')}` === parentField(kind));
/** What the remote of this one goes with, and lies in. */
export function parentOf(object: Resource): Extract<Link, { readonly is: 'object' }> | undefined {
  if (asCollection(registry.kind(object.kind))?.goesWithParent !== true) return undefined;
  return linksOf(object)
    .filter((link) => link.is === 'object')
    .find(({ field }) => field === parentField(object.kind));
}
function isInside(one: Resource, { kind, metadata: { namespace, name } }: Resource): boolean {
  const parent = parentOf(one);
  return parent?.kind === kind && parent.key.namespace === namespace && parent.key.name === name;
}

const mostTold = 10;

/** Of what an object has in it: the objects whose own part of the account is gone, or was never found, which its state says nothing of. */
export async function goneInside(reader: Pick<Reader, 'list'>, object: Resource): Promise<readonly Resource[]> {
  return (await insideOf(reader, object)).filter((one) => stateOf(one).reason === 'RemoteMissing');
}

export function goneLines(gone: readonly Resource[]): readonly string[] {
  const [first] = gone;
  if (first === undefined) return [];
  const told = gone.slice(0, mostTold);
  return [
    `In it, and without what they stand for (RemoteMissing): ${fewOf(gone.map(shownName), mostTold)}. What is to be done about each:`,
    `  kubectl cloud why ${typed(first)}${told
      .slice(1)
      .map((one) => ` ${shortOf(one)}`)
      .join('')}`,
  ];
}
const shortOf = ({ kind, metadata }: Resource): string => `${registry.kind(kind).shortName}/${metadata.name}`;
