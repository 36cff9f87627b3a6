import { execFile } from 'node:child_process';
import { realpath } from 'node:fs/promises';
import { posix, relative, sep } from 'node:path';
import { CliError } from '../exit.ts';
import { isManifest } from './files.ts';
import type { TextFile } from '../host.ts';

const most = 64 * 2 ** 20;

interface Ended {
  readonly code: number | string;
  readonly out: Buffer;
  readonly err: string;
}
/** Without a shell, so that no word of a line is more than a word. */
const ran = (program: string, args: readonly string[], input = ''): Promise<Ended> =>
  new Promise((resolve) => {
    const child = execFile(program, [...args], { maxBuffer: most, encoding: 'buffer' }, (error, out, err) =>
      resolve({ code: error?.code ?? 0, out, err: err.toString() }),
    );
    // What ended before it has read all says why by itself.
    child.stdin?.on('error', () => undefined).end(input);
  });

/** kubectl tells some of it as a line of its log: time, process and place help nobody. */
export function withoutLog(text: string): string {
  const why = /^E\d{4} .* err="(?<why>.*)"$/s.exec(text)?.groups?.['why'];
  return why?.replaceAll('\\"', '"') ?? text;
}

/** What `kubectl apply -k` would send. */
export async function kustomized(folder: string): Promise<readonly TextFile[]> {
  const { code, out, err } = await ran('kubectl', ['kustomize', folder.startsWith('-') ? `./${folder}` : folder]);
  if (code === 0) return [{ name: folder, text: out.toString() }];
  const why = code === 'ENOENT' ? 'there is no kubectl in PATH, which builds it' : withoutLog(err.trim());
  throw new CliError(2, `-k ${folder} cannot be built: ${why}`);
}

/** The same files as `-f` reads, as a commit of git has them: nothing is checked out. What it lacks is none. */
export async function filesAt(commit: string, path: string, recursive: boolean): Promise<readonly TextFile[]> {
  const sha = (await git(commit, ['rev-parse', '--verify', '--quiet', '--end-of-options', `${commit}^{commit}`])).toString().trim();
  const folder = relative('.', await realpath(path).catch(() => path)).replaceAll(sep, posix.sep) || '.';
  const listed = (await git(commit, ['ls-tree', '-r', '-z', sha, '--', folder])).toString().split('\0');
  const files = listed
    .flatMap((line) => {
      const [, blob = '', name = ''] = /^100\d+ blob (\w+)\t(.+)$/s.exec(line) ?? [];
      return name === '' ? [] : [{ blob, name }];
    })
    .filter(({ name }) => name === folder || (isManifest(name) && (recursive || isIn(folder, name))))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const texts = textsIn(await git(commit, ['cat-file', '--batch'], files.map(({ blob }) => `${blob}\n`).join('')));
  return files.map(({ name }, at) => {
    const text = texts[at];
    if (text === undefined) throw new CliError(2, `--base git:${commit} cannot be read: git does not have ${name} of it`);
    return { name: `${commit}:${name}`, text };
  });
}
const isIn = (folder: string, name: string): boolean => posix.dirname(name) === folder;

/** Each after a line that ends with its number of bytes; undefined: it is missing, and nothing follows that line. */
function textsIn(batch: Buffer): readonly (string | undefined)[] {
  const texts: (string | undefined)[] = [];
  for (let at = 0; at < batch.length;) {
    const begin = batch.indexOf('\n', at) + 1;
    const size = / blob (\d+)\n$/.exec(batch.toString('utf8', at, begin))?.[1];
    const end = begin + Number(size ?? -1);
    texts.push(size === undefined ? undefined : batch.toString('utf8', begin, end));
    at = end + 1;
  }
  return texts;
}

async function git(commit: string, args: readonly string[], input?: string): Promise<Buffer> {
  const { code, out, err } = await ran('git', args, input);
  if (code === 0) return out;
  const why =
    code === 'ENOENT'
      ? 'there is no git in PATH'
      : err.trim() || (code === 1 ? 'there is no such commit; a job may have to fetch it' : `git ended with ${code}`);
  throw new CliError(2, `--base git:${commit} cannot be read: ${why}`);
}
