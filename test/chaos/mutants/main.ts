/** `npm run mutants`: plants deliberate defects one by one, and fails unless an oracle objects to each in a generated case. */
import { parseArgs } from 'node:util';
import { mutants } from './all.ts';
import { Laboratory, misfits } from './laboratory.ts';
import type { Mutant } from './mutant.ts';
import type { Verdict } from './verdict.ts';

const write = (line: string): void => void process.stdout.write(`${line}\n`);
const usage = `npm run mutants -- [--only IDS] [--sample N] [--jobs N] [--seconds N] [--check] [--json]
  --only IDS   these, separated by commas
  --sample N   every N-th
  --jobs N     so many at once; default 1
  --seconds N  no further case of one mutant is begun after so long; default 240
  --check      only that each still applies
  --json       ends with one line {"planned", "executed", "skipped", "violations", "seconds"}`;

interface Wishes {
  readonly chosen: readonly Mutant[];
  readonly jobs: number;
  readonly seconds: number;
  readonly json: boolean;
  readonly checkOnly: boolean;
}

/** Throws a TypeError that says what is wrong. */
function wishesOf(args: readonly string[]): Wishes {
  const { values } = parseArgs({
    args: [...args],
    options: {
      only: { type: 'string' },
      sample: { type: 'string', default: '1' },
      jobs: { type: 'string', default: '1' },
      seconds: { type: 'string', default: '240' },
      check: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
    },
  });
  const [sample, jobs, seconds] = [values.sample, values.jobs, values.seconds].map(Number);
  if (sample === undefined || jobs === undefined || seconds === undefined || !(sample >= 1 && jobs >= 1 && seconds >= 1))
    throw new TypeError('--sample, --jobs and --seconds take a number from 1 on');
  const only = values.only?.split(',');
  const chosen = mutants.filter(({ id }, index) => only?.includes(id) ?? index % sample === Math.floor(sample / 2));
  if (chosen.length === 0) throw new TypeError(`there is no mutant ${values.only}; there are ${mutants.map(({ id }) => id).join(', ')}`);
  return { chosen, jobs, seconds, json: values.json, checkOnly: values.check };
}

function tell({ id, promise, trial, seconds }: Verdict): void {
  const time = `${seconds.toFixed(0)} s`;
  if (trial.killed)
    write(`killed    ${id} (${promise}, ${time}) by ${trial.case}\n            ${trial.oracle}: ${trial.message.slice(0, 160)}`);
  else write(`SURVIVED  ${id} (${promise}, ${time}): ${trial.broken ?? `${trial.tried} cases saw nothing`}`);
}

async function tried({ chosen, jobs, seconds }: Wishes): Promise<readonly Verdict[]> {
  const queue = [...chosen];
  const verdicts: Verdict[] = [];
  const worker = async (): Promise<void> => {
    const laboratory = new Laboratory();
    try {
      for (let mutant = queue.shift(); mutant !== undefined; mutant = queue.shift()) {
        const began = performance.now();
        const trial = await laboratory.try(mutant, seconds);
        const verdict = { id: mutant.id, promise: mutant.promise, trial, seconds: (performance.now() - began) / 1000 };
        tell(verdict);
        verdicts.push(verdict);
      }
    } finally {
      laboratory.close();
    }
  };
  await Promise.all(Array.from({ length: Math.min(jobs, chosen.length) }, worker));
  return verdicts;
}

const isReachable = ({ unreachable }: Mutant): boolean => unreachable === undefined;

/** Says which mutants are not tried, and why; resolves with the others. */
function reachable(chosen: readonly Mutant[]): readonly Mutant[] {
  for (const { id, promise, unreachable } of chosen) if (unreachable !== undefined) write(`skipped   ${id} (${promise}): ${unreachable}`);
  return chosen.filter(isReachable);
}

async function main(): Promise<number> {
  const wishes = wishesOf(process.argv.slice(2));
  const rotten = misfits(wishes.chosen);
  for (const text of rotten) write(`FAILED  ${text}`);
  if (wishes.checkOnly || rotten.length > 0) {
    write(`${wishes.chosen.length - rotten.length} of ${wishes.chosen.length} mutants apply`);
    return rotten.length > 0 ? 1 : 0;
  }
  const began = performance.now();
  const verdicts = await tried({ ...wishes, chosen: reachable(wishes.chosen) });
  const skipped = wishes.chosen.length - verdicts.length;
  const survivors = verdicts.filter(({ trial }) => !trial.killed);
  const seconds = Math.round((performance.now() - began) / 1000);
  write(
    `${verdicts.length - survivors.length} killed of ${verdicts.length}, ${survivors.length} survived, ${skipped} skipped as not reachable; ${mutants.length} mutants in all, ${seconds} s`,
  );
  for (const { id, promise } of survivors) write(`survived: ${id} (${promise})`);
  if (wishes.json)
    write(
      JSON.stringify({
        planned: mutants.filter(isReachable).length,
        executed: verdicts.length,
        skipped,
        violations: survivors.length,
        seconds,
      }),
    );
  return survivors.length > 0 ? 1 : 0;
}

try {
  process.exitCode = await main();
} catch (error) {
  if (!(error instanceof TypeError)) {
    write(`FAILED  ${error instanceof Error ? error.message : String(error)}`);
    throw error;
  }
  write(`${error.message}\n${usage}`);
  process.exitCode = 2;
}
