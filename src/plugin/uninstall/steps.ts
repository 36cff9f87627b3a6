import { keepsRemote } from '../../engine/model/policy.ts';
import type { Resource } from '../../engine/ports/kubernetes.ts';
import { group, plural } from '../../generate/names.ts';
import { crdStates, operatorsOf } from '../cluster/installed.ts';
import { typed } from '../cluster/naming.ts';
import type { Reader } from '../cluster/reader.ts';
import { registry } from '../kinds.ts';
import type { UninstallData } from '../output/shapes.ts';
import { counted } from '../../lib/counted.ts';

type Step = UninstallData['steps'][number];

/** What is there yet. */
interface Left {
  readonly objects: readonly Resource[];
  readonly operators: readonly { readonly name: string }[];
  readonly crds: readonly string[];
}

export async function leftIn(reader: Reader): Promise<Left> {
  const lists = await Promise.all(registry.kinds.map((kind) => reader.list(kind, undefined)));
  const [crds, operators] = await Promise.all([crdStates(reader), operatorsOf(reader)]);
  return { objects: lists.flat(), operators, crds: crds.filter(({ state }) => state !== 'unseen').map(({ name }) => name) };
}

const accounts = registry.connection.kind;

const thereAre = (count: number, of: string): string => (count === 0 ? 'there are none' : `${counted(count, 'object')} of ${of}`);
const losingText = (count: number): string =>
  `${counted(count, 'object')} would take with ${count === 1 ? 'it what it stands' : 'them what they stand'} for`;

/** In the order in which nothing of the account is deleted and nothing is left hanging; what is done already says so. */
export function stepsOf({ objects, operators, crds }: Left): Step[] {
  const losing = objects.filter((object) => !keepsRemote(object));
  const others = [...new Set(objects.map(({ kind }) => kind))].filter((kind) => kind !== accounts);
  const known = objects.filter(({ kind }) => kind === accounts);
  return [
    {
      does: 'Keep everything in the account when its object goes',
      done: losing.length === 0,
      seen: losing.length === 0 ? 'every object keeps what it stands for' : losingText(losing.length),
      commands: losing.map((object) => `kubectl patch ${typed(object)} --type=merge -p '{"spec":{"lifecycle":{"onDelete":"Retain"}}}'`),
    },
    {
      does: 'Delete the objects, while the operator runs',
      done: others.length === 0,
      seen: thereAre(objects.length - known.length, counted(others.length, 'kind')),
      commands: others.map((kind) => `kubectl delete ${plural(kind)}.${group} --all --all-namespaces`),
    },
    {
      does: 'Delete the accounts',
      done: known.length === 0,
      seen: thereAre(known.length, accounts),
      commands: known.length === 0 ? [] : [`kubectl delete ${plural(accounts)}.${group} --all --all-namespaces`],
    },
    {
      does: 'Remove the operator',
      done: operators.length === 0,
      seen: operators.length === 0 ? 'none is to be seen' : operators.map(({ name }) => name).join(', '),
      commands: operators.map(
        ({ name }) => `helm uninstall ${name.slice(name.indexOf('/') + 1)} --namespace ${name.slice(0, name.indexOf('/'))}`,
      ),
    },
    {
      does: 'Remove the CRDs',
      done: crds.length === 0,
      seen: crds.length === 0 ? 'there are none' : `${crds.length} CRDs`,
      commands: crds.length === 0 ? [] : [`kubectl delete crd ${crds.join(' ')}`],
    },
  ];
}
