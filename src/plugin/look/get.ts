import { closest } from '../../lib/closest.ts';
import { withAccount } from '../account/account-reader.ts';
import type { Answer, Call, Verb } from '../command.ts';
import { CliError } from '../exit.ts';
import { asked, type Noun, nouns, usage } from './nouns.ts';
import { filterOf } from './filter.ts';
import { ofRecord, ofRows } from './shown.ts';

/** `get NOUN [ID ...]`: rows of the account, or one of them. */
export const get: Verb = (call) => {
  const [name = '', ...ids] = call.args;
  const noun = Object.hasOwn(nouns, name) ? nouns[name] : undefined;
  if (noun !== undefined) return look({ ...call, args: ids }, { verb: 'get', name, noun });
  if (name === '') throw new CliError(2, `say what to get: ${Object.keys(nouns).join(', ')}`);
  throw new CliError(2, `${name} is nothing that get knows. Did you mean ${closest(name, Object.keys(nouns)).join(', ')}?`);
};

/** A verb of its own for one noun: `invoices [ID]`. */
export const looking =
  (verb: string, nounOf: (call: Call) => keyof typeof nouns): Verb =>
  (call) => {
    const name = nounOf(call);
    const noun = nouns[name];
    if (noun === undefined) throw new Error(`${verb} shows ${name}, which get does not know`);
    return look(call, { verb, name, noun });
  };

interface Looked {
  readonly verb: string;
  readonly name: string;
  readonly noun: Noun;
}

async function look(call: Call, { verb, name, noun }: Looked): Promise<Answer> {
  const what = asked(noun, call.args);
  if (what === undefined) throw new CliError(2, `write: kubectl cloud ${verb === 'get' ? `get ${usage(name, noun)}` : usage(verb, noun)}`);
  const isWanted = filterOf(call);
  return withAccount(call, verb, async (account) => {
    if (what.is === 'item') return ofRecord(account, await account.record(what.path));
    const rows = await (noun.everybodys === true ? account.everybodys(what.path) : account.rows(what.path));
    return ofRows(account, noun.columns, rows.filter(isWanted));
  });
}
