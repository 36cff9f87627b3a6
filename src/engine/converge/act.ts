import { actorOf } from './actor.ts';
import { type AnyWant, minutes, type Row, seconds } from '../../resource/index.ts';
import { rememberApplied } from '../create/attempt.ts';
import { noteCorrected } from './contest.ts';
import { canonical, type Difference, shown } from './drift.ts';
import { outcomeOf } from '../status/faults.ts';
import type { Identity } from '../identity/marks.ts';
import { lookAgain } from './observe.ts';
import type { Drift, Outcome } from '../outcome.ts';
import { changeText, itemOf, type Step } from './plan.ts';
import { CloudError, type Reply } from '../ports.ts';
import { send } from '../run/send.ts';
import { how, readRemote, type Turn } from '../run/turn.ts';

export interface Present {
  readonly identity: Identity;
  readonly want: AnyWant;
  readonly remote: Row;
}
type Update = Extract<Step, { do: 'update' }>;

/** Sends the one call of an update. A correction of drift is shown in status first, with who made the difference. */
export async function update(turn: Turn, step: Update, present: Present): Promise<Outcome> {
  const { account } = turn;
  if (!step.pending && !isShown(turn, step.changes)) {
    noteDrift(turn, step.changes, present.identity);
    return { is: 'Working', reason: 'Drifted', message: driftText(turn, step.changes, present.identity), recheckAfter: seconds(0) };
  }
  const { evidence, clock } = turn.engine;
  const { uid } = turn.object.metadata;
  const name = changeName(turn, step);
  if (evidence.patience(uid, name, clock.monotonic()) > 0) return notShownYet(turn, step, present);
  const refused = await change(turn, step, present);
  if (refused !== undefined) return refused;
  evidence.sent(uid, name, clock.monotonic());
  account.connection.mirror.expect(present.identity.path, minutes(30));
  rememberApplied(
    turn,
    present.want,
    step.changes.map(({ field }) => field),
  );
  if (!step.pending) noteCorrection(turn, step.changes, present.identity);
  return { is: 'Again' };
}

/** An edit of the spec is a change anew, even back to what was asked for a moment ago. */
const changeName = ({ object }: Turn, { call, changes }: Update): string =>
  `${object.metadata.generation} ${call.method} ${call.path} ${canonical(changes.map(({ field, want }) => [field, shown(want)]))}`;

/** Answered changes may take a job, or a while, to show; sending them again and again would not help. */
async function notShownYet(turn: Turn, step: Update, { identity }: Present): Promise<Outcome> {
  const recheckAfter = seconds(5);
  if (await lookAgain(turn, identity, recheckAfter)) return { is: 'Again' };
  if (turn.engine.evidence.isInDoubt(turn.object.metadata.uid, changeName(turn, step)))
    return {
      is: 'Working',
      reason: 'UnknownOutcome',
      message: `${step.changes.map(changeText).join('; ')}: the change was sent and its answer never came; it is sent again when it can surely not come about any more`,
      recheckAfter,
    };
  return {
    is: 'Working',
    reason: step.pending ? 'Updating' : 'Drifted',
    message: `${step.changes.map(changeText).join('; ')}: the change was sent and accepted; the account does not show it yet`,
    recheckAfter,
  };
}

/** Undefined: it was answered. */
async function change(turn: Turn, step: Update, present: Present): Promise<Outcome | undefined> {
  const { connection } = turn.account;
  try {
    noteReply(turn, await send(turn, step.call, step.pending ? 'edit' : 'wait'), present);
    return undefined;
  } catch (error) {
    if (!(error instanceof CloudError)) throw error;
    // What an update of unknown outcome did shows in the next read; every update is planned from there anew.
    if (error.fault === 'Unknown') noteDoubt(turn, step);
    if (error.fault === 'Unknown' || error.fault === 'NotFound' || error.fault === 'Busy') connection.mirror.drop(present.identity.path);
    return error.fault === 'NotFound' ? notFound(error) : outcomeOf(turn.kind, error, turn.object.spec);
  }
}

/** A PUT says the same however often it is sent. A rebuild would erase twice, so that the first must surely not come about any more. */
function noteDoubt(turn: Turn, step: Update): void {
  const { evidence, clock, settings } = turn.engine;
  if (step.call.method !== 'PUT')
    evidence.doubted(turn.object.metadata.uid, changeName(turn, step), clock.monotonic(), settings.commitBound);
}

/** Gone, or hidden: the next turn proves which, and with back-off, as the service may go on to show what it does not let change. */
const notFound = (error: CloudError): Outcome => ({
  is: 'Retrying',
  reason: 'Unreachable',
  message: `${error.message}. The remote is looked for before anything else is sent`,
});

/** An answer that is the item itself is its newest state; anything else says only that it changed. */
function noteReply(turn: Turn, reply: Reply, { identity }: Present): void {
  const { mirror } = turn.account.connection;
  const row = reply.body as Row;
  const collection = identity.path.slice(0, identity.path.lastIndexOf('/'));
  const readable = typeof row === 'object' && row !== null && 'remote' in readRemote(turn.kind, row);
  if (readable && itemOf(turn.kind, row, typeof turn.kind.path === 'string' ? turn.kind.path : collection) === identity.path)
    mirror.note(identity.path, row, reply);
  else mirror.changed(identity.path, reply);
}

const shownDrift = (turn: Turn): readonly Drift[] => (turn.object.status?.['drift'] as readonly Drift[] | undefined) ?? [];
const isShown = (turn: Turn, changes: readonly Difference[]): boolean =>
  changes.every(({ field }) => shownDrift(turn).some((known) => known.field === field));

/** `status.drift`, field by field; `since` is kept while the field stays different. */
export function noteDrift(turn: Turn, changes: readonly Difference[], identity: Identity): void {
  const actor = actorOf(turn, identity.path);
  const now = new Date(turn.engine.clock.now()).toISOString();
  const drift = changes.map(({ field, want, have }): Drift => {
    const known = shownDrift(turn).find((one) => one.field === field);
    const by = actor?.user ?? known?.by;
    return { field, was: shown(want), now: shown(have), since: known?.since ?? now, ...(by !== undefined && { by }) };
  });
  turn.notes['drift'] = drift.length > 0 ? drift : undefined;
}

export function driftText(turn: Turn, changes: readonly Difference[], identity: Identity): string {
  const actor = actorOf(turn, identity.path);
  return `${changes.map(changeText).join('; ')}${actor === undefined ? '' : `; likely changed by ${actor.user} (${actor.action})`}`;
}

function noteCorrection(turn: Turn, changes: readonly Difference[], identity: Identity): void {
  noteCorrected(
    turn,
    changes.map(({ field }) => field),
  );
  const actor = actorOf(turn, identity.path);
  turn.notes['lastCorrection'] = {
    fields: changes.map(({ field }) => field),
    at: new Date(turn.engine.clock.now()).toISOString(),
    ...(actor !== undefined && { by: actor.user }),
  };
  turn.engine.recorder.event(turn.object, {
    type: 'Warning',
    reason: 'Drifted',
    message: `corrected: ${driftText(turn, changes, identity)}`,
  });
}

/** Reads a part that an edit must be compared with. */
export async function readPart(turn: Turn, part: string, { identity }: Present): Promise<Outcome> {
  await turn.account.connection.mirror.readPart(identity.path, part, how(turn, 'edit'));
  return { is: 'Again' };
}
