import { parseArgs } from 'node:util';

export interface Options {
  readonly sizes: readonly number[];
  readonly populations: readonly string[];
  readonly only: readonly string[];
  readonly quick: boolean;
  readonly json: boolean;
  readonly compare: string | undefined;
  readonly profile: string | undefined;
  readonly seed: number;
  /** Of the emulator, as its `--rate-profile` has them. */
  readonly rates: string;
}

export const usage = `Usage: npm run bench -- [options]        (npm run bench emulator: figures of the emulator)
  --objects N           100, 1000 or 10000; repeat it; without it all three
  --population NAME     mixed, all (kinds, of an account that is exported first), or one kind alone such as CloudVolume; repeat it; without it mixed and CloudVolume
  --only NAME           only this scenario; repeat it
  --quick               shorter looks (idle for two minutes); the output says so
  --json                figures for machines
  --compare FILE        beside an earlier --json: what changed
  --profile FOLDER      every operator leaves its processor profile there
  --rates PROFILE       rate windows of the account: published-2026 without it; none, where counts are asked for and no seconds
  --seed N              of the random programs that make the account of --population all; another one each time without it
`;

export function readOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      objects: { type: 'string', multiple: true, default: ['100', '1000', '10000'] },
      population: { type: 'string', multiple: true, default: ['mixed', 'CloudVolume'] },
      only: { type: 'string', multiple: true, default: [] },
      quick: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      compare: { type: 'string' },
      profile: { type: 'string' },
      rates: { type: 'string', default: 'published-2026' },
      seed: { type: 'string', default: String(Math.floor(Math.random() * 1_000_000)) },
    },
    strict: true,
  });
  const sizes = values.objects.map(Number);
  if (sizes.some((size) => !Number.isInteger(size) || size < 1)) throw new Error(`--objects takes a number of objects\n${usage}`);
  const seed = Number(values.seed);
  if (!Number.isInteger(seed)) throw new Error(`--seed takes a whole number\n${usage}`);
  const { population: populations, only, quick, json, compare, profile, rates } = values;
  return { sizes, populations, only, quick, json, compare, profile, seed, rates };
}
