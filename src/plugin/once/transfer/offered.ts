import type { Resource } from '../../../engine/ports/kubernetes.ts';
import type { AccountReader } from '../../account/account-reader.ts';
import { shownName, typed } from '../../cluster/naming.ts';
import { selected } from '../../cluster/select.ts';
import type { Call } from '../../command-line/command.ts';
import { CliError } from '../../exit.ts';
import { kindCalled } from '../../command-line/kinds.ts';

const instance = /^\/vm\/instances\/(?<id>\d+)$/;

/** Ids of the instances that a line names: by id, or by the object that has it. Each once. */
export async function offered(call: Call, account: AccountReader, words: readonly string[]): Promise<readonly number[]> {
  const ids = await Promise.all(words.map((word) => idOf(call, account, word)));
  return [...new Set(ids)];
}

async function idOf(call: Call, account: AccountReader, word: string): Promise<number> {
  if (/^[1-9]\d*$/.test(word)) return Number(word);
  const object = await theOne(call, word);
  const { path, account: id } = object.status ?? {};
  if (typeof path !== 'string')
    throw new CliError(4, `${shownName(object)} has nothing in the account yet: kubectl cloud why ${typed(object)}`);
  const found = instance.exec(path)?.groups?.['id'];
  if (found === undefined) throw new CliError(2, `${shownName(object)} is ${path}, and only instances can be offered`);
  if (id !== account.shown.id)
    throw new CliError(3, `${shownName(object)} is in account ${String(id)}, and the token leads to account ${account.shown.id}`);
  return Number(found);
}

/** A kind without a name means all its objects: it names no single one, even where there is only one today. */
async function theOne(call: Call, word: string): Promise<Resource> {
  const isMany = word.includes(',') || kindCalled(word) !== undefined;
  const [object] = isMany ? [] : await selected({ ...call, args: [word] });
  if (object !== undefined) return object;
  throw new CliError(2, `${word} names no instance: write its id, or the object that has it, cinst/NAME`);
}

/** Objects that have one of these, or something that goes with it; what lies deepest first. */
export const havingAny = (objects: readonly Resource[], paths: readonly string[]): readonly Resource[] =>
  objects
    .filter(({ status }) => paths.some((path) => `${String(status?.['path'])}/`.startsWith(`${path}/`)))
    .toSorted((a, b) => depthOf(b) - depthOf(a));
const depthOf = ({ status }: Resource): number => String(status?.['path']).split('/').length;
