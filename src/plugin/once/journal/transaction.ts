import { CloudError } from '../../../engine/ports/index.ts';
import type { Row } from '../../../resource/index.ts';
import { type AccountReader, withOwnAccount } from '../../account/account-reader.ts';
import { whereabouts } from '../../account/typed-again.ts';
import type { Answer, Call } from '../../command-line/command.ts';
import { CliError } from '../../exit.ts';
import { on } from '../../command-line/flag.ts';
import { confirm } from '../../terminal/confirm.ts';
import { bodyWithoutSecrets, withoutSecrets } from '../../look/shown.ts';
import type { OnceData } from '../../output/account-shapes.ts';
import type { AccountChange, Prepare, Told } from './account-change.ts';
import { answeredIn, type Entry, newNonce, openIn } from './journal.ts';
import { companyOf } from '../words.ts';
import { lookedAt } from './look-again.ts';
import { isUnderWay, perhapsText, underWayText, withSignsOfLife } from './under-way.ts';

const quarterOfAnHour = 15 * 60_000;

/**
 * Changes the account once. What is about to be sent is written down first; where an earlier change of unknown outcome is
 * written down, nothing is sent until a person looked. Nothing is ever sent twice by itself. `scope`: without it the service would refuse.
 */
export const once = (call: Call, verb: string, prepare: Prepare, scope?: string): Promise<Answer> =>
  withOwnAccount(call, verb, async (account) => {
    if (scope !== undefined) account.refuseWithout(scope);
    const change = await prepare(account).catch(async (error: unknown) => {
      // What refuses it may be what an earlier line of unknown outcome did, as a promotion that is there already.
      if (!on(call.flags, 'dryRun') && error instanceof CliError) await refuseWhatIsOpen(call, account, error);
      throw error;
    });
    if ('exit' in change) return change;
    const { session } = call;
    const company = companyOf(await account.record('/account'));
    session.say(`account ${account.shown.id} (${company}) at ${account.shown.endpoint}, as user ${account.shown.user}`, ...change.facts);
    if (on(call.flags, 'dryRun')) return dryRun(account, change);
    if (change.level === 'C0') return answerOf(account, change, await sent(account, change));
    await refuseWhatIsOpen(call, account);
    await refuseAgain(call, account, change);
    const { level, what: about, expected } = change;
    await confirm(call, { level, about, expected, ...(level === 'C3' && { account: account.shown.id }) });
    return journaled(call, { verb, account, change });
  });

interface Doing {
  readonly verb: string;
  readonly account: AccountReader;
  readonly change: AccountChange;
}

async function journaled(call: Call, { verb, account, change }: Doing): Promise<Answer> {
  const { journal, random } = call.session.host;
  const { what, look } = change;
  const at = new Date(call.session.now).toISOString();
  const about = { account: account.shown.id, verb, what, look };
  const entry: Entry = { nonce: newNonce(random), at, ...about, state: 'Intended', by: journal.me, seen: at };
  await journal.add(entry);
  const [first] = openIn(await journal.read(), entry.account);
  if (first?.nonce !== entry.nonce) {
    await journal.add({ ...entry, state: 'Withdrawn' });
    await refuseWhatIsOpen(call, account);
    throw new CliError(3, 'another kubectl cloud changed this account in this moment; nothing was sent. Type the same line again');
  }
  try {
    const answer = await withSignsOfLife(call.session.host, entry, account.send(change.call));
    await journal.add({ ...entry, state: 'Answered' });
    return await answerOf(account, change, answer, entry.nonce);
  } catch (error) {
    throw await failed(call, entry, error);
  }
}

async function failed({ session }: Call, entry: Entry, error: unknown): Promise<unknown> {
  if (!(error instanceof CloudError)) return error;
  const unknown = error.fault === 'Unknown';
  await session.host.journal.add({ ...entry, state: unknown ? 'Unknown' : 'Refused' });
  if (!unknown) return new CliError(4, `${error.message}. ${undone(entry.what, error.message)}`);
  return new CliError(5, [
    error.message,
    `Whether ${entry.what} came about is not known, and it is not sent again. To look: type the same line once more, it sends nothing while this is open (${entry.nonce})`,
  ]);
}

/** A request of its own is named by what the account answers to it. */
const undone = (what: string, said: string): string => (said.startsWith(what) ? 'Nothing was done' : `${what} was not done`);

