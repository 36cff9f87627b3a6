import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { startedCommand } from './story/narrator.ts';

/** `$ command` lines of the block in the README, each with what it prints. */
const examples = (/```console\n(.*?)```/s.exec(readFileSync(new URL('README.md', import.meta.url), 'utf8'))?.[1] ?? '')
  .split(/^\$ /m)
  .slice(1)
  .map((part) => [part.slice(0, part.indexOf('\n')), part.slice(part.indexOf('\n') + 1).trim()] as const);

test('what the README shows of the control port is what it answers', async () => {
  const { child, url, controlUrl, token } = await startedCommand(['--virtual-time', '--rate-profile', 'none']);
  const env = { ...process.env, API: url, CONTROL: controlUrl, AUTH: `Authorization: Bearer ${token}` };
  try {
    const printed = examples.map(([command]) => [command, spawnSync('bash', ['-c', command], { env, encoding: 'utf8' }).stdout.trim()]);
    expect(printed).toEqual(examples);
    expect(examples.length).toBeGreaterThan(15);
  } finally {
    child.kill('SIGTERM');
  }
});
