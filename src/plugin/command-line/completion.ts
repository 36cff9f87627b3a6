import root, { script } from '@bomb.sh/tab';
import type { Command, Verb } from './command.ts';
import type { Offer } from './completion-words.ts';
import { CliError } from '../exit.ts';

/** `kubectl_complete-cloud` in PATH: kubectl asks it what may follow `kubectl cloud`. */
const shim = ['#!/bin/sh', 'exec kubectl-cloud complete -- "$@"'];
const shells = ['bash', 'zsh', 'fish', 'powershell', 'kubectl'];

/** The scripts are the library's, which writes them to standard output itself. */
export const completion: Verb = ({ args: [shell = ''] }) => {
  if (!shells.includes(shell)) throw new CliError(2, `completion of what: write ${shells.join(', ')}`);
  if (shell === 'kubectl') return Promise.resolve({ exit: 0, kind: 'Script', data: { shell }, lines: shim });
  script(shell, 'kubectl-cloud', 'kubectl-cloud');
  return Promise.resolve({ exit: 0, kind: 'Script', data: { shell }, lines: [] });
};

/** What may follow words that were typed: `complete -- WORDS`, asked by the scripts above while somebody presses Tab. `offers`: beside verbs and flags. */
export function complete(commands: readonly Command[], words: readonly string[], offers: readonly Offer[]): void {
  for (const { name, does, flags, args } of commands) {
    const into = root.command(name, does);
    for (const { form, help, choices = [] } of flags) {
      const { short, long = '', value } = /^(?:-(?<short>\w), )?--(?<long>[\w-]+)(?<value> <.+>)?$/.exec(form)?.groups ?? {};
      const offer = value === undefined ? [] : [(put: (value: string, says: string) => void) => choices.forEach((one) => put(one, ''))];
      into.option(long, help, ...(offer as [never]), short);
    }
    if (args !== undefined) into.argument('words', (put) => offers.forEach(([value, says]) => put(value, says)), true);
  }
  root.parse([...words]);
}
