import { CommanderError } from 'commander';
import { KubeError } from '../engine/ports/kubernetes.ts';
import type { Answer, Call, Command } from './command.ts';
import { commands } from './commands.ts';
import { CliError, type Exit, exitOf } from './exit.ts';
import { oneLine, withoutControls } from '../lib/one-line.ts';
import { type Flags, text } from './flag.ts';
import type { Host } from './host.ts';
import { envelope } from './output/envelope.ts';
import { namesOf } from './output/names.ts';
import { programOf } from './program.ts';
import { Session } from './session.ts';
import { traced } from './trace.ts';

/** Runs one line as it was typed after `kubectl cloud`, and answers the exit code. */
export async function run(argv: readonly string[], given: Host): Promise<Exit> {
  const host = plain(given);
  if (argv[0] === 'complete') return completed(argv.slice(argv[1] === '--' ? 2 : 1));
  let exit: Exit = 0;
  const program = programOf(commands, host, async (command, args, flags) => {
    exit = await perform(command, { args, flags }, host);
  });
  try {
    await program.parseAsync(argv.length === 0 ? ['help'] : [...argv], { from: 'user' });
    return exit;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    host.err(`kubectl cloud: ${messageOf(error)}\n`);
    return exitOf(error);
  }
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

async function completed(words: readonly string[]): Promise<Exit> {
  (await import('./completion.ts')).complete(commands, words);
  return 0;
}

async function perform(command: Command, { args, flags }: Omit<Call, 'session'>, host: Host): Promise<Exit> {
  const session = new Session(traced(host, flags), flags);
  try {
    const verb = await command.load();
    const answer = await verb({ session, args, flags });
    if (isWhole(flags)) host.out(await envelope(session, answer, flags));
    else session.print(...linesOf(answer, flags));
    return answer.exit;
  } catch (error) {
    return await failed(command, session, flags, error);
  } finally {
    await session.close();
  }
}

async function failed(command: Command, session: Session, flags: Flags, error: unknown): Promise<Exit> {
  const { host } = session;
  const exit = host.signal.aborted ? 130 : exitOf(error);
  const told = `${messageOf(error)}${wayToSee(error, flags)}`;
  const message = exit === 130 && exitOf(error) !== 130 ? `interrupted. ${told}` : told;
  host.err(`kubectl cloud ${command.name}: ${message}\n`);
  if (isWhole(flags)) host.out(await envelope(session, { kind: 'Error', exit, data: { verb: command.name, message } }, flags));
  return exit;
}

/** One object that programs read. */
const isWhole = (flags: Flags): boolean => ['json', 'jsonl', 'yaml'].includes(text(flags, 'output') ?? '');

function linesOf({ kind, data, lines, wide = lines }: Answer, flags: Flags): readonly string[] {
  const form = text(flags, 'output');
  if (form === 'name') return namesOf(kind, data);
  return form === 'wide' ? wide : lines;
}

/** Of an API server that does not answer: by the cluster that was meant. */
function wayToSee(error: unknown, flags: Flags): string {
  if (!(error instanceof KubeError) || error.fault !== 'Unavailable') return '';
  const named = ['kubeconfig', 'context'].flatMap((name) => (text(flags, name) === undefined ? [] : [`--${name}=${text(flags, name)}`]));
  return `\nWhether it is there: ${['kubectl', ...named, 'get --raw /readyz'].join(' ')}`;
}

/** A bug is told with where it is; everything else was written for the person who reads it. */
function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof CliError) return error.message;
  if (error.name === 'KubeError') return oneLine(error.message);
  return [oneLine(String(error)), ...(error.stack ?? '').split('\n').filter((line) => line.startsWith('    at '))].join('\n');
}
