import { join } from 'node:path/posix';
import { shellWord } from '../../../lib/shell-word.ts';
import { isAbout } from '../../cluster/select.ts';
import type { Call } from '../../command-line/command.ts';
import { type Flags, on, text } from '../../command-line/flag.ts';
import type { TextFile } from '../../host.ts';

/** Whether a line is about manifests. */
export const namesManifests = (flags: Flags): boolean => text(flags, 'filename') !== undefined || text(flags, 'kustomize') !== undefined;

/** The manifests that it names, by `-f` or `-k`. */
export async function written({ session: { host }, flags }: Call): Promise<readonly TextFile[]> {
  const folder = text(flags, 'kustomize');
  if (folder !== undefined) return host.kustomized(folder);
  const files = await Promise.all(pathsOf(flags).map((path) => host.readFiles(path, on(flags, 'recursive'))));
  return files.flat();
}

const pathsOf = (flags: Flags): readonly string[] => text(flags, 'filename')?.split('\n') ?? [];

const git = 'git:';

/** What stood there before, as `--base` names it; undefined where it does not. */
export async function formerly({ session: { host }, flags }: Call): Promise<readonly TextFile[] | undefined> {
  const base = text(flags, 'base');
  if (base === undefined) return undefined;
  if (!base.startsWith(git))
    return text(flags, 'kustomize') === undefined ? host.readFiles(base, on(flags, 'recursive')) : host.kustomized(base);
  const files = await Promise.all(pathsOf(flags).map((path) => host.filesAt(base.slice(git.length), path, on(flags, 'recursive'))));
  return files.flat();
}

/** Why it cannot be told what a line is about. */
export function misread({ flags, args }: Pick<Call, 'flags' | 'args'>): string | undefined {
  if (namesManifests(flags)) return misreadFiles({ flags, args });
  const needy = ['prune', 'base', 'approvals'].find((flag) => flags[flag] !== undefined && flags[flag] !== false);
  if (needy !== undefined) return `--${needy} needs manifests: name them with -f or -k`;
  return isAbout({ flags, args })
    ? undefined
    : 'plan what? Name manifests with -f FILE, a folder or -, or with -k FOLDER, or objects as KIND/NAME; -n NAMESPACE plans all that are there, -A those of all namespaces';
}

function misreadFiles({ flags, args }: Pick<Call, 'flags' | 'args'>): string | undefined {
  if (args.length > 0) return 'name either manifests with -f, or objects as KIND/NAME';
  if (text(flags, 'filename') !== undefined && text(flags, 'kustomize') !== undefined)
    return 'name manifests with -f or with -k, not with both';
  const odd = misreadBase(flags);
  if (odd !== undefined) return odd;
  const isWhole = !on(flags, 'prune') || text(flags, 'selector') !== undefined;
  return isWhole ? undefined : '--prune needs the labels of what the manifests are the whole of: name them with -l';
}

function misreadBase(flags: Flags): string | undefined {
  const base = text(flags, 'base');
  if (base?.startsWith(git) !== true) return undefined;
  const folder = text(flags, 'kustomize');
  if (folder !== undefined) return baseToBuild(base.slice(git.length), folder);
  return pathsOf(flags).includes('-')
    ? `--base ${base} reads the same paths at that commit, and standard input has none: name files with -f`
    : undefined;
}

/** What a kustomization takes in may be anywhere, also outside of its folder: only a whole checkout has it. */
function baseToBuild(commit: string, folder: string): string {
  const there = /^(\/|\.\.)/.test(folder) ? 'FOLDER' : folder;
  return [
    `--base git:${commit} reads single files of a commit, and -k builds a folder out of many. Check that commit out beside yours:`,
    `git worktree add --detach ../before ${shellWord(commit)}`,
    `and write, at the top of the repository: -k ${shellWord(folder)} --base ${shellWord(join('../before', there))}`,
  ].join(' ');
}
