import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse, parseDocument } from 'yaml';
import { yaml } from '../../generate/yaml.ts';
import { hubAnnotations, type HubFacts } from './artifact-hub.ts';
import { type Entry, filesOf, gzip, tar } from './archive.ts';
import { type Descriptor, Layout, mediaTypes } from './oci.ts';

export interface ChartFacts extends HubFacts {
  /** Without tag or digest. */
  readonly repository: string;
  readonly digest: string;
  readonly time: Date;
  /** Where the sources are, if that is to be said. */
  readonly source: string | undefined;
}
interface ChartFile {
  readonly annotations?: Readonly<Record<string, string>>;
  readonly [key: string]: unknown;
}

/** The chart of a release: of this version, with the image by its digest. */
export async function chartOf(root: string, facts: ChartFacts): Promise<{ readonly about: object; readonly archive: Buffer }> {
  const files = await filesOf(join(root, 'charts/cloud-operator'), 'cloud-operator');
  const chart = parse(await readFile(join(root, 'charts/cloud-operator/Chart.yaml'), 'utf8')) as ChartFile;
  const about = {
    ...chart,
    version: facts.version,
    appVersion: facts.version,
    ...(facts.source !== undefined && { home: facts.source, sources: [facts.source] }),
    annotations: { ...chart.annotations, ...(await hubAnnotations(root, facts)) },
  };
  const written = new Map<string, string>([
    ['cloud-operator/Chart.yaml', yaml(about)],
    ['cloud-operator/values.yaml', await valuesOf(root, facts)],
  ]);
  const entries = files.map((entry): Entry => ({ ...entry, executable: false, data: written.get(entry.path) ?? entry.data }));
  return { about, archive: gzip(await tar(entries, facts.time)) };
}

/** Comments stay. */
async function valuesOf(root: string, { repository, digest }: ChartFacts): Promise<string> {
  const values = parseDocument(await readFile(join(root, 'charts/cloud-operator/values.yaml'), 'utf8'));
  values.setIn(['image', 'repository'], repository);
  values.setIn(['image', 'digest'], digest);
  return values.toString({ lineWidth: 0 });
}

/** As `helm push` would write it: https://helm.sh/docs/topics/registries */
export async function writeChartLayout(folder: string, tag: string, chart: Awaited<ReturnType<typeof chartOf>>): Promise<Descriptor> {
  const layout = new Layout();
  const manifest = layout.add(mediaTypes.manifest, {
    schemaVersion: 2,
    mediaType: mediaTypes.manifest,
    config: layout.add('application/vnd.cncf.helm.config.v1+json', chart.about),
    layers: [layout.add('application/vnd.cncf.helm.chart.content.v1.tar+gzip', chart.archive)],
  });
  await layout.write(folder, manifest, tag);
  return manifest;
}
