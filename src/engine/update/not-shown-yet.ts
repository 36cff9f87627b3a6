import { seconds } from '../../resource/index.ts';
import type { ReconcileContext } from '../context.ts';
import type { Outcome } from '../model/outcome.ts';
import type { BoundRemote, UpdateStep } from '../model/step.ts';
import { lookAgain } from '../observe/observe.ts';
import { shownIn } from '../plan/diff.ts';

/**
 * Before the account shows a change that it has accepted, what it shows proves nothing: an edit must neither send that change
 * a second time, nor another one over it, nor find all as wanted because the spec is back at what is shown.
 */
export async function notShownYet(
  context: ReconcileContext,
  step: UpdateStep,
  { identity, want, remote, pending }: BoundRemote & { readonly pending: boolean },
): Promise<Outcome | undefined> {
  const { engine, kind, object } = context;
  if (step.do !== 'nothing' && step.do !== 'update') return undefined;
  const waiting = engine.ledger
    .justAccepted(object.metadata.uid, engine.clock.monotonic())
    .filter(({ field, value }) => shownIn(kind, field, want, remote) === value);
  const fields = waiting
    .map(({ field }) => field)
    .filter((field) => step.do === 'nothing' || step.changes.some((one) => one.field === field));
  if (fields.length === 0) return undefined;
  const recheckAfter = seconds(5);
  const parts = [...new Set(fields.flatMap((field) => kind.fields[field]?.part ?? []))];
  if (await lookAgain(context, identity, recheckAfter, parts)) return { is: 'Again' };
  return {
    is: 'Working',
    reason: pending ? 'Updating' : 'Drifted',
    message: `${fields.map((field) => `spec.${field}`).join(', ')}: the change was sent and accepted; the account does not show it yet`,
    recheckAfter,
  };
}
