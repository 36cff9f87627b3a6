import type { Resource } from '../../../engine/ports/kubernetes.ts';
import { accountKey, accountRules } from '../../../engine/model/account.ts';
import { objectId } from '../../../engine/model/object-id.ts';
import { policyOf, shownPolicy } from '../../../engine/model/policy.ts';
import { adoptOf } from '../../../engine/model/step.ts';
import { asCollection } from '../../../resource/index.ts';
import { shownTime } from '../../../lib/utc-time.ts';
import { nowhere } from '../../dry/supposed-kinds.ts';
import type { Call } from '../../command-line/command.ts';
import { CliError } from '../../exit.ts';
import { text } from '../../command-line/flag.ts';
import { registry } from '../../command-line/kinds.ts';
import { accountOf } from '../../objects/links.ts';
import { refusedOffline } from '../targets/offline-admission.ts';
import { type Manifest, manifestsIn } from '../targets/manifests.ts';
import { formerly, misread, namesManifests, written } from '../targets/sources.ts';
import type { Ground } from './supposing.ts';
import { type Target, tellRest } from '../targets/targets.ts';

interface Offline {
  readonly targets: readonly Target[];
  readonly ground: Ground;
}

/** Of manifests alone, before and after: no cluster and no account is asked. */
export async function offline(call: Call): Promise<Offline> {
  const wrong = misread(call) ?? misreadOffline(call);
  if (wrong !== undefined) throw new CliError(2, wrong);
  // Not that of a context: there need be none.
  const namespace = text(call.flags, 'namespace') ?? 'default';
  const now = manifestsIn(await written(call), namespace);
  const before = manifestsIn((await formerly(call)) ?? [], namespace);
  tellRest(call, now);
  const old = new Map(before.ours.map((manifest) => [idOf(manifest), manifest] as const));
  const named = new Set(now.ours.map(idOf));
  const accounts = new Map(
    [...before.ours, ...now.ours].flatMap((one) => (one.kind === registry.connection ? [[idOf(one), one.spec]] : [])),
  );
  const made = before.ours.map((manifest) => madeOf(manifest, accounts));
  const changed = now.ours.map((manifest) => targetOf(manifest, old.get(idOf(manifest)), accounts));
  const gone = made
    .filter((object) => !named.has(objectId(object.kind, object.metadata)) && !isAccount(object))
    .map((object) => leaving(object, shownTime(call.session.now)));
  const all = [...made, ...changed.flatMap(({ object }) => object ?? [])];
  return {
    targets: [...changed, ...gone],
    ground: { objects: [...made, ...accountsFor(all)], data, clusterUid: 'none', placed: false, basisOf: () => 'manifests' },
  };
}

function misreadOffline({ flags }: Call): string | undefined {
  if (!namesManifests(flags)) return '--against none is about manifests: name them with -f or -k';
  if (flags['prune'] === true)
    return '--prune asks the cluster, and --against none does not: what --base names and the manifests lack counts as deleted';
  return text(flags, 'base') === undefined
    ? '--against none needs to know what was there before: --base FOLDER, or --base git:COMMIT, for example git:origin/main'
    : undefined;
}

const isAccount = ({ kind }: Resource): boolean => kind === registry.connection.kind;
const idOf = ({ kind, namespace, name }: Manifest): string => objectId(kind.kind, { namespace, name });

const epoch = '1970-01-01T00:00:00Z';
const finalizers = ['cloudhosting.dev/remote'];
const objectOf = ({ kind, namespace, name, labels, annotations, spec }: Manifest, generation: number): Resource => ({
  kind: kind.kind,
  metadata: {
    namespace,
    name,
    uid: `${kind.kind}/${namespace}/${name}`,
    resourceVersion: '0',
    creationTimestamp: epoch,
    generation,
    labels,
    annotations,
    finalizers,
  },
  spec,
});

/** Specs of those that manifests have. */
type Accounts = ReadonlyMap<string, Resource['spec']>;

