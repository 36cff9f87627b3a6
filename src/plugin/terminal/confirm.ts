import { shellWord } from '../../lib/shell-word.ts';
import type { Call, Level } from '../command-line/command.ts';
import { CliError } from '../exit.ts';
import { on, text } from '../command-line/flag.ts';
import { sameLine } from '../command-line/same-line.ts';

export interface Question {
  readonly level: Level;
  /** `CloudVolume shop/data: Replace`. */
  readonly about: string;
  /** C2, C3: what must be typed. */
  readonly expected: string;
  /** C3: id of the account, which flags must name where nobody types. */
  readonly account?: string;
  /** C1: what is asked after it, once what was made was looked at, and must be typed then; why, or how that is seen first. */
  readonly again?: { readonly expected: string; readonly because: string } | undefined;
  /** What was made before this was asked, and the line that asks for it again; absent: nothing was written yet. */
  readonly made?: { readonly name: string; readonly line: string; readonly withdraw: string };
}

/** Ends the line unless somebody said yes to exactly this. Without a terminal only the flags count. */
export async function confirm(call: Call, { level, about, expected, account, made, again }: Question): Promise<void> {
  if (level === 'C0') return;
  if (level === 'C1') return askYes(call, about, again);
  const given = text(call.flags, 'confirm');
  const flags = `--confirm ${shellWord(expected)}${account === undefined ? '' : ` --expect-account ${account}`}`;
  const isMeant = given === undefined || isExpected(call, account);
  const stands = standing(made);
  const said = given ?? (await ask(call, (person) => person.type(`${about}. Type ${expected} to go on`), `${stands}${withdrawn(made)}`));
  if (isMeant && said === expected) return;
  const lacks = given === undefined ? unsaid(call, { expected, said }, made) : lacking(expected, said === expected);
  const no = `${about}: not confirmed, ${stands}${lacks}`;
  throw new CliError(
    3,
    made === undefined ? [no, ...unattended(call, flags)] : `${no}; without a terminal: ${made.line} ${flags}${withdrawn(made)}`,
  );
}
const isExpected = ({ flags }: Call, account: string | undefined): boolean =>
  account === undefined || text(flags, 'expectAccount') === account;
/** Of flags that say yes to something else, or not to which account. */
const lacking = (expected: string, isRight: boolean): string =>
  isRight ? ': --expect-account is missing, which says which account is meant' : `: --confirm must be exactly ${expected}`;

/** Whoever wrote --yes meant to be asked nothing; of what was made by that, the line that asks again says what it needs. */
function unsaid(
  { flags, session: { host } }: Call,
  { expected, said }: { expected: string; said: string | undefined },
  made: Question['made'],
) {
  if (made !== undefined) return '';
  if (said !== undefined) return `: what was typed is not ${expected}`;
  return on(flags, 'yes') && host.person === undefined ? ': --yes is not enough for this' : '';
}

const untouched = 'nothing was written';
/** How things are when nobody said yes. */
const standing = (made: Question['made']): string =>
  made === undefined ? untouched : `${made.name} is made and waits. To have it done: ${made.line}`;
const withdrawn = (made: Question['made']): string => (made === undefined ? '' : `. To withdraw it: ${made.withdraw}`);
const unattended = ({ session }: Call, flags: string): readonly string[] => [
  `To have it done without a terminal: ${sameLine(session.typed, flags) ?? `the same line with ${flags}`}`,
];

async function askYes(call: Call, about: string, again: Question['again']): Promise<void> {
  if (on(call.flags, 'yes') || (await ask(call, (person) => person.yes(`${about}. Go on?`))) === true) return;
  const no = `${about}: not confirmed, ${untouched}`;
  if (again === undefined) throw new CliError(3, [no, ...unattended(call, '--yes')]);
  throw new CliError(3, [no, again.because, ...unattended(call, `--yes --confirm ${shellWord(again.expected)}`)]);
}

type Person = NonNullable<Call['session']['host']['person']>;

/** Undefined where there is nobody to ask. */
async function ask<T>(
  { session }: Call,
  question: (person: Person) => Promise<T | undefined>,
  stands: string = untouched,
): Promise<T | undefined> {
  const { person } = session.host;
  if (person === undefined) return undefined;
  const answer = await question(person);
  if (answer === undefined) throw new CliError(130, `interrupted; ${stands}`);
  return answer;
}
