import { quoted } from '../../lib/quoted.ts';
import { type Row, seconds } from '../../resource/index.ts';
import { heldChange, stillRefused } from '../change/send.ts';
import { targetNotThere } from '../change/target-there.ts';
import { updateOf, updateRemote } from '../change/update-remote.ts';
import { callOptions, type ReconcileContext } from '../context.ts';
import type { Identity } from '../model/identity.ts';
import type { Held, Outcome } from '../model/outcome.ts';
import type { BoundRemote, Update } from '../model/step.ts';
import { lookAgain } from '../observe/observe.ts';
import { parentInUse } from '../guard/parent-rest.ts';
import { appliedBy } from '../plan/applied-values.ts';
import { changeText } from '../plan/approval.ts';
import type { Job } from '../ports/index.ts';
import { changeSent, noteChange } from './changes-apart.ts';
import { afterSending, beforeSending } from './sent-once.ts';
import { driftText, isShown, noteCorrection, noteDrift, tellRenewed } from './drift-report.ts';

/** Sends the one call of an update. A correction of drift is shown in status first, with who made the difference. */
export async function update(
  context: ReconcileContext,
  step: Update,
  present: BoundRemote & { readonly pending: boolean },
): Promise<Outcome> {
  if (!step.pending && !isShown(context, step.changes)) {
    noteDrift(context, step.changes, present.identity);
    return { is: 'Working', reason: 'Drifted', message: driftText(context, step.changes, present.identity), recheckAfter: seconds(0) };
  }
  const change = updateOf(context, step, present);
  const held = heldChange(context, change);
  if (held !== undefined) return notAgain(context, step, present, held);
  const first = await beforeSending(context, step, { change, present });
  if (first !== undefined) return first;
  const notYet = (await waitsForOthers(context, step, present)) ?? noteChange(context, step);
  if (notYet !== undefined) return notYet;
  const refused = await updateRemote(context, step, change, present);
  afterSending(context, refused);
  changeSent(context, refused);
  if (refused !== undefined) return refused;
  Object.assign(context.status, appliedBy(context, step.changes, present), ...notes(step, present));
  if (!step.pending) noteCorrection(context, step.changes, present);
  else if (!present.pending) tellRenewed(context, step.changes);
  return { is: 'Again' };
}

const notes = ({ changes }: Update, { remote, want }: BoundRemote): readonly Row[] =>
  changes.map(({ rule, want: wanted }) => (wanted === undefined ? undefined : rule.notes?.(wanted, remote, want)) ?? {});

/** It was sent: what was refused stays so; what was not may take a job, or a while, to show, and sending it again would not help. */
async function notAgain(context: ReconcileContext, step: Update, { identity }: BoundRemote, { because, until }: Held): Promise<Outcome> {
  if (because.is === 'refused') return stillRefused(context, because.outcome, until);
  const recheckAfter = seconds(5);
  if (await lookAgain(context, identity, recheckAfter, partsOf(step))) return { is: 'Again' };
  const job = failedJob(context, step, identity);
  if (job !== undefined) return stillRefused(context, jobFailed(step, job), until);
  const changes = step.changes.map(changeText).join('; ');
  if (because.is === 'unknown')
    return {
      is: 'Working',
      reason: 'UnknownOutcome',
      message: `${changes}: the change was sent and its answer never came; it is sent again when it can surely not come about any more`,
      recheckAfter,
    };
  return {
    is: 'Working',
    reason: step.pending ? 'Updating' : 'Drifted',
    message: `${changes}: the change was sent and accepted; the account does not show it yet`,
    recheckAfter,
  };
}

const partsOf = ({ changes }: Update): readonly string[] => [...new Set(changes.flatMap(({ rule }) => rule.part ?? []))];

/** What it is moved to must be there, and what it is a part of at rest where the change needs that. */
async function waitsForOthers(context: ReconcileContext, step: Update, { identity }: BoundRemote): Promise<Outcome | undefined> {
  const gone = await targetNotThere(context, step);
  if (gone !== undefined || step.changes.every(({ rule }) => rule.needs === undefined)) return gone;
  return parentInUse(context, identity, { what: step.changes.map(({ field }) => `spec.${field}`).join(', '), reason: 'Updating' });
}

const jobFailed = ({ changes }: Update, { action, message }: Job): Outcome => ({
  is: 'Stalled',
  reason: 'Rejected',
  message: `${changes.map(changeText).join('; ')}: it was accepted, and its job ${action} failed${message === '' ? '' : `: the API said ${quoted(message)}`}. Change the spec; it is tried again then, and within the hour in any case`,
});

/** The job that a change is done by has failed, which the account tells by an event alone. */
function failedJob({ account }: ReconcileContext, { changes }: Update, { path }: Identity): Job | undefined {
  const actions = changes.map(({ rule }) => rule.job);
  const [job] = account.connection.cache.jobs(path).filter(({ action }) => actions.includes(action));
  return job?.status === 'failed' ? job : undefined;
}

/** Reads a part that must be compared before anything is said. */
export async function readPart(
  context: ReconcileContext,
  part: string,
  { identity, pending }: BoundRemote & { readonly pending: boolean },
): Promise<Outcome> {
  await context.account.connection.cache.readPart(identity.path, part, callOptions(context, pending ? 'edit' : 'wait'));
  // What was made just now is shown whole by its first status, also where others had used up the rate window.
  return context.object.status?.['path'] === undefined ? { is: 'Again', onlyRead: true } : { is: 'Again' };
}
