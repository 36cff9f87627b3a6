import { yaml } from '../yaml.ts';
import { table } from '../markdown.ts';

/** A value as `values.schema.json` describes it. */
export interface ValueSchema {
  readonly description?: string;
  readonly properties?: Readonly<Record<string, ValueSchema>>;
}

/** The README of the chart: what people see of it before they have it. */
export const chartReadme = (schema: ValueSchema, values: unknown, about: string): string => `# The chart of cloud-operator

<!-- ${about} -->

\`\`\`console
$ helm install cloud-operator oci://REGISTRY/charts/cloud-operator --namespace cloud-operator --create-namespace \\
    --set 'endpoints[0].name=main,endpoints[0].url=https://api.example.com/v4,endpoints[0].word=vm'
\`\`\`

A release names the image by its digest. Its CRDs are templates, so that \`helm upgrade\` changes them too, and they stay when the release is removed: neither that nor removing the CRDs deletes anything in the cloud. Values that common clusters need are in the folder \`ci\`.

${table(['Value', 'Default', 'What it does'], rows(schema, values))}
`;

const rows = (schema: ValueSchema, values: unknown, at = ''): readonly (readonly string[])[] =>
  Object.entries(schema.properties ?? {}).flatMap(([name, below]) => {
    const value = values instanceof Object ? (Reflect.get(values, name) as unknown) : undefined;
    const deeper = rows(below, value, `${at}${name}.`);
    const here = [`\`${at}${name}\``, deeper.length > 0 ? '' : shown(value), below.description ?? ''];
    return [here, ...deeper];
  });

const shown = (value: unknown): string => (value === undefined ? '' : `\`${value === '' ? '""' : inline(value)}\``);
const inline = (value: unknown): string => (typeof value === 'object' ? JSON.stringify(value) : yaml(value).trim());
