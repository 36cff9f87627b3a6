import { type AnyKind, asCollection, isToldOnce, minutes, readRemote, type Row, seconds } from '../../../resource/index.ts';
import type { ReconcileContext } from '../../context.ts';
import type { Found } from '../../identity/lookup.ts';
import { lostLabel, ownerKeyLabel, ownerUidLabel, releasedLabel, toldOfLabel } from '../../model/annotations.ts';
import { ownerDigest } from '../../model/identity.ts';
import type { Outcome } from '../../model/outcome.ts';
import { type ListedTarget, type OutputTarget, wholeTarget } from '../../outputs/targets.ts';
import { isOf } from '../../outputs/told-once.ts';
import type { Wish } from '../../outputs/wishes.ts';
import type { DataRecord } from '../../ports/index.ts';

/** One of an object's targets. */
export interface Place {
  readonly context: ReconcileContext;
  readonly target: ListedTarget & Partial<Pick<OutputTarget, 'field'>>;
  /** Names the remote of which it holds what is told once. */
  readonly told?: string | undefined;
}
type Labels = Readonly<Record<string, string>>;

const marks = ({ object, name }: ReconcileContext): Labels => ({
  [ownerUidLabel]: object.metadata.uid,
  [ownerKeyLabel]: ownerDigest(name),
});

/** One from before a restore has the uid of this object's forerunner, and the key of both. */
export function isOurs(context: ReconcileContext, seen: { readonly labels: Labels }): boolean {
  const ours = marks(context);
  const uid = seen.labels[ownerUidLabel];
  return uid !== undefined && (uid === ours[ownerUidLabel] || seen.labels[ownerKeyLabel] === ours[ownerKeyLabel]);
}

/** What the labels are once it is ours; those of others are left alone. `told`: of which remote it holds what is told once. */
export function ownedLabels(context: ReconcileContext, labels: Labels = {}, told?: string): Labels {
  const { [releasedLabel]: _released, [toldOfLabel]: _told, [lostLabel]: _lost, ...kept } = labels;
  return { ...kept, ...marks(context), ...(told !== undefined && { [toldOfLabel]: told }) };
}
/** What they are once it is nobody's. */
export function releasedLabels(labels: Labels): Labels {
  const { [ownerUidLabel]: _uid, [ownerKeyLabel]: _key, [toldOfLabel]: _told, [lostLabel]: _lost, ...kept } = labels;
  return { ...kept, [releasedLabel]: 'true' };
}

/** What they are where it keeps what was told once for whoever has that remote next. */
export const leftLabels = (labels: Labels, told: string): Labels => ({ ...releasedLabels(labels), [toldOfLabel]: told });
export const isLeft = ({ labels }: Pick<DataRecord<unknown>, 'labels'>): boolean =>
  labels[releasedLabel] !== undefined && labels[ownerUidLabel] === undefined && labels[toldOfLabel] !== undefined;
/** This object has that remote now, and nobody disputes it. */
function isLeftTo({ engine: { claims }, object: { metadata } }: ReconcileContext, seen: DataRecord<unknown>): boolean {
  const claim = claims.has(metadata.uid) ? claims.of(metadata.uid) : undefined;
  return claim !== undefined && isLeft(seen) && isOf(claim, seen.labels[toldOfLabel]);
}
export const isReleased = ({ labels, data }: DataRecord<unknown>): boolean =>
  labels[releasedLabel] !== undefined && labels[ownerUidLabel] === undefined && Object.keys(data).length === 0;

/** Why it may not be written: it is somebody else's, or nobody's and an older object wants it too. */
export function notForUs(place: Place, seen: DataRecord<unknown> | undefined): Outcome | undefined {
  const { context, target } = place;
  if (seen !== undefined && (isOurs(context, seen) || isLeftTo(context, seen))) return undefined;
  if (seen !== undefined && !isReleased(seen)) return foreign(place, seen);
  const { namespace, uid } = context.object.metadata;
  const [oldest] = context.engine.outputWishes.of(namespace, target);
  return oldest === undefined || oldest.uid === uid ? undefined : promised(target, oldest);
}

/** The garbage collector of the cluster takes seconds as a rule. A label alone is no proof that it comes. */
const goesWithin = minutes(2);

