import { isToldOnce, type Sensitive } from '../../../resource/index.ts';
import type { ReconcileContext } from '../../context.ts';
import { naming, objectName } from '../../model/account.ts';
import { toldOfLabel } from '../../model/annotations.ts';
import type { Identity } from '../../model/identity.ts';
import { wholeTarget } from '../../outputs/targets.ts';
import { isOf, isVoid, keptAs, lastReset, toldOf } from '../../outputs/told-once.ts';
import { type DataRecord, isRefusal, type Key, type Resource } from '../../ports/index.ts';
import { isLeft, isOurs, isReleased, leftLabels } from './owner.ts';
import { readsSecrets, secretsOf, toldBy } from './keeper.ts';
import { at, secrets, type Work, write } from './writer.ts';

/** What became of it. `with`: it is lost with the object. `to`: it is called as the Secret of who takes the remote over. */
export interface LeftTold {
  readonly is: 'with' | 'left' | 'to';
  readonly secret: string;
}
interface Held {
  readonly work: Work<Sensitive>;
  /** As it is now; undefined: the cluster has taken it away with its owner before (foreground deletion). */
  readonly seen: DataRecord<Sensitive> | undefined;
  readonly known: DataRecord<Sensitive>;
}

/**
 * Before an object lets go of a remote that stays: the Secret with what was told once of it does not go with the object. It is nobody's
 * until an object of the namespace has that remote, where `to` looks for it if it can be there, and its labels say whose it was.
 * Undefined: it holds nothing of that. Killed in between, it is found as it was left. Nothing here holds a deletion up for good.
 */
export async function leaveTold(context: ReconcileContext, identity: Identity, to?: Resource): Promise<LeftTold | undefined> {
  const { object, engine } = context;
  const usual = keeperName(context);
  if (usual === undefined) return undefined;
  const left = (await unlessRefused(() => leave(context, identity, to))) ?? { is: 'with', secret: usual };
  // Whoever takes it over is to say that what was told is lost, as this one did.
  const told = left === 'nothing' ? undefined : left;
  if (told !== undefined || wasTold(context, identity))
    engine.outputWishes.leave(object.metadata.namespace, identity, told?.secret ?? usual);
  return told;
}

/** Where what is told once goes, if the object has any such. */
const keeperName = (context: ReconcileContext): string | undefined =>
  isToldOnce(context.kind, context.object.spec) && readsSecrets(context) ? wholeTarget(context.kind, context.object)?.name : undefined;
const wasTold = (context: ReconcileContext, identity: Identity): boolean =>
  identity.how === 'created' || lastReset(context, identity) !== undefined;

async function leave(context: ReconcileContext, identity: Identity, to: Resource | undefined): Promise<LeftTold | 'nothing'> {
  const held = await heldIn(context, identity);
  if (held === undefined) return 'nothing';
  const told = labelFor(context, identity, held.known, to);
  const theirs = to && (await unlessRefused(() => moved(context, held, to, told)));
  if (theirs !== undefined) return { is: 'to', secret: theirs };
  const { work, seen, known } = held;
  const isDone = seen !== undefined && isLeft(seen) && seen.labels[toldOfLabel] === told;
  const trouble = isDone ? undefined : await write(work, { data: known.data, labels: leftLabels(known.labels, told), owner: null }, seen);
  return { is: trouble === undefined ? 'left' : 'with', secret: work.target.name };
}

/** What is written under a name that no waiting frees is not written there. */
async function unlessRefused<Result>(work: () => Promise<Result>): Promise<Result | undefined> {
  try {
    return await work();
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return undefined;
  }
}

async function heldIn(context: ReconcileContext, identity: Identity): Promise<Held | undefined> {
  for (const name of secretsOf(context, identity)) {
    const work: Work<Sensitive> = { ...secrets(context), ...at(context, { is: 'Secret', name }) };
    const before = await work.cache.record(work.key, context.signal, Infinity);
    const seen = await work.cache.record(work.key, context.signal, 0);
    const known = seen ?? before;
    if (known !== undefined && holds(context, identity, known)) return { work, seen, known };
  }
  return undefined;
}
/** What a reset has made void since is of use to nobody. */
function holds(context: ReconcileContext, identity: Identity, known: DataRecord<Sensitive>): boolean {
  const label = known.labels[toldOfLabel];
  if (!isOf(identity, label) || !(isOurs(context, known) || isLeft(known))) return false;
  const kept = keptAs(context, identity, toldBy(context, known) ?? {}, label);
  return kept === undefined || !isVoid(context, identity, kept);
}

/** Where the label is signed it is for one object. What something has changed there stays to be told from what was told. */
function labelFor(context: ReconcileContext, identity: Identity, known: DataRecord<Sensitive>, to: Resource | undefined): string {
  const label = known.labels[toldOfLabel] ?? '';
  const told = toldBy(context, known);
  const kept = told && keptAs(context, identity, told, label);
  return to === undefined || kept === undefined ? label : toldOf(asOther(context, to), identity, kept);
}
const asOther = (context: ReconcileContext, object: Resource): ReconcileContext => ({
  ...context,
  object,
  name: objectName(naming(context.engine), object),
});

/** Under the name that the other one looks for; undefined: it is the same, or is not free. */
async function moved(context: ReconcileContext, { work, known }: Held, to: Resource, told: string): Promise<string | undefined> {
  const target = wholeTarget(context.kind, to);
  if (target === undefined || target.name === work.target.name) return undefined;
  const there: Work<Sensitive> = { ...work, ...at(context, target) };
  const seen = await there.cache.record(there.key, context.signal, 0);
  if (seen !== undefined && isLeft(seen) && seen.labels[toldOfLabel] === told) return target.name;
  if (!isFree(context, seen, there.key, to)) return undefined;
  const labels = leftLabels({ ...seen?.labels }, told);
  return (await write(there, { data: known.data, labels, owner: null }, seen)) === undefined ? target.name : undefined;
}
/** Of several that want a Secret which nobody has the oldest gets it. */
function isFree(
  { engine }: ReconcileContext,
  seen: DataRecord<Sensitive> | undefined,
  { namespace, name }: Key,
  { metadata: { uid } }: Resource,
): boolean {
  if (seen !== undefined && !isReleased(seen)) return false;
  const [oldest] = engine.outputWishes.of(namespace, { is: 'Secret', name });
  return oldest === undefined || oldest.uid === uid;
}

/** For the Event of who lets go. */
export function leftText(left: LeftTold | undefined): string {
  if (left === undefined) return '';
  const { is, secret } = left;
  if (is === 'to') return `. What was told of it once goes with it: it is in Secret ${secret}`;
  if (is === 'with')
    return `. What was told of it once cannot be kept, because the cluster refuses to change Secret ${secret}, and goes with this object`;
  return `. What was told of it once stays in Secret ${secret}, which no longer goes with this object: whoever takes it over in this namespace with that spec.secretName has it again; delete that Secret where nobody needs it`;
}
