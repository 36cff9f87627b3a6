import * as z from 'zod';
import { type AnyKind, dataKeyPattern, filters, matches, objectName, templatePattern } from '../../resource/index.ts';
import type { Validation } from './structural-schema.ts';

type Given = NonNullable<AnyKind['outputs']>;

const bounds = { targets: 8, keys: 32, text: 1024 };

const secretsOf = (outputs: Given): readonly string[] => Object.keys(outputs).filter((name) => outputs[name]?.secret);

const every = (pattern: string): string => `self.keys.all(k, ${matches('self.keys[k]', pattern)})`;

function rulesOfTarget({ kind }: AnyKind, outputs: Given): readonly Validation[] {
  const all = Object.keys(outputs);
  const secret = secretsOf(outputs);
  const open = all.filter((name) => !secret.includes(name));
  const [example = ''] = all;
  return [
    { rule: 'has(self.configMapName) != has(self.secretName)', message: 'set exactly one of configMapName and secretName' },
    {
      rule: `self.keys.all(k, ${matches('k', dataKeyPattern)} && k != '__proto__')`,
      message: 'a key has letters, digits, dashes, underscores and periods: write for example DB_HOST',
      fieldPath: '.keys',
    },
    {
      rule: every(templatePattern(all)),
      message: `${kind} gives out ${all.join(', ')}: write under each key one of these names, or text with such names in braces, for example "https://{${example}}/" or "{${example}:json}" (filters: ${Object.keys(filters).join(', ')})`,
      fieldPath: '.keys',
    },
    ...(secret.length === 0
      ? []
      : [
          {
            rule: open.length === 0 ? '!has(self.configMapName)' : `!has(self.configMapName) || ${every(templatePattern(open))}`,
            message: `${secret.join(', ')} ${secret.length === 1 ? 'is' : 'are'} secret and cannot go into a ConfigMap: name a Secret with secretName`,
          },
        ]),
  ];
}

const outputs = (kind: AnyKind, given: Given) =>
  z
    .array(
      z
        .object({
          configMapName: objectName()
            .optional()
            .describe(
              'ConfigMap of the same namespace that receives them; made, and owned by this object. One that exists is never overwritten. Absent: secretName.',
            ),
          secretName: objectName().optional().describe('The same with a Secret. Absent: configMapName.'),
          keys: z
            .record(z.string(), z.string().max(bounds.text))
            .meta({ maxProperties: bounds.keys, minProperties: 1 })
            .describe(
              'Key there, and what it holds: the name of an output, or text with names in braces, for example `DB_URL: "mysql://{username:uri}@{host}/"`. Filters: `uri` (for a part of a URL), `base64`, `json` (a quoted string). What there is none of is left out, and status.outputs names it.',
            ),
        })
        .meta({ 'x-kubernetes-validations': rulesOfTarget(kind, given) }),
    )
    .max(bounds.targets)
    .meta({
      'x-kubernetes-validations': [
        {
          rule: 'self.all(a, self.exists_one(b, has(a.secretName) == has(b.secretName) && (has(a.secretName) ? a.secretName == b.secretName : has(a.configMapName) && has(b.configMapName) && a.configMapName == b.configMapName)))',
          message: 'name each Secret and ConfigMap once, with all of its keys',
        },
      ],
    })
    .optional()
    .describe(
      `Values of the cloud resource for workloads, kept up to date: ${Object.keys(given).join(', ')}. A pod that reads them as environment must be restarted to see a change. What is taken out of this list is emptied, and goes with this object. Absent: none.`,
    );

const secretName = ({ shortName }: AnyKind, given: Given) =>
  objectName()
    .optional()
    .describe(
      `Name of the Secret, in the same namespace, that receives ${Object.keys(given).join(', ')}. A Secret that this object does not own is never overwritten. Absent: \`<name>-${shortName}\`.`,
    );

/** Where the values go that a kind gives out. */
export const outputFields = (kind: AnyKind): Readonly<Record<string, z.ZodType>> =>
  kind.outputs === undefined
    ? {}
    : {
        ...(secretsOf(kind.outputs).length > 0 && { secretName: secretName(kind, kind.outputs) }),
        outputs: outputs(kind, kind.outputs),
      };

/** One object would undo in the Secret of `secretName` what it wrote there by `outputs`. */
export const outputRules = ({ outputs: given = {}, shortName }: AnyKind): readonly Validation[] =>
  secretsOf(given).length === 0
    ? []
    : [
        {
          rule: `!has(self.spec.outputs) || !self.spec.outputs.exists(o, has(o.secretName) && o.secretName == (has(self.spec.secretName) ? self.spec.secretName : self.metadata.name + '-${shortName}'))`,
          message: 'the Secret of secretName has all outputs already: choose another name under outputs',
          fieldPath: '.spec.outputs',
        },
      ];
