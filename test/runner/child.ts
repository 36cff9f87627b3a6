import { spawn, type ChildProcess } from 'node:child_process';
import { systemClock } from '../../src/lib/clock.ts';

export interface Ended {
  readonly code: number;
  /** Standard output and error. */
  readonly text: string;
}

const running = new Set<ChildProcess>();

/** Ctrl-C reaches the children by themselves; they clean up what they started, and the runner waits for that. */
export function passOnSignals(): void {
  process.on('SIGINT', () => (process.exitCode = 130));
  process.on('SIGTERM', () => {
    process.exitCode = 143;
    for (const child of running) child.kill('SIGTERM');
  });
}

export const interrupted = (): boolean => process.exitCode === 130 || process.exitCode === 143;

export interface How {
  /** `copy`: what it writes is shown and kept. `keep`: only kept. */
  readonly output: 'copy' | 'keep';
  readonly limit: number;
}

/** Runs a program of this project (those of node_modules/.bin come first in `PATH` under npm) for at most `limit` ms. */
export function run([file = '', ...args]: readonly string[], how: How): Promise<Ended> {
  return new Promise((resolve) => {
    const child = spawn(file, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    running.add(child);
    const pieces: Buffer[] = [];
    const take = (piece: Buffer): void => {
      pieces.push(piece);
      if (how.output === 'copy') process.stdout.write(piece);
    };
    child.stdout.on('data', take);
    child.stderr.on('data', take);
    const late = systemClock.after(how.limit, () => child.kill('SIGTERM'));
    const never = systemClock.after(how.limit + 30_000, () => child.kill('SIGKILL'));
    const end = (code: number, text: string): void => {
      running.delete(child);
      late.cancel();
      never.cancel();
      resolve({ code, text });
    };
    child.once('error', (error) => end(1, error.message));
    child.once('close', (code, signal) => {
      const stopped = signal === null ? '' : `\n${file} was ended by ${signal} (it may take ${how.limit / 1000} s)`;
      end(code ?? 1, Buffer.concat(pieces).toString() + stopped);
    });
  });
}
