import type { Call, Level } from './command.ts';
import { CliError } from './exit.ts';
import { on, text } from './flag.ts';

export interface Question {
  readonly level: Level;
  /** `CloudVolume shop/data: Replace`. */
  readonly about: string;
  /** C2, C3: what must be typed. */
  readonly expected: string;
  /** C3: id of the account, which flags must name where nobody types. */
  readonly account?: string;
}

/** Ends the line unless somebody said yes to exactly this. Without a terminal only the flags count. */
export async function confirm(call: Call, { level, about, expected, account }: Question): Promise<void> {
  if (level === 'C0') return;
  if (level === 'C1') return askYes(call, about);
  const [given, named] = [text(call.flags, 'confirm'), text(call.flags, 'expectAccount')];
  const flags = `--confirm ${expected}${account === undefined ? '' : ` --expect-account ${account}`}`;
  const isMeant = given === undefined || account === undefined || named === account;
  const said = given ?? (await ask(call, (person) => person.type(`${about}. Type ${expected} to go on`)));
  if (isMeant && said === expected) return;
  throw new CliError(3, `${about}: not confirmed, nothing was written. To have it done without a terminal: ${flags}`);
}

async function askYes(call: Call, about: string): Promise<void> {
  if (on(call.flags, 'yes') || (await ask(call, (person) => person.yes(`${about}. Go on?`))) === true) return;
  throw new CliError(3, `${about}: not confirmed, nothing was written. To have it done without a terminal: --yes`);
}

type Person = NonNullable<Call['session']['host']['person']>;

/** Undefined where there is nobody to ask. */
async function ask<T>({ session }: Call, question: (person: Person) => Promise<T | undefined>): Promise<T | undefined> {
  const { person } = session.host;
  if (person === undefined) return undefined;
  const answer = await question(person);
  if (answer === undefined) throw new CliError(130, 'interrupted; nothing was written');
  return answer;
}
