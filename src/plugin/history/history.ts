import { nameOf } from '../../engine/model/object-id.ts';
import type { Resource } from '../../engine/ports/kubernetes.ts';
import { asConnection } from '../../resource/index.ts';
import { withAccount } from '../account/account-reader.ts';
import { shownName } from '../cluster/naming.ts';
import { selected } from '../cluster/select.ts';
import { tellSkew } from '../cluster/skew.ts';
import type { Call, Verb } from '../command-line/command.ts';
import { CliError } from '../exit.ts';
import { ageOf, text } from '../command-line/flag.ts';
import { type Entry, isNamed, nowOf, ofAccount, ofStatus, type Place } from './entries.ts';
import { ofAudit } from './audit.ts';
import { ofCluster } from './cluster.ts';
import { kindCalled, registry } from '../command-line/kinds.ts';
import { accountOf } from '../plan/bases/surroundings.ts';
import type { HistoryData } from '../output/account-shapes.ts';
import { table } from '../output/table.ts';
import { counted } from '../../lib/counted.ts';
import { quoted, wordOrQuoted } from '../../lib/quoted.ts';
import { shellWord } from '../../lib/shell-word.ts';
import { isBehind } from '../objects/facts.ts';

/** What happened to one object: the account's events of its remote and what its status knows, on one time line. */
export const history: Verb = async (call) => {
  const { session, flags } = call;
  const age = ageOf(flags, 'since', 'since') ?? Infinity;
  const since = session.now - age;
  const object = await theObject(call);
  const place = placeOf(object);
  const named = place !== undefined && isNamed(place.kind) ? place : undefined;
  if (named === undefined) session.warn(untold(object, place));
  if (text(flags, 'since') !== undefined && age > kept)
    session.warn('the service keeps events for 90 days: what is older is not told by the account');
  await tellSkew(session, [object.kind]);
  const here = await keptHere(call, object);
  const { events, ...asked } = named === undefined ? nothing : await askedOf(call, object, named);
  const entries = [...events, ...ofStatus(object), ...here].filter(({ at }) => Date.parse(at) >= since).toSorted(byTime);
  const now = nowOf(object);
  const data: HistoryData = { ...asked, object: shownName(object), ...(place && { remote: place.path }), entries, now };
  const exit = asked.unread === undefined ? 0 : 4;
  // What others wrote stays as it is; what is told here is for typing.
  const told = [...nowLines(object, now), ...missingLines(asked.unread)].map((line) => session.lineToType(line));
  return { exit, kind: 'History', data, lines: [...linesOf(entries), ...told] };
};

/** By the API server, and in the file of `--audit`. */
async function keptHere({ session, flags }: Call, object: Resource): Promise<readonly Entry[]> {
  const audit = text(flags, 'audit');
  return [...(await ofCluster(session, object)), ...(audit === undefined ? [] : await ofAudit(session.host, audit, object))];
}

const untold = (object: Resource, place: Place | undefined): string =>
  place === undefined
    ? `${shownName(object)} has nothing in the account yet, so no event is its own`
    : `the account's events name no ${object.kind}, so only what its status knows is shown`;

interface Asked extends Pick<HistoryData, 'account' | 'unread'> {
  readonly events: readonly Entry[];
}
const nothing: Asked = { events: [] };

/** What the account's events tell; where they cannot be had, why: the rest is shown all the same. */
async function askedOf(call: Call, object: Resource, place: Place): Promise<Asked> {
  const flags = { ...call.flags, account: nameOf(accountOf(object)) };
  try {
    return await withAccount({ ...call, flags }, 'history', async (reader) => {
      refuseAnother(object, reader.shown.id);
      return { events: ofAccount(place, await reader.rows('/account/events')), account: reader.shown };
    });
  } catch (error) {
    // Who names the account is shown nothing that might be of another one.
    if (!(error instanceof CliError) || error.exit !== 4 || text(call.flags, 'expectAccount') !== undefined) throw error;
    return { events: [], unread: error.message };
  }
}

function nowLines(object: Resource, now: NonNullable<HistoryData['now']>): readonly string[] {
  const as = isBehind(object) ? 'As last looked at, which its spec or its deletion is newer than' : 'Now';
  return now.flatMap(({ conditions, reason, message }) => [
    '',
    `${as}: ${conditions.join(', ')}`,
    `  ${reason}${message === '' ? '' : `: ${message}`}`,
  ]);
}

