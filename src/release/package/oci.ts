import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sha256 } from './archive.ts';

/** What an index or a manifest says of a blob. */
export interface Descriptor {
  readonly mediaType: string;
  readonly digest: string;
  readonly size: number;
  readonly platform?: { readonly os: string; readonly architecture: string; readonly variant?: string };
  readonly annotations?: Readonly<Record<string, string>>;
}
export interface Index {
  readonly manifests: readonly Descriptor[];
}
export interface Manifest {
  readonly config: Descriptor;
  readonly layers: readonly Descriptor[];
}

export const mediaTypes = {
  index: 'application/vnd.oci.image.index.v1+json',
  manifest: 'application/vnd.oci.image.manifest.v1+json',
  config: 'application/vnd.oci.image.config.v1+json',
  layer: 'application/vnd.oci.image.layer.v1.tar+gzip',
} as const;

export const isIndex = ({ mediaType }: { readonly mediaType: string }): boolean => /image\.index|manifest\.list/.test(mediaType);

/** Throws unless the bytes are those that the digest names. */
export function proven(bytes: Buffer, digest: string): Buffer {
  const found = `sha256:${sha256(bytes)}`;
  if (found !== digest) throw new Error(`${digest} was asked for, and ${found} came`);
  return bytes;
}

/** An OCI image layout in memory: https://github.com/opencontainers/image-spec/blob/main/image-layout.md */
export class Layout {
  readonly #blobs = new Map<string, Buffer>();

  add(mediaType: string, data: Buffer | object): Descriptor {
    const bytes = Buffer.isBuffer(data) ? data : Buffer.from(JSON.stringify(data));
    const digest = `sha256:${sha256(bytes)}`;
    this.#blobs.set(digest, bytes);
    return { mediaType, digest, size: bytes.length };
  }

  /** With one entry, which is what tools take that push or load a layout. */
  async write(folder: string, entry: Descriptor, tag: string): Promise<void> {
    const blobs = join(folder, 'blobs', 'sha256');
    await mkdir(blobs, { recursive: true });
    for (const [digest, bytes] of this.#blobs) await writeFile(join(blobs, digest.slice('sha256:'.length)), bytes);
    const annotations = { 'org.opencontainers.image.ref.name': tag };
    await writeFile(join(folder, 'oci-layout'), JSON.stringify({ imageLayoutVersion: '1.0.0' }));
    const index = { schemaVersion: 2, mediaType: mediaTypes.index, manifests: [{ ...entry, annotations }] };
    await writeFile(join(folder, 'index.json'), JSON.stringify(index));
  }
}

/** A layout on disk; what is read of it is proven by its digest. */
export const layoutReader = (folder: string) => ({
  index: async (): Promise<Index> => JSON.parse(await readFile(join(folder, 'index.json'), 'utf8')) as Index,
  blob: async (digest: string): Promise<Buffer> =>
    proven(await readFile(join(folder, 'blobs', 'sha256', digest.replace('sha256:', ''))), digest),
});
export type Reader = ReturnType<typeof layoutReader>;
