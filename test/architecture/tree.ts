import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const outside = new Set(['node_modules', '.git', 'dist']);

function below(folder: string): readonly string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (outside.has(entry.name)) return [];
    return entry.isDirectory() ? below(path) : [path];
  });
}

/** Every file of the repository, path below the root -> text. */
export const files: ReadonlyMap<string, string> = new Map(
  below('')
    .toSorted()
    .map((path) => [path, readFileSync(join(root, path), 'utf8')]),
);

/** The TypeScript files, in whole or below one of these paths. */
export const typescript = (...starts: readonly string[]): readonly (readonly [string, string])[] =>
  [...files].filter(([path]) => path.endsWith('.ts') && (starts.length === 0 || starts.some((start) => path.startsWith(start))));
