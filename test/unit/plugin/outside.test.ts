import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { filesAt, withoutLog } from '../../../src/plugin/terminal/outside.ts';

let folder: string;
const before = process.cwd();
const git = (...args: readonly string[]) =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.org', ...args], { cwd: folder });
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'cloud-git-'));
  git('init', '--quiet', '--initial-branch', 'main');
  mkdirSync(join(folder, 'deploy/deep'), { recursive: true });
  for (const name of ['deploy/a.yaml', 'deploy/ä b.yml', 'deploy/note.txt', 'deploy/deep/c.json']) writeFileSync(join(folder, name), name);
  git('add', '.');
  git('commit', '--quiet', '-m', 'one');
  git('branch', 'old');
  git('rm', '--quiet', 'deploy/a.yaml');
  git('commit', '--quiet', '-m', 'two');
  process.chdir(folder);
});
afterAll(() => {
  process.chdir(before);
  rmSync(folder, { recursive: true });
});

describe('files of a commit', () => {
  it('are those that -f would read there, of a folder and below it', async () => {
    expect(await filesAt('old', 'deploy/', false)).toEqual([
      { name: 'old:deploy/a.yaml', text: 'deploy/a.yaml' },
      { name: 'old:deploy/ä b.yml', text: 'deploy/ä b.yml' },
    ]);
    expect((await filesAt('old', './deploy', true)).map(({ name }) => name)).toContain('old:deploy/deep/c.json');
    expect((await filesAt('old', 'deploy/note.txt', false)).map(({ text }) => text)).toEqual(['deploy/note.txt']);
    expect((await filesAt('main', 'deploy', false)).map(({ name }) => name)).toEqual(['main:deploy/ä b.yml']);
  });
  it('are none where the commit has no such folder', async () => expect(await filesAt('main', 'fresh', true)).toEqual([]));
  it('are read from where somebody stands', async () => {
    process.chdir(join(folder, 'deploy'));
    expect((await filesAt('old', 'deep', false)).map(({ text }) => text)).toEqual(['deploy/deep/c.json']);
    expect((await filesAt('old', '.', false)).map(({ text }) => text)).toEqual(['deploy/a.yaml', 'deploy/ä b.yml']);
    process.chdir(folder);
  });
  it('are the same by a whole path, also through a link', async () => {
    const all = ['old:deploy/a.yaml', 'old:deploy/ä b.yml'];
    const namesAt = async (path: string) => (await filesAt('old', join(folder, path), false)).map(({ name }) => name);
    symlinkSync(folder, join(folder, 'link'));
    expect(await namesAt('deploy')).toEqual(all);
    expect(await namesAt('link/deploy')).toEqual(all);
    expect(await namesAt('deploy/ä b.yml')).toEqual(all.slice(1));
  });
  it('take no more processes the more they are', async () => {
    const real = execFileSync('which', ['git'], { encoding: 'utf8' }).trim();
    const [tools, log] = [mkdtempSync(join(tmpdir(), 'cloud-tools-')), join(folder, 'calls.log')];
    writeFileSync(join(tools, 'git'), `#!/bin/sh\necho "$1" >> "${log}"\nexec "${real}" "$@"\n`, { mode: 0o755 });
    const path = process.env['PATH'];
    try {
      process.env['PATH'] = `${tools}:${path}`;
      expect(await filesAt('old', '.', true)).toHaveLength(3);
    } finally {
      process.env['PATH'] = path;
      rmSync(tools, { recursive: true });
    }
    expect(readFileSync(log, 'utf8').trim().split('\n')).toHaveLength(3);
  });
  it('are not read as empty where git has lost one', async () => {
    const blob = execFileSync('git', ['rev-parse', 'old:deploy/a.yaml'], { cwd: folder, encoding: 'utf8' }).trim();
    const [at, aside] = [join(folder, '.git/objects', blob.slice(0, 2), blob.slice(2)), join(folder, 'aside')];
    renameSync(at, aside);
    await expect(filesAt('old', 'deploy', false)).rejects.toMatchObject({
      exit: 2,
      message: expect.stringContaining('deploy/a.yaml') as string,
    });
    renameSync(aside, at);
  });
  it.each(['none', '--output=x', 'HEAD:deploy'])('%s is no commit', async (commit) =>
    expect(filesAt(commit, 'deploy', false)).rejects.toMatchObject({
      exit: 2,
      message: expect.stringContaining(`--base git:${commit}`) as string,
    }),
  );
});

it('what kubectl writes as a line of its log is told without time and place', () => {
  const logged = 'E1126 03:59:03.834105   23617 run.go:72] "command failed" err="must build at directory: \\"/nope\\""';
  expect(withoutLog(logged)).toBe('must build at directory: "/nope"');
  expect(withoutLog('error: no such folder')).toBe('error: no such folder');
});
