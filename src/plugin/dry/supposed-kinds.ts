import { own } from '../../lib/own.ts';
import {
  type AnyKind,
  type AnyRule,
  type AnyWant,
  asSingleton,
  type Call,
  erase,
  hasRemote,
  itemOf,
  ready,
  type Row,
} from '../../resource/index.ts';

/** What is taken for what the account has, where nobody asks it: what its object wanted, as it was resolved then. */
export interface Supposed {
  readonly path: string;
  readonly want: AnyWant | undefined;
  /** Of its object. */
  readonly status: Row;
  /** What it is paid by. */
  readonly paid: Row;
}

const field = 'supposed';
export const supposedRow = (supposed: Supposed): Row => ({ ...supposed.paid, id: own(supposed.status, 'id'), [field]: supposed });
const supposedIn = (row: Row): Supposed | undefined => row[field] as Supposed | undefined;

/** What the call for one member of a field leaves: the others of the field still differ, and are told, too. */
export function supposedLeft({ fields }: AnyKind, row: Row, { body = {} }: Call): Row | undefined {
  const supposed = supposedIn(row);
  const [[name, members] = ['', undefined]] = Object.entries(body);
  const before = supposed?.want?.[name];
  if (supposed?.want === undefined || fields[name]?.members === undefined || !Array.isArray(before)) return undefined;
  const sent = members as Readonly<Record<string, Row | undefined>>;
  const others = (before as readonly Row[]).filter((one) => !(String(one['name']) in sent));
  const made = Object.values(sent).filter((one) => one !== undefined);
  return { ...row, [field]: { ...supposed, want: { ...supposed.want, [name]: [...others, ...made] } } };
}

/** Below which all remotes are, where nothing tells where they would be. */
export const nowhere = (kind: string): string => `/supposed/${kind}`;

/**
 * The same kinds over rows that say what was wanted before: an edit differs from that as it would from what the account has, where
 * that is as wanted. What was never in the spec has no verdict, and no call can be told. `placed`: paths of the account are known.
 */
export const supposedKinds = (kinds: readonly AnyKind[], { placed }: { readonly placed: boolean }): readonly AnyKind[] =>
  kinds.map((kind) =>
    erase({
      ...kind,
      ...(!placed && hasRemote(kind) && { path: pathIn(kind), createPath: undefined }),
      remote: anything,
      parts: undefined,
      lastJobs: undefined,
      lastNamed: undefined,
      outputs: undefined,
      notices: undefined,
      health: () => ready,
      observe: (row: Row) => shownOf(kind, row),
      item: (row: Row, collection: string) => supposedIn(row)?.path ?? itemIn(kind, { row, collection, placed }),
      id: (row: Row) => row['id'],
      deletion: kind.deletion && deletionOf(kind),
      parentPower: kind.parentPower && running,
      fields: Object.fromEntries(Object.entries(kind.fields).map(([name, rule]) => [name, supposedRule(name, rule)])),
    }),
  );

/** A row is no answer of the service. */
const anything = { safeParse: (data: unknown) => ({ success: true, data }) };
/** What is always there below something is one for each of that. */
function pathIn(kind: AnyKind): unknown {
  const place = nowhere(kind.kind);
  const { ref } = kind.parent ?? {};
  if (ref === undefined) return kind.places === undefined ? place : () => place;
  return asSingleton(kind) === undefined ? () => place : (want: AnyWant) => `${place}/${String(want[ref])}`;
}

/** Of what somebody names, as `spec.adopt` does, and no object had before. */
function itemIn(kind: AnyKind, { row, collection, placed }: { row: Row; collection: string; placed: boolean }): string {
  if (asSingleton(kind) !== undefined) return collection;
  return placed ? itemOf(kind, row, collection) : `${collection}/?`;
}

/** Others refer to it. */
function shownOf(kind: AnyKind, row: Row): Row {
  const status = supposedIn(row)?.status ?? {};
  return Object.fromEntries(Object.keys(kind.status.shape).flatMap((name) => (name in status ? [[name, status[name]]] : [])));
}

/** Taken for running: then a yes is asked for, and not too few. */
const running = { power: () => 'on', users: { path: '', has: () => true }, off: '' };

/** Whether it may go now only the account tells. */
const deletionOf = (kind: AnyKind) =>
  asSingleton(kind) === undefined ? {} : { call: (_: Row, item: string) => callOf(item, {}), ended: () => false };

const callOf = (path: string, body: Row): Call => ({ method: 'PUT', path, body }) as Call;

function supposedRule(name: string, rule: AnyRule): AnyRule {
  const { local, immutable, only, effect, effectOf, as, unset, applied, needs, inPart, withoutGone, members, read } = rule;
  const kept = { local, immutable, only, effect, effectOf, as, unset, applied, needs, inPart, withoutGone };
  const said: AnyRule = Object.fromEntries(Object.entries(kept).filter(([, value]) => value !== undefined));
  const call = (want: unknown, row: Row): Call => callOf(`${supposedIn(row)?.path}`, { [name]: want });
  const wanted = (row: Row): unknown => own(supposedIn(row)?.want ?? {}, name);
  if (local === true) return said;
  if (members !== undefined)
    return {
      ...said,
      members: {
        read: (row) => byName(wanted(row)),
        call: (member, want, row) => callOf(`${supposedIn(row)?.path}`, { [name]: { [member]: want } }),
        effectOf: members.effectOf,
      },
    };
  return { ...said, ...(read !== undefined && { read: wanted }), ...(immutable !== true && { call }) };
}

const byName = (members: unknown): Readonly<Record<string, Row>> | undefined =>
  Array.isArray(members) ? Object.fromEntries((members as readonly Row[]).map((member) => [String(member['name']), member])) : undefined;
