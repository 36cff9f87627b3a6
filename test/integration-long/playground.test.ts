import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, it } from 'vitest';
import { sleep, systemClock } from '../../src/lib/clock.ts';
import { runCommand } from '../controlplane/command.ts';
import { type Example, examplesIn, mismatch } from '../guides/guide.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const textOf = (file: string): Promise<string> => readFile(join(root, file), 'utf8');

/** What the demo prints to be typed: its indented lines after it says that all goes on. */
const linesToType = (said: string): readonly string[] =>
  (said.split('Everything goes on running.')[1] ?? '').split('\n').flatMap((line) => (line.startsWith('  ') ? [line.trim()] : []));

interface Left {
  /** `. FILE`: first in each terminal. */
  readonly first: string;
  readonly lines: readonly string[];
}
let end: string | undefined;
afterEach(async () => {
  const pids = end?.split(' ').slice(1).map(Number) ?? [];
  end = undefined;
  for (const pid of pids) process.kill(pid);
  for (const pid of pids) await gone(pid);
});
async function gone(pid: number): Promise<void> {
  for (let looks = 0; looks < 200; looks += 1) {
    try {
      process.kill(pid, 0);
    } catch {
      return;
    }
    await sleep(systemClock, 100);
  }
  throw new Error(`process ${pid} does not end`);
}

async function demo(flag: string): Promise<Left> {
  const { code, stdout, stderr } = await runCommand(process.execPath, ['test/demo/main.ts', flag], { cwd: root });
  const all = linesToType(stdout);
  end = all.findLast((line) => /^kill( \d+)+$/.test(line));
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const [first = '', ...lines] = all.filter((line) => line !== end);
  return { first, lines };
}

/** As somebody types it who has a shell and nothing else of ours. */
function typed(first: string, command: string): ReturnType<typeof runCommand> {
  const { PATH = '', HOME = '' } = process.env;
  return runCommand('bash', ['--norc', '-euo', 'pipefail', '-c', `${first}\n${command}`], { env: { PATH, HOME }, cwd: root });
}
async function follow(first: string, examples: readonly Example[]): Promise<void> {
  expect(examples.length).toBeGreaterThan(2);
  for (const { line, command, prints } of examples) {
    const { stdout, stderr } = await typed(first, command);
    expect([line, command, mismatch(prints, stdout + stderr)]).toEqual([line, command, undefined]);
  }
}

/** Those that end soonest of those that need most of what a playground has. */
const followed = ['quick-start', 'restore', 'security-review', 'teams-and-limits'];
it.each(followed)('what guide %s shows can be typed in a playground', { timeout: 300_000, retry: 0 }, async (guide) => {
  const { first } = await demo('--playground');
  const text = await textOf(`deploy/guides/${guide}.md`);
  // Where it says so itself, what it makes is taken away first.
  const away = /`(?<command>kubectl [^`]* delete [^`]*)`/.exec(text.split('```')[0] ?? '')?.groups?.['command'];
  expect(away !== undefined).toBe(guide === 'quick-start');
  const before =
    away === undefined ? [] : [{ line: 0, command: away, prints: ['cloudaccount.cloudhosting.dev "default" deleted ...', '...'] }];
  await follow(first, [...before, ...examplesIn(text)]);
});

it('what the demo leaves is as its own last words say, and as the first walk of README', { timeout: 300_000, retry: 0 }, async () => {
  const { first, lines } = await demo('--keep');
  expect(lines.length).toBeGreaterThan(5);
  for (const line of lines) expect([line, await typed(first, line)]).toEqual([line, expect.objectContaining({ code: 0, stderr: '' })]);
  expect(await typed(first, lines.at(-1) ?? '')).toMatchObject({ stdout: expect.stringContaining('soaEmail') as string });
  // Lines of the plugin's pages name no namespace: they are for that of the context, where the objects are.
  expect(await typed(first, 'kubectl cloud tree')).toMatchObject({ code: 0, stdout: expect.stringContaining('CloudInstance shop/web') });
  expect(await typed(first, 'kubectl cloud get volumes')).toMatchObject({ code: 0, stdout: expect.stringContaining('db-data') });
  const readme = await textOf('README.md');
  await follow(first, examplesIn(/^## A first walk\n(?<walk>.*?)^## /ms.exec(readme)?.groups?.['walk'] ?? ''));
  // What its verbs print is held by a story; that they can be typed here is not.
  await follow(
    first,
    examplesIn(await textOf('plugin/walk.md')).filter(({ command }) => !command.startsWith('kubectl cloud ')),
  );
  const why = await typed(first, 'kubectl cloud why cvol/cache');
  expect(why).toMatchObject({ code: 1, stdout: expect.stringContaining('kubectl -n shop edit cloudinstance db\n') });
  expect(await daysOfTheOperator(first)).toBeGreaterThan(7);
});

/** For how long the operator's own token is good: what goes on running is looked at tomorrow, too. */
async function daysOfTheOperator(first: string): Promise<number> {
  const folder = dirname(first.replace(/^\. /, ''));
  const files = (await readdir(folder)).filter((file) => /^kubeconfig-[0-9a-f]+$/.test(file));
  const claims = await Promise.all(files.map(async (file) => claimsIn(await readFile(join(folder, file), 'utf8'))));
  const own = claims.find(({ sub }) => sub === 'system:serviceaccount:cloud-operator:cloud-operator');
  return ((own?.exp ?? 0) - (own?.iat ?? 0)) / 86_400;
}
function claimsIn(kubeconfig: string): { readonly sub?: string; readonly exp?: number; readonly iat?: number } {
  const { users } = JSON.parse(kubeconfig) as { users: readonly [{ user: { token: string } }] };
  const [, claims] = users[0].user.token.split('.');
  try {
    return JSON.parse(Buffer.from(claims ?? '', 'base64url').toString()) as object;
  } catch {
    return {};
  }
}
