import { readFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parse } from 'yaml';
import { erase, type AnyKind } from '../resource/index.ts';
import { artifacts, type Sources } from './artifacts.ts';
import type { ValueSchema } from './chart/chart-readme.ts';
import { kindName } from './kinds-index.ts';
import { type Files, listed, stale, write } from './output.ts';
import type { Sample } from './samples.ts';
import { generated } from './yaml.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Reads `src/kinds/cloud-*.ts`; each exports its kind as default and is named after it. */
async function sources(): Promise<Sources> {
  const names = await listed(join(root, 'src/kinds'));
  const files = names.filter((name) => /^cloud-.*\.ts$/.test(name));
  const kinds = await Promise.all(files.map(async (file) => kindOf(file, await load(join(root, 'src/kinds', file)))));
  const samples = await Promise.all(files.map((file) => sampleOf(join(root, 'test/kinds', file))));
  return {
    guide: {
      alerts: await readFile(join(root, 'charts/cloud-operator/files/alerts.yaml'), 'utf8'),
      beginning: await readFile(join(root, 'src/generate/troubleshooting.md'), 'utf8'),
    },
    chart: {
      schema: JSON.parse(await readFile(join(root, 'charts/cloud-operator/values.schema.json'), 'utf8')) as ValueSchema,
      values: parse(await readFile(join(root, 'charts/cloud-operator/values.yaml'), 'utf8')),
    },
    kinds,
    files: Object.fromEntries(kinds.map(({ kind }, index) => [kind, files[index] ?? ''])),
    samples: Object.fromEntries(kinds.map(({ kind }, index) => [kind, samples[index]])),
  };
}

/** The sample of a kind's fixture. Read as data: nothing in `src` depends on the tests, and a kind without a fixture has none. */
async function sampleOf(fixture: string): Promise<Sample | undefined> {
  if (!existsSync(fixture)) return undefined;
  const { sample, needs, secrets, configMaps } = ((await load(fixture)) ?? {}) as Omit<Sample, 'name' | 'spec'> & {
    readonly sample?: Sample;
  };
  return sample && { ...sample, needs, secrets, configMaps };
}

function kindOf(file: string, exported: unknown): AnyKind {
  const kind = exported === undefined ? undefined : erase(exported);
  if (kind?.kind.toLowerCase() !== kindName(file).toLowerCase()) {
    throw new Error(`src/kinds/${file} must export ${kindName(file)} as default; it exports ${kind?.kind ?? 'nothing'}`);
  }
  return kind;
}

const load = async (file: string): Promise<unknown> => ((await import(pathToFileURL(file).href)) as { default?: unknown }).default;

/** The plugin is loaded with the list of kinds, which is written here: its pages come once that list is right. */
async function withPages(ofKinds: Files): Promise<Files> {
  const { pluginPages } = await import('../plugin/command-line/reference.ts');
  return new Map([...ofKinds, ...pluginPages(generated)]);
}

async function check(ofKinds: Files): Promise<void> {
  const problem = (await stale(root, ofKinds)) ?? (await stale(root, await withPages(ofKinds)));
  if (problem) throw new Error(problem);
}

async function generate(ofKinds: Files): Promise<void> {
  for (const files of [() => ofKinds, () => withPages(ofKinds)]) {
    for (const file of await write(root, await files())) process.stdout.write(`${file}\n`);
  }
}

try {
  await (process.argv.includes('--check') ? check : generate)(artifacts(await sources()));
} catch (error) {
  process.stderr.write(`generate: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
