import type { Millis } from '../../lib/clock.ts';
import { readTime } from '../../lib/utc-time.ts';
import { asCollection, type Call, type Duration, seconds } from '../../resource/index.ts';
import { resetTold } from '../change/issue.ts';
import { cannotKeep, keptSince } from '../change/outputs/keeper.ts';
import { changeOf, createOf, heldChange, stillRefused } from '../change/send.ts';
import type { ReconcileContext } from '../context.ts';
import { annotateCommand, rotateAnnotation } from '../model/annotations.ts';
import type { Identity } from '../model/identity.ts';
import type { Outcome } from '../model/outcome.ts';
import type { BoundRemote } from '../model/step.ts';

/**
 * Has the remote tell another secret (README: rotation). The old one is void from the call on, whether or not its answer comes, so
 * it is noted before: whoever finds the note, and did not write it, waits until that call can surely not come about any more, as it
 * would void what the next one tells.
 */
export async function reset(context: ReconcileContext, call: Call, present: BoundRemote): Promise<Outcome> {
  const change = { ...changeOf(context, call, ''), unseen: true } as const;
  for (const known of [change, createOf(context, present.want)]) {
    const held = heldChange(context, known);
    if (held?.because.is === 'refused') return stillRefused(context, held.because.outcome, held.until);
  }
  return keptBefore(context) ?? (await cannotKeep(context)) ?? notYet(context, present) ?? send(context, { call, change }, present);
}

function notYet(context: ReconcileContext, present: BoundRemote): Outcome | undefined {
  const { engine, object, account } = context;
  const noted = object.status?.['resetting'];
  const own = engine.objectMemory.reset.get(object.metadata.uid);
  if (noted !== undefined && noted !== own?.text) return open(context, present);
  if (noted === undefined || own === undefined) return note(context, present, 'send');
  if (own.is === 'send') return undefined;
  const rest = (readTime(own.text) ?? 0) + engine.settings.commitBound - account.connection.apiNow();
  return rest > 0 ? unknown(present, rest) : note(context, present, 'send');
}

/** From here on it is brought to its end, whatever becomes of what asked for it. */
function note({ engine, object, account, status }: ReconcileContext, { identity }: BoundRemote, is: 'send' | 'wait'): Outcome {
  const text = new Date(account.connection.apiNow()).toISOString();
  engine.objectMemory.reset.set(object.metadata.uid, { text, is });
  Object.assign(status, { resetting: text, rotating: identity.path });
  return { is: 'Working', reason: 'Updating', message: 'the secret is going to be reset', recheckAfter: seconds(0) };
}

/** It was sent, or may have been. */
function open(context: ReconcileContext, present: BoundRemote): Outcome {
  note(context, present, 'wait');
  return unknown(present, context.engine.settings.commitBound);
}
const unknown = ({ identity: { path } }: BoundRemote, rest: Millis): Outcome => ({
  is: 'Retrying',
  reason: 'UnknownOutcome',
  message: `a reset of the secret of ${path} was sent and what it told was lost, so what was given out is void by now. It is reset once more as soon as that call can surely not come about any more`,
  retryAfter: rest as Duration,
  unready: true,
});

/** What status asks for has come about before. */
const keptBefore = ({ object, status }: ReconcileContext): Outcome | undefined =>
  object.status?.['resetting'] !== undefined && 'resetting' in status && status['resetting'] === undefined
    ? { is: 'Working', reason: 'Updating', message: 'the new secret is in its Secret', recheckAfter: seconds(0) }
    : undefined;

type Asked = Omit<Parameters<typeof resetTold>[1], 'at'>;
async function send(context: ReconcileContext, asked: Asked, present: BoundRemote): Promise<Outcome> {
  const { engine, object, status, account } = context;
  engine.objectMemory.reset.delete(object.metadata.uid);
  const at = readTime(String(object.status?.['resetting'])) ?? account.connection.apiNow();
  const told = await resetTold(context, { ...asked, at }, present);
  if (told === 'lost') return open(context, present);
  status['resetting'] = undefined;
  if (told !== 'kept') return told;
  Object.assign(status, keptSince(at));
  const message = `the secret of ${present.identity.path} was reset, and the new one is in its Secret`;
  engine.recorder.event(object, { type: 'Normal', reason: 'Updating', message });
  return { is: 'Working', reason: 'Updating', message, recheckAfter: seconds(0) };
}

/**
 * Why what was given out may be void: a reset stands noted of which the answer never came into the Secret. A note that a backup put
 * back, or somebody copied, has nothing sent by itself: where the first cluster still works it would void what is in use there.
 */
export function maybeVoid({ kind, object, status }: ReconcileContext, { path }: Identity): string | undefined {
  const noted = 'resetting' in status ? status['resetting'] : object.status?.['resetting'];
  if (noted === undefined || asCollection(kind)?.rotation?.reset === undefined) return undefined;
  const lost = `a reset of the secret of ${path} was sent, or about to be, and what it told is not in its Secret`;
  if (status['rotating'] === path)
    return `${lost}, so what was given out is void by now. It is reset once more as soon as this object may be changed and all that its spec names is there`;
  const command = annotateCommand(object, rotateAnnotation, '<time>');
  return `${lost}, as a status says that was put back (a backup, or a copy), so what was given out may be void. Have it reset once more: ${command}. What has the old secret by now is refused from then on, in another cluster too`;
}
