import { readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import type { Journal, Process } from './journal.ts';

const me: Process = { host: hostname(), pid: process.pid, space: spaceOfNumbers() };

/** What a journal on this machine says of processes. */
export const thisProcess: Pick<Journal, 'me' | 'runs'> = {
  me,
  runs: ({ host, pid, space }) => (host === me.host && space === me.space ? isThere(pid) : undefined),
};

/** Containers of one host name number their processes apart; told on Linux alone. */
function spaceOfNumbers(): string | undefined {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    return undefined;
  }
}

function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // Somebody else's.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
