import { createHash } from 'node:crypto';
import { mkdirSync, existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const weekMs = 7 * 86_400_000;

/** Every source below, tests left out. By hand: `recursive` asks the disk for the kind of each name and takes as long as all the rest. */
function sourcesOf(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return sourcesOf(path);
    return entry.name.endsWith('.ts') && !entry.name.endsWith('.test.ts') ? [path] : [];
  });
}

/** What the name of a bundle says: a hash of names and contents. */
function hashOf(folder: string): string {
  const hash = createHash('sha256').update(process.version);
  for (const path of sourcesOf(folder).toSorted()) hash.update(path.slice(folder.length)).update(readFileSync(path));
  return hash.digest('hex').slice(0, 16);
}

async function write(entry: string, bundle: string): Promise<void> {
  const { buildSync } = await import('esbuild');
  const { outputFiles } = buildSync({
    entryPoints: [entry],
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node24',
    write: false,
  });
  const draft = `${bundle}.${process.pid}`;
  writeFileSync(draft, outputFiles[0]?.contents ?? '');
  renameSync(draft, bundle);
}

/** Bundles of sources that have changed since are of no use to anybody. */
function prune(cache: string, bundle: string): void {
  const now = statSync(bundle).mtimeMs;
  for (const name of readdirSync(cache)) {
    const file = join(cache, name);
    if (name.endsWith('.mjs') && now - statSync(file).mtimeMs > weekMs) rmSync(file, { force: true });
  }
}

/**
 * URL of one file made of all modules of the command, which starts in half the time of two hundred. It is made at the first
 * start after a change. Undefined without esbuild or a place to write.
 */
export async function bundled(folder: string, cache: string): Promise<string | undefined> {
  const bundle = join(cache, `${hashOf(folder)}.mjs`);
  try {
    if (!existsSync(bundle)) {
      mkdirSync(cache, { recursive: true });
      await write(join(folder, 'command.ts'), bundle);
      prune(cache, bundle);
    }
    return pathToFileURL(bundle).href;
  } catch {
    return undefined;
  }
}
