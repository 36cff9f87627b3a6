import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Mutant, mutated } from './mutant.ts';
import type { Trial } from './verdict.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../../..');
const copied = ['src', 'test', 'crds', 'charts', 'deploy', 'package.json', 'tsconfig.json'];

/** Tried after the hint: every family by what changes most, until the time is up. */
const wider = [
  'F16 CloudDomainRecord',
  'F16 CloudVolume',
  'F16 CloudFirewall',
  'F1 CloudDomainRecord',
  'F3 CloudDomainRecord',
  'F9 CloudDomainRecord',
];

/** A copy of the tree in which one defect at a time is planted; the working tree is never touched. */
export class Laboratory {
  readonly #folder = mkdtempSync(join(tmpdir(), 'cloud-operator-mutants-'));

  constructor() {
    for (const name of copied) cpSync(join(root, name), join(this.#folder, name), { recursive: true });
    symlinkSync(join(root, 'node_modules'), join(this.#folder, 'node_modules'));
  }

  close(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }

  async try(mutant: Mutant, limit: number): Promise<Trial> {
    const file = join(this.#folder, mutant.file);
    const healthy = readFileSync(file, 'utf8');
    writeFileSync(file, mutated(healthy, mutant));
    try {
      return await this.#run([...mutant.hint, ...wider], limit);
    } finally {
      writeFileSync(file, healthy);
    }
  }

  async #run(hints: readonly string[], limit: number): Promise<Trial> {
    const program = join(this.#folder, 'test/chaos/mutants/trial.ts');
    const env = { ...process.env, MUTANT_SECONDS: String(limit) };
    try {
      const { stdout } = await run(process.execPath, [program, ...hints], {
        cwd: this.#folder,
        env,
        timeout: (limit + 300) * 1000,
        maxBuffer: 1 << 26,
      });
      return JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '') as Trial;
    } catch (error) {
      return { killed: false, tried: 0, broken: error instanceof Error ? error.message.slice(0, 2000) : String(error) };
    }
  }
}

/** The mutants that do not fit the tree any more, in words. */
export function misfits(mutants: readonly Mutant[]): readonly string[] {
  return mutants.flatMap((mutant) => {
    try {
      mutated(readFileSync(join(root, mutant.file), 'utf8'), mutant);
      return [];
    } catch (error) {
      return [error instanceof Error ? error.message : String(error)];
    }
  });
}
