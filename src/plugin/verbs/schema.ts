import { changeOf, fieldsOfKind } from '../../generate/reference.ts';
import { fieldRows } from '../../generate/reference-fields.ts';
import { schemaOf } from '../../generate/schema.ts';
import { schemaAt } from '../../generate/structural-schema.ts';
import type { AnyKind } from '../../resource/index.ts';
import type { Answer, Verb } from '../command.ts';
import { CliError } from '../exit.ts';
import { kindFrom, registry } from '../kinds.ts';
import type { SchemaData } from '../output/shapes.ts';
import { table } from '../output/table.ts';

/** The fields of a kind, and what a change of each does; without a kind all kinds there are. */
export const schema: Verb = ({ args }): Promise<Answer> => {
  const [word, another] = args;
  if (another !== undefined) throw new CliError(2, 'schema of one kind at a time');
  return Promise.resolve(word === undefined ? all() : ofKind(kindFrom(word)));
};

function all(): Answer {
  const rows = registry.kinds.map(({ kind, shortName, summary }) => [kind, shortName, summary]);
  const data: SchemaData = { kinds: registry.kinds.map(({ kind, shortName, summary }) => ({ kind, shortName, summary, fields: [] })) };
  return { exit: 0, kind: 'Schema', data, lines: table(['KIND', 'SHORT NAME', 'WHAT IT IS'], rows) };
}

function ofKind(kind: AnyKind): Answer {
  const spec = schemaAt(schemaOf(kind), '.spec') ?? {};
  const own = Object.fromEntries(Object.entries(spec.properties ?? {}).filter(([name]) => fieldsOfKind(kind).includes(name)));
  const fields = fieldRows({ ...spec, properties: own }, '', (field) => changeOf(kind, field).replaceAll('`', ''));
  const { kind: name, shortName, summary } = kind;
  const data: SchemaData = { kinds: [{ kind: name, shortName, summary, fields: fields.map((field) => ({ ...field })) }] };
  const rows = fields.map(({ path, type, change, description }) => [path, type, change, description.replaceAll('`', '')]);
  return { exit: 0, kind: 'Schema', data, lines: [summary, '', ...table(['FIELD', 'TYPE', 'A CHANGE IS', 'WHAT IT IS'], rows)] };
}
