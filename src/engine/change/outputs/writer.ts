import { own } from '../../../lib/own.ts';
import { quoted } from '../../../lib/quoted.ts';
import { Sensitive } from '../../../resource/index.ts';
import type { DataReader, ReconcileContext } from '../../context.ts';
import type { Outcome } from '../../model/outcome.ts';
import { canonical } from '../../model/values.ts';
import type { ListedTarget, OutputTarget } from '../../outputs/targets.ts';
import { isRefusal, type DataContent, type DataObjects, type DataRecord, type Key, KubeError, readForbidden } from '../../ports/index.ts';
import { foreign, isOurs, notForUs, ownedLabels, type Place, releasedLabels } from './owner.ts';

/** By key; `undefined`: not known now, `null`: there is none. */
export type Texts = Readonly<Record<string, string | null | undefined>>;

/** Where targets of one kind are, and how text becomes what they hold. */
export interface Store<Value> {
  readonly cache: DataReader<Value>;
  readonly dataObjects: DataObjects<Value>;
  readonly hold: (text: string) => Value;
  readonly tell: (value: Value) => string;
}
/** One target, of whichever kind. */
export type Work<Value> = Store<Value> & Place & { readonly key: Key };

/** Brings one target to what it shall hold. A foreign one is never touched. */
export const filled = (context: ReconcileContext, target: OutputTarget, wants: Texts, told?: string): Promise<Outcome | undefined> =>
  target.is === 'Secret'
    ? guarded(target, context, () => fill({ ...secrets(context), ...at(context, target), told }, wants))
    : guarded(target, context, () => fill({ ...configMaps(context), ...at(context, target) }, wants));

/** The keys that one target holds of this object; none where it cannot be read, which is told when it is written. */
export async function heldKeys(context: ReconcileContext, target: OutputTarget): Promise<ReadonlySet<string>> {
  const { key } = at(context, target);
  const { cache } = target.is === 'Secret' ? secrets(context) : configMaps(context);
  const seen = await cache.record(key, context.signal).catch(() => undefined);
  return new Set(seen !== undefined && isOurs(context, seen) ? Object.keys(seen.data) : []);
}

/**
 * Takes out what this object once wrote to a target that the spec no longer names, and lets go of it. It stays, empty, until
 * another object wants it or this one goes: the right to delete Secrets is not worth having for this.
 */
export const emptied = (context: ReconcileContext, target: ListedTarget): Promise<Outcome | undefined> =>
  target.is === 'Secret'
    ? guarded(target, context, () => empty({ ...secrets(context), ...at(context, target) }))
    : guarded(target, context, () => empty({ ...configMaps(context), ...at(context, target) }));

export const secrets = ({ engine, effects }: ReconcileContext): Store<Sensitive> => ({
  cache: engine.secretCache,
  dataObjects: effects.secrets,
  hold: (text) => new Sensitive(text),
  tell: (value) => value.reveal(),
});
const configMaps = ({ engine, effects }: ReconcileContext): Store<string> => ({
  cache: engine.configMapCache,
  dataObjects: effects.configMaps,
  hold: (text) => text,
  tell: (text) => text,
});
export const at = <Target extends ListedTarget>(context: ReconcileContext, target: Target) => ({
  context,
  target,
  key: { namespace: context.object.metadata.namespace, name: target.name },
});

async function fill<Value>(work: Work<Value>, wants: Texts): Promise<Outcome | undefined> {
  const { context, key, cache, told } = work;
  const seen = await cache.record(key, context.signal);
  const data = wanted(work, wants, seen);
  const refusal = notForUs(work, seen);
  if (refusal?.is === 'Waiting') cache.forget(key);
  if (refusal === undefined) context.engine.objectMemory.hasOutput(context.object.metadata.uid, `${work.target.is} ${work.target.name}`);
  if (refusal !== undefined || isAsWanted(work, data, seen)) return refusal;
  const labels = ownedLabels(context, seen?.labels, told);
  return write(work, { data: mapped(data, work.hold), labels, owner: context.object }, seen);
}

/** What a Secret holds, if it is this object's. */
export async function ownTexts(context: ReconcileContext, target: ListedTarget): Promise<Readonly<Record<string, string>> | undefined> {
  const seen = await context.engine.secretCache.record(at(context, target).key, context.signal);
  return seen !== undefined && isOurs(context, seen) ? mapped(seen.data, (value) => value.reveal()) : undefined;
}

/** What was given out stays while it is not known whether there is any. */
function wanted<Value>(
  { context, tell }: Work<Value>,
  wants: Texts,
  seen: DataRecord<Value> | undefined,
): Readonly<Record<string, string>> {
  const before = seen !== undefined && isOurs(context, seen) ? mapped(seen.data, tell) : {};
  const entries = Object.entries(wants).map(([key, text]) => [key, text === undefined ? own(before, key) : text] as const);
  return Object.fromEntries(entries.flatMap(([key, text]) => (typeof text === 'string' ? [[key, text]] : [])));
}

/** Where there is nothing to give out yet nothing is made. */
function isAsWanted<Value>({ context, tell, told }: Work<Value>, data: Texts, seen: DataRecord<Value> | undefined): boolean {
  if (seen === undefined) return Object.keys(data).length === 0;
  return canonical([mapped(seen.data, tell), seen.labels]) === canonical([data, ownedLabels(context, seen.labels, told)]);
}

async function empty<Value>(work: Work<Value>): Promise<Outcome | undefined> {
  const { context, key, cache } = work;
  // What was written a moment ago by another process of this operator counts.
  const seen = await cache.record(key, context.signal, 0);
  if (seen === undefined || !isOurs(context, seen)) return undefined;
  const trouble = await write(work, { data: {}, labels: releasedLabels(seen.labels) }, seen);
  context.engine.outputWishes.emptied(key.namespace, work.target);
  return trouble;
}

/** Whatever comes of it, what was read before no longer counts. */
export async function write<Value>(
  work: Work<Value>,
  content: DataContent<Value>,
  seen: DataRecord<Value> | undefined,
): Promise<Outcome | undefined> {
  const { context, key, cache, dataObjects } = work;
  try {
    if (seen === undefined) await dataObjects.create(key, content, context.signal);
    else await dataObjects.update(key, content, seen, context.signal);
    return undefined;
  } catch (error) {
    if (error instanceof KubeError && error.fault === 'AlreadyExists') return foreign(work);
    throw error;
  } finally {
    cache.forget(key);
  }
}

/** What passes by itself is tried again; the rest is for a person. */
async function guarded(
  { is, name }: ListedTarget,
  { object }: ReconcileContext,
  work: () => Promise<Outcome | undefined>,
): Promise<Outcome | undefined> {
  try {
    return await work();
  } catch (error) {
    if (!isRefusal(error)) throw error;
    if (error.fault === 'Forbidden')
      return { is: 'Stalled', reason: 'Forbidden', message: `${is} ${name}: ${readForbidden(error, object.metadata.namespace, is)}` };
    const message = `the cluster refuses to change ${is} ${name} (${quoted(error.message)}). If it is immutable, delete it: it is made again`;
    return { is: 'Stalled', reason: 'Rejected', message };
  }
}

const mapped = <From, To>(record: Readonly<Record<string, From>>, change: (value: From) => To): Readonly<Record<string, To>> =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value)]));
