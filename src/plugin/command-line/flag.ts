import { duration } from '../../flag-values.ts';
import type { Millis } from '../../lib/clock.ts';
import { CliError } from '../exit.ts';

/** Values of flags, by their long name in camelCase, as commander gives them. */
export type Flags = Readonly<Record<string, string | boolean | undefined>>;

export interface Flag {
  /** In commander's form: `--timeout <duration>`. */
  readonly form: string;
  readonly help: string;
  readonly choices?: readonly string[];
  readonly default?: string;
  /** It may be given several times: the values, one a line. */
  readonly repeats?: true;
  /** Long name in camelCase of a flag that says the contrary. */
  readonly conflicts?: string;
}

export const text = (flags: Flags, name: string): string | undefined => {
  const value = flags[name];
  return typeof value === 'string' ? value : undefined;
};
export const on = (flags: Flags, name: string): boolean => flags[name] === true;

export function durationOf(flags: Flags, name: string): Millis {
  const value = duration(text(flags, name) ?? '');
  if (value === undefined) throw new CliError(2, `--${name}=${text(flags, name)} is no duration: write for example 90s or 72h`);
  return value;
}

/** Of what is looked back on: days too. */
export function ageOf(flags: Flags, name: string, written: string): Millis | undefined {
  const given = text(flags, name);
  if (given === undefined) return undefined;
  const days = /^(\d{1,5})d$/.exec(given)?.[1];
  const age = days === undefined ? duration(given) : Number(days) * 86_400_000;
  if (age === undefined) throw new CliError(2, `--${written} ${given} is no duration: write for example 30d or 12h`);
  return age;
}
