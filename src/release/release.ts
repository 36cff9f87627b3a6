import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { complete, writeAirGap } from './package/air-gap.ts';
import { apiReport } from './about/api-report.ts';
import { type Entry, filesOf } from './package/archive.ts';
import { bundle, root } from './bundle.ts';
import { chartOf, writeChartLayout } from './package/chart.ts';
import { type Stage, stageOf } from './package/dockerfile.ts';
import { changeLog, type History, historyOf } from './about/history.ts';
import { writeImage } from './package/image.ts';
import { krewManifest } from './package/krew.ts';
import type { Options } from './options.ts';
import { licenseTexts, packagesIn } from './package/packages.ts';
import { writePluginArchives } from './package/plugin-archives.ts';
import { listsOf, sboms } from './package/sbom.ts';
import { attest, signFile, signImage } from './sign.ts';
import type { Run } from './tools.ts';

/** Builds everything, then packs it, then pushes it: what fails before the end has published nothing. */
export async function release(options: Options, run: Run, say: (line: string) => void): Promise<void> {
  const { version, signing } = options;
  if (!options.allowDirty && (await run('git', ['status', '--porcelain'], { cwd: root })).length > 0)
    throw new Error('there are changes that are not committed: commit them, or say --allow-dirty for a trial');
  const history = await historyOf(root, version, run);
  const folder = resolve(options.output, version);
  const airGap = resolve(options.output, `cloud-operator-${version}-airgap.tar`);
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await writeParts(folder, { options, history, run, say });
  if (signing) await signFile(join(folder, 'checksums.txt'), signing, run);
  await writeAirGap(folder, airGap, history.time);
  say(airGap);
  if (options.registry !== undefined) await publish(folder, options.registry, { options, run, say });
}

interface Work {
  readonly options: Options;
  readonly run: Run;
  readonly say: (line: string) => void;
}

async function writeParts(folder: string, work: Work & { readonly history: History }): Promise<void> {
  const { options, history, run } = work;
  const { version } = options;
  const { commit, time } = history;
  const dist = await mkdtemp(join(tmpdir(), 'release-'));
  try {
    const packages = await packagesIn(root, await bundle(dist, version));
    const licenses = await licenseTexts(packages);
    const made = { ...work, dist, licenses };
    const images = [await writeArtifacts(folder, made), ...(await writeCiImage(folder, made))];
    const parts = { root, version, commit, time, packages };
    const { base, ciBase } = options;
    const texts = {
      ...(await sboms({ ...parts, product: 'cloud-operator', base }, run)),
      ...(ciBase !== undefined && (await sboms({ ...parts, product: 'kubectl-cloud', base: ciBase }, run))),
      'CHANGELOG.md': changeLog(version, history),
      'api-changes.md': await apiReport(version, history.previous, { cwd: root, run }),
    };
    for (const [name, text] of Object.entries(texts)) await writeFile(join(folder, name), text);
    const plugin = { root, version, time, dist, licenses, platforms: options.plugins, node: options.node };
    const archives = await writePluginArchives(folder, plugin, run);
    for (const name of archives) work.say(name);
    await mkdir(join(folder, 'krew'));
    await writeFile(join(folder, 'krew/cloud.yaml'), await krewManifest(folder, { version, source: options.source, archives }));
    await complete(folder, { root, version, images });
  } finally {
    await rm(dist, { recursive: true });
  }
}

interface Made extends Work {
  readonly history: History;
  readonly dist: string;
  readonly licenses: string;
}

/** Image and chart, as OCI layouts; the chart also as Helm takes it from disk. Answers how the image is named. */
async function writeArtifacts(folder: string, work: Made) {
  const { options, history, run, say, dist, licenses } = work;
  const { version, platforms, base, source } = options;
  const { time, changes } = history;
  const stage = await stageAs(work);
  const files = [...(await filesOf(dist)), licensed(licenses)];
  const image = await writeImage(join(folder, 'image'), version, { base, platforms, stage, files, time }, run);
  say(`image ${image.digest}`);
  const repository = repositoryOf(options, 'cloud-operator');
  const named = `${repository}:${version}@${image.digest}`;
  const chart = await chartOf(root, { version, image: named, platforms, changes, repository, digest: image.digest, time, source });
  await writeFile(join(folder, `cloud-operator-${version}.tgz`), chart.archive);
  const artifact = await writeChartLayout(join(folder, 'chart'), version, chart);
  say(`chart ${artifact.digest}`);
  return named;
}

/** The plugin where a job of a pull request can run it, where a base for that is named. Answers how the image is named. */
async function writeCiImage(folder: string, work: Made): Promise<readonly string[]> {
  const { options, history, run, say, dist, licenses } = work;
  const { version, platforms, ciBase: base } = options;
  if (base === undefined) return [];
  const stage = await stageAs(work, 'ci');
  const own = (await filesOf(dist)).filter(({ path }) => path === 'kubectl-cloud' || path === 'package.json');
  const recipe = { base, platforms, stage, files: [...own, licensed(licenses)], time: history.time };
  const { digest } = await writeImage(join(folder, 'image-ci'), version, recipe, run);
  say(`image for CI jobs ${digest}`);
  return [`${repositoryOf(options, 'kubectl-cloud')}:${version}@${digest}`];
}

const stageAs = async ({ options, history }: Made, name?: string): Promise<Stage> => {
  const args = { VERSION: options.version, COMMIT: history.commit, SOURCE: options.source ?? '' };
  return stageOf(await readFile(join(root, 'Dockerfile'), 'utf8'), args, name);
};
const licensed = (data: string): Entry => ({ path: 'LICENSES.third-party.txt', data });
const repositoryOf = ({ registry }: Options, name: string): string => (registry === undefined ? name : `${registry}/${name}`);

async function publish(folder: string, registry: string, { options: { version, signing, ciBase }, run, say }: Work): Promise<void> {
  const pushed = async (layout: string, name: string): Promise<string> =>
    (await run('crane', ['push', join(folder, layout), `${name}:${version}`])).toString().trim();
  const image = await pushed('image', `${registry}/cloud-operator`);
  const ci = ciBase === undefined ? undefined : await pushed('image-ci', `${registry}/kubectl-cloud`);
  const chart = await pushed('chart', `${registry}/charts/cloud-operator`);
  for (const reference of [image, ci, chart]) {
    if (reference === undefined) continue;
    say(reference);
    if (signing) await signImage(reference, signing, run);
  }
  if (!signing) return;
  for (const [reference, product] of [[image, 'cloud-operator'] as const, [ci, 'kubectl-cloud'] as const])
    for (const [type, list] of Object.entries(listsOf(product)))
      if (reference !== undefined) await attest(reference, type, join(folder, list), { signing, run });
}