export function foreign({ context, target }: Place, seen?: DataRecord<unknown>): Outcome {
  const { engine, object } = context;
  const owner = seen?.labels[ownerUidLabel] ?? '';
  const holder = engine.outputWishes.of(object.metadata.namespace, target).find(({ uid }) => uid === owner);
  if (holder !== undefined) return shared(target, holder);
  const waiting = owner === '' ? undefined : freeSoon(context, target);
  if (waiting !== undefined) return waiting;
  const before = engine.outputWishes.wisher(owner);
  if (before?.namespace === object.metadata.namespace) return notMoved(target, before);
  return {
    is: 'Stalled',
    reason: 'AlreadyExists',
    message: seen !== undefined && isLeft(seen) ? isLeftText(target) : notOurs(context, target),
  };
}
function notOurs(context: ReconcileContext, target: Place['target']): string {
  const { is, name } = target;
  return `${is} ${name} exists and does not belong to this object, so it is not overwritten. ${isKept(context, target) ? strippedOf(target) : `Delete it, or choose another name in ${named(target)}`}`;
}
function freeSoon({ engine: { objectMemory, clock }, object }: ReconcileContext, { is, name }: Place['target']): Outcome | undefined {
  if (objectMemory.waitsForOutput(object.metadata.uid, `${is} ${name}`, clock.monotonic()) >= goesWithin) return undefined;
  return {
    is: 'Waiting',
    reason: 'Busy',
    message: `${is} ${name} was written by an object that is gone, or names it no more, and is free soon as a rule: it is looked at again`,
    on: [`${is} ${name}`],
    recheckAfter: seconds(2),
  };
}
const isLeftText = (target: Place['target']): string =>
  `Secret ${target.name} keeps what was told once of something that stays in the account when its object was deleted, for the object of this namespace that takes that over. Choose another name in ${named(target)}; or delete that Secret where nobody needs it: what it holds is nowhere else`;
const shared = (target: Place['target'], { kind, name }: Wish): Outcome => ({
  is: 'Stalled',
  reason: 'AlreadyExists',
  message: `${target.is} ${target.name} is written by ${kind} ${name}, and one object has it. Choose another name in ${named(target)}, or take it out of ${kind} ${name}`,
});
/** Nobody has written it yet. */
const promised = (target: Place['target'], { kind, name }: Wish): Outcome => ({
  is: 'Stalled',
  reason: 'AlreadyExists',
  message: `${target.is} ${target.name} is named by ${kind} ${name}, too, which is older, and one object has it. Choose another name in ${named(target)}, or take it out of ${kind} ${name}`,
});
/** What was told once is taken along only into one that is free: two that exchange theirs each wait for the other. */
const notMoved = (target: Place['target'], { kind, name }: Wish): Outcome => ({
  is: 'Stalled',
  reason: 'AlreadyExists',
  message: `${target.is} ${target.name} is still that of ${kind} ${name}, which names another by now and cannot write that yet. Two that exchange theirs need a third name in between: write that into ${named(target)} of one of them first, and its new name once the other one is in step`,
});
/** It may be the only place of what was told once, and a tool have taken its labels away. */
const isKept = ({ kind, object }: ReconcileContext, { field }: Place['target']): boolean =>
  field === 'secretName' && isToldOnce(kind, object.spec) && object.status?.['path'] !== undefined;
const strippedOf = (target: Place['target']): string =>
  `What was told once may stand in it alone: where something took its labels away, put them back from a backup (${ownerUidLabel}, ${ownerKeyLabel}, ${toldOfLabel}). Where it is something else's, choose another name in ${named(target)}`;
const named = ({ field }: Place['target']): string => `spec.${field ?? 'outputs'}`;

/** What is renewed has two for a while, and its own Secret says which of them is given out. */
export function toldApart({ kind, object }: ReconcileContext, found: readonly Found[]): string {
  const secret = asCollection(kind)?.rotation === undefined ? undefined : wholeTarget(kind, object);
  if (secret === undefined) return '';
  for (const [name, output] of Object.entries(kind.outputs ?? {})) {
    const values = output.secret ? [] : found.map(({ row }) => givenOut(kind, row, output));
    if (new Set(values.filter((value) => typeof value === 'string')).size !== found.length) continue;
    return ` (key ${name} of Secret ${secret.name} is ${found.map(({ path }, n) => `${values[n]} where it is ${path}`).join(', ')})`;
  }
  return '';
}
function givenOut(kind: AnyKind, row: Row, { of }: NonNullable<AnyKind['outputs']>[string]): string | null | undefined {
  const read = readRemote(kind, row);
  return 'remote' in read ? of(read.remote, { name: '' }) : undefined;
}
