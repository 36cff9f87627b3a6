import { jsonPointer } from '../../lib/json-pointer.ts';
import { quoted } from '../../lib/quoted.ts';
import type { Row } from '../../resource/index.ts';
import type { ConnectingContext, Engine, ReconcileContext } from '../context.ts';
import { isRecovering } from '../guard/recovery.ts';
import {
  annotation,
  finalizer,
  intentAnnotation,
  labelAnnotation,
  operationAnnotation,
  operationsAnnotation,
  reconcileAtAnnotation,
  remoteAnnotation,
  replacingAnnotation,
  retiringAnnotation,
  spentAnnotation,
} from '../model/annotations.ts';
import { formatIdentity, formatLabel, type Identity, lifeOf, parseIdentity } from '../model/identity.ts';
import { formatIntent, type Intent, intentText, overNote } from '../model/intent.ts';
import { formatReplacing, formatRetiring, overlapOf, retire, type Retiring, retiringOf } from '../model/replacing.ts';
import type { Outcome } from '../model/outcome.ts';
import { canonical } from '../model/values.ts';
import { hasMovedOn, isRefusal, type JsonPatchOp, KubeError, type Resource } from '../ports/index.ts';
import { attemptsOn, healedAnnotation, notesWithout } from '../plan/operation-notes.ts';
import { statusOps } from '../status/status-patch.ts';
import { noteOn } from './note-on.ts';

/** As much of a reconcile as a write of metadata needs. */
type Writing = Pick<ConnectingContext, 'object' | 'effects'>;

/** Metadata patch under uid and resourceVersion: it cannot undo another writer (README: kubernetes). */
async function patchMetadata(
  context: Writing,
  change: { readonly annotations?: Readonly<Record<string, string | null>>; readonly finalizers?: readonly string[] },
): Promise<Resource> {
  const { uid, resourceVersion } = context.object.metadata;
  try {
    context.object = await context.effects.patch({ type: 'merge', body: { metadata: { uid, resourceVersion, ...change } } });
  } catch (error) {
    throw isRefusal(error) ? new RefusedMetadata(error) : error;
  }
  return context.object;
}

