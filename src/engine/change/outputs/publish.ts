import { own } from '../../../lib/own.ts';
import { shownTime } from '../../../lib/utc-time.ts';
import { type AnyKind, asCollection, isToldOnce, namesIn, rendered, type Row } from '../../../resource/index.ts';
import type { ReconcileContext } from '../../context.ts';
import { annotateCommand, rotateAnnotation } from '../../model/annotations.ts';
import type { Outcome } from '../../model/outcome.ts';
import type { Resource } from '../../ports/index.ts';
import type { BoundRemote } from '../../model/step.ts';
import { readSecretParts } from '../../observe/secret-parts.ts';
import {
  isSameTarget,
  isWhole,
  type ListedTarget,
  listedTargets,
  type OutputTarget,
  outputTargets,
  wholeTarget,
  wrongKeys,
} from '../../outputs/targets.ts';
import { isSpent, lastReset, toldOf } from '../../outputs/told-once.ts';
import { outputsOf } from '../../outputs/values.ts';
import { outcomeOf } from '../../status/fault-table.ts';
import { cannotKeep, keptOf, learnReset, readsSecrets, wasKept } from './keeper.ts';
import { emptied, filled, heldKeys, ownTexts, type Texts } from './writer.ts';

/** What became of one target: as status lists it from now on, and what is wrong with it. */
interface Written {
  readonly shown?: Row;
  readonly trouble?: Outcome | undefined;
}

/** A target, and which of its keys it holds already. */
type Held = OutputTarget & { readonly held: ReadonlySet<string> };

/**
 * Writes what the kind gives out to the Secrets and ConfigMaps that the object owns, and takes it out of those that the spec no
 * longer names (README: secrets). All are brought in order, whatever is wrong with one of them.
 */
export async function publish(context: ReconcileContext, present: BoundRemote): Promise<Outcome | undefined> {
  const { kind, object } = context;
  if (kind.outputs === undefined) return undefined;
  const targets = await heldTargets(context);
  if (targets === undefined) return unreadable;
  const secret = await readSecretParts(context, present.identity.path, wishesOf(targets));
  const trouble = await giveOut(context, targets, await valuesOf(context, present, secret.values));
  return trouble ?? (secret.trouble && outcomeOf(kind, secret.trouble, object));
}

/** The same of what is known as text, by the name of the output. */
export async function publishTexts(context: ReconcileContext, values: Texts): Promise<Outcome | undefined> {
  const targets = await heldTargets(context);
  return targets === undefined ? unreadable : giveOut(context, targets, { values });
}
export const outputTexts = (kind: AnyKind, from: Row): Texts => outputsOf(kind, { remote: from, want: { name: '' } });

async function heldTargets(context: ReconcileContext): Promise<readonly Held[] | undefined> {
  const asked = outputTargets(context.kind, context.object);
  if (asked === undefined) return undefined;
  const targets: Held[] = [];
  for (const target of asked) targets.push({ ...target, held: await heldKeys(context, target) });
  return targets;
}

async function giveOut(context: ReconcileContext, targets: readonly Held[], values: Omit<Giving, 'targets'>): Promise<Outcome | undefined> {
  const { status } = context;
  const all = await writeAll(context, targets, { targets, ...values });
  if ('is' in all) return all;
  const shown = all.flatMap((one) => one.shown ?? []);
  status['outputs'] = shown.length > 0 ? shown : undefined;
  return all.find(({ trouble }) => trouble !== undefined)?.trouble;
}

/** What is told once is nowhere else than where it was written before: nothing is taken out there until it is where it goes now. */
async function writeAll(context: ReconcileContext, targets: readonly Held[], giving: Giving): Promise<readonly Written[] | Outcome> {
  const all: Written[] = [];
  for (const target of targets) {
    const one = await given(context, target, giving);
    if (one.trouble !== undefined && isKeeper(giving, target)) return one.trouble;
    all.push(one);
  }
  for (const left of listedTargets(context.object).filter((one) => !targets.some((target) => isSameTarget(one, target))))
    all.push(await taken(context, left));
  return all;
}