/** As if it were there, and as it wants to be. */
function madeOf(manifest: Manifest, accounts: Accounts): Resource {
  const object = objectOf(manifest, 1);
  const { kind, metadata } = object;
  const conditions = ['Ready', 'Synced'].map((type) => ({
    type,
    status: 'True',
    reason: 'Available',
    message: '',
    observedGeneration: 1,
    lastTransitionTime: epoch,
  }));
  const id = `${metadata.namespace}.${metadata.name}`;
  const isAlwaysThere = asCollection(registry.kind(kind)) === undefined;
  const own = isAlwaysThere
    ? {}
    : {
        path: `${nowhere(kind)}/${id}`,
        id,
        account: 'supposed',
        origin: adoptOf(object.spec) === undefined ? 'Created' : 'Adopted',
        policy: shownPolicy(policyOf(registry.kind(kind), object.spec, rulesOf(object, accounts), false)),
        objectUid: metadata.uid,
        ...published(object),
        ...following(object),
      };
  return { ...object, status: { observedGeneration: 1, conditions, ...own } };
}

const rulesOf = (object: Resource, accounts: Accounts): ReturnType<typeof accountRules> =>
  accountRules(accounts.get(objectId(registry.connection.kind, accountKey(object))) ?? {});

/** What a change of what is above takes along is as the spec says. */
function following({ kind, spec }: Resource): Readonly<Record<string, unknown>> {
  const besides = registry.kinds.flatMap(({ fields }) => Object.values(fields).flatMap(({ beside }) => beside ?? []));
  return Object.fromEntries(besides.flatMap((one) => (one.kind === kind ? [[one.follows.field, spec[one.follows.field]]] : [])));
}

/** What others may take of it: names in place of values, the same before and after. */
function published({ kind, metadata }: Resource): Readonly<Record<string, unknown>> {
  const fields: Record<string, unknown> = {};
  for (const { what } of registry.kinds.flatMap((one) => registry.sites(one.kind)))
    if (what.is === 'output' && what.kind === kind)
      for (const field of Object.values(what.output.fields)) fields[field] = `(${field} of ${kind} ${metadata.namespace}/${metadata.name})`;
    else if (what.is === 'ref' && what.target.kind === kind) {
      const { placedBy, until } = what.target;
      if (placedBy !== undefined) fields[placedBy] = 'supposed';
      if (until !== undefined) fields[until.status] = until.is;
    }
  return fields;
}

function targetOf(manifest: Manifest, before: Manifest | undefined, accounts: Accounts): Target {
  const { kind, namespace, name } = manifest;
  const refused = refusedOffline(manifest, before);
  const about = { kind: kind.kind, namespace, name };
  if (refused !== undefined) return { ...about, refused };
  const made = before && madeOf(before, accounts);
  const isChanged = JSON.stringify(before?.spec) !== JSON.stringify(manifest.spec);
  const object = objectOf(manifest, made === undefined || !isChanged ? 1 : 2);
  return { ...about, object: { ...object, ...(made && { status: made.status }) } };
}

const leaving = (object: Resource, deletionTimestamp: string): Target => ({
  kind: object.kind,
  namespace: object.metadata.namespace,
  name: object.metadata.name,
  object: { ...object, metadata: { ...object.metadata, deletionTimestamp } },
  goes: true,
});

/** Those that no manifest has: they are the administrator's. */
function accountsFor(objects: readonly Resource[]): readonly Resource[] {
  const there = new Set(objects.filter(isAccount).map(({ metadata }) => `${metadata.namespace}/${metadata.name}`));
  const keys = new Map(objects.flatMap((object) => accountOf(object) ?? []).map((key) => [`${key.namespace}/${key.name}`, key] as const));
  return [...keys].flatMap(([name, { namespace, name: own }]) =>
    there.has(name)
      ? []
      : [
          {
            kind: registry.connection.kind,
            metadata: {
              namespace,
              name: own,
              uid: name,
              resourceVersion: '0',
              creationTimestamp: epoch,
              generation: 1,
              finalizers,
            },
            spec: {
              endpoint: 'supposed',
              installation: 'supposed',
              tokenSecretRef: { name: 'supposed', key: 'token' },
              access: [{ namespaces: ['*'], adopt: 'Any' }],
            },
          },
        ],
  );
}

/** Nothing is read: each Secret counts as there, and of a ConfigMap a key stands for its value. */
const data: Ground['data'] = {
  token: () => undefined,
  names: () => true,
  isThere: () => Promise.resolve(true),
  configMap: ({ name }) =>
    Promise.resolve({
      uid: '',
      resourceVersion: '',
      labels: {},
      data: new Proxy(
        {},
        {
          get: (_, key) => `(${String(key)} of ConfigMap ${name})`,
          has: () => true,
          getOwnPropertyDescriptor: (_, key) => ({ value: `(${String(key)} of ConfigMap ${name})`, enumerable: true, configurable: true }),
        },
      ),
    }),
};
