import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { digestOf, type Recipe, writeImage } from '../../../src/release/package/image.ts';
import { type Descriptor, Layout, layoutReader, type Manifest, mediaTypes } from '../../../src/release/package/oci.ts';
import { optionsOf } from '../../../src/release/options.ts';
import { release } from '../../../src/release/release.ts';
import type { Run } from '../../../src/release/tools.ts';

const time = new Date('2026-01-02T03:04:05Z');
const stage = {
  folder: '/app',
  config: { Env: { A: '1' }, Labels: { version: '1' }, User: '1', ExposedPorts: {}, Entrypoint: ['/node'], Cmd: [] },
};

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'image-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** A base in a registry that is crane alone: an image per architecture, and an index of them. */
async function registry(architectures: readonly string[]) {
  const layout = new Layout();
  const manifests: Descriptor[] = architectures.map((architecture) => {
    const config = layout.add(mediaTypes.config, {
      architecture,
      os: 'linux',
      config: { Env: ['A=0', 'B=2'] },
      rootfs: { type: 'layers', diff_ids: ['sha256:0'] },
    });
    const layers = [
      { ...layout.add(mediaTypes.layer, Buffer.from(architecture)), mediaType: 'application/vnd.docker.image.rootfs.diff.tar.gzip' },
    ];
    return {
      ...layout.add(mediaTypes.manifest, { schemaVersion: 2, mediaType: mediaTypes.manifest, config, layers }),
      platform: { os: 'linux', architecture },
    };
  });
  const index = layout.add(mediaTypes.index, { schemaVersion: 2, mediaType: mediaTypes.index, manifests });
  const served = await mkdtemp(join(folder, 'served-'));
  await layout.write(served, index, '1');
  const run: Run = async (_tool, [verb = '', ...args]) => {
    if (verb === 'manifest') return layoutReader(served).blob(digestOf(args[0] ?? ''));
    await layout.write(args.at(-1) ?? '', index, '1');
    return Buffer.from('');
  };
  return { run, index: `r/base@${index.digest}`, images: manifests.map(({ digest }) => `r/base@${digest}`) };
}
const recipe = (base: string, ...platforms: readonly string[]): Recipe => ({
  base,
  platforms,
  stage,
  time,
  files: [{ path: 'a.mjs', data: 'a' }],
});

describe('an image', () => {
  it('is the base of each platform with one layer more, and says what the stage says', async () => {
    const { run, index } = await registry(['arm64', 's390x', 'amd64']);
    const to = join(folder, 'both');
    const written = await writeImage(to, '1', recipe(index, 'linux/amd64', 'linux/arm64'), run);
    const read = layoutReader(to);
    const json = async <T>(digest: string): Promise<T> => JSON.parse((await read.blob(digest)).toString()) as T;
    const { manifests } = await json<{ readonly manifests: readonly Descriptor[] }>(written.digest);
    expect(manifests.map((one) => one.platform?.architecture)).toEqual(['amd64', 'arm64']);
    for (const { digest, platform } of manifests) {
      const { config, layers } = await json<Manifest>(digest);
      expect(layers.map(({ mediaType }) => mediaType)).toEqual([mediaTypes.layer, mediaTypes.layer]);
      expect((await read.blob(layers[0]?.digest ?? '')).toString()).toBe(platform?.architecture);
      expect(await json(config.digest)).toMatchObject({
        architecture: platform?.architecture,
        created: time.toISOString(),
        config: { Env: ['A=1', 'B=2'], User: '1', Labels: { version: '1' } },
        rootfs: { diff_ids: ['sha256:0', expect.stringMatching(/^sha256:[0-9a-f]{64}$/)] },
      });
    }
  });
  it('is one of a base that is an image and no index', async () => {
    const { run, images } = await registry(['amd64']);
    const written = await writeImage(join(folder, 'one'), '1', recipe(images[0] ?? '', 'linux/amd64'), run);
    expect(await readFile(join(folder, 'one/index.json'), 'utf8')).toContain(written.digest);
  });
  it('is refused for a platform that the base is not there for', async () => {
    const { run, index, images } = await registry(['amd64']);
    const to = join(folder, 'none');
    await expect(writeImage(to, '1', recipe(index, 'linux/arm64'), run)).rejects.toThrow(
      'is not there for linux/arm64, only for linux/amd64',
    );
    await expect(writeImage(to, '1', recipe(images[0] ?? '', 'linux/arm64'), run)).rejects.toThrow(
      'is for linux/amd64, not for linux/arm64',
    );
  });
  it('is refused on a base that is not what its digest says', async () => {
    const { run, index } = await registry(['amd64']);
    const other: Run = async (tool, args) => (args[0] === 'manifest' ? Buffer.from('{}') : run(tool, args));
    await expect(writeImage(join(folder, 'false'), '1', recipe(index, 'linux/amd64'), other)).rejects.toThrow('was asked for, and');
  });
});

describe('a release of what is not committed', () => {
  const options = optionsOf(['--version', '1.2.3', '--base', `b@sha256:${'0'.repeat(64)}`, '--output', '/nonexistent']);
  it('is refused before anything is built', async () => {
    const asked: string[] = [];
    const run: Run = (tool) => {
      asked.push(tool);
      return Promise.resolve(Buffer.from(' M src/main.ts\n'));
    };
    await expect(release(options, run, () => undefined)).rejects.toThrow('not committed');
    expect(asked).toEqual(['git']);
  });
});
