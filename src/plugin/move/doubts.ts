import { accountKey } from '../../engine/model/account.ts';
import { annotation, isDeleting, pauseAnnotation } from '../../engine/model/annotations.ts';
import { objectId } from '../../engine/model/object-id.ts';
import type { Key, Resource } from '../../engine/ports/kubernetes.ts';
import { kubePath } from '../../kube/http/client.ts';
import { isToldOnce } from '../../resource/words/outputs.ts';
import { asCollection } from '../../resource/index.ts';
import { shownName } from '../cluster/naming.ts';
import { pathOf } from '../cluster/reader.ts';
import { conditionOf, stateOf } from '../objects/facts.ts';
import { registry } from '../command-line/kinds.ts';
import { type Link, linksOf, selects } from '../objects/links.ts';
import { markOf, type Moving, type Sides } from './sides.ts';

/** All that stands in the way, in words; all at once. */
export async function doubts(sides: Sides, moving: readonly Moving[]): Promise<readonly string[]> {
  const all = (await Promise.all(registry.kinds.map((kind) => sides.here.reader.list(kind, undefined)))).flat();
  const own = moving.flatMap(({ here }) => here ?? []);
  const ids = new Set(own.map(idOf));
  const found = await Promise.all(
    moving.map(async (one) => [
      ...[...ownDoubts(one), ...(await toolDoubts(sides, one))].map(
        (why) => `${shownName(one.here ?? named(one, sides.here.namespace))} ${why}`,
      ),
      ...(await accountDoubts(sides, one)),
      ...(await linkDoubts(sides, one, { all, ids })),
    ]),
  );
  const left = all.filter((object) => !ids.has(idOf(object)));
  return [...new Set([...found.flat(), ...left.flatMap((object) => pointers(object, own))])];
}

const idOf = ({ kind, metadata }: Resource): string => objectId(kind, metadata);
const named = ({ kind, name }: Moving, namespace: string) => ({ kind: kind.kind, metadata: { namespace, name } });

/** What is wrong with it by itself: the first counts. */
const wrongs: readonly ((object: Resource, mark: string | undefined) => string | undefined)[] = [
  ({ kind }) =>
    asCollection(registry.kind(kind)) === undefined ? 'is of a kind that is not adopted: apply its manifest there' : undefined,
  ({ kind, spec }) =>
    isToldOnce(registry.kind(kind), spec) ? 'gives out what is told once, and could not do so there: make another one there' : undefined,
  ({ spec }) =>
    (spec['lifecycle'] as { readonly management?: string } | undefined)?.management === 'Observe'
      ? 'is only observed here: apply its manifest there'
      : undefined,
  (object) => (annotation(object, pauseAnnotation) === undefined ? undefined : 'is paused: resume it first'),
  // Begun: what it refers to may have gone before it, and the other side must agree once more.
  (object, mark) => (mark === undefined ? unfit(object) : undefined),
];
function unfit(object: Resource): string | undefined {
  if (isDeleting(object)) return 'is being deleted';
  if (object.status?.['path'] === undefined) return 'has nothing in the account';
  const { well, reason = 'not looked at yet' } = stateOf(object);
  return well ? undefined : `is not well (${reason}): kubectl cloud why says more`;
}

function ownDoubts({ here, there }: Moving): readonly string[] {
  if (here === undefined) return [];
  const mark = markOf(there);
  const [first] = wrongs.flatMap((wrong) => wrong(here, mark) ?? []);
  if (first !== undefined) return [first];
  const isOther = there !== undefined && mark !== here.metadata.uid;
  return isOther ? ['has a namesake there already, which was not made by this'] : [];
}

/** By all that it bears, and by who wrote it: what an object is read as has only labels and annotations of ours. */
async function toolDoubts({ here: { reader } }: Sides, { kind, here }: Moving): Promise<readonly string[]> {
  const whole = here === undefined ? undefined : await reader.optional(pathOf(kind, here.metadata), true);
  const { labels = {}, annotations = {}, managedFields = [] } = (whole as { metadata?: Bearing } | undefined)?.metadata ?? {};
  const names = Object.keys({ ...labels, ...annotations });
  const tool = tools.find(
    ([, mark, manager]) =>
      names.some((name) => name.startsWith(mark)) || managedFields.some(({ manager: who = '' }) => manager.includes(who)),
  )?.[0];
  return tool === undefined ? [] : [`is applied by ${tool}, which would make it again: move its file instead`];
}
interface Bearing {
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly managedFields?: readonly { readonly manager?: string }[];
}
/** Argo CD may leave no mark but label `app.kubernetes.io/instance`, which others write too. */
const tools: readonly (readonly [tool: string, mark: string, managers: readonly string[]])[] = [
  ['Flux', 'kustomize.toolkit.fluxcd.io/', ['kustomize-controller']],
  ['Flux', 'helm.toolkit.fluxcd.io/', ['helm-controller']],
  ['Argo CD', 'argocd.argoproj.io/', ['argocd-controller', 'argocd-application-controller']],
  ['Helm', 'meta.helm.sh/', ['helm']],
];

