import { sleep } from '../../lib/clock.ts';
import { own } from '../../lib/own.ts';
import { digest, isToldOnce, seconds, Sensitive } from '../../resource/index.ts';
import type { DataReader, ReconcileContext } from '../context.ts';
import { lostLabel, toldOfLabel } from '../model/annotations.ts';
import type { Identity } from '../model/identity.ts';
import type { Outcome } from '../model/outcome.ts';
import type { BoundRemote } from '../model/step.ts';
import { canonical } from '../model/values.ts';
import { type ListedTarget, listedTargets, type OutputTarget, wholeTarget } from '../outputs/targets.ts';
import { isVoid, type Kept, keptAs, namesToldOnce, tellsAll, type Told, toldOf } from '../outputs/told-once.ts';
import { outputsOf } from '../outputs/values.ts';
import { isRefusal, type DataContent, type DataObjects, type DataRecord, type Key, KubeError, readForbidden } from '../ports/index.ts';
import { foreign, isOurs, notForUs, ownedLabels, type Place, releasedLabels } from './output-owner.ts';
import { createOf } from './send.ts';

/** By key; `undefined`: not known now, `null`: there is none. */
export type Texts = Readonly<Record<string, string | null | undefined>>;

/** Where targets of one kind are, and how text becomes what they hold. */
interface Store<Value> {
  readonly cache: DataReader<Value>;
  readonly dataObjects: DataObjects<Value>;
  readonly hold: (text: string) => Value;
  readonly tell: (value: Value) => string;
}
/** One target, of whichever kind. */
type Work<Value> = Store<Value> & Place & { readonly key: Key };

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

const secrets = ({ engine, effects }: ReconcileContext): Store<Sensitive> => ({
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
const at = <Target extends ListedTarget>(context: ReconcileContext, target: Target) => ({
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
async function write<Value>(
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
    const message = `the cluster refuses to change ${is} ${name} (${error.message}). If it is immutable, delete it: it is made again`;
    return { is: 'Stalled', reason: 'Rejected', message };
  }
}

const mapped = <From, To>(record: Readonly<Record<string, From>>, change: (value: From) => To): Readonly<Record<string, To>> =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value)]));

/** The one place where what is told once is kept. */
const keeperOf = ({ kind, object }: ReconcileContext): OutputTarget | undefined => wholeTarget(kind, object);

/** Why what an answer will tell could not be kept: asked before anything is made. */
export async function cannotKeep(context: ReconcileContext): Promise<Outcome | undefined> {
  if (!isToldOnce(context.kind, context.object.spec)) return undefined;
  const target = keeperOf(context);
  if (target === undefined) return { is: 'Stalled', reason: 'InvalidSpec', message: 'spec.outputs: it cannot be read' };
  const key = { namespace: context.object.metadata.namespace, name: target.name };
  return notForUs({ context, target }, await context.engine.secretCache.record(key, context.signal, 0));
}

/**
 * Writes down what only this answer tells, before the remote counts as the object's: a crash leaves either a Secret that names the
 * remote, or a remote that nobody can use and that goes. In words why that failed; what no waiting mends is not tried again at once.
 * `resetAt`: see {@link Kept}.
 */
export async function keepTold(context: ReconcileContext, present: BoundRemote, resetAt?: number): Promise<string | undefined> {
  const { kind, engine, object } = context;
  if (!isToldOnce(kind, object.spec)) return undefined;
  if (!tellsAll(kind, present.remote, present.want)) return `its answer does not tell ${namesToldOnce(kind, object.spec).join(', ')}`;
  const target = keeperOf(context);
  if (target === undefined) return 'spec.outputs cannot be read';
  const trouble = await written(context, target, { ...present, resetAt });
  if (trouble === undefined || typeof trouble === 'string') return trouble;
  const change = createOf(context, present.want);
  engine.ledger.note(object.metadata.uid, change, { is: 'refused', outcome: trouble, final: true }, engine.clock.monotonic());
  return 'message' in trouble ? trouble.message : 'it was not kept';
}

const pauses = [seconds(1), seconds(3), undefined];

/** An API server that is away for a moment is no reason to throw a remote away. */
async function written(
  context: ReconcileContext,
  target: OutputTarget,
  present: BoundRemote & Pick<Kept, 'resetAt'>,
): Promise<Outcome | string | undefined> {
  const key = { namespace: context.object.metadata.namespace, name: target.name };
  const values = outputsOf(context.kind, present);
  const told = toldIn(context, (output) => values[output]) ?? {};
  for (const pause of pauses) {
    // Who lost the lease must not overwrite what the next leader has kept.
    if (!context.effects.leads()) return 'the lease was lost before it was kept';
    context.engine.secretCache.forget(key);
    try {
      return await filled(context, target, values, toldOf(context, present.identity, { told, resetAt: present.resetAt }));
    } catch (error) {
      if (!(error instanceof KubeError)) throw error;
      if (pause === undefined) return `Secret ${target.name} could not be written: ${error.message}`;
      await sleep(context.engine.clock, pause, context.signal);
    }
  }
  return undefined;
}

/** Who only plans may have no right to read Secrets: then nothing is known of what they hold. */
export const readsSecrets = ({ effects }: ReconcileContext): boolean => effects.secrets.unread !== true;

/**
 * What was told of this remote, out of the Secret that was written then: the one that the spec names, or named before. Undefined:
 * it is lost. `maxAge`: how old what is known of the Secrets may be.
 */
export async function keptOf(context: ReconcileContext, identity: Identity, maxAge?: number): Promise<Kept | undefined> {
  const { object, engine, signal } = context;
  const now = keeperOf(context)?.name;
  const before = listedTargets(object).flatMap(({ is, name }) => (is === 'Secret' && name !== now ? [name] : []));
  for (const name of [...(now === undefined ? [] : [now]), ...before]) {
    const seen = await engine.secretCache.record({ namespace: object.metadata.namespace, name }, signal, maxAge);
    if (seen === undefined || !isOurs(context, seen)) continue;
    const told = toldIn(context, (output) => own(seen.data, output)?.reveal());
    const kept = told && keptAs(context, identity, told, seen.labels[toldOfLabel]);
    if (kept !== undefined && !isVoid(context, identity, kept)) return kept;
  }
  return undefined;
}

/**
 * Before the remote goes of which nobody knows what was told: its Secret becomes another version. An operator that no longer leads may
 * have sent it there, and a write that is still on its way must come too late, or it would publish what is deleted.
 */
export async function outdated(context: ReconcileContext, { account, path }: Identity): Promise<void> {
  const target = keeperOf(context);
  if (target === undefined) return;
  const work: Work<Sensitive> = { ...secrets(context), ...at(context, target) };
  const seen = await work.cache.record(work.key, context.signal, 0);
  if (seen === undefined || !isOurs(context, seen)) return;
  await write(work, { data: seen.data, labels: { ...seen.labels, [lostLabel]: digest(`${account}${path}`) } }, seen);
}

/** All that is told once, by `textOf` its name; undefined where some of it is missing. */
function toldIn({ kind, object }: ReconcileContext, textOf: (output: string) => string | null | undefined): Told | undefined {
  const all = namesToldOnce(kind, object.spec).map((output) => [output, textOf(output) ?? ''] as const);
  return all.every(([, text]) => text !== '') ? Object.fromEntries(all) : undefined;
}
