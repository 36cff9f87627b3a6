import { type DataRef, lackIn } from '../../engine/ports/data-lack.ts';
import type { Resource } from '../../engine/ports/kubernetes.ts';
import { stateOf } from '../facts.ts';
import { linksOf } from '../links.ts';
import type { Cause } from './cause.ts';
import { variable } from './secret-value.ts';

interface Lack {
  readonly of: DataRef;
  readonly field: string;
  readonly lacks: 'object' | 'key';
}

/** The Secret or ConfigMap that the operator did not find, in its own words: who asks may read none. */
export function missingData(object: Resource): Cause | undefined {
  const lacks = lacksOf(object);
  const [first] = lacks;
  if (first === undefined) return undefined;
  const same = lacks.filter(({ of }) => of.kind === first.of.kind && of.name === first.of.name);
  const { kind, namespace, name } = first.of;
  const keys = [...new Set(same.map(({ of }) => of.key))];
  const cause = { object: `${kind} ${namespace}/${name}`, reason: 'NotFound' } as const;
  return first.lacks === 'object'
    ? { ...cause, message: 'it is not there', todo: makeIt(first), commands: [createLine(first.of, keys)] }
    : {
        ...cause,
        message: `it has no key ${keys.join(', ')}`,
        todo: `Add what is missing, or correct ${first.field}.`,
        commands: [`kubectl -n ${namespace} edit ${kind.toLowerCase()} ${name}`],
      };
}

function lacksOf(object: Resource): readonly Lack[] {
  const { namespace } = object.metadata;
  const waitingFor = (object.status?.['waitingFor'] ?? []) as readonly string[];
  const text = [...waitingFor, stateOf(object).message].join('\n');
  return linksOf(object).flatMap((link) => {
    if (link.is !== 'data') return [];
    const of = { kind: link.kind, namespace, name: link.name, key: link.key };
    const lacks = lackIn(text, link.field, of);
    return lacks === undefined ? [] : [{ of, field: link.field, lacks }];
  });
}

const makeIt = ({ of, field }: Lack): string =>
  of.kind === 'Secret'
    ? `Create it, or correct ${field}. Read each value into the variable of its key first (read -rs ${variable(of.key)}), or write --from-file=${of.key}=FILE for it.`
    : `Create it, or correct ${field}.`;

/** No value on the line: it would stay in the history of the shell. */
function createLine({ kind, namespace, name }: DataRef, keys: readonly string[]): string {
  const values = keys.map((key) => (kind === 'Secret' ? `--from-literal=${key}="$${variable(key)}"` : `--from-file=${key}=FILE`));
  return ['kubectl', `-n ${namespace}`, 'create', kind === 'Secret' ? 'secret generic' : 'configmap', name, ...values].join(' ');
}
