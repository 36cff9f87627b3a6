import { fieldsByPart } from '../../generate/reference/reference.ts';
import { alike } from '../../lib/closest.ts';
import type { AnyKind } from '../../resource/index.ts';
import type { Answer, Verb } from '../command-line/command.ts';
import { CliError } from '../exit.ts';
import { kindCalled, kindFrom, registry } from '../command-line/kinds.ts';
import type { SchemaData } from '../output/shapes.ts';
import { wrapped } from '../output/wrapped.ts';

/** The fields of a kind, and what a change of each does; without a kind all kinds there are. */
export const schema: Verb = ({ args }): Promise<Answer> => {
  const [word, another] = args;
  if (another !== undefined) throw new CliError(2, 'schema of one kind at a time');
  if (word === undefined) return Promise.resolve(all());
  const [kind, field] = partsOf(word);
  return Promise.resolve(field === undefined ? ofKind(kind) : ofField(kind, field));
};

/** `cvol.sizeGiB`, as kubectl explain names a field; a kind may have its group behind it. */
function partsOf(word: string): readonly [AnyKind, string?] {
  const [first = '', ...path] = word.split('.');
  return path.length === 0 || kindCalled(word) !== undefined ? [kindFrom(word)] : [kindFrom(first), path.join('.')];
}

function all(): Answer {
  const kinds = registry.kinds.map(({ kind, shortName, summary }) => ({ kind, shortName, summary, fields: [] }));
  const lines = kinds.flatMap(({ kind, shortName, summary }) => [`${kind} (${shortName})`, ...wrapped(plain(summary), '  ')]);
  return { exit: 0, kind: 'Schema', data: { kinds } satisfies SchemaData, lines };
}

type Kind = SchemaData['kinds'][number];
/** All of it is there, of one kind. */
type Shown = { readonly [Part in keyof Kind]-?: NonNullable<Kind[Part]> };

/** One field, and what it consists of. */
function ofField(kind: AnyKind, field: string): Answer {
  const [, part, rest = ''] = /^(?:(spec|status)\.)?(.+)$/.exec(field) ?? [];
  const whole = shownOf(kind);
  const isIt = ({ path }: { readonly path: string }): boolean =>
    path === rest || (path.startsWith(rest) && /[.[]/.test(path.charAt(rest.length)));
  const [inSpec, inStatus] = [part !== 'status', part === 'status' || ![...whole.fields, ...whole.common].some(isIt)];
  const shown: Shown = {
    ...whole,
    fields: inSpec ? whole.fields.filter(isIt) : [],
    common: inSpec ? whole.common.filter(isIt) : [],
    outputs: [],
    status: inStatus ? whole.status.filter(isIt) : [],
  };
  const found = [...shown.fields, ...shown.common, ...shown.status];
  if (found.length === 0) throw new CliError(2, noField(whole, rest));
  return { exit: 0, kind: 'Schema', data: { kinds: [shown] } satisfies SchemaData, lines: linesOf(shown) };
}

function noField({ kind, shortName, fields, common, status }: Shown, field: string): string {
  const near = alike(
    field,
    [...fields, ...common, ...status].map(({ path }) => path),
  );
  const hint = near.length === 0 ? `kubectl cloud schema ${shortName} lists them` : `Did you mean ${near.join(', ')}?`;
  return `${kind} has no field ${field}. ${hint}`;
}

function ofKind(kind: AnyKind): Answer {
  const shown = shownOf(kind);
  return { exit: 0, kind: 'Schema', data: { kinds: [shown] } satisfies SchemaData, lines: linesOf(shown) };
}

function shownOf(kind: AnyKind): Shown {
  const { kind: name, shortName, summary, outputs = {} } = kind;
  const { own, common, seen } = fieldsByPart(kind);
  return {
    kind: name,
    shortName,
    summary,
    fields: own.map((field) => ({ ...field, change: plain(field.change) })),
    common: [...common],
    outputs: Object.entries(outputs).map(([output, { says, secret }]) => ({ name: output, secret: secret === true, description: says })),
    status: [...seen],
  };
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
