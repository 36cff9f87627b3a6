import { createReadStream } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { unpackTar } from 'modern-tar/fs';
import type { Registry } from './registry.ts';

/** The files of an image, put together from its layers by crane, in a new folder below `under`. */
export async function unpackedImage(registry: Registry, name: string, under: string, flags: readonly string[] = []): Promise<string> {
  const place = await mkdtemp(join(under, 'files-'));
  await registry.crane('export', ...flags, name, join(place, 'image.tar'));
  await pipeline(createReadStream(join(place, 'image.tar')), unpackTar(place));
  return place;
}
