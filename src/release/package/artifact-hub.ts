import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'yaml';
import { yaml } from '../../generate/yaml.ts';
import type { Change } from '../about/history.ts';

export interface HubFacts {
  readonly version: string;
  /** The image as the chart names it. */
  readonly image: string;
  readonly platforms: readonly string[];
  readonly changes: readonly Change[];
}
interface Definition {
  readonly spec: {
    readonly names: { readonly kind: string; readonly plural: string };
    readonly group: string;
    readonly versions: readonly {
      readonly name: string;
      readonly schema: { readonly openAPIV3Schema: { readonly description?: string } };
    }[];
  };
}

/** https://artifacthub.io/docs/topics/annotations/helm/ */
export async function hubAnnotations(root: string, facts: HubFacts): Promise<Readonly<Record<string, string>>> {
  const definitions = (await documents(join(root, 'crds'))) as readonly Definition[];
  const crds = definitions.flatMap(({ spec: { names, group, versions } }) =>
    versions.map(({ name, schema }) => ({
      kind: names.kind,
      version: name,
      name: `${names.plural}.${group}`,
      displayName: names.kind,
      description: firstSentence(schema.openAPIV3Schema.description ?? names.kind),
    })),
  );
  const said = {
    operator: 'true',
    operatorCapabilities: 'Full Lifecycle',
    prerelease: String(facts.version.includes('-')),
    containsSecurityUpdates: String(facts.changes.some(({ kind }) => kind === 'security')),
    images: yaml([{ name: 'cloud-operator', image: facts.image, platforms: facts.platforms }]),
    changes: yaml(facts.changes.map(({ kind, text: description }) => ({ kind, description }))),
    crds: yaml(crds),
    crdsExamples: yaml(await examples(root, definitions)),
  };
  return Object.fromEntries(Object.entries(said).map(([name, value]) => [`artifacthub.io/${name}`, value]));
}

/** Not the Secrets and ConfigMaps beside them. */
async function examples(root: string, definitions: readonly Definition[]): Promise<readonly unknown[]> {
  const kinds = new Set(definitions.map(({ spec }) => spec.names.kind));
  return (await documents(join(root, 'deploy/samples'))).filter((one) => kinds.has((one as { readonly kind: string }).kind));
}

const firstSentence = (text: string): string => /^.*?[.](?=\s|$)/s.exec(text)?.[0] ?? text;

const documents = async (folder: string): Promise<readonly unknown[]> => {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.yaml')).toSorted();
  return Promise.all(files.map(async (file) => parse(await readFile(join(folder, file), 'utf8')) as unknown));
};
