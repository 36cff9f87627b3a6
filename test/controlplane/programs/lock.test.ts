import { access, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../../../src/lib/clock.ts';
import { withLock } from './lock.ts';
import { VirtualClock } from '../../support/virtual/virtual-clock.ts';

async function lockPath(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'cloud-operator-lock-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return join(folder, 'a.lock');
}

it('lets one at a time work, says so to who waits, and leaves no file', async () => {
  const path = await lockPath();
  const seen: string[] = [];
  const work = async (name: string): Promise<void> => {
    seen.push(`${name} in`);
    await new Promise((resolve) => setImmediate(resolve));
    seen.push(`${name} out`);
  };
  await Promise.all(
    ['a', 'b'].map((name) =>
      withLock(
        systemClock,
        path,
        () => seen.push('waits'),
        () => work(name),
      ),
    ),
  );
  const order = seen.filter((line) => line !== 'waits').join(', ');
  expect(['a in, a out, b in, b out', 'b in, b out, a in, a out']).toContain(order);
  expect(seen.filter((line) => line === 'waits')).toHaveLength(1);
  await expect(access(path)).rejects.toThrow('ENOENT');
});

it('gives the lock back when the work fails', async () => {
  const path = await lockPath();
  await expect(
    withLock(
      systemClock,
      path,
      () => undefined,
      () => Promise.reject(new Error('broken')),
    ),
  ).rejects.toThrow('broken');
  await expect(
    withLock(
      systemClock,
      path,
      () => undefined,
      () => Promise.resolve('mine'),
    ),
  ).resolves.toBe('mine');
});

it('takes over a lock that nobody has touched for ten seconds, and not before', async () => {
  const path = await lockPath();
  await writeFile(path, '1\n');
  const clock = new VirtualClock();
  let got = false;
  const waiting = withLock(
    clock,
    path,
    () => undefined,
    async () => {
      got = true;
    },
  );
  await clock.advance(9_000);
  expect(got).toBe(false);
  await clock.advance(2_000);
  await waiting;
  expect(got).toBe(true);
});
