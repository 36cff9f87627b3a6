import { sleep, systemClock } from '../../src/lib/clock.ts';
import { Program } from '../support/process/program.ts';
import { processFigures } from './process-figures.ts';
import type { Stage } from './stage.ts';

/** One line of the built plugin, and what it took. */
export interface Typed {
  readonly exit: number | string;
  /** Of both its outputs. */
  readonly lines: readonly string[];
  /** Milliseconds since the epoch. */
  readonly begun: number;
  readonly seconds: number;
  /** MB of 2^20 bytes, the most. */
  readonly memory: number;
}

/** How the plugin reaches the account of a stage, with all of its rate windows: nothing else is read for meanwhile. */
export const inAccount = ({ emulator }: Stage, tokenFile: string): readonly string[] => [
  '--endpoint',
  `main=${emulator.ready.url},word=vm`,
  '--token-file',
  tokenFile,
  '--share',
  '100',
];

/** Runs it as a process of its own; throws where it ends with another code than these. */
export async function typed(
  stage: Stage,
  line: readonly string[],
  { codes = [0], kubeconfig }: { readonly codes?: readonly number[]; readonly kubeconfig?: string } = {},
): Promise<Typed> {
  const begun = systemClock.now();
  const program = new Program({
    name: line[0] ?? '',
    script: ['dist/kubectl-cloud', ...line],
    folder: stage.folder,
    ...(kubeconfig !== undefined && { env: { KUBECONFIG: kubeconfig } }),
  });
  let memory = 0;
  while (program.running) {
    memory = await processFigures(program.pid).then(
      // Of a process that has just ended nothing is known.
      ({ residentMost }) => (Number.isNaN(residentMost) ? memory : Math.max(memory, residentMost)),
      () => memory,
    );
    await sleep(systemClock, 100);
  }
  const [exit, lines] = [await program.ended, await program.lines()];
  if (!codes.some((code) => code === exit)) throw new Error(`${line.join(' ')} ended with ${String(exit)}:\n${lines.slice(-5).join('\n')}`);
  return { exit, lines, begun, seconds: (systemClock.now() - begun) / 1000, memory };
}
