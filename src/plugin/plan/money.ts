import { accountKey } from '../../engine/model/account.ts';
import { nameOf, objectId } from '../../engine/model/object-id.ts';
import { CloudError } from '../../engine/ports/index.ts';
import type { Key, Resource } from '../../engine/ports/kubernetes.ts';
import { paidWants } from '../../kinds/for-plugin/paid-wants.ts';
import { isFree, type PriceList, pricing } from '../../kinds/for-plugin/prices.ts';
import { covers, isRecord } from '../../engine/model/values.ts';
import type { Row } from '../../resource/index.ts';
import type { DryRun } from '../dry/dry-run.ts';
import type { Turned } from '../dry/turned.ts';
import type { Entry } from './entries.ts';

type Monthly = NonNullable<Entry['monthlyUSD']>;

/** What has a price, and does not stay as it is. */
const isPaid = ({ kind, action }: Entry): boolean => !isFree(kind) && pricing[kind] !== undefined && !['none', 'refused'].includes(action);

const cataloguesOf = (kind: string): readonly string[] =>
  [kind, paidWants[kind]?.brings?.kind ?? kind].flatMap((one) => pricing[one]?.catalogues ?? []);

interface Asking {
  readonly own: PriceList['own'];
  readonly signal: AbortSignal;
}
/** The same entries with what each costs a month, before and after; what nobody tells is absent, and never counts as nothing. */
export async function priced(
  dry: DryRun,
  entries: readonly Entry[],
  turned: readonly Turned[],
  { own, signal }: Asking,
): Promise<readonly Entry[]> {
  const known = new Map(turned.map((one) => [objectId(one.object.kind, one.object.metadata), one] as const));
  const read = new Map<string, Promise<readonly Row[]>>();
  const rowsOf = (account: Key, catalogue: string): Promise<readonly Row[]> => {
    const name = `${nameOf(account)} ${catalogue}`;
    const rows = read.get(name) ?? listed(dry, account, catalogue, signal);
    read.set(name, rows);
    return rows;
  };
  return Promise.all(
    entries.map(async (entry) => {
      const one = known.get(objectId(entry.kind, entry));
      if (one === undefined || !isPaid(entry)) return entry;
      const rows = new Map<string, Row>();
      for (const catalogue of cataloguesOf(entry.kind))
        for (const row of await rowsOf(accountKey(one.object), catalogue)) rows.set(`${catalogue} ${String(row['id'])}`, row);
      const list: PriceList = { own, row: (catalogue, id) => rows.get(`${catalogue} ${String(id)}`) };
      const remote = await remoteOf(dry, one, signal);
      const monthlyUSD = monthlyOf(entry, one, remote, list);
      const untilApproved = meanwhile({ kind: entry.kind, spec: one.object.spec, list, remote, entry });
      return monthlyUSD === undefined
        ? entry
        : { ...entry, monthlyUSD: { ...monthlyUSD, ...(untilApproved !== undefined && { untilApproved }) } };
    }),
  );
}

/** Without an account, or where that does not tell it, nothing is known. */
async function listed(dry: DryRun, account: Key, catalogue: string, signal: AbortSignal): Promise<readonly Row[]> {
  const listing = await told(dry.connected(account)?.connection.list(catalogue, { ...how(account, signal), notBefore: -Infinity }));
  return listing?.rows ?? [];
}

/** As the account has it. */
async function remoteOf(dry: DryRun, { object, kind, steps }: Turned, signal: AbortSignal): Promise<Row | undefined> {
  const seen = steps.find(({ supposed }) => !supposed)?.present.remote;
  const path = object.status?.['path'];
  if (seen !== undefined || typeof path !== 'string') return seen;
  const account = accountKey(object);
  const cache = dry.connected(account)?.connection.cache;
  return (cache?.get(path) ?? (await told(cache?.read(path, kind, how(account, signal)))))?.remote;
}

const how = ({ namespace: tenant }: Key, signal: AbortSignal) => ({ lane: 'wait', tenant, signal }) as const;

async function told<T>(read: Promise<T> | undefined): Promise<T | undefined> {
  try {
    return await read;
  } catch (error) {
    if (error instanceof CloudError) return undefined;
    throw error;
  }
}

function monthlyOf(entry: Entry, { object }: Turned, remote: Row | undefined, list: PriceList): Monthly | undefined {
  const { kind, spec } = object;
  const { basis = '', monthly } = pricing[kind] ?? {};
  const isMade = comesToBe(entry, object);
  const own = isMade ? 0 : remote && monthly?.(remote, list);
  const end = ends[entry.action];
  if (end !== undefined) return shown({ before: own, after: end(own), basis });
  const about = { kind, spec, list, remote, entry };
  if (isMade || entry.action === 'replace') return shown({ before: own, after: anew(about), basis });
  return edited(about, own, basis);
}

/** Undefined where nothing that is paid for changes, and nobody says what it costs. */
function edited(about: Paid, own: number | undefined, basis: string): Monthly | undefined {
  const [before, after] = [plus(own, brought(about, 'from')), plus(changed(about), brought(about, 'to'))];
  return plus(before, after) === undefined && staysAsPaid(about) ? undefined : shown({ before, after, basis });
}

