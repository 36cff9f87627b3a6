import type { Millis } from '../../lib/clock.ts';
import {
  type AnyKind,
  type AnyWant,
  appearsWithin,
  asCollection,
  collectionOf,
  type Duration,
  itemOf,
  parentOfItem,
  readRemote,
  type Row,
  seconds,
} from '../../resource/index.ts';
import type { ClusterContext } from '../context.ts';
import { readParent } from '../guard/parent-rest.ts';
import { baselineGoodFor, listing, stillThere } from './lookup.ts';
import { unknown } from './open-create.ts';
import { hasKey, refusedFor } from './ownership.ts';
import { type Attempt, decidedAt, type Intent } from '../model/intent.ts';
import type { Outcome } from '../model/outcome.ts';

/** Why nothing is made below its parent now: waited for, and never sent to be refused. */
export async function parentBusy(context: ClusterContext, want: AnyWant): Promise<Outcome | undefined> {
  const { appears } = context.kind;
  if (appears === undefined) return undefined;
  const one = `${collectionOf(context.kind, want)}/0`;
  const parent = await readParent(context, one, 'create');
  const why = parent && appears.waits(parent);
  if (why === undefined) return undefined;
  const path = parentOfItem(context.kind, one);
  return { is: 'Waiting', reason: 'Busy', message: `${path}: ${why}`, on: [path], recheckAfter: seconds(30) };
}

/** There is no room for one more: what is there is named. */
export async function noRoom(context: ClusterContext, want: AnyWant): Promise<Outcome | undefined> {
  const { kind, engine } = context;
  if (kind.noRoom === undefined) return undefined;
  const collection = collectionOf(kind, want);
  const rows = await listing(context, collection, engine.clock.monotonic() - baselineGoodFor);
  // What has the name is told of in its own words.
  if (rows.some((row) => hasKey(context, kind.key?.of(want), want, row))) return undefined;
  if (kind.noRoom(readable(kind, rows)) === undefined) return undefined;
  const found = rows.map((row) => ({ row, path: itemOf(kind, row, collection) }));
  const there = (await stillThere(context, found)).map(({ row }) => row);
  const message = kind.noRoom(readable(kind, there));
  if (message === undefined) return undefined;
  const retried = 'Nothing was sent; it is looked at again within the hour, and when an object lets go of one';
  return refusedFor(context, collection, { is: 'Stalled', reason: 'QuotaExceeded', message: `${message}. ${retried}` });
}
const readable = (kind: AnyKind, rows: readonly Row[]): readonly Row[] =>
  rows.map((row) => readRemote(kind, row)).flatMap((read) => ('remote' in read ? [read.remote] : []));

/** Nothing may be concluded yet from what is not listed: it is on its way, or nobody knows. */
export function onItsWay(context: ClusterContext, intent: Intent, wait: Millis): Outcome {
  const says = asCollection(context.kind)?.appears?.says;
  const last = intent.attempts.at(-1);
  if (says === undefined || last?.taken !== true) return unknown(intent, wait);
  return { is: 'Working', reason: 'Creating', message: says, recheckAfter: nextLook(context, last) };
}

/** After a quarter of the time that it has taken so far, so that hours of it take few calls. */
function nextLook({ account }: ClusterContext, { at }: Attempt): Duration {
  const age = (account.connection.apiNow() - Date.parse(at)) / 4000;
  return seconds(Math.min(120, Math.max(15, Math.ceil(age))));
}

/**
 * What was sent is not listed, and what is above may still be busy with it. Undefined: surely it made nothing, because that was
 * seen at rest, and for as long as lists lag nothing came (README: unknown outcome).
 */
export async function stillToCome(context: ClusterContext, intent: Intent): Promise<Outcome | undefined> {
  const { engine, object, kind, account } = context;
  const { appears } = asCollection(kind) ?? {};
  const over = decidedAt(intent, engine.settings) + appearsWithin(kind) <= account.connection.apiNow();
  const parent = appears === undefined || over ? undefined : await readParent(context, `${intent.key.in}/0`, 'wait');
  if (appears === undefined || parent === undefined) return undefined;
  const busy = appears.waits(parent);
  const state = busy ?? `at rest after ${intent.attempts.at(-1)?.at}`;
  const rested = engine.objectMemory.waitsFor(object.metadata.uid, state, engine.clock.monotonic());
  const rest = busy === undefined ? engine.settings.listLag - rested : seconds(15);
  return rest > 0 ? onItsWay(context, intent, Math.min(rest, seconds(15))) : undefined;
}
