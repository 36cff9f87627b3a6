import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { CommandResult } from '../command.ts';
import { VirtualClock } from '../../support/virtual/virtual-clock.ts';
import type { Machine } from './machine.ts';

/** A machine with nothing installed, an empty home and no network, whose parts a test replaces; its log is kept. */
export interface MadeUpMachine extends Machine {
  readonly lines: string[];
  /** Every program that was run, with its arguments. */
  readonly ran: string[];
}

export type Programs = (file: string, args: readonly string[]) => Partial<CommandResult> | undefined;

export async function madeUpMachine(parts: Partial<Machine> & { programs?: Programs } = {}): Promise<MadeUpMachine> {
  const lines: string[] = [];
  const ran: string[] = [];
  const { programs, ...replaced } = parts;
  const home = await mkdtemp(join(tmpdir(), 'cloud-operator-machine-'));
  onTestFinished(() => rm(home, { recursive: true, force: true }));
  return {
    env: {},
    os: 'linux',
    arch: 'amd64',
    home,
    clock: new VirtualClock(),
    fetch: () => Promise.reject(new TypeError('fetch failed', { cause: new Error('no network in this test') })),
    run: async (file, args) => {
      ran.push([file, ...args].join(' '));
      const answer = programs?.(file, args);
      if (answer === undefined) return { code: -1, stdout: '', stderr: `spawn ${file} ENOENT` };
      return { code: 0, stdout: '', stderr: '', ...answer };
    },
    log: (line) => lines.push(line),
    ...replaced,
    lines,
    ran,
  };
}

/** Writes a program that only says which Kubernetes version it has. */
export async function installProgram(path: string): Promise<string> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, '#!/bin/sh\n');
  await chmod(path, 0o755);
  return path;
}
