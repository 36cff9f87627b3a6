import { parseArgs } from 'node:util';
import { castOf, type Cast } from './cast.ts';
import { type Program, programOf } from './program.ts';
import { shrunk } from './shrink.ts';
import { tryProgram } from './trial.ts';

const write = (line: string): void => void process.stdout.write(`${line}\n`);

async function report(program: Program, cast: Cast): Promise<void> {
  const small = await shrunk(program, async (one) => (await tryProgram(one, cast)).length > 0);
  for (const { oracle, message } of await tryProgram(small, cast)) write(`    ${oracle}: ${message.slice(0, 1500)}`);
  for (const { after, act } of small) write(`    ${String(after).padStart(5)} s later  ${JSON.stringify(act)}`);
  write(`    replay: node test/chaos/main.ts --program '${JSON.stringify(small)}'`);
}

interface Wishes {
  readonly count: number;
  readonly seed: number;
  readonly seconds: number;
  readonly given: Program | undefined;
  readonly json: boolean;
}

function wishesOf(args: readonly string[]): Wishes {
  const { values } = parseArgs({
    args: [...args],
    options: {
      random: { type: 'string', default: '1' },
      seed: { type: 'string', default: '1' },
      seconds: { type: 'string', default: 'Infinity' },
      program: { type: 'string' },
      json: { type: 'boolean', default: false },
    },
  });
  const [count = 0, seed = 0, seconds = 0] = [values.program === undefined ? values.random : '1', values.seed, values.seconds].map(Number);
  if (!(count >= 1 && seed >= 0 && seconds > 0)) throw new TypeError('--random, --seed and --seconds take a number');
  return {
    count,
    seed,
    seconds,
    json: values.json,
    given: values.program === undefined ? undefined : (JSON.parse(values.program) as Program),
  };
}

/** `--random N [--seed S] [--seconds N] [--json]`, or `--program JSON`; answers the exit code. Programs of one seed are always the same. */
export async function random(args: readonly string[]): Promise<number> {
  const { count, seed, seconds: limit, given, json } = wishesOf(args);
  const began = performance.now();
  const cast = await castOf();
  let [executed, violated] = [0, 0];
  for (; executed < count && performance.now() - began < limit * 1000; executed += 1) {
    const program = given ?? programOf(seed + executed, cast);
    if (await holds(program, cast, `random program of seed ${seed + executed}`)) continue;
    violated += 1;
    await report(program, cast);
  }
  const seconds = Math.round((performance.now() - began) / 1000);
  write(`random programs: ${count} planned, ${executed} executed, ${violated} violated, ${seconds} s`);
  if (executed === 0) write('FAILED  no program was run');
  if (json) write(JSON.stringify({ planned: count, executed, skipped: 0, violations: violated, seconds }));
  return violated > 0 || executed === 0 ? 1 : 0;
}

async function holds(program: Program, cast: Cast, name: string): Promise<boolean> {
  const violations = await tryProgram(program, cast);
  if (violations.length > 0) write(`VIOLATED  ${name}, ${program.length} moves`);
  for (const { oracle, message } of violations) write(`    ${oracle}: ${message.slice(0, 300)}`);
  return violations.length === 0;
}