/** What is marked only, and may be marked twice. */
async function sent(account: AccountReader, change: AccountChange): Promise<Row> {
  try {
    return await account.send(change.call);
  } catch (error) {
    if (!(error instanceof CloudError)) throw error;
    if (error.fault === 'Unknown') throw new CliError(5, [error.message, 'It may be done twice: look: type the same line again']);
    throw new CliError(4, error.message);
  }
}

/** `besides`: why the line would be refused anyway. */
async function refuseWhatIsOpen({ session, flags }: Call, account: AccountReader, besides?: CliError): Promise<void> {
  const { journal } = session.host;
  const open = openIn(await journal.read(), account.shown.id);
  if (open.length === 0) return;
  const refused = besides === undefined ? [] : `And this line would be refused as things are: ${besides.message}`.split('\n');
  const underWay = open.filter((entry) => isUnderWay(entry, journal, session.now) === 'yes');
  if (underWay.length > 0) throw new CliError(3, [...underWay.map((entry) => underWayText(entry, journal, session.now)), ...refused]);
  const found = await Promise.all(open.map((entry) => lookedAt(account, entry)));
  const each = open.flatMap((entry, index) => [
    ...(found[index] ?? []),
    ...perhapsText(entry, journal, session.now),
    `When you know which: kubectl cloud ${entry.verb} --resolve ${entry.nonce}${on(flags, 'asAccount') ? ' --as-account' : ''}${whereabouts(flags)}`,
  ]);
  throw new CliError(3, ['of an earlier change the outcome is not known, so nothing was sent now.', ...each, ...refused]);
}

async function refuseAgain({ session, flags }: Call, account: AccountReader, { what, refuseRepeat }: AccountChange): Promise<void> {
  if (refuseRepeat !== true || on(flags, 'again')) return;
  const same = answeredIn(await session.host.journal.read(), { account: account.shown.id, what }).at(-1);
  if (same === undefined || session.now - Date.parse(same.at) >= quarterOfAnHour) return;
  throw new CliError(3, `${what}: the same was done at ${same.at}, so nothing was sent now. If it is to be done once more: add --again`);
}

/** `--resolve NONCE`: shows what the account says, and closes the entry. */
export const resolved = (call: Call, verb: string, nonce: string): Promise<Answer> =>
  withOwnAccount(call, verb, async (account) => {
    const { journal } = call.session.host;
    const entry = openIn(await journal.read(), account.shown.id).find((one) => one.nonce === nonce);
    if (entry === undefined) throw new CliError(3, `${nonce} is nothing that is open in ${journal.where} for this account`);
    if (isUnderWay(entry, journal, call.session.now) === 'yes') throw new CliError(3, underWayText(entry, journal, call.session.now));
    const found = await lookedAt(account, entry);
    await journal.add({ ...entry, state: 'Resolved' });
    const data: OnceData = { account: account.shown, what: entry.what, state: 'Resolved', nonce };
    return { exit: 0, kind: 'Once', data, lines: [...found, 'Closed: the next change of this account is sent again.'] };
  });

function dryRun(account: AccountReader, { what, call: { method, path, body } }: AccountChange): Answer {
  const request = `${method} ${path}`;
  const shown = body === undefined ? '' : ` ${JSON.stringify(bodyWithoutSecrets(body))}`;
  const data: OnceData = { account: account.shown, what, state: 'DryRun', request };
  return { exit: 0, kind: 'Once', data, lines: [`Would send ${request}${shown}. Nothing was sent.`] };
}

async function answerOf(account: AccountReader, change: AccountChange, answer: Row, nonce?: string): Promise<Answer> {
  const result = withoutSecrets(answer) as Row;
  const { lines, data: more } = await toldOf(change, result, account);
  const data: OnceData = {
    account: account.shown,
    what: change.what,
    state: 'Answered',
    ...(nonce !== undefined && { nonce }),
    result: { ...result },
    ...more,
  };
  return { exit: 0, kind: 'Once', data, lines };
}

/** It is done, whether or not the account can be asked what came of it. */
async function toldOf({ what, done }: AccountChange, answer: Row, account: AccountReader): Promise<Told> {
  try {
    const told = await done(answer, account);
    if (typeof told === 'string') return { lines: [told], data: {} };
    return 'lines' in told ? told : { lines: told, data: {} };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { lines: [`${what}: done. How the account is now could not be read: ${why}`], data: {} };
  }
}
