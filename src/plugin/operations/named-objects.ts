import { fewOf } from '../../lib/few-of.ts';
import { nameOf } from '../../engine/model/object-id.ts';
import type { Resource } from '../../engine/ports/kubernetes.ts';
import { alike } from '../../lib/closest.ts';
import { shownName } from '../cluster/naming.ts';
import type { Call } from '../command-line/command.ts';
import { CliError } from '../exit.ts';
import { registry } from '../command-line/kinds.ts';
import { Landscape } from '../objects/landscape.ts';
import { type Link, linksOf } from '../objects/links.ts';

type ToObject = Extract<Link, { is: 'object' }>;

/** An operation waits for what it names, as somebody may still apply that; whoever types a name mostly means one that is there. */
export async function refuseMissing({ session }: Call, target: Resource, operation: object): Promise<void> {
  const landscape = new Landscape(await session.reader(), [target]);
  for (const link of linksOf(operation as Resource)) {
    if (link.is !== 'object' || (await landscape.find(link.kind, link.key)) !== 'missing') continue;
    throw new CliError(4, await insteadOf(landscape, target, link));
  }
}

const mostTold = 20;

/** Of the target, where it has such; those that the caller may not list are not told. */
async function insteadOf(landscape: Landscape, target: Resource, link: ToObject): Promise<readonly string[]> {
  const { shortName } = registry.kind(link.kind);
  const listed = await landscape.list(registry.kind(link.kind), link.key.namespace).catch(unlessForbidden);
  const own = listed.filter((one) => namesTarget(one, target));
  const meant = own.length > 0 ? own : listed;
  const names = meant.map(({ metadata }) => metadata.name).toSorted();
  const near = alike(link.key.name, names).map((one) => `${shortName}/${one}`);
  const all = [...names, ...withoutObject(target, link, listed)];
  const of = own.length > 0 || listed.length === 0 ? `Of ${shownName(target)}` : `In namespace ${link.key.namespace}`;
  return [
    `${link.kind} ${nameOf(link.key)} is not there${near.length === 0 ? '.' : `; did you mean ${near.join(', ')}?`} Nothing was written`,
    all.length === 0 ? `${of} there is none` : `${of} there are: ${fewOf(all, mostTold)}`,
  ];
}

function unlessForbidden(error: unknown): readonly Resource[] {
  if (error instanceof CliError && error.isForbidden) return [];
  throw error;
}

const namesTarget = (one: Resource, { kind, metadata }: Resource): boolean =>
  linksOf(one).some((link) => link.is === 'object' && link.kind === kind && nameOf(link.key) === nameOf(metadata));

/** An image brings a configuration that no object stands for: it is named by its id. */
function withoutObject({ status }: Resource, { field }: ToObject, objects: readonly Resource[]): readonly string[] {
  if (field !== 'spec.configRef') return [];
  const configs = (status?.['configs'] ?? []) as readonly { readonly id: number; readonly label: string }[];
  const known = new Set(objects.map((one) => String(one.status?.['id'])));
  return configs.filter(({ id }) => !known.has(String(id))).map(({ id, label }) => `${id} (${label})`);
}