/** The first of them begins with what is missing. */
const missingLines = (unread: string | undefined): readonly string[] =>
  unread === undefined ? [] : ['', ...`What the account tells is missing: ${unread}`.split('\n')];

/** By the service. */
const kept = 90 * 86_400_000;

async function theObject(call: Call): Promise<Resource> {
  const [word = '', another] = call.args;
  const isOne = word !== '' && another === undefined && kindCalled(word) === undefined;
  const [object] = isOne ? await orWhereElse(call, word) : [];
  if (object === undefined) throw new CliError(2, 'history of what? Write one object, KIND/NAME, and its namespace with -n');
  return object;
}

/** What is gone tells nothing any more, and others do for a while. */
async function orWhereElse(call: Call, word: string): Promise<readonly Resource[]> {
  try {
    return await selected(call);
  } catch (error) {
    const [first = '', name] = word.split('/');
    const kind = kindCalled(first);
    if (!(error instanceof CliError) || error.exit !== 4 || error.isForbidden || kind === undefined || name === undefined) throw error;
    const namespace = await call.session.namespace();
    const selector = `--field-selector=involvedObject.kind=${kind.kind},involvedObject.name=${shellWord(name)}`;
    throw new CliError(4, [
      ...error.message.split('\n'),
      'If it is gone: what the account tells of such things, for 90 days, and what Kubernetes keeps of it, for an hour:',
      `  kubectl cloud events --kind ${kind.shortName}`,
      `  kubectl -n ${namespace} get events ${selector}`,
    ]);
  }
}

function placeOf(object: Resource): Place | undefined {
  const kind = registry.kind(object.kind);
  const { path = asConnection(kind)?.path, id } = (object.status ?? {}) as { readonly path?: string; readonly id?: string | number };
  return path === undefined ? undefined : { kind, path, id: String(id ?? path.slice(path.lastIndexOf('/') + 1)) };
}

function refuseAnother(object: Resource, id: string): void {
  const account = object.status?.['account'];
  if (typeof account !== 'string' || account === id) return;
  throw new CliError(
    4,
    `${shownName(object)} has its remote in account ${account}, and its CloudAccount leads to account ${id}: kubectl cloud why says what to do`,
  );
}

const byTime = (a: Entry, b: Entry): number => Date.parse(a.at) - Date.parse(b.at) || (a.event ?? 0) - (b.event ?? 0);

function linesOf(entries: readonly Entry[]): readonly string[] {
  if (entries.length === 0) return ['Nothing is known of that time.'];
  return table(
    ['TIME', 'FROM', 'USER', 'WHAT', 'DETAILS'],
    inRows(turnedTogether(entries))
      .map(asSaid)
      .map(({ at, source, by = '', what, state, message, about, again }) => [
        at,
        source,
        by,
        what,
        [state, message, about === 'parent' ? '(names what it lies below: may be of another there)' : undefined, again]
          .filter(Boolean)
          .join(' '),
      ]),
  );
}

/** Anybody who may write Events, or the object, calls himself what he likes, and says what he likes. */
const asSaid = (one: Told): Told => ({
  ...one,
  ...(one.source === 'kubernetes' && one.by !== undefined && { by: wordOrQuoted(one.by) }),
  ...(one.source === 'kubernetes' && one.message !== undefined && { message: quoted(one.message) }),
});

/** What turned at the same time, as the conditions of a status do, is one line. */
function turnedTogether(entries: readonly Entry[]): readonly Entry[] {
  const same = Map.groupBy(entries, (one) => (one.source === 'status' ? JSON.stringify({ ...one, what: undefined }) : one));
  return [...same.values()].flatMap(([first, ...more]) =>
    first === undefined ? [] : [{ ...first, what: [first, ...more].map(({ what }) => what).join(', ') }],
  );
}

interface Told extends Entry {
  readonly again?: string;
}
/** The same in a row is told once, at its first time. */
function inRows(entries: readonly Entry[]): readonly Told[] {
  const rows: Entry[][] = [];
  for (const one of entries) {
    const row = rows.at(-1);
    if (row?.[0] !== undefined && textOf(row[0]) === textOf(one)) row.push(one);
    else rows.push([one]);
  }
  return rows.flatMap((row) => {
    const [first, last] = [row[0], row.at(-1)];
    if (first === undefined || last === undefined) return [];
    return [row.length === 1 ? first : { ...first, again: `(${counted(row.length, 'time')}, last ${last.at})` }];
  });
}
const textOf = (one: Entry): string => JSON.stringify({ ...one, at: undefined, event: undefined });
