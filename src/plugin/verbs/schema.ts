import { fieldsByPart } from '../../generate/reference.ts';
import type { AnyKind } from '../../resource/index.ts';
import type { Answer, Verb } from '../command.ts';
import { CliError } from '../exit.ts';
import { kindFrom, registry } from '../kinds.ts';
import type { SchemaData } from '../output/shapes.ts';
import { wrapped } from '../output/wrapped.ts';

/** The fields of a kind, and what a change of each does; without a kind all kinds there are. */
export const schema: Verb = ({ args }): Promise<Answer> => {
  const [word, another] = args;
  if (another !== undefined) throw new CliError(2, 'schema of one kind at a time');
  return Promise.resolve(word === undefined ? all() : ofKind(kindFrom(word)));
};

function all(): Answer {
  const kinds = registry.kinds.map(({ kind, shortName, summary }) => ({ kind, shortName, summary, fields: [] }));
  const lines = kinds.flatMap(({ kind, shortName, summary }) => [`${kind} (${shortName})`, ...wrapped(plain(summary), '  ')]);
  return { exit: 0, kind: 'Schema', data: { kinds } satisfies SchemaData, lines };
}

type Kind = SchemaData['kinds'][number];
/** All of it is there, of one kind. */
type Shown = { readonly [Part in keyof Kind]-?: NonNullable<Kind[Part]> };

function ofKind(kind: AnyKind): Answer {
  const { kind: name, shortName, summary, outputs = {} } = kind;
  const { own, common, seen } = fieldsByPart(kind);
  const shown: Shown = {
    kind: name,
    shortName,
    summary,
    fields: own.map((field) => ({ ...field, change: plain(field.change) })),
    common: [...common],
    outputs: Object.entries(outputs).map(([output, { says, secret }]) => ({ name: output, secret: secret === true, description: says })),
    status: [...seen],
  };
  return { exit: 0, kind: 'Schema', data: { kinds: [shown] } satisfies SchemaData, lines: linesOf(shown) };
}

const linesOf = ({ kind, shortName, summary, fields, common, outputs, status }: Shown): readonly string[] => [
  ...wrapped(`${kind} (${shortName}): ${plain(summary)}`),
  ...part('spec', fields.flatMap(fieldLines)),
  ...part('spec, as of other kinds', common.flatMap(fieldLines)),
  ...part(
    'outputs, for spec.outputs',
    outputs.flatMap(({ name, secret, description }) => entry(secret ? `${name}  secret` : name, description)),
  ),
  ...part('status, beside what that of every kind has', status.flatMap(fieldLines)),
];

const part = (head: string, lines: readonly string[]): readonly string[] => (lines.length === 0 ? [] : ['', `${head}:`, ...lines]);

function fieldLines({ path, type, limits, change, description }: Shown['fields'][number]): readonly string[] {
  const changes = change === '' ? '' : `; a change is ${change}`;
  const held = limits === '' ? '' : ` (${limits})`;
  return entry(`${path}  ${type}${changes}`, `${description}${held}`);
}

const entry = (head: string, text: string): readonly string[] => [...wrapped(plain(head), '  '), ...wrapped(plain(text), '      ')];

/** Without the marks of Markdown. */
const plain = (text: string): string => text.replaceAll('`', '');
