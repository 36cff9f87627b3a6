import { sleep } from '../../lib/clock.ts';
import { get, type Row } from '../../resource/index.ts';
import { type AccountReader, withAccount } from '../account/account-reader.ts';
import { shownName, typed } from '../cluster/naming.ts';
import { selected } from '../cluster/select.ts';
import type { Answer, Call, Verb } from '../command-line/command.ts';
import { CliError } from '../exit.ts';
import { on, text } from '../command-line/flag.ts';
import { kindCalled, kindFrom, registry } from '../command-line/kinds.ts';
import { filterOf } from './filter.ts';
import { looking } from './get.ts';
import { isNamedItself, isOfKind, Owners } from './owners.ts';
import { answered, rowsTable, widened, withoutSecrets } from './shown.ts';

type Test = (row: Row) => boolean;

/** What happened in the account, with the objects that it is about; with --watch on and on. */
export const events: Verb = async (call) => {
  const { flags } = call;
  const [word, another] = call.args;
  if (word !== undefined && another === undefined && kindCalled(word.split('/', 1).join('')) !== undefined) {
    if (text(flags, 'kind') !== undefined) throw new CliError(2, `name either ${word}, or --kind`);
    return events({ ...call, args: [], flags: { ...flags, kind: word } });
  }
  if (word !== undefined) return looking('events', () => 'events')(call);
  const isWatched = on(flags, 'watch');
  const lineOf = lineIn(text(flags, 'output') ?? 'text', isWatched);
  const [passes, isOf] = [filterOf(call), await kindTest(call)];
  const isWanted: Test = (row) => passes(row) && isOf(row);
  return withAccount(call, 'events', async (account) => {
    const owners = await Owners.of(call.session, account);
    const all = await account.rows('/account/events');
    if (all.some((row) => owners.isOfUser(row))) call.session.say(owners.legend);
    const rows = all.map((row) => owners.marked(row)).filter(isWanted);
    if (!isWatched) return answered(account, rows, shown, (those) => shown(those, widened(columns, those)));
    // In which order the service has them is not known; what comes later is told later.
    call.session.print(...rows.toSorted((a, b) => Number(a['id']) - Number(b['id'])).map(lineOf));
    const last = Math.max(0, ...all.map(({ id }) => Number(id)));
    return await followed(call, account, { last, told: (row) => [owners.marked(row)].filter(isWanted).map(lineOf) });
  });
};

const columns = ['id', 'created', 'user', 'action', 'entity.label', 'object', 'status', 'duration'];
const shown = (rows: readonly Row[], wanted: readonly string[] = columns): readonly string[] =>
  rowsTable(
    wanted,
    rows.map((row) => ({ ...row, user: userOf(row) })),
  );
const userOf = ({ username, operatorsUser }: Row): string =>
  `${typeof username === 'string' ? username : ''}${operatorsUser === true ? " (operator's user)" : ''}`;
const line = (row: Row): string =>
  [row['created'], userOf(row), row['action'], row['object'] ?? labelOf(row), row['status']]
    .map((one) => (typeof one === 'string' ? one : ''))
    .join('  ');
/** How an event is told that is followed. */
function lineIn(form: string, isWatched: boolean): (row: Row) => string {
  if (isWatched && form !== 'text' && form !== 'jsonl')
    throw new CliError(2, '--watch writes a line for each event: leave -o out, or write -o jsonl');
  if (!isWatched && form === 'jsonl') throw new CliError(2, '-o jsonl is for what goes on and on: add --watch, or write -o json');
  return form === 'jsonl' ? jsonLine : line;
}

const eventHead = { apiVersion: 'cli.cloudhosting.dev/v1', kind: 'AccountEvent' };
const jsonLine = (row: Row): string => JSON.stringify({ ...eventHead, event: withoutSecrets(row) });
const labelOf = ({ entity }: Row): unknown => (typeof entity === 'object' && entity !== null ? (entity as Row)['label'] : undefined);

/** Of a kind: what its events look like. Of an object: those that are about it. */
async function kindTest(call: Call): Promise<Test> {
  const word = text(call.flags, 'kind');
  if (word === undefined) return () => true;
  if (!word.includes('/')) {
    const kind = kindFrom(word);
    return (row) => isOfKind(kind, row);
  }
  const [object] = await selected({ ...call, args: [word] });
  const name = object === undefined ? '' : shownName(object);
  if (object !== undefined && !isNamedItself(registry.kind(object.kind)))
    call.session.warn(`events name only what ${name} lies below: kubectl cloud history ${typed(object)} shows those of that`);
  return ({ object: about }) => typeof about === 'string' && about.split(', ').includes(name);
}

/** So that an hour of it takes no more than 360 calls. */
const between = 10_000;

interface From {
  /** Id of the newest that is known. */
  readonly last: number;
  /** What is printed of a row. */
  readonly told: (row: Row) => readonly string[];
}
/** Until it is interrupted, or nobody reads it any more. */
async function followed({ session }: Call, account: AccountReader, { last, told }: From): Promise<Answer> {
  const { clock, signal, isRead } = session.host;
  let newest = last;
  for (;;) {
    await sleep(clock, between, signal);
    if (!isRead()) return answered(account, [], () => []);
    const filter = { id: { '+gt': newest }, '+order_by': 'id', '+order': 'asc' };
    const { data } = await account.answer({ ...get('/account/events?page=1&page_size=100'), filter });
    for (const row of (Array.isArray(data) ? data : []) as readonly Row[]) {
      newest = Math.max(newest, Number(row['id']));
      session.print(...told(row));
    }
  }
}
