import { type AnyWant, seconds } from '../../resource/index.ts';
import { issue, issuedStatus, isStillGood, stillIssued } from '../change/issue.ts';
import { releaseFinalizer, writeFinalizer } from '../change/metadata.ts';
import { outputTexts, publishTexts } from '../change/outputs/publish.ts';
import type { Engine, IssuedContext } from '../context.ts';
import { accountLimit } from '../guard/account-limit.ts';
import { maxObjectsReached } from '../guard/object-quota.ts';
import { isRecovering } from '../guard/recovery.ts';
import { hasFinalizer, isDeleting } from '../model/annotations.ts';
import { isIssued, issuedOf, renewalOf, secondOf } from '../plan/renewal.ts';
import { keyOf } from '../model/object-id.ts';
import type { Outcome } from '../model/outcome.ts';
import { validate } from '../plan/validate-spec.ts';
import type { Resource } from '../ports/index.ts';
import { resolve, type Resolved } from '../resolve/resolve.ts';

/**
 * Has an answer of the account in the Secret of the object for as long as it is there: asked for, given out, noted, in this
 * order, so that whoever is killed in between has it asked for once more and nothing else (README: issued).
 */
export async function reconcileIssued(context: IssuedContext): Promise<Outcome> {
  if (isDeleting(context.object)) return letGoOfIssued(context);
  const invalid = validate(context.kind, context.object.spec);
  if (invalid !== undefined) return invalid;
  const resolved = await resolve(context);
  if (resolved.waitingFor.length > 0) return orUnready(context, waitingFor(resolved));
  return kept(context, resolved.want);
}

/** What is good stays; where it would go is seen to first, because what has no place is not asked for. */
async function kept(context: IssuedContext, want: AnyWant): Promise<Outcome> {
  const still = await stillIssued(context, want);
  const untaken = await publishTexts(context, still?.texts ?? {});
  if (untaken !== undefined) return orUnready(context, untaken);
  const wait = still === undefined ? 0 : renewalOf(still.issued) - context.account.connection.apiNow();
  if (wait > 0) return standing(context, wait);
  const halted = mayNotIssue(context);
  return halted === undefined ? anew(context, want) : orUnready(context, halted);
}

const standing = ({ engine, object, status }: IssuedContext, wait: number): Outcome => {
  status['objectUid'] = object.metadata.uid;
  engine.wake(object.kind, keyOf(object), { after: wait });
  return { is: 'Synced' };
};

async function anew(context: IssuedContext, want: AnyWant): Promise<Outcome> {
  const { objectMemory } = context.engine;
  const { uid } = context.object.metadata;
  // From here on the finalizer holds its place.
  const held = hasFinalizer(context.object) ? Promise.resolve() : writeFinalizer(context);
  await held.finally(() => objectMemory.placeHeld.delete(uid));
  const answered = await issue(context, want, () => whatIsGone(context));
  if ('outcome' in answered) return orUnready(context, answered.outcome);
  const trouble = await publishTexts(context, outputTexts(context.kind, answered.answer));
  if (trouble !== undefined) return orUnready(context, trouble);
  Object.assign(context.status, issuedStatus(context, want, answered));
  return standing(context, renewalOf(answered) - context.account.connection.apiNow());
}

/** At rest nobody asks the account whether what this refers to is still the same, and what is given out opens whatever is there. */
async function whatIsGone(context: IssuedContext): Promise<Outcome | undefined> {
  const now = await resolve({ ...context, looksNow: true });
  return now.waitingFor.length > 0 ? waitingFor(now) : undefined;
}

const waits = (reason: 'ReadOnly' | 'AccountNotReady', message: string, on: string): Outcome => ({
  is: 'Waiting',
  reason,
  message,
  on: [on],
  recheckAfter: seconds(300),
});

/** Why nothing may be asked for now. */
function mayNotIssue(context: IssuedContext): Outcome | undefined {
  const { account } = context;
  if (account.readOnly)
    return waits(
      'ReadOnly',
      `${account.paused ?? "the account's mode is ReadOnly"}: nothing is issued until that is over`,
      'spec.mode or the pause of the CloudAccount',
    );
  if (isRecovering(context))
    return waits(
      'AccountNotReady',
      'the account recovers (spec.recover): nothing is issued until spec.recover of the CloudAccount is false',
      'spec.recover of the CloudAccount',
    );
  // What was issued before has its place.
  return accountLimit(context) ?? (isIssued(context.object) ? undefined : maxObjectsReached(context));
}

const waitingFor = ({ waitingFor: on, absent }: Resolved): Outcome => ({
  is: 'Waiting',
  reason: 'ReferenceNotReady',
  message: on.join('; '),
  on,
  recheckAfter: seconds(60),
  ...(absent && { absent }),
});

/** What was given out last is no longer good, or nowhere, or nothing ever was: whatever was seen of it, it is not Ready. */
async function orUnready(context: IssuedContext, outcome: Outcome): Promise<Outcome> {
  if (!('message' in outcome) || !['Waiting', 'Retrying', 'Stalled'].includes(outcome.is)) return outcome;
  return (await isStillGood(context)) ? outcome : ({ ...outcome, unready: true } as Outcome);
}

type Leaving = Parameters<typeof releaseFinalizer>[0] & { readonly engine: Pick<Engine, 'clock' | 'recorder'> };

/** Nothing takes back what was given out: it is told until when it works. Needs no account. */
export async function letGoOfIssued(context: Leaving): Promise<Outcome> {
  if (!hasFinalizer(context.object)) return { is: 'Deleted' };
  tellUntilWhen(context.engine, context.object);
  await releaseFinalizer(context);
  return { is: 'Deleted' };
}

function tellUntilWhen({ recorder, clock }: Leaving['engine'], object: Resource): void {
  const issued = issuedOf(object);
  if (issued === undefined || issued.until <= clock.now()) return;
  recorder.event(object, {
    type: 'Warning',
    reason: 'Retained',
    message: `what was given out works until ${secondOf(issued.until)}, and nothing can end it earlier: whoever has a copy of it can use it until then`,
  });
}