/** Where a key of the namespace that is left leads there. */
const thereOf = ({ here, there }: Sides, { namespace, name }: Key): Key => ({
  namespace: namespace === here.namespace ? there.namespace : namespace,
  name,
});

async function accountDoubts(sides: Sides, { here }: Moving): Promise<readonly string[]> {
  if (here === undefined) return [];
  const key = thereOf(sides, accountKey(here));
  const account = await sides.there.reader.get(registry.connection, key);
  const said = shownName({ kind: registry.connection.kind, metadata: key });
  if (account === undefined) return [`${said} is not there: make it first`];
  if (conditionOf(account, 'Ready')?.status !== 'True') return [`${said} is not Ready there`];
  return account.status?.['account'] === here.status?.['account'] ? [] : [`${said} is another account there`];
}

interface Around {
  readonly all: readonly Resource[];
  /** Of what is moved. */
  readonly ids: ReadonlySet<string>;
}

async function linkDoubts(sides: Sides, { here, there }: Moving, around: Around): Promise<readonly string[]> {
  if (here === undefined || markOf(there) !== undefined) return [];
  const { accountRef: _, ...spec } = here.spec;
  const isTold = sides.here.namespace !== sides.there.namespace && JSON.stringify(spec).includes(`"namespace":"${sides.here.namespace}"`);
  const told = isTold
    ? [`${shownName(here)} names namespace ${sides.here.namespace} in a reference, which is ${sides.there.namespace} there`]
    : [];
  const found = await Promise.all(linksOf(here).map(async (link) => (await linkDoubt(sides, link, around)) ?? []));
  return [...told, ...found.flat().map((why) => `${shownName(here)}: ${why}`)];
}

async function linkDoubt(sides: Sides, link: Link, around: Around): Promise<string | undefined> {
  switch (link.is) {
    case 'external':
      return undefined;
    case 'data':
      return dataDoubt(sides, link);
    case 'selector': {
      const other = around.all.find((object) => selects(link, object) && !around.ids.has(idOf(object)));
      return other && `${link.field} selects ${shownName(other)}, which is not moved with it`;
    }
    case 'object':
      return around.ids.has(objectId(link.kind, link.key)) ? undefined : targetDoubt(sides, link, around.all);
  }
}

async function dataDoubt({ there: { reader, namespace } }: Sides, { field, kind, name }: Of<'data'>): Promise<string | undefined> {
  const path = kubePath('api', 'v1', 'namespaces', namespace, kind === 'Secret' ? 'secrets' : 'configmaps', name);
  const there = await reader.optional(path, true);
  return there === undefined ? `${field}: ${kind} ${namespace}/${name} is not there, or not for you to see` : undefined;
}

async function targetDoubt(sides: Sides, { field, kind, key }: Of<'object'>, all: readonly Resource[]): Promise<string | undefined> {
  const path = all.find((object) => idOf(object) === objectId(kind, key))?.status?.['path'];
  const there = await sides.there.reader.get(registry.kind(kind), thereOf(sides, key));
  const isSame = path !== undefined && there?.status?.['path'] === path;
  return isSame ? undefined : `${field}: ${kind} ${key.name} is neither moved with it nor there with the same resource`;
}
type Of<Is extends Link['is']> = Extract<Link, { readonly is: Is }>;

/** What stays here and refers to what goes. */
const pointers = (object: Resource, own: readonly Resource[]): readonly string[] =>
  linksOf(object).flatMap((link) => {
    const target = own.find(
      (one) => (link.is === 'object' && objectId(link.kind, link.key) === idOf(one)) || (link.is === 'selector' && selects(link, one)),
    );
    return target === undefined ? [] : [`${shownName(object)} refers to ${shownName(target)}: move it too`];
  });
