import * as z from 'zod';
import { type AnyKind, type AnyRule, asCollection, byMode } from '../../resource/index.ts';
import { byOperator, byPeople } from './annotations.ts';
import { commonSpec } from '../schema/common-spec.ts';
import { commonStatus } from '../schema/common-status.ts';
import { editOf } from '../schema/edit.ts';
import { table } from '../markdown.ts';
import { group, plural, version } from '../names.ts';
import { reasons } from './reasons.ts';
import { type FieldRow, fieldRows, fieldTable, statusTable } from './reference-fields.ts';
import { modeStatus, schemaOf } from '../schema/schema.ts';
import { structural } from '../schema/structural.ts';
import { rotationField } from '../schema/rotation.ts';
import { schemaAt, type Structural } from '../schema/structural-schema.ts';

/** `crds/README.md`: what a person may write into each kind, what they read in it, and what to do about what they read. */
export const reference = (kinds: readonly AnyKind[], header: string): string =>
  `${[
    `<!-- ${header} -->`,
    '# Reference',
    introduction,
    index(kinds),
    common(kinds),
    conditions,
    annotations,
    '## Kinds',
    ...kinds.map((kind) => chapter(kind)),
  ].join('\n\n')}\n`;

const introduction = `All kinds are in API group \`${group}\`, version \`${version}\`, namespaced, and in category \`cloud\` (\`kubectl get cloud\`).
An absent field is not managed: the operator leaves in the account what is there, unless the field says otherwise. The operator never writes a \`spec\`.`;

const staysAsItIs = ['nothing is deleted', ''];
function index(kinds: readonly AnyKind[]): string {
  const rows = kinds.map((kind) => [
    `[${kind.kind}](#${kind.kind.toLowerCase()})`,
    kind.shortName,
    kind.summary,
    ...byMode(kind, {
      collection: ({ defaults }) => [defaults.onDelete, defaults.onMissing],
      singleton: ({ deletion, defaults }) => (deletion === undefined ? staysAsItIs : [defaults.onDelete, '']),
      connection: () => staysAsItIs,
      issued: () => ['nothing is taken back', 'issued anew'],
      operation: () => ['what was begun goes on', ''],
    }),
  ]);
  return table(['Kind', 'Short name', 'What it is', 'When its object is deleted', 'When it is missing'], rows);
}

/** The fields of every kind, once; the widest kind shows them all. */
function common(kinds: readonly AnyKind[]): string {
  const widest = kinds.flatMap((kind) => asCollection(kind) ?? []).find(({ ids }) => ids === undefined);
  const shown = widest && {
    ...widest,
    fields: { '<field>': { read: () => undefined } },
    outputs: { '<output>': { says: '', secret: true as const, of: () => undefined } },
    shareable: true as const,
    kind: 'The kind',
    shortName: '<short name>',
  };
  const spec = shown ? fieldRows(structural(commonSpec(shown), 'spec', 'spec'), '', () => '') : [];
  const status = fieldRows(structural(commonStatus, 'status', 'status'), '', () => '');
  return [
    '## Fields of every kind',
    '`outputs` is there where the kind gives something out, `secretName` where some of that is secret, `allowedRefs` where other namespaces may refer to it, `adopt` and the rest of `lifecycle` where the kind makes something.',
    fieldTable(spec),
    'Status:',
    statusTable(status),
  ].join('\n\n');
}

const conditions = [
  '## Conditions and reasons',
  table(
    ['Condition', 'Meaning'],
    [
      [
        'Ready',
        'The cloud resource can be used as last Synced. `kubectl wait --for=condition=Ready` waits for the generation that was applied.',
      ],
      ['Synced', 'The account has what the spec asks for. Its reason is the one word that says how things are.'],
      ['Reconciling', 'Work is under way, or awaited.'],
      ['Stalled', 'A person must act; the message says what to do.'],
    ],
  ),
  table(
    ['Reason', 'What it means', 'What to do'],
    Object.entries(reasons).map(([reason, { means, todo }]) => [reason, means, todo]),
  ),
  'For kstatus and Argo CD an object is current or healthy when Ready is True; paused ones and those that wait for approval are Suspended in Argo CD, which holds up later sync waves.',
].join('\n\n');

const annotationRows = (all: Readonly<Record<string, string>>): readonly (readonly string[])[] =>
  Object.entries(all).map(([name, meaning]) => [`\`${group}/${name}\``, meaning]);
