import { type AnyKind, collectionOf, type AnyWant, hasEnded, itemOf, parentOfItem, readRemote, type Row } from '../../resource/index.ts';
import type { Millis } from '../../lib/clock.ts';
import { wordOrQuoted } from '../../lib/quoted.ts';
import type { AccountContext } from '../context.ts';
import { mayAdopt } from '../guard/recovery.ts';
import { canonical } from '../model/values.ts';
import { baselineGoodFor, type Found, idIn, listing, matching } from '../identity/lookup.ts';
import { claimedBy, hasForeignTag } from '../identity/ownership.ts';

/** A machine has a few disks; a zone may have thousands of records. */
const mostTold = 5;

interface Unowned {
  /** `No object has 1002 of /vm/instances/1000 (1002: root, 2000 MB)`. */
  readonly text: string;
  /** As `spec.adopt.id` says it, of the one that is most like the spec; `...` where several are as like it. */
  readonly named: string;
}

/**
 * What goes with its parent goes when that is restored from a backup or deployed anew, too, and others come in its place: those that no
 * object has, for whoever may adopt them. What is most like the spec comes first.
 */
export async function unownedBeside(context: AccountContext, want: AnyWant): Promise<Unowned | undefined> {
  const { kind, engine } = context;
  if (kind.goesWithParent !== true || !mayAdopt(context)) return undefined;
  const free = (await freeIn(context, want, engine.clock.monotonic() - baselineGoodFor))
    .filter(({ row }) => !hasForeignTag(context, row))
    .map((found) => ({ found, like: likeness(kind, found.row, want) }))
    .toSorted((a, b) => b.like - a.like)
    .slice(0, mostTold);
  const [first, second] = free;
  if (first === undefined) return undefined;
  const ids = free.map(({ found }) => String(idIn(context, found)));
  const shown = free.map(({ found }, at) => `${ids[at]}: ${shownRow(kind, found, want)}`);
  return {
    text: `No object has ${ids.join(', ')} of ${parentOfItem(kind, first.found.path)} (${shown.join('; ')})`,
    named: second?.like === first.like ? '...' : JSON.stringify(idIn(context, first.found)),
  };
}

/** What is called as the spec says, and no object has: it may have been made in the place of what `spec.adopt` names. */
export async function unownedNamed(context: AccountContext, want: AnyWant): Promise<Unowned | undefined> {
  const { kind, engine } = context;
  if (kind.goesWithParent === true || kind.key === undefined || !kind.key.names || !mayAdopt(context)) return undefined;
  const collection = collectionOf(kind, want);
  const key = { in: collection, is: kind.key.of(want) };
  const found = (await matching(context, key, want, engine.clock.monotonic() - baselineGoodFor)).filter(
    (one) => claimedBy(context, one.path) === undefined && !hasForeignTag(context, one.row) && !hasEnded(kind, one.row),
  );
  const [only, ...more] = found;
  if (only === undefined || more.length > 0) return undefined;
  const id = idIn(context, only);
  return { text: `No object has ${id} of ${collection} (${id}: ${shownRow(kind, only, want)})`, named: JSON.stringify(id) };
}

/** What is where this object's own is, or would be made, and no object has. */
export async function freeIn(context: AccountContext, want: AnyWant, notBefore: Millis): Promise<readonly Found[]> {
  const collection = collectionOf(context.kind, want);
  const rows = await listing(context, collection, notBefore);
  return rows
    .map((row) => ({ row, path: itemOf(context.kind, row, collection) }))
    .filter(({ path }) => claimedBy(context, path) === undefined);
}

/** So many fields of the spec are as it has them. */
function likeness(kind: AnyKind, row: Row, want: AnyWant): number {
  const read = readRemote(kind, row);
  if (!('remote' in read)) return 0;
  const { remote } = read;
  return Object.entries(kind.fields).filter(
    ([field, rule]) =>
      want[field] !== undefined && rule.read !== undefined && canonical(rule.read(remote, want)) === canonical(want[field]),
  ).length;
}

/** Its name, or else what its columns tell, and what they count. */
function shownRow(kind: AnyKind, { row }: Found, want: AnyWant): string {
  const read = readRemote(kind, row);
  const all = 'remote' in read ? columnsOf(kind, read.remote, want) : [];
  const counts = all.flatMap(([column, value]) => (typeof value === 'number' ? [`${value} ${column}`] : []));
  const label = String(row[kind.label?.field ?? ''] ?? '');
  const texts = label === '' ? all.map(([, value]) => value) : [label];
  return [...texts.flatMap((text) => (typeof text === 'string' && text !== '' ? [wordOrQuoted(text)] : [])), ...counts].join(', ');
}

function columnsOf(kind: AnyKind, remote: Row, want: AnyWant): readonly (readonly [string, unknown])[] {
  const seen = kind.observe(remote, want);
  return Object.entries(kind.columns).map(([column, at]) => {
    const [, of, field = ''] = at.split('.');
    return [column, of === 'status' ? seen[field] : kind.fields[field]?.read?.(remote, want)] as const;
  });
}
