import { type AnyWant, type Duration, type Row, seconds, type Transfer } from '../../resource/index.ts';
import { writeReplacing } from '../change/metadata.ts';
import { isLost } from '../change/outputs/publish.ts';
import { removeRemote } from '../change/remove-remote.ts';
import type { ReconcileContext } from '../context.ts';
import { cannotBeMade } from '../guard/cannot-be-made.ts';
import { isRecovering } from '../guard/recovery.ts';
import { isDeleting } from '../model/annotations.ts';
import type { Identity } from '../model/identity.ts';
import type { Outcome } from '../model/outcome.ts';
import { lookAgain } from '../observe/observe.ts';
import type { BoundRemote, StepOf, UpdateSteps } from '../model/step.ts';

type Waits = StepOf<UpdateSteps, 'wait'>;

/**
 * Nobody knows any more to which address its data goes, so it can never be used: it goes, and another one is made in its place. What
 * was adopted is somebody else's to fill.
 */
export async function madeAnew(
  context: ReconcileContext,
  { attempts }: Transfer<Row, AnyWant>,
  present: BoundRemote,
  step: Waits,
): Promise<Waits | Outcome> {
  const { identity, want } = present;
  if (identity.how !== 'created' || !isLost(context, present)) return step;
  const lost = lostText(identity);
  const noted = pathsIn(context.object.status?.['madeAnew']);
  const isNoted = noted.includes(identity.path);
  if (!isNoted && noted.length >= attempts - 1) return stalled(`${lost}, and ${noted.length} before it were given up for the same reason`);
  if (isRecovering(context)) return stalled(lost);
  const lacking = cannotBeMade(context, want);
  if (lacking !== undefined) return lacking;
  if (isNoted) return removed(context, present);
  context.status['madeAnew'] = [...noted, identity.path];
  return working(`${lost}; it is going to be deleted, and another one made`, seconds(0));
}

async function removed(context: ReconcileContext, { identity, remote }: BoundRemote): Promise<Outcome> {
  const removal = await removeRemote<Outcome>(context, {
    why: 'replaced',
    fields: 'its data',
    identity,
    judge: (live) => (live === undefined || isDeleting(live) ? { is: 'Again' } : undefined),
    uninstalled: { is: 'Quiet', recheckAfter: seconds(30) },
    // All of its data may have arrived since it was looked at.
    read: async () => ((await lookAgain(context, identity, seconds(2))) ? { outcome: { is: 'Again' } } : { remote, readAt: 0 }),
    noteFirst: async () => void (await writeReplacing(context, identity)),
  });
  if (removal.is === 'instead') return removal.step;
  if (removal.is === 'waits') return removal.outcome;
  if (removal.is === 'kept') return stalled(`${lostText(identity)}, and it stays: ${removal.why}`);
  return working(`${lostText(identity)}; it is deleted, and another one is made`, seconds(2));
}

/** Where somebody else sends the data they may have the address, and nothing is taken from under their hands. */
export const leftToOthers = (context: ReconcileContext, present: BoundRemote): Outcome | undefined =>
  isLost(context, present) ? stalled(`${lostText(present.identity)}. Whoever has it from before may send there still`) : undefined;

const lostText = ({ path }: Identity): string =>
  `the address to which the data of ${path} goes was told once, and its Secret does not hold it any more`;
const working = (message: string, recheckAfter: Duration): Outcome => ({ is: 'Working', reason: 'Creating', message, recheckAfter });
const stalled = (what: string): Outcome => ({
  is: 'Stalled',
  reason: 'RemoteFailed',
  message: `${what}. Restore that Secret with its labels from a backup; or delete this object under spec.lifecycle.onDelete: Delete and apply it again, which makes another one`,
  unready: true,
});
const pathsIn = (noted: unknown): readonly string[] => (Array.isArray(noted) ? noted.filter((path) => typeof path === 'string') : []);
