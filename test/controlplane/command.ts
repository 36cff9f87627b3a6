import { spawn } from 'node:child_process';

export interface CommandResult {
  /** Exit code; -1 when the program could not be started or was ended by a signal. */
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CommandOptions {
  readonly input?: string;
  readonly env?: NodeJS.ProcessEnv;
  readonly cwd?: string;
  /** Called with each whole line of stderr as it arrives. */
  readonly onLine?: (line: string) => void;
  readonly signal?: AbortSignal;
}

export type RunCommand = (file: string, args: readonly string[], options?: CommandOptions) => Promise<CommandResult>;

/** Runs a program to its end. Never rejects: a program that is not there answers code -1 with the reason in stderr. */
export const runCommand: RunCommand = (file, args, options = {}) =>
  new Promise((resolve) => {
    const child = spawn(file, args, {
      stdio: ['pipe', 'pipe', 'pipe'],
      env: options.env ?? process.env,
      ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
      ...(options.signal === undefined ? {} : { signal: options.signal }),
    });
    const stdout: Buffer[] = [];
    const stderr: Buffer[] = [];
    const lines = lineSplitter(options.onLine);
    child.stdout.on('data', (chunk: Buffer) => stdout.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => {
      stderr.push(chunk);
      lines(chunk);
    });
    const finish = (code: number, reason: string): void =>
      resolve({ code, stdout: Buffer.concat(stdout).toString(), stderr: Buffer.concat(stderr).toString() + reason });
    child.on('error', (error) => finish(-1, error.message));
    child.on('close', (code, signal) => finish(code ?? -1, signal === null ? '' : `ended by ${signal}`));
    // A program that exits without reading its input is no failure of ours.
    child.stdin.on('error', () => undefined);
    child.stdin.end(options.input ?? '');
  });

function lineSplitter(onLine: ((line: string) => void) | undefined): (chunk: Buffer) => void {
  let rest = '';
  return (chunk) => {
    const lines = (rest + chunk.toString()).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) onLine?.(line);
  };
}