/** Outputs that some target names, and those of them that one does not hold. */
function wishesOf(targets: readonly Held[]): { readonly asked: ReadonlySet<string>; readonly lacking: ReadonlySet<string> } {
  const keys = targets.flatMap(({ keys: all, held }) =>
    Object.entries(all).map(([key, template]) => ({ template, isHeld: held.has(key) })),
  );
  const names = (which: typeof keys): ReadonlySet<string> => new Set(which.flatMap(({ template }) => namesIn(template)));
  return { asked: names(keys), lacking: names(keys.filter(({ isHeld }) => !isHeld)) };
}

interface Giving {
  readonly targets: readonly OutputTarget[];
  readonly values: Texts;
  /** There is something that was told once, and it is of use. */
  readonly keeps?: true;
  /** The remote of which that is known: see {@link Place.told}. */
  readonly told?: string;
  /** Nobody has what was told of it any more. */
  readonly lost?: Outcome;
}

/** What the Secret of `secretName` holds of each output; undefined where it is another's, or lacks one of them. */
export async function secretOfAll(context: ReconcileContext): Promise<Texts | undefined> {
  const { kind, object } = context;
  const target = wholeTarget(kind, object);
  const texts = target && (await ownTexts(context, target));
  const names = Object.keys(kind.outputs ?? {});
  const isAll = texts !== undefined && names.every((name) => own(texts, name) !== undefined);
  return isAll ? Object.fromEntries(names.map((name) => [name, own(texts, name)])) : undefined;
}

/** A key without its secret, or with that of another one, would be of no use to anybody: where that is lost nothing is known. */
async function valuesOf(context: ReconcileContext, present: BoundRemote, secret: Row): Promise<Omit<Giving, 'targets'>> {
  const { kind, object } = context;
  const values = outputsOf(kind, present, secret);
  if (!isToldOnce(kind, object.spec) || isSpent(kind, object.spec, values)) return { values };
  const kept = await keptOf(context, present.identity);
  if (kept !== undefined) learnReset(context, present.identity, kept);
  if (kept !== undefined) return { keeps: true, values: { ...values, ...kept.told }, told: toldOf(context, present.identity, kept) };
  const had = readsSecrets(context) ? await wasKept(context, present.identity) : undefined;
  const isMissed = isLost(context, present) || had !== undefined;
  return {
    keeps: true,
    values: {},
    ...(isMissed && { lost: had === 'another' ? replacedOf(context, present) : lostOf(context, present) }),
  };
}

/** Of what the spec adopts somebody else may have it, until it was reset here, or an object of this namespace had it; and who only shows what would be done reads no Secret. */
export const isLost = (context: ReconcileContext, { identity }: BoundRemote): boolean =>
  (identity.how === 'created' ||
    context.object.spec['adopt'] === undefined ||
    lastReset(context, identity) !== undefined ||
    context.engine.outputWishes.leftIn(context.object.metadata.namespace, identity) !== undefined) &&
  readsSecrets(context);

function lostOf({ kind, object }: ReconcileContext, { identity: { path } }: BoundRemote): Outcome {
  const secret = wholeTarget(kind, object)?.name ?? '';
  const resetAt = lastReset({ object }, { path });
  const [last, from] =
    resetAt === undefined ? ['when it was made', 'a backup'] : [`by its reset of ${shownTime(resetAt)}`, 'a backup of since then'];
  const renamed = object.spec['secretName'] === undefined ? '' : ', or write an earlier spec.secretName again';
  return {
    is: 'Stalled',
    reason: 'RemoteFailed',
    message: `Secret ${secret} does not hold what was told of ${path} ${last}, and the service tells it only once: it is gone, or something has changed a value or put an older one back. Restore that Secret with its labels from ${from}${renamed}; or ${anotherOf(kind, object)}. What has the right values by now goes on working until then`,
    unready: true,
  };
}

