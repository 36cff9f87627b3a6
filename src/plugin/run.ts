import { CommanderError } from 'commander';
import { KubeError } from '../engine/ports/kubernetes.ts';
import { type AsTyped, asTyped, typedWithin } from './command-line/as-typed.ts';
import type { Answer, Call, Command } from './command-line/command.ts';
import { commands } from './commands.ts';
import { CliError, type Exit, exitOf } from './exit.ts';
import { oneLine, withoutControls } from '../lib/one-line.ts';
import { type Flags, text } from './command-line/flag.ts';
import type { Host } from './host.ts';
import { envelope } from './output/envelope.ts';
import { programOf } from './command-line/program.ts';
import { Session } from './session.ts';
import { traced } from './terminal/trace.ts';

/** Runs one line as it was typed after `kubectl cloud`, and answers the exit code. */
export async function run(argv: readonly string[], given: Host): Promise<Exit> {
  const host = plain(given);
  if (argv[0] === 'complete') return completed(argv.slice(argv[1] === '--' ? 2 : 1), host);
  let exit: Exit = 0;
  const program = programOf(commands, host, async (command, args, flags) => {
    exit = await perform(command, { args, flags, typed: argv }, host);
  });
  try {
    await program.parseAsync(argv.length === 0 ? ['help'] : withoutHelp(argv), { from: 'user' });
    return exit;
  } catch (error) {
    if (error instanceof CommanderError) return await wrongLine(error, host);
    host.err(`kubectl cloud: ${messageOf(error)}\n`);
    return exitOf(error);
  }
}

async function wrongLine({ code, exitCode, message }: CommanderError, host: Host): Promise<Exit> {
  if (exitCode === 0) return 0;
  // Help that nobody asked for is there already.
  if (code !== 'commander.help') {
    const { withNearHint, withYesHint } = await import('./command-line/near-hint.ts');
    host.err(withYesHint(withNearHint(`${message}\n`), commands).replace(/^error: /, 'kubectl cloud: '));
  }
  return 2;
}

/** Help of no verb would be all of it, as if that were the answer. */
function withoutHelp([first = '', second, ...rest]: readonly string[]): string[] {
  const isOfNone = first === 'help' && second !== undefined && !second.startsWith('-') && !commands.some(({ name }) => name === second);
  return [...(isOfNone ? [] : [first]), ...(second === undefined ? [] : [second]), ...rest];
}

/** What is shown was written by tenants too, and by whoever uses the account. */
const plain = (host: Host): Host => ({
  ...host,
  out: (text) => host.out(withoutControls(text)),
  err: (text) => host.err(withoutControls(text)),
  ...(host.person && {
    person: {
      yes: (question) => host.person?.yes(oneLine(question)) ?? Promise.resolve(undefined),
      type: (question) => host.person?.type(oneLine(question)) ?? Promise.resolve(undefined),
      secret: (question) => host.person?.secret(oneLine(question)) ?? Promise.resolve(undefined),
    },
  }),
});

async function completed(words: readonly string[], host: Host): Promise<Exit> {
  const [{ complete }, { offersFor }] = await Promise.all([
    import('./command-line/completion.ts'),
    import('./command-line/completion-words.ts'),
  ]);
  complete(commands, words, await offersFor(commands, words, host));
  return 0;
}

interface Typed extends Omit<Call, 'session'> {
  readonly typed: readonly string[];
}
async function perform(command: Command, { args, flags, typed }: Typed, host: Host): Promise<Exit> {
  if (flags['color'] === false) host.withoutColour();
  const as = asTyped(commands, flags);
  const session = new Session(traced(host, flags), flags, { as, typed });
  try {
    const verb = await command.load();
    const answer = await verb({ session, args, flags });
    if (session.accounts.isUntried) session.warn('--expect-account was not looked at: no account was asked anything');
    if (isWhole(flags)) host.out(await envelope(session, { ...answer, data: typedWithin(as, answer.kind, answer.data) }, flags));
    else session.print(...(await linesOf(answer, flags, as)));
    return answer.exit;
  } catch (error) {
    return await failed(command, session, { flags, as }, error);
  } finally {
    await session.close();
  }
}

interface Line {
  readonly flags: Flags;
  readonly as: AsTyped;
}

async function failed(command: Command, session: Session, { flags, as }: Line, error: unknown): Promise<Exit> {
  const { host } = session;
  const exit = host.signal.aborted ? 130 : exitOf(error);
  const told = as(`${messageOf(error)}${wayToSee(error)}`);
  const message = exit === 130 && exitOf(error) !== 130 ? `interrupted. ${told}` : told;
  host.err(`kubectl cloud ${command.name}: ${message}\n`);
  if (isWhole(flags)) host.out(await envelope(session, { kind: 'Error', exit, data: { verb: command.name, message } }, flags));
  return exit;
}

/** One object that programs read. */
const isWhole = (flags: Flags): boolean => ['json', 'jsonl', 'yaml'].includes(text(flags, 'output') ?? '');

async function linesOf({ kind, data, lines, wide = lines }: Answer, flags: Flags, as: AsTyped): Promise<readonly string[]> {
  const form = text(flags, 'output');
  if (form === 'name') return (await import('./output/names.ts')).namesOf(kind, data);
  const shown = form === 'wide' ? wide : lines;
  return isCopied(kind, flags) ? shown : shown.map(as);
}

/** What others wrote, or a program reads: no word of it is ours to change. */
const isCopied = (kind: Answer['kind'], flags: Flags): boolean =>
  ['Rows', 'Script', 'Schema', 'Mapping', 'Once', 'History'].includes(kind) ||
  text(flags, 'to') === '-' ||
  text(flags, 'reveal') !== undefined;

/** Of an API server that does not answer. */
function wayToSee(error: unknown): string {
  if (!(error instanceof KubeError) || error.fault !== 'Unavailable') return '';
  return '\nWhether it is there: kubectl get --raw /readyz';
}

/** A bug is told with where it is; everything else was written for the person who reads it. */
function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof CliError) return error.message;
  if (error.name === 'KubeError') return oneLine(error.message);
  return [oneLine(String(error)), ...(error.stack ?? '').split('\n').filter((line) => line.startsWith('    at '))].join('\n');
}
