import { keepsRemote } from '../../engine/model/policy.ts';
import type { Resource } from '../../engine/ports/kubernetes.ts';
import { holderOf, type Lease } from '../../kube/leases/lease-record.ts';
import type { Millis } from '../../lib/clock.ts';
import { group, plural } from '../../generate/names.ts';
import { crdStates, type Installed, installedIn, unprovenText } from '../cluster/installed.ts';
import { isHeld, leasesIn, nameOf, notCounted } from './leases.ts';
import { namesOf, typed } from '../cluster/naming.ts';
import type { Reader } from '../cluster/reader.ts';
import { registry } from '../command-line/kinds.ts';
import type { UninstallData } from '../output/shapes.ts';
import { counted } from '../../lib/counted.ts';
import { shellWord } from '../../lib/shell-word.ts';

type Step = UninstallData['steps'][number];

/** What is there yet. */
interface Left {
  readonly objects: readonly Resource[];
  readonly operators: readonly Installed[];
  /** Deployments that only have the labels of one, and leases that are only called like its own: in words. */
  readonly unproven: readonly string[];
  /** Leases that somebody renews; undefined: the caller may not see them. */
  readonly leases: readonly Lease[] | undefined;
  readonly crds: readonly string[];
}

export async function leftIn(reader: Reader, now: Millis): Promise<Left> {
  const lists = await Promise.all(registry.kinds.map((kind) => reader.list(kind, undefined)));
  const [crds, { operators, unproven }, leases] = await Promise.all([crdStates(reader), installedIn(reader), leasesIn(reader)]);
  return {
    objects: lists.flat(),
    operators,
    unproven: [...(unproven.length === 0 ? [] : [unprovenText(unproven)]), ...notCounted(leases, now)],
    leases: leases?.ours.filter((lease) => isHeld(lease, now)),
    crds: crds.filter(({ state }) => state !== 'unseen').map(({ name }) => name),
  };
}

const accounts = registry.connection.kind;

const thereAre = (count: number, of: string): string => (count === 0 ? 'there are none' : `${counted(count, 'object')} of ${of}`);
const losingText = (count: number): string =>
  `${counted(count, 'object')} would take with ${count === 1 ? 'it what it stands' : 'them what they stand'} for`;

const keeping = (object: Resource, also: object): string =>
  `kubectl patch ${typed(object)} --type=merge -p '${JSON.stringify({ spec: { lifecycle: { ...also, onDelete: 'Retain' } } })}'`;

/** Its deletion would wait until somebody takes that off. */
const isProtected = ({ spec, status }: Resource): boolean => {
  const { protect, management } = (spec['lifecycle'] ?? {}) as { readonly protect?: boolean; readonly management?: string };
  return protect === true && management !== 'Observe' && status?.['path'] !== undefined;
};
function keepingText(losing: readonly Resource[], held: readonly Resource[]): string {
  if (losing.length + held.length === 0) return 'every object keeps what it stands for';
  const first = losing.length === 0 ? [] : [losingText(losing.length)];
  const waits = `${namesOf(held)} would not go while spec.lifecycle.protect is true: the line takes that off and keeps what is in the account`;
  return [...first, ...(held.length === 0 ? [] : [waits])].join('; ');
}

/** In the order in which nothing of the account is deleted and nothing is left hanging; what is done already says so. */
export function stepsOf({ objects, operators, unproven, leases, crds }: Left): Step[] {
  const losing = objects.filter((object) => !keepsRemote(object));
  const held = objects.filter(isProtected);
  const others = [...new Set(objects.map(({ kind }) => kind))].filter((kind) => kind !== accounts);
  const known = objects.filter(({ kind }) => kind === accounts);
  return [
    {
      does: 'Keep everything in the account when its object goes',
      done: losing.length + held.length === 0,
      seen: keepingText(losing, held),
      commands: [...losing.map((object) => keeping(object, {})), ...held.map((object) => keeping(object, { protect: false }))],
    },
    {
      does: 'Delete the objects, while the operator runs',
      done: others.length === 0,
      seen: thereAre(objects.length - known.length, counted(others.length, 'kind')),
      // By one line, which asks for all before it waits: what is in use by another kind would keep one of its own from ending.
      commands:
        others.length === 0 ? [] : [`kubectl delete ${others.map((kind) => `${plural(kind)}.${group}`).join(',')} --all --all-namespaces`],
    },
    {
      does: 'Delete the accounts',
      done: known.length === 0,
      seen: thereAre(known.length, accounts),
      commands: known.length === 0 ? [] : [`kubectl delete ${plural(accounts)}.${group} --all --all-namespaces`],
    },
    {
      does: 'Remove the operator',
      done: operators.length === 0 && leases?.length === 0,
      seen: [operatorsSeen(operators, leases), ...unproven].join('; '),
      commands: operators.flatMap(removalOf),
    },
    {
      does: 'Remove the CRDs',
      done: crds.length === 0,
      seen: crds.length === 0 ? 'there are none' : `${crds.length} CRDs`,
      commands: crds.length === 0 ? [] : [`kubectl delete crd ${crds.join(' ')}`],
    },
  ];
}

function operatorsSeen(operators: readonly Installed[], leases: Left['leases']): string {
  if (operators.length > 0)
    return operators
      .map(
        ({ namespace, name, by }) =>
          `${namespace}/${name}${by.is === 'rendered' ? ', of the chart, by a tool such as Argo CD: take it out there' : ''}`,
      )
      .join('; ');
  if (leases === undefined) return 'whether one runs outside of the cluster cannot be known: you may not list leases.coordination.k8s.io';
  if (leases.length === 0) return 'none is to be seen';
  return `no Deployment of it is to be seen, and ${leases.map((lease) => `lease ${nameOf(lease)} is renewed by ${holderOf(lease)}`).join(', ')}: end that process`;
}

/** What lies in its namespace, and what is of the whole cluster; Helm's own is none of it. */
const parts = [
  'deployments,services,serviceaccounts,configmaps,roles,rolebindings,networkpolicies,poddisruptionbudgets',
  'clusterroles,clusterrolebindings,validatingadmissionpolicies,validatingadmissionpolicybindings',
];
function removalOf({ namespace, by }: Installed): readonly string[] {
  switch (by.is) {
    case 'helm':
      return [`helm uninstall ${shellWord(by.release)} --namespace ${namespace}`];
    case 'rendered':
      return [];
    case 'manifests':
      return parts.map(
        (kinds, index) =>
          `kubectl delete ${index === 0 ? `--namespace ${namespace} ` : ''}${kinds} --selector 'app.kubernetes.io/name=cloud-operator,!app.kubernetes.io/managed-by'`,
      );
  }
}