const annotations = [
  '## Annotations',
  'Set by people:',
  table(['Annotation', 'Value and effect'], annotationRows(byPeople)),
  'Written by the operator:',
  table(['Annotation', 'Meaning'], annotationRows(byOperator)),
].join('\n\n');

/** What there is to say of one kind alone. `common`: what its spec has as others do, `lifecycle` for one. */
export function fieldsByPart(kind: AnyKind): Readonly<Record<'own' | 'common' | 'seen', readonly FieldRow[]>> {
  const schema = schemaOf(kind);
  const [spec, status] = [schemaAt(schema, '.spec'), schemaAt(schema, '.status')];
  const names = fieldsOfKind(kind);
  const others = Object.keys(spec?.properties ?? {}).filter((name) => !names.includes(name));
  const seen = [...Object.keys(modeStatus(kind).shape), ...Object.keys(kind.status.shape)];
  return {
    own: fieldRows({ ...spec, properties: pick(spec, names) }, '', (field) => changeOf(kind, field)),
    common: fieldRows({ properties: pick(spec, others) }, '', () => ''),
    seen: fieldRows({ properties: pick(status, seen) }, '', () => ''),
  };
}

function chapter(kind: AnyKind): string {
  const { own, seen } = fieldsByPart(kind);
  const rules = (kind.rules ?? []).map(({ message }) => `- ${message}`);
  return [
    `### ${kind.kind}`,
    `${kind.summary} Short name \`${kind.shortName}\`, resource \`${plural(kind.kind)}\`. Token scopes: ${scopes(kind)}.`,
    fieldTable(own),
    ...(rules.length > 0 ? [`Rules:\n${rules.join('\n')}`] : []),
    ...(kind.outputs ? [`Outputs:\n${outputs(kind.outputs)}`] : []),
    ...(seen.length > 0 ? ['Status:', statusTable(seen)] : []),
  ].join('\n\n');
}

/** Fields of a spec that not every kind has: its own, and that of what it can renew. */
const fieldsOfKind = (kind: AnyKind): readonly string[] => [...Object.keys(kind.spec.shape), ...Object.keys(rotationField(kind))];

const pick = (schema: Structural | undefined, names: readonly string[]): Readonly<Record<string, Structural>> =>
  Object.fromEntries(names.flatMap((name) => (schema?.properties?.[name] ? [[name, schema.properties[name]]] : [])));
const scopes = ({ scopes: { read, write } }: AnyKind): string =>
  [...new Set([...read, ...write])].map((scope) => `\`${scope}\``).join(', ') || 'none';
const outputs = (all: NonNullable<AnyKind['outputs']>): string =>
  Object.entries(all)
    .map(([name, { says, secret }]) => `- \`${name}\`${secret ? ' (secret)' : ''}: ${says}`)
    .join('\n');

const replace = 'refused; Replace under `lifecycle.replace: Allow`';

/** What becomes of an edit of a top-level field, as the reference has it. */
export const editOfField = (kind: AnyKind, field: string): ReturnType<typeof editOf> => editOf(kind, kind.fields[field] ?? {});

/** What an edit of a top-level field does, in the words of `lifecycle.approve`. */
function changeOf(kind: AnyKind, field: string): string {
  if (field in rotationField(kind)) return 'no call of its own';
  const rule: AnyRule = kind.fields[field] ?? {};
  const edit = editOf(kind, rule);
  if (edit !== 'free') return { never: 'refused', another: `refused; make another ${kind.kind}`, replace }[edit];
  if (rule.local) return 'no call of its own';
  const most = rule.effect ?? 'InPlace';
  const grows = rule.only === 'grows' ? onlyGrows(kind, field) : '';
  const cleared = rule.unset === 'clear' ? '; taking it away clears it' : '';
  return `${(rule.effectOf ?? rule.members) ? `up to ${most}` : most}${grows}${cleared}`;
}

const onlyGrows = ({ spec }: AnyKind, field: string): string => {
  const schema: unknown = spec.shape[field];
  const inner = schema instanceof z.ZodOptional ? schema.unwrap() : schema;
  return inner instanceof z.ZodArray ? ', only added to' : inner instanceof z.ZodBoolean ? ', only to true' : ', only to a greater value';
};
