import { mkdir, open, rm, stat, utimes } from 'node:fs/promises';
import { dirname } from 'node:path';
import { sleep, type Clock } from '../../../src/lib/clock.ts';

const HEARTBEAT_MS = 1_000;
/** A holder that has not touched its lock for this long is dead. */
const STALE_MS = 10_000;
const POLL_MS = 250;

/**
 * Runs `work` while holding the lock file `path`; others wait. The holder touches the file once a second, and a waiter
 * takes over after ten seconds without a touch on the waiter's own clock, so that neither a killed process nor
 * two hosts with different clocks on a shared home stop a build for good.
 */
export async function withLock<T>(clock: Clock, path: string, onWait: () => void, work: () => Promise<T>): Promise<T> {
  await mkdir(dirname(path), { recursive: true });
  await acquire(clock, path, onWait);
  const heartbeat = beat(clock, path);
  try {
    return await work();
  } finally {
    heartbeat.stop();
    await rm(path, { force: true });
  }
}

async function acquire(clock: Clock, path: string, onWait: () => void): Promise<void> {
  let seen = { touched: -1, since: clock.monotonic() };
  for (let attempt = 0; !(await create(path)); attempt++) {
    if (attempt === 0) onWait();
    const touched = await touchedAt(path);
    if (touched !== seen.touched) seen = { touched, since: clock.monotonic() };
    if (clock.monotonic() - seen.since > STALE_MS) await rm(path, { force: true });
    await sleep(clock, POLL_MS);
  }
}

async function create(path: string): Promise<boolean> {
  try {
    const file = await open(path, 'wx');
    await file.writeFile(`${process.pid}\n`);
    await file.close();
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

async function touchedAt(path: string): Promise<number> {
  try {
    return (await stat(path)).mtimeMs;
  } catch {
    return -1;
  }
}

function beat(clock: Clock, path: string): { stop: () => void } {
  const touch = (): void => {
    const now = clock.now() / 1000;
    // The file may have been taken over or removed: the work goes on, its result is put in place atomically.
    utimes(path, now, now).catch(() => undefined);
    timer = clock.after(HEARTBEAT_MS, touch);
  };
  let timer = clock.after(HEARTBEAT_MS, touch);
  return { stop: () => timer.cancel() };
}
