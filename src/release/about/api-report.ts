import { parse } from 'yaml';
import { type ApiChange, type Schema, schemaChanges } from './api-changes.ts';
import type { Run } from '../tools.ts';

/** Title of a surface -> its schema. */
type Surfaces = ReadonlyMap<string, Schema>;

interface Definition {
  readonly spec: {
    readonly names: { readonly kind: string };
    readonly versions: readonly { readonly name: string; readonly schema: { readonly openAPIV3Schema: Schema } }[];
  };
}

const values = 'charts/cloud-operator/values.schema.json';

/** What is promised to users at a commit: every version of every kind, and the chart's values. */
async function surfacesAt(commit: string, cwd: string, run: Run): Promise<Surfaces> {
  const git = async (...args: readonly string[]): Promise<string> => (await run('git', args, { cwd })).toString();
  const files = (await git('ls-tree', '--name-only', commit, 'crds/', values)).split('\n');
  const found = new Map<string, Schema>();
  for (const file of files.filter((name) => /\.(ya?ml|json)$/.test(name))) {
    const text = await git('show', `${commit}:${file}`);
    if (file === values) found.set('Values of the chart', JSON.parse(text) as Schema);
    else
      for (const { name, schema } of (parse(text) as Definition).spec.versions)
        found.set(`${(parse(text) as Definition).spec.names.kind} (${name})`, schema.openAPIV3Schema);
  }
  return found;
}

/** `api-changes.md`: what may be refused or mean something else since the release before, then what is new. */
export async function apiReport(
  version: string,
  previous: string | undefined,
  { cwd, run }: { readonly cwd: string; readonly run: Run },
): Promise<string> {
  const title = `# API changes in ${version}\n`;
  if (previous === undefined) return `${title}\nThis is the first release.\n`;
  const [before, after] = [await surfacesAt(previous, cwd, run), await surfacesAt('HEAD', cwd, run)];
  const changes = new Map(
    [...new Set([...before.keys(), ...after.keys()])].toSorted().map((name) => [name, between(before.get(name), after.get(name))]),
  );
  const broken = section('May break', changes, true);
  const rest = section('New or wider', changes, false);
  return [
    `${title}\nSince ${previous}, from the CRDs and the chart's \`values.schema.json\`.\n`,
    broken || '## May break\n\nNothing.\n',
    rest,
  ]
    .filter(Boolean)
    .join('\n');
}

function between(before: Schema | undefined, after: Schema | undefined): readonly ApiChange[] {
  if (before === undefined) return [{ breaking: false, text: 'is new' }];
  if (after === undefined) return [{ breaking: true, text: 'is gone: its objects are left alone' }];
  return schemaChanges(before, after);
}

function section(title: string, changes: ReadonlyMap<string, readonly ApiChange[]>, breaking: boolean): string {
  const parts = [...changes].flatMap(([name, all]) => {
    const lines = all.filter((change) => change.breaking === breaking).map(({ text }) => `- ${text}`);
    return lines.length === 0 ? [] : [`### ${name}\n\n${lines.join('\n')}\n`];
  });
  return parts.length === 0 ? '' : `## ${title}\n\n${parts.join('\n')}`;
}
