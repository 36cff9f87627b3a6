import { type AnyKind, type AnyWant, minutes, type Row, seconds } from '../../resource/index.ts';
import type { ReconcileContext } from '../context.ts';
import { type Condition, wasInStep, wentWithIt } from '../model/conditions.ts';
import type { Identity } from '../model/identity.ts';
import type { Outcome } from '../model/outcome.ts';
import { isMadeInPlaceOf } from '../model/replacing.ts';
import type { BoundRemote } from '../model/step.ts';
import { isGoneWithParent, parentOf } from '../observe/loss-proof.ts';
import { lookAgain } from '../observe/observe.ts';
import { differences, seenIn } from '../plan/diff.ts';
import { type Resolved, wrongReferences } from '../resolve/resolve.ts';
import { keyFrom, kindReferred } from '../resolve/named.ts';
import { handedOverText, letGoText } from './let-go-text.ts';

/** What the remote still has from objects that are not there, for example the address of a machine that was deleted: it leads to nobody, or to somebody else. */
function leftOver(kind: AnyKind, { lost, want }: Resolved, remote: Row): readonly string[] {
  return lost.flatMap((field) => {
    // What is set once is not followed: a machine is as good as ever without the image that it was made from.
    const { awaited: _some, ...whole } = want;
    const isRight = want[field] !== undefined && !differing(kind, whole, remote).includes(field);
    const has = isRight || kind.fields[field]?.immutable === true ? undefined : seenIn(kind, field, whole, remote);
    // What is made up of several does not tell which of them is left.
    const isTold = has !== undefined && !has.startsWith('{');
    return isTold ? [`the account still has ${JSON.stringify(has)} there, which may be gone or somebody else's by now`] : [];
  });
}

/** What it still lets in that the spec does not, because the list takes nothing away while one of it is awaited. */
function letInMeanwhile({ kind, object }: ReconcileContext, { partial, want }: Resolved, remote: Row): readonly string[] {
  const waits = partial.find((field) => kind.fields[field]?.withoutGone === true);
  if (waits === undefined || !wasInStep(object)) return [];
  const { awaited: _some, ...whole } = want;
  const now = new Set(differing(kind, want, remote));
  return differing(kind, whole, remote)
    .filter((field) => !now.has(field))
    .map(
      (field) =>
        `the account still has ${seenIn(kind, field, whole, remote)} in ${field}, which the rest of spec.${waits} does not name: what is of the one that is waited for stays while that has no address yet, or for a minute where it is not there; then, or when that is there, whatever is not named goes; to have it gone now take it out of spec.${waits}`,
    );
}
const differing = (kind: AnyKind, want: AnyWant, remote: Row): readonly string[] =>
  differences(kind, want, remote, () => true).map(({ field }) => field);

/** Most of it is let go within seconds; what stays is left to the rounds. */
function isNew({ engine, object }: ReconcileContext): boolean {
  const conditions = (object.status?.['conditions'] ?? []) as readonly Condition[];
  const told = conditions.find(({ type, reason }) => type === 'Synced' && reason === 'ReferenceNotReady');
  return told === undefined || engine.clock.now() - Date.parse(told.lastTransitionTime) < minutes(1);
}

/** Undefined where nothing is waited for. What is let go with what it belonged to is told by no event, so it is looked at. */
export async function withRest(
  context: ReconcileContext,
  resolved: Resolved,
  { identity, remote }: Pick<BoundRemote, 'identity' | 'remote'>,
): Promise<Outcome | undefined> {
  if (resolved.waitingFor.length === 0) return undefined;
  const left = leftOver(context.kind, resolved, remote);
  if (left.length === 0 || !isNew(context)) return restOf(context, resolved, [...left, ...letInMeanwhile(context, resolved, remote)]);
  // A first word waits for company longer than a look is good for, and each look would put it off.
  const isTold = context.object.status?.['conditions'] !== undefined;
  if (isTold && (await lookAgain(context, identity, seconds(5)))) return { is: 'Again' };
  return waitingForRest(context, resolved, left, seconds(15));
}

/** Where a list goes without what is gone, all else is as wanted. */
function restOf(context: ReconcileContext, resolved: Resolved, left: readonly string[]): Outcome {
  const { kind, object } = context;
  const rest = waitingForRest(context, resolved, left);
  const isWhole = resolved.partial.length + resolved.unresolved.length === 0 && wasInStep(object);
  const goesWithout = isWhole && Object.values(kind.fields).some(({ withoutGone }) => withoutGone === true);
  return rest.is === 'Waiting' && goesWithout ? { ...rest, asSeen: true } : rest;
}

/** What leads to the one that it is in has no value. Where that is gone this is so too, whatever was seen of it last. */
export function parentless(context: ReconcileContext, resolved: Resolved, identity: Identity): Outcome | undefined {
  if (!resolved.unresolved.includes(context.kind.parent?.ref ?? '')) return undefined;
  const isGone = isGoneWithParent(context, identity) || isGivenUp(context, identity);
  const rest = waitingForRest(context, resolved, isGone ? [`${identity.path} ${wentWithIt}`] : []);
  const handedOver = handedOverText(context, resolved, identity);
  return handedOver === undefined || rest.is !== 'Waiting'
    ? rest
    : { ...rest, message: `${resolved.waitingFor.join('; ')}. ${handedOver}` };
}

/** The object of what it was in says that another one is made in place of that, or our own DELETE of that was answered. */
function isGivenUp({ kind, engine, object }: ReconcileContext, identity: Identity): boolean {
  const ref = kind.goesWithParent === true ? (kind.parent?.ref ?? '') : '';
  const named = object.spec[ref] as Row | undefined;
  const target = kindReferred(engine, kind, ref);
  const parent = named && target && engine.objects.get(target.kind, keyFrom(object, named));
  const { account, path } = parentOf(kind, identity);
  return parent !== undefined && (isMadeInPlaceOf(parent, { account, path }) || engine.objectMemory.wasDeleted(parent.metadata.uid, path));
}

/** `left`: what the remote still has of what is not there any more. */
function waitingForRest(
  context: ReconcileContext,
  { waitingFor, wrong, gone }: Resolved,
  left: readonly string[],
  recheckAfter = seconds(60),
): Outcome {
  const unready = left.length > 0 && ({ unready: true } as const);
  if (wrong.length > 0) return { ...wrongReferences({ wrong }), ...unready };
  return {
    is: 'Waiting',
    reason: 'ReferenceNotReady',
    message: `${[...waitingFor, ...left].join('; ')}${letGoText(
      context,
      gone,
      left.some((one) => one.endsWith(wentWithIt)),
    )}`,
    on: waitingFor,
    recheckAfter,
    ...unready,
  };
}
