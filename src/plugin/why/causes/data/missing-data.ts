import { fewOf } from '../../../../lib/few-of.ts';
import { type DataRef, lackIn } from '../../../../engine/ports/data-lack.ts';
import type { Resource } from '../../../../engine/ports/kubernetes.ts';
import type { Millis } from '../../../../lib/clock.ts';
import { shellWord } from '../../../../lib/shell-word.ts';
import { stateOf } from '../../../objects/facts.ts';
import { linksOf } from '../../../objects/links.ts';
import { typed, withKubectl } from '../../../cluster/naming.ts';
import { type Cause, thereNow } from '../cause.ts';
import { valueInto, variable } from './secret-value.ts';

interface Lack {
  readonly of: DataRef;
  readonly field: string;
  readonly lacks: 'object' | 'key';
}

/** What the cluster tells of a Secret or ConfigMap now. */
export interface DataNow {
  readonly is: 'missing' | 'unseen' | 'there';
  /** Its keys, where the API server says who wrote them. */
  readonly keys?: ReadonlySet<string>;
  /** Of its last writing. */
  readonly written?: { readonly version?: string; readonly at?: Millis };
}
interface Looking {
  dataNow(of: Omit<DataRef, 'key'>): Promise<DataNow>;
}

/** Each Secret or ConfigMap that the operator did not find, in its own words; `now` tells what of it has come since. */
export async function missingData(object: Resource, now?: Looking): Promise<readonly Cause[]> {
  const all = Map.groupBy(lacksOf(object), ({ of, lacks }) => `${of.kind} ${of.name} ${lacks}`);
  return Promise.all([...all.values()].map((same) => causeOf(object, same, now)));
}

async function causeOf(object: Resource, lacks: readonly Lack[], looking: Looking | undefined): Promise<Cause> {
  const [first] = lacks as readonly [Lack];
  const keys = [...new Set(lacks.map(({ of }) => of.key))];
  const now = await looking?.dataNow(first.of);
  const known = now?.is === 'there' || now?.is === 'missing' ? now : asTold(first);
  const blind = now?.is === 'unseen' ? ', as the operator saw it last; you may not read whether it has come since' : '';
  if (known.is === 'missing') return noObject(first, keys, blind);
  const lacking = keysLacking(first, keys, known);
  return lacking.length === 0
    ? thereNow(shownData(first), 'it is there now', typed(object))
    : noKey(first, lacking, { blind, has: known.keys });
}

const asTold = ({ lacks }: Lack): DataNow => ({ is: lacks === 'object' ? 'missing' : 'there' });
/** Where nobody tells its keys, it has those of which the operator did not say that it has them not. */
const keysLacking = ({ lacks }: Lack, asked: readonly string[], { keys }: DataNow): readonly string[] =>
  keys === undefined ? (lacks === 'key' ? asked : []) : asked.filter((key) => !keys.has(key));

const noObject = (lack: Lack, keys: readonly string[], blind: string): Cause => ({
  object: shownData(lack),
  reason: 'NotFound',
  message: `it is not there${blind}`,
  todo: makeIt(lack),
  commands: [createLine(lack.of, keys)],
});

interface Around {
  readonly blind: string;
  readonly has: ReadonlySet<string> | undefined;
}
function noKey(lack: Lack, keys: readonly string[], { blind, has }: Around): Cause {
  const { kind, namespace, name } = lack.of;
  const message = `it is there, and has no key ${keys.join(', ')}${keysText(has)}${blind}`;
  const cause = { object: shownData(lack), reason: 'KeyMissing', message } as const;
  return kind === 'Secret'
    ? {
        ...cause,
        todo: `Add what is missing, or correct ${lack.field}. Read each value into the variable of its key first (read -rs ${keys.map(variable).join(', ')}).`,
        commands: keys.map((key) => valueInto({ namespace, name, key })),
      }
    : {
        ...cause,
        todo: `Add what is missing, or correct ${lack.field}.`,
        commands: [withKubectl('edit', { kind, metadata: { namespace, name } })],
      };
}
/** Names alone. */
export const keysText = (keys: ReadonlySet<string> | undefined): string =>
  keys === undefined ? '' : `; its keys: ${fewOf([...keys].toSorted(), mostKeys)}`;
const mostKeys = 5;
const shownData = ({ of: { kind, namespace, name } }: Lack): string => `${kind} ${namespace}/${name}`;

function lacksOf(object: Resource): readonly Lack[] {
  const { namespace } = object.metadata;
  const waitingFor = (object.status?.['waitingFor'] ?? []) as readonly string[];
  const text = [...waitingFor, stateOf(object).words].join('\n');
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
  const values = keys.map((key) =>
    kind === 'Secret' ? `--from-literal=${shellWord(key)}="$${variable(key)}"` : `--from-file=${shellWord(key)}=FILE`,
  );
  return [
    'kubectl',
    `-n ${shellWord(namespace)}`,
    'create',
    kind === 'Secret' ? 'secret generic' : 'configmap',
    shellWord(name),
    ...values,
  ].join(' ');
}
