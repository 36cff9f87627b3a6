import { Command as Parser, Option } from 'commander';
import type { Command } from './command.ts';
import type { Flag, Flags } from './flag.ts';
import { detailsOf } from './help.ts';
import type { Host } from '../host.ts';
import { clusterFlags } from './flags.ts';
import { groups } from './groups.ts';

type Perform = (command: Command, args: readonly string[], flags: Flags) => Promise<void>;

/** The command table as a parser. What is wrong with a line it throws, and says nothing. */
export function programOf(commands: readonly Command[], host: Host, perform: Perform): Parser {
  const program = new Parser('kubectl cloud')
    .usage('VERB [KIND/NAME ...] [flags]')
    .description('See and steer what cloud-operator does: objects of cloudhosting.dev, with your own rights and nothing more.')
    .exitOverride()
    .configureOutput({ writeOut: host.out, writeErr: host.err, outputError: () => undefined })
    .configureHelp({ subcommandTerm: (command) => command.name() })
    .showSuggestionAfterError()
    .helpOption('-h, --help', 'What it does, whom it talks to, which rights it needs.');
  // Also before the verb, where kubectl's own flags stand.
  for (const flag of clusterFlags) program.addOption(optionOf(flag).hideHelp());
  for (const [heading, verbs] of Object.entries(groups)) {
    program.commandsGroup(`${heading}:`);
    for (const command of verbs.flatMap((verb) => commands.find(({ name }) => name === verb) ?? [])) add(program, command, perform);
  }
  program.helpCommand('help [verb]', 'What a verb does, whom it talks to, which rights it needs, what its exit codes mean.');
  return program;
}

function add(program: Parser, command: Command, perform: Perform): void {
  const parser = program.command(command.name).summary(command.does).description(`${command.does}\n\n${command.details}`);
  parser.usage([command.args, '[flags]'].filter(Boolean).join(' '));
  if (command.args !== undefined) parser.argument('[words...]', 'see Usage');
  for (const flag of command.flags) parser.addOption(optionOf(flag));
  // Whose complaint it is, as of all others.
  parser.exitOverride((error) => {
    error.message = error.message.replace(/^error: /, `kubectl cloud ${command.name}: `);
    throw error;
  });
  parser.configureHelp({ visibleArguments: () => [] });
  parser.addHelpText('after', `\n${detailsOf(command)}`);
  parser.action(async (...given: readonly unknown[]) => {
    const words = command.args === undefined ? [] : (given[0] as readonly string[]);
    await perform(command, words, parser.optsWithGlobals());
  });
}

function optionOf({ form, help, choices, default: value, repeats, conflicts }: Flag): Option {
  const option = new Option(form, help);
  if (conflicts !== undefined) option.conflicts(conflicts);
  if (choices !== undefined) option.choices([...choices]);
  if (value !== undefined) option.default(value);
  if (repeats === true) option.argParser((one: string, before: string | undefined) => (before === undefined ? one : `${before}\n${one}`));
  return option;
}
