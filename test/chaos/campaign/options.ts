import { parseArgs } from 'node:util';
import { availableParallelism } from 'node:os';
import type { Filter } from './plan.ts';

interface Share {
  readonly index: number;
  readonly of: number;
}

export interface Options {
  readonly filter: Filter;
  readonly shard: Share;
  /** Processes at once. */
  readonly jobs?: number;
  /** This process is a child that records and plays only these scenarios, and tells its parent. */
  readonly part?: Share;
  readonly smoke: boolean;
  /** In an order of which any beginning is a fair sample. */
  readonly sample: boolean;
  /** Only plans, and writes down how many cases there are. */
  readonly counts: boolean;
  readonly json: boolean;
  /** Seconds after the plan was made, after which no further case is begun. */
  readonly seconds: number;
  readonly verbose: boolean;
  /** Of the operators' random numbers. */
  readonly seed: number;
}

export const usage = `node test/chaos/main.ts [--smoke | --sample | --counts] [--shard i/n] [--kind K] [--family F] [--plain] [--case ID] [--seed N] [--seconds N] [--jobs N] [--json]
  --smoke      a sample that takes about a minute, every family and kind in it
  --sample     one case of every family and kind after the other, always in the same order; give --seconds too
  --counts     runs nothing, and writes the numbers of cases to test/chaos/COUNTS.md and test/README.md
  --plain      only where the service is as it most likely is: a fifth of the recordings that a plan is made from
  --shard i/n  the i-th of n parts of the plan
  --case ID    exactly this case, with its timeline
  --seed N     the operators draw other random numbers (default 0): waits, polls and renewals come at other times
  --jobs N     processes at once; by default as many as there are cores
  --seconds N  begins no further case so long after all were planned; what is left is reported as not run
  --json       ends with one line {"planned", "executed", "skipped", "violations", "seconds"}`;

/** Throws a TypeError that says what is wrong. */
export function optionsFrom(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      smoke: { type: 'boolean', default: false },
      sample: { type: 'boolean', default: false },
      counts: { type: 'boolean', default: false },
      shard: { type: 'string', default: '1/1' },
      kind: { type: 'string' },
      family: { type: 'string' },
      case: { type: 'string' },
      plain: { type: 'boolean', default: false },
      seed: { type: 'string', default: '0' },
      seconds: { type: 'string' },
      json: { type: 'boolean', default: false },
      jobs: { type: 'string' },
      part: { type: 'string' },
    },
  });
  const seconds = Number(values.seconds ?? Infinity);
  if (!(seconds > 0)) throw new TypeError(`--seconds ${values.seconds}: write a number of seconds`);
  const seed = Number(values.seed);
  if (!Number.isInteger(seed) || seed < 0) throw new TypeError(`--seed ${values.seed}: write a number`);
  if (values.counts && (values.plain || [values.kind, values.family, values.case].some((one) => one !== undefined)))
    throw new TypeError('--counts counts all cases: leave out --kind, --family, --plain and --case');
  return {
    filter: { kind: values.kind, family: values.family, case: values.case, plain: values.plain },
    shard: shareOf('--shard', values.shard),
    jobs: values.case === undefined ? jobsOf(values.jobs) : 1,
    ...(values.part !== undefined && { part: shareOf('--part', values.part) }),
    smoke: values.smoke,
    sample: values.sample,
    counts: values.counts,
    json: values.json,
    seconds,
    verbose: values.case !== undefined,
    seed,
  };
}

function shareOf(flag: string, text: string): Share {
  const found = /^(\d+)\/(\d+)$/.exec(text);
  const [index, of] = [Number(found?.[1]), Number(found?.[2])];
  if (!(index >= 1 && index <= of)) throw new TypeError(`${flag} ${text}: write i/n with 1 <= i <= n`);
  return { index, of };
}

function jobsOf(text: string | undefined): number {
  const jobs = Number(text ?? availableParallelism());
  if (!Number.isInteger(jobs) || jobs < 1) throw new TypeError(`--jobs ${text}: write a number of processes`);
  return jobs;
}
