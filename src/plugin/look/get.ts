import { alike } from '../../lib/closest.ts';
import { withAccount } from '../account/account-reader.ts';
import type { Answer, Call, Verb } from '../command-line/command.ts';
import { CliError } from '../exit.ts';
import { kindCalled } from '../command-line/kinds.ts';
import { pathOf } from './below.ts';
import { asked, nounOf } from './asked.ts';
import { elsewhere, type Noun, nouns, otherWords, usage } from './nouns.ts';
import { filterOf } from './filter.ts';
import { ofRecord, ofRows } from './shown.ts';

/** `get NOUN [ID ...]`: rows of the account, or one of them. */
export const get: Verb = (call) => {
  const [word = '', ...ids] = call.args;
  if (word.includes('/') && ids.length === 0) return thatOf(call, word);
  const name = Object.hasOwn(nouns, word) ? word : (nounOf(word) ?? word);
  const noun = Object.hasOwn(nouns, name) ? nouns[name] : undefined;
  if (noun !== undefined) return look({ ...call, args: ids }, { verb: 'get', name, noun });
  throw new CliError(2, notKnown(word));
};

function notKnown(word: string): string {
  const all = Object.keys(nouns);
  if (word === '') return `say what to get: ${all.join(', ')}`;
  const { kind, shortName } = kindCalled(word) ?? {};
  if (kind !== undefined)
    return `get does not show what there is of ${kind}: kubectl cloud orphans --kinds ${shortName} or kubectl get ${shortName}`;
  const parts = all.filter((name) => isPartOf(word, name));
  const called = singularOf(word);
  const other = Object.hasOwn(otherWords, called) ? [String(otherWords[called])] : [];
  const near = [...new Set([...other, ...parts, ...(other.length + parts.length > 0 ? [] : alike(word, all))])];
  const more = Object.hasOwn(elsewhere, called) ? ` ${elsewhere[called]}` : '';
  return `${word} is nothing that get knows${near.length === 0 ? `: it knows ${all.join(', ')}` : `. Did you mean ${near.join(', ')}?${more}`}`;
}

/** As `backups` or `backup` is of `mysql-backups`. */
function isPartOf(word: string, name: string): boolean {
  return name.split('-').some((part) => singularOf(part) === singularOf(word));
}
const singularOf = (word: string): string => word.toLowerCase().replace(/(?<=ss)es$|(?<!s)s$/, '');

/** `get cdom/example-org`: what an object has, as the account shows it. */
async function thatOf(call: Call, word: string): Promise<Answer> {
  const path = await pathOf(call, word, '/');
  if (path === undefined)
    throw new CliError(2, `${word} names neither rows of the account nor an object: write get NOUN [ID], or KIND/NAME`);
  return withAccount(call, 'get', async (account) => ofRecord(account, await account.record(path)));
}

/** A verb of its own for one noun: `invoices [ID]`. */
export const looking =
  (verb: string, nameOf: (call: Call) => keyof typeof nouns): Verb =>
  (call) => {
    const name = nameOf(call);
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
