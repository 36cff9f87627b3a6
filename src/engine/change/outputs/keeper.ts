import { type Millis, sleep } from '../../../lib/clock.ts';
import { own } from '../../../lib/own.ts';
import { quoted } from '../../../lib/quoted.ts';
import { readTime, shownTime } from '../../../lib/utc-time.ts';
import { digest, isToldOnce, type Row, seconds, type Sensitive } from '../../../resource/index.ts';
import type { ReconcileContext } from '../../context.ts';
import { lostLabel, toldOfLabel } from '../../model/annotations.ts';
import type { Identity } from '../../model/identity.ts';
import type { Outcome } from '../../model/outcome.ts';
import type { BoundRemote } from '../../model/step.ts';
import { listedTargets, type OutputTarget, usualSecret, wholeTarget } from '../../outputs/targets.ts';
import { isOf, isVoid, type Kept, keptAs, lastReset, namesToldOnce, tellsAll, type Told, toldOf } from '../../outputs/told-once.ts';
import { outputsOf } from '../../outputs/values.ts';
import { type DataRecord, KubeError } from '../../ports/index.ts';
import { createOf } from '../send.ts';
import { isLeft, isOurs, notForUs } from './owner.ts';
import { at, filled, secrets, type Work, write } from './writer.ts';

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
      if (pause === undefined) return `Secret ${target.name} could not be written: ${quoted(error.message)}`;
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
export async function keptOf(context: ReconcileContext, identity: Identity, maxAge?: Millis): Promise<Kept | undefined> {
  for (const name of secretsOf(context, identity)) {
    const seen = await toldSecret(context, identity, name, maxAge);
    const told = seen && toldBy(context, seen);
    const kept = told && keptAs(context, identity, told, seen.labels[toldOfLabel]);
    if (kept !== undefined && !isVoid(context, identity, kept)) return kept;
  }
  return undefined;
}

/** Of what the Secrets say that they tell: of this remote, which was kept here once, or only of one that the object had before it. */
export async function wasKept(context: ReconcileContext, identity: Identity): Promise<'it' | 'another' | undefined> {
  let another = false;
  for (const name of secretsOf(context, identity)) {
    const label = (await toldSecret(context, identity, name))?.labels[toldOfLabel];
    if (isOf(identity, label)) return 'it';
    another ||= label !== undefined;
  }
  return another ? 'another' : undefined;
}

/**
 * Where it may be: the one that the spec names, those that status lists, the usual one, as status may be gone, and where an object that
 * had this remote before has left it.
 */
export function secretsOf({ kind, object, engine }: ReconcileContext, remote: Pick<Identity, 'account' | 'path'>): ReadonlySet<string> {
  const now = wholeTarget(kind, object)?.name;
  const left = engine.outputWishes.leftIn(object.metadata.namespace, remote);
  const before = listedTargets(object).flatMap(({ is, name }) => (is === 'Secret' ? [name] : []));
  return new Set([
    ...(now === undefined ? [] : [now]),
    ...before,
    usualSecret(kind, object.metadata.name),
    ...(left === undefined ? [] : [left]),
  ]);
}
/** Its own, or one that was left for whoever has this remote. */
async function toldSecret(
  context: ReconcileContext,
  identity: Identity,
  name: string,
  maxAge?: Millis,
): Promise<DataRecord<Sensitive> | undefined> {
  const { engine, object, signal } = context;
  const seen = await engine.secretCache.record({ namespace: object.metadata.namespace, name }, signal, maxAge);
  const isHere = seen !== undefined && (isOurs(context, seen) || (isLeft(seen) && isOf(identity, seen.labels[toldOfLabel])));
  return isHere ? seen : undefined;
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

/** All that is told once, as this Secret holds it. */
export const toldBy = (context: ReconcileContext, { data }: DataRecord<Sensitive>): Told | undefined =>
  toldIn(context, (output) => own(data, output)?.reveal());

/** All that is told once, by `textOf` its name; undefined where some of it is missing. */
function toldIn({ kind, object }: ReconcileContext, textOf: (output: string) => string | null | undefined): Told | undefined {
  const all = namesToldOnce(kind, object.spec).map((output) => [output, textOf(output) ?? ''] as const);
  return all.every(([, text]) => text !== '') ? Object.fromEntries(all) : undefined;
}

/** What status says once the secret that a reset told is in its Secret. `at`: when that reset was noted. */
export const keptSince = (at: Millis): Row => ({
  resetting: undefined,
  rotating: undefined,
  renewedAt: shownTime(at),
  resetAt: shownTime(at),
});

/**
 * The Secret tells of the very reset that status still notes, as an operator was killed between the two: it needs no other. Or of one
 * that is younger than all that status knows, as that was put back or emptied.
 */
export function learnReset({ object, status, account }: ReconcileContext, identity: Identity, { resetAt }: Pick<Kept, 'resetAt'>): void {
  if (resetAt === undefined) return;
  const noted = 'resetting' in status ? status['resetting'] : object.status?.['resetting'];
  if (readTime(String(noted)) === resetAt) Object.assign(status, keptSince(resetAt));
  // One of later was mistyped.
  else if (resetAt - 1000 >= (lastReset({ object }, identity) ?? 0) && resetAt <= account.connection.apiNow())
    status['resetAt'] = shownTime(resetAt);
}
