import { parseArgs } from 'node:util';

export interface Options {
  readonly kind: string | undefined;
  /** Of these alone; undefined: of all. */
  readonly families: readonly string[] | undefined;
  readonly case: string | undefined;
  /** After which no further life is begun. */
  readonly seconds: number;
  /** Lanes side by side. */
  readonly jobs: number;
  readonly json: boolean;
  readonly seed: number;
  /** Every n-th batch of lives from the i-th on: a list too long for one run is run in parts. */
  readonly part: { readonly index: number; readonly of: number };
}

export const usage = `node test/chaos/main.ts --tier 1 [--kind K] [--family F,...] [--case ID] [--seconds N] [--jobs N] [--seed N] [--part I/N] [--json]
  --case ID    exactly this case
  --seconds N  begins nothing further after so long; what is left is reported as not run
  --jobs N     so many lanes side by side on one control plane (default 4)
  --seed N     of the order in which the cases are run
  --part I/N   the I-th of N parts of the list; all parts together are the list
  --json       ends with one line {"planned", "executed", "skipped", "violations", "seconds"}`;

/** Throws a TypeError that says what is wrong. */
export function optionsFrom(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      tier: { type: 'string' },
      kind: { type: 'string' },
      family: { type: 'string' },
      case: { type: 'string' },
      seconds: { type: 'string' },
      jobs: { type: 'string', default: '4' },
      seed: { type: 'string', default: '20260101' },
      part: { type: 'string', default: '1/1' },
      json: { type: 'boolean', default: false },
    },
  });
  return {
    kind: values.kind,
    families: values.family?.split(','),
    case: values.case,
    seconds: number('seconds', values.seconds),
    jobs: number('jobs', values.jobs),
    seed: number('seed', values.seed),
    json: values.json,
    part: partFrom(values.part),
  };
}

function number(name: string, text: string | undefined): number {
  const value = Number(text ?? Infinity);
  if (value > 0) return value;
  throw new TypeError(`--${name} ${text}: write a number above 0`);
}

function partFrom(text: string): Options['part'] {
  const [, index = '', of = ''] = /^(\d+)\/(\d+)$/.exec(text) ?? [];
  if (Number(index) > 0 && Number(index) <= Number(of)) return { index: Number(index), of: Number(of) };
  throw new TypeError(`--part ${text}: write for example 2/3`);
}
