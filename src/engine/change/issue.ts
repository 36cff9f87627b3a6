import type { Millis } from '../../lib/clock.ts';
import { type AnyWant, type Call, readRemote, type Row } from '../../resource/index.ts';
import type { IssuedContext, ReconcileContext } from '../context.ts';
import { hasStatusOfAnother } from '../model/annotations.ts';
import { isPending } from '../model/conditions.ts';
import { askedFor, type Issued, issuedOf, secondOf } from '../plan/renewal.ts';
import type { Change, Outcome } from '../model/outcome.ts';
import type { BoundRemote } from '../model/step.ts';
import { withoutTold } from '../outputs/told-once.ts';
import type { Reply } from '../ports/index.ts';
import { outcomeOf } from '../status/fault-table.ts';
import { keepTold } from './outputs/keeper.ts';
import { outputTexts, secretOfAll } from './outputs/publish.ts';
import type { Texts } from './outputs/writer.ts';
import { changeOf, heldChange, sendChange, stillRefused } from './send.ts';

/** What the account answered, and from when until when that is good. */
export interface Answered {
  readonly answer: Row;
  readonly at: Millis;
  readonly until: Millis;
}
type Answer = Answered | { readonly outcome: Outcome };

const wishOf = ({ kind, account }: IssuedContext, want: AnyWant): string => askedFor(kind, want, account.connection.identity.account);

/** What was given out last, if it is for what is asked for now and its Secret still holds it. */
export async function stillIssued(
  context: IssuedContext,
  want: AnyWant,
): Promise<{ readonly issued: Issued; readonly texts: Texts } | undefined> {
  const issued = issuedOf(context.object);
  if (issued === undefined || issued.for !== wishOf(context, want)) return undefined;
  if (context.effects.secrets.unread === true) return { issued, texts: {} };
  // Where it cannot be read, that is told when it is written.
  const texts = await secretOfAll(context).catch(() => undefined);
  return texts !== undefined && isWhatWasIssued(context, issued, texts) ? { issued, texts } : undefined;
}

/** Bound to the uid: what another object's status says, which somebody has put here, was never given out to this one. */
const isWhatWasIssued = ({ object, key }: IssuedContext, issued: Issued, texts: Texts): boolean =>
  key.remembers(object.metadata.uid, 'issued', { value: texts, as: issued.as });

/** Whether what was given out last, whatever was asked for then, works now and is where it shall be, as far as that can be read. */
export async function isStillGood(context: IssuedContext): Promise<boolean> {
  const { object, account, effects } = context;
  const issued = issuedOf(object);
  if (issued === undefined || hasStatusOfAnother(object) || issued.until <= account.connection.apiNow()) return false;
  if (effects.secrets.unread === true) return true;
  const texts = await secretOfAll(context).catch(() => 'unread' as const);
  return texts === 'unread' || (texts !== undefined && isWhatWasIssued(context, issued, texts));
}

/** Asks for it anew, unless a look right before forbids it. What was refused for good is not asked for again for being looked at. */
export async function issue(context: IssuedContext, want: AnyWant, lookFirst: () => Promise<Outcome | undefined>): Promise<Answer> {
  const { engine, kind, object } = context;
  const call = kind.issue.call(want);
  const change = changeOf(context, call, '');
  const held = heldChange(context, change);
  if (held?.because.is === 'refused') return { outcome: stillRefused(context, held.because.outcome, held.until) };
  const forbidden = await lookFirst();
  if (forbidden !== undefined) return { outcome: forbidden };
  const sent = await sendChange(context, {
    call,
    change,
    lane: isPending(object) ? 'create' : 'wait',
    purpose: { effect: 'Create', cause: 'edit' },
    meaning: (error) => outcomeOf(kind, error, object),
  });
  if ('error' in sent) return { outcome: sent.outcome };
  // Each answer is good for itself: the next one is asked for whenever it is due.
  engine.ledger.settled(object.metadata.uid);
  return readAnswer(context, want, sent.reply);
}

function readAnswer({ kind }: IssuedContext, want: AnyWant, { body, apiTime: at }: Reply): Answer {
  const until = at + kind.issue.seconds(want) * 1000;
  const read = readRemote(kind, { ...(body as Row | null), expires: secondOf(until) });
  if ('remote' in read) return { answer: read.remote, at, until };
  return { outcome: { is: 'Retrying', reason: 'Unreachable', message: `${read.malformed}. It is asked for again by itself` } };
}

/** For status: until when it is good, and by what it is known again. */
export function issuedStatus(context: IssuedContext, want: AnyWant, { answer, at, until }: Answered): Row {
  const { kind, object, key } = context;
  const as = key.remember(object.metadata.uid, 'issued', outputTexts(kind, answer));
  const issued = { at: secondOf(at), for: wishOf(context, want), as };
  return { ...kind.observe(answer, want), expires: secondOf(until), issued, objectUid: object.metadata.uid };
}

interface Resetting {
  readonly call: Call;
  readonly change: Change;
  readonly at: Millis;
}
/** Has a remote tell another secret, and keeps that. `lost`: it may have another one by now, which nobody knows. */
export async function resetTold(
  context: ReconcileContext,
  { call, change, at }: Resetting,
  present: BoundRemote,
): Promise<'kept' | 'lost' | Outcome> {
  const { engine, kind, object, account } = context;
  const sent = await sendChange(context, {
    call,
    change,
    lane: 'edit',
    purpose: { effect: 'InPlace', cause: 'rotation' },
    once: true,
    meaning: (error) => outcomeOf(kind, error, object),
  });
  if ('error' in sent) return ['Unknown', 'Malformed'].includes(sent.error.fault) ? 'lost' : sent.outcome;
  engine.ledger.settled(object.metadata.uid);
  const row = sent.reply.body as Row;
  const read = readRemote(kind, row);
  if ('malformed' in read || (await keepTold(context, { ...present, remote: read.remote }, at)) !== undefined) return 'lost';
  account.connection.cache.put(present.identity.path, withoutTold(kind, row), sent.reply);
  return 'kept';
}
