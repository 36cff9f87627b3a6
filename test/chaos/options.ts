import { parseArgs } from 'node:util';
import type { Filter } from './plan.ts';

export interface Options {
  readonly filter: Filter;
  readonly shard: { readonly index: number; readonly of: number };
  readonly smoke: boolean;
  readonly json: boolean;
  /** Seconds after which no further case is begun. */
  readonly seconds: number;
  readonly verbose: boolean;
}

export const usage = `node test/chaos/main.ts [--smoke] [--shard i/n] [--kind K] [--family F] [--case ID] [--seconds N] [--json]
  --smoke      a sample that takes about a minute, every family and kind in it
  --shard i/n  the i-th of n parts of the plan
  --case ID    exactly this case, with its timeline
  --seconds N  begins no further case after so long; what is left is reported as not run
  --json       ends with one line {"planned", "executed", "skipped", "violations", "seconds"}`;

/** Throws a TypeError that says what is wrong. */
export function optionsFrom(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      smoke: { type: 'boolean', default: false },
      shard: { type: 'string', default: '1/1' },
      kind: { type: 'string' },
      family: { type: 'string' },
      case: { type: 'string' },
      seconds: { type: 'string' },
      json: { type: 'boolean', default: false },
    },
  });
  const shard = /^(\d+)\/(\d+)$/.exec(values.shard);
  const [index, of] = [Number(shard?.[1]), Number(shard?.[2])];
  if (!(index >= 1 && index <= of)) throw new TypeError(`--shard ${values.shard}: write i/n with 1 <= i <= n`);
  const seconds = Number(values.seconds ?? Infinity);
  if (!(seconds > 0)) throw new TypeError(`--seconds ${values.seconds}: write a number of seconds`);
  return {
    filter: { kind: values.kind, family: values.family, case: values.case },
    shard: { index, of },
    smoke: values.smoke,
    json: values.json,
    seconds,
    verbose: values.case !== undefined,
  };
}
