import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { complete, writeAirGap } from './air-gap.ts';
import { apiReport } from './api-report.ts';
import { filesOf } from './archive.ts';
import { bundle, root } from './bundle.ts';
import { chartOf, writeChartLayout } from './chart.ts';
import { lastStage } from './dockerfile.ts';
import { changeLog, type History, historyOf } from './history.ts';
import { writeImage } from './image.ts';
import type { Options } from './options.ts';
import { licenseTexts, packagesIn } from './packages.ts';
import { writePluginArchives } from './plugin-archives.ts';
import { sboms } from './sbom.ts';
import { attest, signFile, signImage } from './sign.ts';
import type { Run } from './tools.ts';

export interface Released {
  readonly folder: string;
  readonly airGap: string;
  /** Digests, as they are or will be in any registry. */
  readonly image: string;
  readonly chart: string;
}

/** Builds everything, then packs it, then pushes it: what fails before the end has published nothing. */
export async function release(options: Options, run: Run, say: (line: string) => void): Promise<Released> {
  const { version, signing } = options;
  if (!options.allowDirty && (await run('git', ['status', '--porcelain'], { cwd: root })).length > 0)
    throw new Error('there are changes that are not committed: commit them, or say --allow-dirty for a trial');
  const history = await historyOf(root, version, run);
  const folder = resolve(options.output, version);
  const airGap = resolve(options.output, `cloud-operator-${version}-airgap.tar`);
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const digests = await writeParts(folder, { options, history, run, say });
  if (signing) await signFile(join(folder, 'checksums.txt'), signing, run);
  await writeAirGap(folder, airGap, history.time);
  say(airGap);
  if (options.registry !== undefined) await publish(folder, options.registry, { options, run, say });
  return { folder, airGap, ...digests };
}

interface Work {
  readonly options: Options;
  readonly run: Run;
  readonly say: (line: string) => void;
}

async function writeParts(folder: string, { options, history, run, say }: Work & { readonly history: History }) {
  const { version, platforms, base } = options;
  const { commit, time, changes } = history;
  const dist = await mkdtemp(join(tmpdir(), 'release-'));
  const put = (name: string, data: string | Uint8Array): Promise<void> => writeFile(join(folder, name), data);
  try {
    const packages = await packagesIn(root, await bundle(dist, version));
    const licenses = await licenseTexts(packages);
    const stage = lastStage(await readFile(join(root, 'Dockerfile'), 'utf8'), {
      VERSION: version,
      COMMIT: commit,
      SOURCE: options.source ?? '',
    });
    const files = [...(await filesOf(dist)), { path: 'LICENSES.third-party.txt', data: licenses }];
    const image = await writeImage(join(folder, 'image'), version, { base, platforms, stage, files, time }, run);
    const repository = options.registry === undefined ? 'cloud-operator' : `${options.registry}/cloud-operator`;
    say(`image ${image.digest}`);
    const named = `${repository}:${version}@${image.digest}`;
    const chart = await chartOf(root, {
      version,
      image: named,
      platforms,
      changes,
      repository,
      digest: image.digest,
      time,
      source: options.source,
    });
    await put(`cloud-operator-${version}.tgz`, chart.archive);
    const artifact = await writeChartLayout(join(folder, 'chart'), version, chart);
    say(`chart ${artifact.digest}`);
    for (const [name, text] of Object.entries(await sboms({ root, version, commit, time, base, packages }, run))) await put(name, text);
    await put('CHANGELOG.md', changeLog(version, history));
    await put('api-changes.md', await apiReport(version, history.previous, { cwd: root, run }));
    const plugin = { root, version, time, dist, licenses, platforms: options.plugins, node: options.node };
    for (const name of await writePluginArchives(folder, plugin, run)) say(name);
    await complete(folder, { root, version, image: named });
    return { image: image.digest, chart: artifact.digest };
  } finally {
    await rm(dist, { recursive: true });
  }
}

async function publish(folder: string, registry: string, { options: { version, signing }, run, say }: Work): Promise<void> {
  const pushed = async (layout: string, name: string): Promise<string> =>
    (await run('crane', ['push', join(folder, layout), `${name}:${version}`])).toString().trim();
  const image = await pushed('image', `${registry}/cloud-operator`);
  const chart = await pushed('chart', `${registry}/charts/cloud-operator`);
  for (const reference of [image, chart]) {
    say(reference);
    if (signing) await signImage(reference, signing, run);
  }
  if (!signing) return;
  await attest(image, 'spdxjson', join(folder, 'sbom.spdx.json'), { signing, run });
  await attest(image, 'cyclonedx', join(folder, 'sbom.cyclonedx.json'), { signing, run });
}
