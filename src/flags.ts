import { parseArgs } from 'node:util';

/** One setting that can be given as a flag or in the environment. */
export interface Flag<T> {
  readonly env: string;
  /** Undefined for a text that is not valid. */
  readonly parse: (text: string) => T | undefined;
  readonly default: string;
  /** What a value looks like, for the help and for refusals. */
  readonly form: string;
  readonly help: string;
}
type Flags = Readonly<Record<string, Flag<unknown>>>;
type Values<F extends Flags> = { readonly [Name in keyof F]: Exclude<ReturnType<F[Name]['parse']>, undefined> };

/** Flags win over the environment, and the environment over defaults. A bad value is refused with the flag's name and its form. */
export function parseFlags<F extends Flags>(
  flags: F,
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  refuse: (message: string) => Error,
): Values<F> {
  const given = read(flags, args, refuse);
  const entries = Object.entries(flags).map(([name, flag]) => {
    const texts = given[name];
    const [text, from] =
      texts !== undefined ? [texts.join(' '), `--${name}`] : [env[flag.env] ?? flag.default, flag.env in env ? flag.env : `--${name}`];
    const value = flag.parse(text);
    if (value === undefined) throw refuse(`${from}: ${JSON.stringify(text)} is not valid; write ${flag.form}`);
    return [name, value];
  });
  return Object.fromEntries(entries) as Values<F>;
}

function read(
  flags: Flags,
  args: readonly string[],
  refuse: (message: string) => Error,
): Readonly<Record<string, readonly string[] | undefined>> {
  const options = Object.fromEntries(Object.keys(flags).map((name) => [name, { type: 'string' as const, multiple: true }]));
  try {
    return parseArgs({ args: [...args], options, strict: true, allowPositionals: false }).values as Record<string, string[] | undefined>;
  } catch (error) {
    throw refuse(error instanceof Error ? error.message : 'the flags cannot be read');
  }
}

export const flagHelp = (flags: Flags): string =>
  Object.entries(flags)
    .map(
      ([name, { env, form, help, default: fallback }]) =>
        `  --${name} ${form}\n      ${help}\n      Environment: ${env}. Default: ${fallback === '' ? 'none' : fallback}.`,
    )
    .join('\n');
