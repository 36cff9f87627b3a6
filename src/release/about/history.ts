import type { Run } from '../tools.ts';

/** A line of the change log. */
export interface Change {
  readonly kind: 'added' | 'changed' | 'fixed' | 'removed' | 'deprecated' | 'security';
  readonly text: string;
}
/** What Git knows about the commit that is released. */
export interface History {
  readonly commit: string;
  readonly time: Date;
  /** The release before this one, a tag `v1.2.3`; undefined for the first. */
  readonly previous: string | undefined;
  /** Newest first. */
  readonly changes: readonly Change[];
}

/** Folders of which users see something. */
const seen = ['src', 'crds', 'charts', 'deploy', 'plugin', 'Dockerfile', 'package-lock.json'];

export async function historyOf(cwd: string, version: string, run: Run): Promise<History> {
  const git = async (...args: readonly string[]): Promise<string> => (await run('git', args, { cwd })).toString().trim();
  const [commit = '', seconds = ''] = (await git('log', '-1', '--format=%H %ct')).split(' ');
  const tags = await git('-c', 'versionsort.suffix=-', 'tag', '--merged', 'HEAD', '--sort=-v:refname');
  const previous = previousOf(version, tags.split('\n'));
  const subjects = previous && (await git('log', '--no-merges', '--format=%s', `${previous}..HEAD`, '--', ...seen));
  const changes =
    subjects === undefined ? [{ kind: 'added' as const, text: 'First release' }] : subjects.split('\n').filter(Boolean).map(changeOf);
  return { commit, time: new Date(Number(seconds) * 1000), previous, changes };
}

/** Of tags that Git sorted, newest first: the release before this one. A release is compared with releases, not with their candidates. */
export const previousOf = (version: string, tags: readonly string[]): string | undefined =>
  tags.find((tag) => /^v\d/.test(tag) && tag !== `v${version}` && (version.includes('-') || !tag.includes('-')));

const words: readonly (readonly [RegExp, Change['kind']])[] = [
  [/^(add|introduce)\b/i, 'added'],
  [/^(fix|repair|correct)\b/i, 'fixed'],
  [/^(remove|drop|delete)\b/i, 'removed'],
  [/^deprecate\b/i, 'deprecated'],
  [/\bCVE-\d/, 'security'],
];
const changeOf = (text: string): Change => ({ kind: words.findLast(([pattern]) => pattern.test(text))?.[1] ?? 'changed', text });

const titles: Readonly<Record<Change['kind'], string>> = {
  security: 'Security',
  removed: 'Removed',
  deprecated: 'Deprecated',
  added: 'Added',
  changed: 'Changed',
  fixed: 'Fixed',
};

/** In the form of https://keepachangelog.com. */
export function changeLog(version: string, { changes, commit, time, previous }: History): string {
  const parts = Object.entries(titles).flatMap(([kind, title]) => {
    const lines = changes.filter((change) => change.kind === kind).map(({ text }) => `- ${text}`);
    return lines.length === 0 ? [] : [`## ${title}\n\n${lines.join('\n')}\n`];
  });
  const since = previous === undefined ? '' : ` Changes since ${previous}; what they mean for manifests and values is in api-changes.md.`;
  return `# ${version} (${time.toISOString().slice(0, 10)})\n\nCommit ${commit}.${since}\n\n${parts.join('\n')}`;
}
