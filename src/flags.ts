import { parseArgs } from 'node:util';
import { closest } from './lib/closest.ts';

/** One setting that can be given as a flag or in the environment. */
export interface Flag<T> {
  readonly env: string;
  /** Undefined for a text that is not valid. */
  readonly parse: (text: string) => T | undefined;
  readonly default: string;
  /** What a value looks like, for the help and for refusals. */
  readonly form: string;
  readonly help: string;
  /** The same flag as other operators call it. */
  readonly alias?: string;
  /** What the flag means where no value follows it. */
  readonly bare?: string;
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

type Texts = Readonly<Record<string, readonly string[] | undefined>>;

function read(flags: Flags, args: readonly string[], refuse: (message: string) => Error): Texts {
  const names = new Map(
    Object.entries(flags).flatMap(([name, { alias }]) => [[name, name] as const, ...(alias ? [[alias, name] as const] : [])]),
  );
  const options = Object.fromEntries([...names.keys()].map((name) => [name, { type: 'string' as const, multiple: true }]));
  const whole = args.map((arg, index) => withValue(flags, arg, args[index + 1]));
  const stranger = parseArgs({ args: whole, options, strict: false, tokens: true }).tokens.find(
    (token) => token.kind === 'option' && !names.has(token.name),
  );
  if (stranger?.kind === 'option') {
    const [like = ''] = closest(stranger.name, [...names.keys()], 1);
    throw refuse(`there is no flag ${stranger.rawName}; the closest is --${like}, and --help explains them all`);
  }
  try {
    const given = parseArgs({ args: whole, options, strict: true, allowPositionals: false }).values as Texts;
    return Object.fromEntries(
      Object.keys(flags).map((name) => {
        const texts = [...names].filter(([, own]) => own === name).flatMap(([called]) => given[called] ?? []);
        return [name, texts.length > 0 ? texts : undefined];
      }),
    );
  } catch (error) {
    throw refuse(error instanceof Error ? error.message : 'the flags cannot be read');
  }
}

/** A flag alone, where that means something. */
function withValue(flags: Flags, arg: string, next = '--'): string {
  const flag = flags[arg.slice(2)];
  return arg.startsWith('--') && flag?.bare !== undefined && (next.startsWith('-') || flag.parse(next) === undefined)
    ? `${arg}=${flag.bare}`
    : arg;
}

export const flagHelp = (flags: Flags): string =>
  Object.entries(flags)
    .map(
      ([name, { env, form, help, alias, default: fallback }]) =>
        `  --${name} ${form}\n      ${help}\n      ${alias ? `Also --${alias}. ` : ''}Environment: ${env}. Default: ${fallback === '' ? 'none' : fallback}.`,
    )
    .join('\n');