/** Programs go on with what the Secret has, which may be gone by now. */
function replacedOf({ kind, object }: ReconcileContext, { identity: { path } }: BoundRemote): Outcome {
  const secret = wholeTarget(kind, object)?.name ?? '';
  return {
    is: 'Stalled',
    reason: 'RemoteFailed',
    message: `Secret ${secret} still has what was told of another than ${path}, which this object has now, and the service tells it only once. Whoever reads it uses the other one, if that is there at all. To have a new one in it, ${anotherOf(kind, object)}. If ${path} is not what this object shall have, take spec.adopt back`,
    unready: true,
  };
}

const anotherOf = (kind: AnyKind, object: Resource): string =>
  asCollection(kind)?.rotation === undefined
    ? 'delete this object under spec.lifecycle.onDelete: Delete and apply it again, which makes another'
    : `have it renewed: ${annotateCommand(object, rotateAnnotation, '<time>')}`;

const isKeeper = ({ keeps }: Pick<Giving, 'keeps'>, target: OutputTarget): boolean => keeps === true && isWhole(target);

async function given(context: ReconcileContext, target: Held, giving: Giving): Promise<Written> {
  const texts = textsOf(target, giving.values);
  const isListed = listedTargets(context.object).some((one) => isSameTarget(one, target));
  if (texts === undefined) return { trouble: tooLong(target), ...(isListed && { shown: shownOf(target) }) };
  const trouble = doubted(context.kind, giving.targets, target) ?? (await fill(context, target, texts, giving));
  return trouble === undefined || isListed ? { trouble, shown: shownOf(target, texts, target.held) } : { trouble };
}

/** What a Secret or a ConfigMap can hold. A text that names one output again and again grows a thousandfold. */
const mostHeld = 1_048_576;

/** Undefined: there is no room for them, and they are not put together any further. */
function textsOf({ keys }: OutputTarget, values: Texts): Texts | undefined {
  const texts: Record<string, string | null | undefined> = {};
  let length = 0;
  for (const [key, template] of Object.entries(keys)) {
    texts[key] = rendered(template, values);
    length += Buffer.byteLength(texts[key] ?? '');
    if (length > mostHeld) return undefined;
  }
  return texts;
}
const tooLong = ({ is, name }: OutputTarget): Outcome =>
  invalid(`${is} ${name} would hold more than 1 MiB, which none can. Name fewer keys there, or each output less often in their texts`);

async function fill(context: ReconcileContext, target: OutputTarget, texts: Texts, giving: Giving): Promise<Outcome | undefined> {
  if (!isKeeper(giving, target)) return filled(context, target, texts);
  const { told, lost } = giving;
  return told === undefined ? ((await cannotKeep(context)) ?? lost) : filled(context, target, texts, told);
}

async function taken(context: ReconcileContext, target: ListedTarget): Promise<Written> {
  const trouble = await emptied(context, target);
  return trouble === undefined ? {} : { trouble, shown: shownOf(target) };
}

/** Why nothing is written there at all. */
function doubted(kind: AnyKind, targets: readonly OutputTarget[], target: OutputTarget): Outcome | undefined {
  const [wrong] = wrongKeys(kind, target);
  if (wrong !== undefined) return invalid(`${target.is} ${target.name} cannot have key ${wrong}: ${own(target.keys, wrong)}`);
  const first = targets.find((one) => isSameTarget(one, target));
  return first === target ? undefined : invalid(`${target.is} ${target.name} is named twice. Name it once, with all keys`);
}

/** Keys for which there is nothing to give out are named, because whoever asks for them would look for them in vain. */
function shownOf({ is, name }: ListedTarget, texts: Texts = {}, held: ReadonlySet<string> = new Set()): Row {
  const isThere = (key: string): boolean => typeof own(texts, key) === 'string' || (own(texts, key) === undefined && held.has(key));
  const missing = Object.keys(texts).filter((key) => !isThere(key));
  return { kind: is, name, ...(missing.length > 0 && { missing }) };
}

const invalid = (what: string): Outcome => ({ is: 'Stalled', reason: 'InvalidSpec', message: `spec.outputs: ${what}` });
const unreadable = invalid('it cannot be read');
