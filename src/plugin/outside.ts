import { execFile } from 'node:child_process';
import { realpath } from 'node:fs/promises';
import { posix, relative, sep } from 'node:path';
import { CliError } from './exit.ts';
import { isManifest } from './files.ts';
import type { TextFile } from './host.ts';

const most = 64 * 2 ** 20;

interface Ended {
  readonly code: number | string;
  readonly out: string;
  readonly err: string;
}
/** Without a shell, so that no word of a line is more than a word. */
const ran = (program: string, args: readonly string[]): Promise<Ended> =>
  new Promise((resolve) => {
    execFile(program, [...args], { maxBuffer: most }, (error, out, err) => resolve({ code: error?.code ?? 0, out, err }));
  });

/** What `kubectl apply -k` would send. */
export async function kustomized(folder: string): Promise<readonly TextFile[]> {
  const { code, out, err } = await ran('kubectl', ['kustomize', folder.startsWith('-') ? `./${folder}` : folder]);
  if (code === 0) return [{ name: folder, text: out }];
  const why = code === 'ENOENT' ? 'there is no kubectl in PATH, which builds it' : err.trim();
  throw new CliError(2, `-k ${folder} cannot be built: ${why}`);
}

/** The same files as `-f` reads, as a commit of git has them: nothing is checked out. What it lacks is none. */
export async function filesAt(commit: string, path: string, recursive: boolean): Promise<readonly TextFile[]> {
  const sha = (await git(commit, ['rev-parse', '--verify', '--quiet', '--end-of-options', `${commit}^{commit}`])).trim();
  const folder = relative('.', await realpath(path).catch(() => path)).replaceAll(sep, posix.sep) || '.';
  const listed = await git(commit, ['ls-tree', '-r', '-z', '--name-only', sha, '--', folder]);
  const names = listed.split('\0').filter((name) => name === folder || (isManifest(name) && (recursive || isIn(folder, name))));
  return Promise.all(
    names.toSorted().map(async (name) => ({ name: `${commit}:${name}`, text: await git(commit, ['show', `${sha}:./${name}`]) })),
  );
}
const isIn = (folder: string, name: string): boolean => posix.dirname(name) === folder;

async function git(commit: string, args: readonly string[]): Promise<string> {
  const { code, out, err } = await ran('git', args);
  if (code === 0) return out;
  const why = code === 'ENOENT' ? 'there is no git in PATH' : err.trim() || 'there is no such commit; a job may have to fetch it';
  throw new CliError(2, `--base git:${commit} cannot be read: ${why}`);
}
