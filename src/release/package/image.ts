import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Entry, gzip, sha256, tar } from './archive.ts';
import type { Stage } from './dockerfile.ts';
import { type Descriptor, type Index, isIndex, layoutReader, type Manifest, mediaTypes, Layout, proven, type Reader } from './oci.ts';
import type { Run } from '../tools.ts';

/** What an image is made of. */
export interface Recipe {
  /** `name@sha256:...` in a registry. */
  readonly base: string;
  /** For example `linux/arm64`. */
  readonly platforms: readonly string[];
  readonly stage: Stage;
  /** What goes into the stage's folder; the same for all platforms, because it is JavaScript. */
  readonly files: readonly Entry[];
  readonly time: Date;
}
interface Config {
  readonly architecture: string;
  readonly os: string;
  readonly config?: { readonly Env?: readonly string[]; readonly Labels?: Readonly<Record<string, string>> } | undefined;
  readonly rootfs: { readonly type: string; readonly diff_ids: readonly string[] };
  readonly history?: readonly object[];
}

/** Writes the image of all platforms as an OCI layout and answers its descriptor. Needs no daemon and runs nothing of the base. */
export async function writeImage(folder: string, tag: string, recipe: Recipe, run: Run): Promise<Descriptor> {
  const { stage, time, files } = recipe;
  const layout = new Layout();
  const plain = await tar(
    files.map((entry) => ({ ...entry, path: join(stage.folder, entry.path).slice(1) })),
    time,
  );
  const layer = { diff: `sha256:${sha256(plain)}`, descriptor: layout.add(mediaTypes.layer, gzip(plain)) };
  const manifests: Descriptor[] = [];
  for (const platform of recipe.platforms) {
    const { manifest, read } = await basesOf(platform, recipe.base, run);
    const base = JSON.parse((await read.blob(manifest.config.digest)).toString()) as Config;
    if (`${base.os}/${base.architecture}` !== platform)
      throw new Error(`${recipe.base} is for ${base.os}/${base.architecture}, not for ${platform}`);
    const layers = await Promise.all(manifest.layers.map(async (one) => layout.add(layerType(one.mediaType), await read.blob(one.digest))));
    await read.close();
    const config = layout.add(mediaTypes.config, configOn(base, stage, layer.diff, time));
    const described = { schemaVersion: 2, mediaType: mediaTypes.manifest, config, layers: [...layers, layer.descriptor] };
    const [os = '', architecture = ''] = platform.split('/');
    const annotations = { 'org.opencontainers.image.base.digest': digestOf(recipe.base), ...stage.config.Labels };
    manifests.push({ ...layout.add(mediaTypes.manifest, { ...described, annotations }), platform: { os, architecture } });
  }
  const index = layout.add(mediaTypes.index, {
    schemaVersion: 2,
    mediaType: mediaTypes.index,
    manifests,
    annotations: stage.config.Labels,
  });
  await layout.write(folder, index, tag);
  return index;
}

/** Docker's own name means the same bytes. */
const layerType = (type: string): string => (type.startsWith('application/vnd.docker.') ? mediaTypes.layer : type);

export const digestOf = (reference: string): string => reference.slice(reference.lastIndexOf('@') + 1);

function configOn(base: Config, { config }: Stage, diff: string, time: Date): object {
  const env = new Map((base.config?.Env ?? []).map((line) => [line.split('=')[0] ?? '', line]));
  for (const [name, value] of Object.entries(config.Env)) env.set(name, `${name}=${value}`);
  const created = time.toISOString();
  return {
    ...base,
    created,
    config: { ...base.config, ...config, Env: [...env.values()], Labels: { ...base.config?.Labels, ...config.Labels } },
    rootfs: { ...base.rootfs, diff_ids: [...base.rootfs.diff_ids, diff] },
    history: [...(base.history ?? []), { created, created_by: 'npm run release', comment: 'the programs' }],
  };
}

/** The base for one platform, fetched by digest: of an index the one manifest that fits, of an image that itself. */
async function basesOf(platform: string, base: string, run: Run) {
  const name = base.slice(0, base.lastIndexOf('@'));
  const top = proven(await run('crane', ['manifest', base]), digestOf(base));
  const described = JSON.parse(top.toString()) as (Index | Manifest) & { readonly mediaType: string };
  const chosen = isIndex(described) ? fitting(described as Index, platform, base) : digestOf(base);
  const folder = await mkdtemp(join(tmpdir(), 'base-'));
  await run('crane', ['pull', '--format=oci', `--platform=${platform}`, `${name}@${chosen}`, folder]);
  const reader = layoutReader(folder);
  const close = (): Promise<void> => rm(folder, { recursive: true });
  const read: Reader & { readonly close: () => Promise<void> } = { ...reader, close };
  return { manifest: JSON.parse((await read.blob(chosen)).toString()) as Manifest, read };
}

function fitting({ manifests }: Index, platform: string, base: string): string {
  const named = manifests.map((one) => ({ ...one, name: `${one.platform?.os}/${one.platform?.architecture}` }));
  const found = named.find(({ name }) => name === platform);
  if (found) return found.digest;
  throw new Error(`${base} is not there for ${platform}, only for ${named.map(({ name }) => name).join(', ')}`);
}