/** The object will not take our finalizer and annotations, however often they are sent: a person must make room, or let them in. */
export class RefusedMetadata extends KubeError {
  readonly #made: Identity | undefined;
  /** `made`: what the account has of this object by now, which nothing in the cluster names. */
  constructor(cause: KubeError, made?: Identity) {
    super(cause.fault, cause.message, { cause });
    this.#made = made;
  }
  get outcome(): Outcome {
    return {
      is: 'Retrying',
      reason: 'Rejected',
      message: `the API server refuses to store this operator's finalizer and annotations on this object${this.#made === undefined ? '' : `, which has made ${this.#made.path} in the account`}. Nothing more is sent to the account for it before they are stored: ${quoted(this.message)}. All annotations of an object may have 256 KiB together: if that is it, remove or shorten others (kubectl apply --server-side leaves no last-applied-configuration). It is tried again every few minutes, and at once when you annotate ${reconcileAtAnnotation}=<time>`,
    };
  }
}

const withFinalizer = (object: Resource): readonly string[] => [...new Set([...(object.metadata.finalizers ?? []), finalizer])];

/**
 * W1 (README: create): finalizer, intent and the derived label in one patch, before anything is sent. An identity that was
 * proven gone goes with it; and that it was to be replaced, unless only that allows the create to be sent again.
 */
export function writeW1(context: ReconcileContext, intent: Intent, label: string | undefined): Promise<Resource> {
  return patchMetadata(context, {
    finalizers: withFinalizer(context.object),
    annotations: {
      [intentAnnotation]: formatIntent(context, intent),
      ...(intent.renews === undefined && { [remoteAnnotation]: null }),
      ...withLabel(context, label),
      ...(!isRecovering(context) && withoutReplacing(context.object)),
    },
  });
}
const identityText = (context: ReconcileContext, identity: Identity): string =>
  formatIdentity({ ...context, life: lifeOf(context.object) }, identity);
const withLabel = (context: ReconcileContext, label: string | undefined): Readonly<Record<string, string>> =>
  label === undefined ? {} : { [labelAnnotation]: formatLabel(context, label) };

/** Beside the annotation, before it is written: whoever takes that away leaves this, as the object has a status to say whose it is. */
export const writeIntentCopy = (context: ReconcileContext, intent: Intent): Promise<void> =>
  patchStatus(context, { intent: formatIntent(context, intent) });

/** One field, ahead of the status that the outcome becomes; null where there is nothing to say any more. */
async function patchStatus(context: ReconcileContext, fields: Row): Promise<void> {
  const patch = Object.entries(fields).filter(([field, value]) => value !== null || context.object.status?.[field] !== undefined);
  if (patch.length === 0) return;
  const ops = statusOps(context.object, Object.fromEntries(patch));
  context.object = await context.effects.patch({ type: 'json', ops, subresource: 'status' });
  for (const [field, value] of patch) context.status[field] = value ?? undefined;
}

/** Strikes what is known not to have made anything; with none left it is over, by status first, whoever kept the annotation. */
export async function writeStruck(context: ReconcileContext, intent: Intent, left: Intent['attempts']): Promise<void> {
  const isOver = left.length === 0;
  if (isOver) await patchStatus(context, { ...overNote(context, intent.attempts, context.account.connection.apiNow()), intent: null });
  await patchMetadata(context, {
    annotations: { [intentAnnotation]: isOver ? null : formatIntent(context, { ...intent, attempts: left }) },
  });
}

interface Written {
  readonly keepIntent?: boolean;
  readonly label?: string | undefined;
  /** Path of the remote whose place it takes. */
  readonly renews?: string | undefined;
  /** Annotation `operations`, where that is to be another. */
  readonly notes?: string | undefined;
}
/** Identity of a remote that was found or adopted, or healed from status; `label`: the derived one that it was made with. */
export function writeIdentity(
  context: ReconcileContext,
  identity: Identity,
  { keepIntent = false, label, renews, notes }: Written = {},
): Promise<Resource> {
  const noted = notes ?? healedAnnotation(context.object);
  const annotations = {
    [remoteAnnotation]: identityText(context, identity),
    ...withLabel(context, label),
    ...(noted !== undefined && { [operationsAnnotation]: noted }),
    ...retiringWith(context, renews),
    ...(!keepIntent && annotation(context.object, intentAnnotation) !== undefined && { [intentAnnotation]: null }),
    ...(!keepIntent && withoutReplacing(context.object)),
  };
  return patchMetadata(context, { finalizers: withFinalizer(context.object), annotations });
}

/** Before the first call that takes the remote away: whatever becomes of status and of other annotations, it is made anew. */
export function writeReplacing(context: ReconcileContext, { account, path }: Identity): Promise<Resource> {
  const text = formatReplacing(context, { account, path, at: context.engine.clock.now() });
  return patchMetadata(context, { annotations: { [replacingAnnotation]: text } });
}
export const dropReplacing = (context: ReconcileContext): Promise<Resource> =>
  patchMetadata(context, { annotations: withoutReplacing(context.object) });
const withoutReplacing = (object: Resource): Readonly<Record<string, null>> =>
  annotation(object, replacingAnnotation) === undefined ? {} : { [replacingAnnotation]: null };

export const writeSpent = (context: ReconcileContext, text: string | null): Promise<Resource> =>
  patchMetadata(context, { annotations: { [spentAnnotation]: text } });

/** How far an operation came; null: it is known not to have been sent. */
export const writeOperation = (context: ReconcileContext, text: string | null): Promise<Resource> =>
  patchMetadata(context, { annotations: { [operationAnnotation]: text } });

/** On the object to whose remote something is done. Answers it as it is then. */
export const writeOperations = (context: ReconcileContext, target: Resource, notes: readonly string[]): Promise<Resource> =>
  noteOn(context, target, { annotation: operationsAnnotation, text: notes.join(' '), field: 'operations', value: notes });

/** Nothing was sent: a note without a record says that nobody knows. What stays of them, because another writer was first, this process alone knows. */
export async function takeOperationsBack(context: ReconcileContext, target: Resource): Promise<void> {
  const { engine, object } = context;
  const attempts = attemptsOn(target, object);
  for (const at of attempts) engine.objectMemory.unsent(object.metadata.uid, at);
  try {
    if (attempts.length > 0) await writeOperations(context, target, notesWithout(target, object, engine.clock.now()));
  } catch (error) {
    if (!(error instanceof KubeError)) throw error;
  }
}

export function writeFinalizer(context: Writing): Promise<Resource> {
  return patchMetadata(context, { finalizers: withFinalizer(context.object) });
}

/** The object lets go: only after its remote is proven gone, retained, or never was. */
export async function releaseFinalizer(context: Writing & { readonly engine: Pick<Engine, 'memory'> }): Promise<void> {
  await patchMetadata(context, { finalizers: (context.object.metadata.finalizers ?? []).filter((name) => name !== finalizer) });
  context.engine.memory.forget(context.object.metadata.uid);
}

const pointer = (name: string): string => jsonPointer('metadata', 'annotations', name);

/**
 * W2 (README: create): cannot conflict with other writers, as it tests only uid and intent. After more than one attempt the
 * intent stays, so that sweeps can look for duplicates.
 */
export async function writeW2(context: ReconcileContext, identity: Identity, intent: Intent): Promise<'written' | 'other'> {
  const ops: JsonPatchOp[] = [
    { op: 'test', path: '/metadata/uid', value: context.object.metadata.uid },
    { op: 'test', path: pointer(intentAnnotation), value: intentText(context, intent) },
    { op: 'add', path: pointer(remoteAnnotation), value: identityText(context, identity) },
    ...Object.entries(retiringWith(context, intent.renews)).map(([name, value]) => ({ op: 'add' as const, path: pointer(name), value })),
    ...(intent.attempts.length > 1 ? [] : [{ op: 'remove' as const, path: pointer(intentAnnotation) }]),
    ...Object.keys(withoutReplacing(context.object)).map((name) => ({ op: 'remove' as const, path: pointer(name) })),
  ];
  try {
    context.object = await context.effects.patch({ type: 'json', ops });
    return 'written';
  } catch (error) {
    if (!isRefusal(error) && !hasMovedOn(error)) throw error;
    return afterFailedTest(context, identity, intent);
  }
}

async function afterFailedTest(context: ReconcileContext, identity: Identity, intent: Intent): Promise<'written' | 'other'> {
  const live = await context.effects.fetch();
  if (live === undefined || live.metadata.uid !== context.object.metadata.uid) return 'other';
  context.object = live;
  const there = annotation(live, remoteAnnotation);
  if (there === identityText(context, identity)) return 'written';
  if ((there !== undefined && !isRenewed(context, intent, there)) || !context.effects.leads()) return 'other';
  await writeIdentity(context, identity, { renews: intent.renews });
  return 'written';
}

const isRenewed = (context: ReconcileContext, { renews }: Intent, text: string): boolean =>
  renews !== undefined && parseIdentity({ ...context, life: lifeOf(context.object) }, text)?.path === renews;

/** What is on its way out once that, too, has another one in its place. */
function retiringWith(context: ReconcileContext, renews: string | undefined): Readonly<Record<string, string>> {
  if (renews === undefined) return {};
  const { connection } = context.account;
  const until = connection.apiNow() + overlapOf(context.object);
  const text = formatRetiring([...retiringOf(context), retire(context, { account: connection.identity.account, path: renews }, until)]);
  return text === null ? {} : { [retiringAnnotation]: text };
}
export const writeRetiring = (context: ReconcileContext, all: readonly Retiring[]): Promise<Resource> =>
  patchMetadata(context, { annotations: { [retiringAnnotation]: formatRetiring(all) } });

/** On another object, from which on they are on its way out. */
export const writeRetiringOn = (context: ReconcileContext, other: Resource, all: readonly Retiring[]): Promise<Resource> =>
  noteOn(context, other, { annotation: retiringAnnotation, text: formatRetiring(all), field: 'retiring', value: all });

export const writeRetiringStatus = (context: ReconcileContext, all: readonly Retiring[]): Promise<void> =>
  patchStatus(context, { retiring: all.length === 0 ? null : all });

export interface Duplicate {
  readonly path: string;
  readonly at: string;
  readonly mac: string;
}

/** Our remote beside another one of the same object: the leader deals with it. Written even by a process that lost the lease. */
export async function writeDuplicates(context: ReconcileContext, name: string, duplicates: readonly Duplicate[]): Promise<void> {
  const body = {
    metadata: { uid: context.object.metadata.uid, annotations: { [name]: duplicates.length === 0 ? null : canonical(duplicates) } },
  };
  context.object = await context.effects.patch({ type: 'merge', body });
}
