import { asCollection, failed, type Health, minutes, type Row, seconds } from '../../resource/index.ts';
import { type CollectionContext, isOfCollection, type ReconcileContext } from '../context.ts';
import { makeAnother, noRoomBeside } from '../create/rotate.ts';
import { endRetired } from '../delete/retired.ts';
import { accountLimit } from '../guard/account-limit.ts';
import { isRecovering } from '../guard/recovery.ts';
import { hasOwnPath } from '../model/annotations.ts';
import { isUpdating } from '../model/conditions.ts';
import { formatIntent, intentOf, overNow, renewalOf } from '../model/intent.ts';
import type { Identity } from '../model/identity.ts';
import type { Outcome } from '../model/outcome.ts';
import type { BoundRemote } from '../model/step.ts';
import { type Rotation, rotationOf } from '../plan/rotation.ts';
import type { Wished } from '../update/plan-input.ts';
import { maybeVoid, reset } from '../update/reset.ts';

const longestSleep = minutes(720);

export const rotationNow = ({ kind, object, account }: ReconcileContext, { path }: Identity): Rotation =>
  rotationOf(kind, object, { path, now: account.connection.apiNow() });

/**
 * What status says of creates: the one that is open of what is to take the place of this remote, and, with the status that
 * names a remote first, that those before are over. A write of it that is lost is made again, because the path lacks as well.
 */
export function createNotes(context: ReconcileContext, identity: Identity): Row {
  const { kind, object, account } = context;
  const renewal = renewalOf(context, identity);
  const isNamed = hasOwnPath(object) && object.status?.['path'] === identity.path;
  const isOver = !isNamed && identity.how === 'created' && asCollection(kind) !== undefined && intentOf(context) === undefined;
  return { intent: renewal && formatIntent(context, renewal), ...(isOver && overNow(context, account.connection.apiNow())) };
}

/** The annotation says already which remote has taken the place of the one of which status speaks. */
export const tookPlace = ({ object: { status, metadata } }: ReconcileContext, { path }: Identity): boolean =>
  status?.['path'] !== undefined && status['path'] !== path && (status['objectUid'] ?? metadata.uid) === metadata.uid;
export const newPlace = 'what is given out has been renewed; the old one goes when its time is over';

/** What its create has left to be put right in the new one is no drift. */
export const isRenewing = ({ kind, object }: ReconcileContext): boolean => asCollection(kind)?.rotation !== undefined && isUpdating(object);

/** What works, with a secret that nobody was told, is of no use. */
export function healthOf(context: ReconcileContext, { identity, remote, want }: BoundRemote): Health {
  const why = maybeVoid(context, identity);
  return why === undefined ? context.kind.health(remote, want) : failed(why);
}
function stillVoid(context: ReconcileContext, identity: Identity): Outcome | undefined {
  const message = maybeVoid(context, identity);
  return message === undefined ? undefined : { is: 'Stalled', reason: 'RemoteFailed', message, unready: true };
}

/** `waits`: what keeps the earlier ones from going, which is told before that they are to go. */
async function anew(context: CollectionContext, present: BoundRemote, waits: Outcome | undefined): Promise<Outcome> {
  const full = noRoomBeside(context);
  if (full !== undefined) return waits ?? full;
  const limited = accountLimit(context);
  if (limited !== undefined) return limited;
  const call = context.kind.rotation?.reset?.(present.identity.path);
  return call === undefined ? makeAnother(context, present.want, present) : reset(context, call, present);
}

/** All is as wanted. `wished`: absent where nothing may be renewed now. `unpublished`: who reads what it gives out has the old one still. */
export const renew = async (
  context: ReconcileContext,
  wished: Wished | undefined,
  present: BoundRemote,
  unpublished: Outcome | undefined,
): Promise<Outcome | undefined> =>
  (wished && (await renewDue(context, wished, present, unpublished))) ?? stillVoid(context, present.identity);

/** What it had before goes when its time is over, and what it gives out is renewed when that is due. */
async function renewDue(
  context: ReconcileContext,
  { resolved }: Wished,
  present: BoundRemote,
  unpublished: Outcome | undefined,
): Promise<Outcome | undefined> {
  if (!isOfCollection(context) || context.kind.rotation === undefined) return undefined;
  const waits = unpublished === undefined ? await endRetired(context) : undefined;
  const { engine, object, account } = context;
  const { isNew, isDue, at } = rotationNow(context, present.identity);
  // It is noted before anything is done, because the annotation may go.
  if (isNew)
    return {
      is: 'Working',
      reason: 'Updating',
      message: 'what is given out is renewed, as annotation rotate asks',
      recheckAfter: seconds(0),
    };
  if (at !== undefined && !isDue)
    engine.wake(object.kind, object.metadata, { after: Math.max(1, Math.min(longestSleep, at - account.connection.apiNow())) });
  if (!isDue || isRecovering(context)) return waits;
  return anew(context, { ...present, want: resolved.want }, waits ?? unpublished);
}