/** What is sent without the approval runs while that is waited for, beside what goes or changes only with it. */
function meanwhile(about: Paid): number | undefined {
  const { kind, spec, entry } = about;
  if (!isInPart(entry)) return undefined;
  const [later, now] = [entry.changes.filter(waits), entry.changes.filter((change) => !waits(change))];
  const withOnly = (changes: Entry['changes']): Paid => ({ ...about, entry: { ...entry, changes } });
  const fields = new Set(later.map(({ field }) => fieldOf(field)).filter((field) => !(paidWants[kind]?.beside ?? []).includes(field)));
  const sent = Object.fromEntries(Object.entries(spec).filter(([field]) => !fields.has(field)));
  const own = changed({ ...withOnly(now), spec: sent });
  return plus(own, plus(brought(withOnly(now), 'to'), brought(withOnly(later), 'from')));
}
const waits = ({ afterApproval }: Entry['changes'][number]): boolean => afterApproval === true;
/** Some of it is sent without the approval that the rest waits for. */
export const isInPart = ({ needsApproval, changes }: Pick<Entry, 'needsApproval' | 'changes'>): boolean =>
  needsApproval && changes.some(waits) && !changes.every(waits);

function staysAsPaid({ kind, spec, remote, entry: { changes } }: Paid): boolean {
  const { row, beside = [], brings } = paidWants[kind] ?? { row: () => ({}) };
  const paid = changes.filter(({ field }) => beside.includes(fieldOf(field)));
  const isSame = ({ from, to }: Entry['changes'][number]): boolean =>
    isRecord(from) && isRecord(to) && brings?.by.every((field) => to[field] === undefined || covers(to[field], from[field])) === true;
  return remote !== undefined && covers(row(spec), remote) && paid.every(isSame);
}

/** Of what is made with it and is paid for itself, what a change is about: what that costs before, or after. */
function brought({ kind, list, entry: { changes } }: Paid, side: 'from' | 'to'): number | undefined {
  const { beside = [], brings } = paidWants[kind] ?? {};
  if (brings === undefined) return 0;
  const costOf = (one: unknown): number | undefined => {
    if (one === null) return 0;
    const row = isRecord(one) ? brings.row(one) : undefined;
    return row && pricing[brings.kind]?.monthly(row, list);
  };
  const each = changes.filter(({ field }) => beside.includes(fieldOf(field))).map((change) => costOf(change[side]));
  return each.reduce((sum, one) => plus(sum, one), 0 as number | undefined);
}

const shown = ({
  before,
  after,
  basis,
}: {
  readonly before: number | undefined;
  readonly after: number | undefined;
  readonly basis: string;
}): Monthly => ({
  ...(before !== undefined && { before }),
  ...(after !== undefined && { after }),
  basis,
});

const comesToBe = ({ action }: Entry, { status }: Resource): boolean =>
  action === 'create' || (action === 'wait' && status?.['path'] === undefined);

/** What is not there afterwards, or stays as it is. */
const ends: { readonly [Action in Entry['action']]?: (before: number | undefined) => number | undefined } = {
  delete: () => 0,
  retain: (before) => before,
};

interface Paid {
  readonly kind: string;
  readonly spec: Row;
  readonly list: PriceList;
  readonly remote: Row | undefined;
  readonly entry: Entry;
}
function anew({ kind, spec, list }: Paid): number | undefined {
  const { row, atFirst, brings } = paidWants[kind] ?? { row: () => ({}) };
  const all = [{ kind, row: { ...atFirst, ...row(spec) } }, ...(brings?.rows(spec).map((one) => ({ kind: brings.kind, row: one })) ?? [])];
  return all.reduce<number | undefined>((sum, one) => plus(sum, pricing[one.kind]?.monthly(one.row, list)), 0);
}
const plus = (one: number | undefined, other: number | undefined): number | undefined =>
  one === undefined || other === undefined ? undefined : one + other;

function changed({ kind, spec, list, remote, entry: { changes } }: Paid): number | undefined {
  const { row, beside = [], brings } = paidWants[kind] ?? { row: () => ({}) };
  const isBeside = brings === undefined && changes.some(({ field }) => beside.includes(fieldOf(field)));
  return remote === undefined || isBeside ? undefined : pricing[kind]?.monthly({ ...remote, ...row(spec) }, list);
}

/** `nodePools` of `nodePools[base]`. */
const fieldOf = (place: string): string => /^\w+/.exec(place)?.[0] ?? place;

const isKnown = ({ monthlyUSD: of }: Entry): boolean => of?.before !== undefined && of.after !== undefined;

export interface Added {
  readonly known: number;
  /** The most on the way to that: what waits for an approval may wait for long, and what is sent without one runs meanwhile. */
  readonly most: number;
  readonly unknown: readonly Entry[];
}
/** What a plan adds to a month, as far as somebody tells it. */
export function addedBy(entries: readonly Entry[]): Added {
  const paid = entries.filter(({ monthlyUSD }) => monthlyUSD !== undefined);
  const known = paid.filter(isKnown);
  const sumOf = (of: (entry: Entry) => number): number => Math.round(known.reduce((sum, entry) => sum + of(entry), 0) * 100) / 100;
  return { known: sumOf(addedIn), most: sumOf(mostIn), unknown: paid.filter((entry) => !isKnown(entry)) };
}
const addedIn = ({ monthlyUSD: { before = 0, after = 0 } = { basis: '' } }: Entry): number => after - before;
function mostIn(entry: Entry): number {
  const { before = 0, untilApproved = before } = entry.monthlyUSD ?? {};
  return entry.needsApproval ? Math.max(untilApproved - before, addedIn(entry)) : addedIn(entry);
}
