import type { ReconcileContext } from '../context.ts';
import { parentState } from '../guard/parent-rest.ts';
import type { BoundRemote, UpdateStep } from '../model/step.ts';
import { lookedInto } from '../observe/room.ts';
import { endsWithStop } from '../plan/approval.ts';
import type { PlanContext } from '../plan/input.ts';
import { plan } from '../plan/plan-update.ts';
import { contextOf, lookBeforeRefusal, type Wished } from './plan-input.ts';

/** The one step that is next, with whatever must be looked at for it. */
export async function planned(context: ReconcileContext, wished: Wished, present: BoundRemote): Promise<UpdateStep> {
  const step = await decided(context, wished, present);
  context.engine.onStep?.(context.object, step, present);
  return step;
}

/** What no list shows is asked for before it is refused; then it is in the list. What may not fit is looked into before it is asked for. */
async function decided(context: ReconcileContext, wished: Wished, found: BoundRemote): Promise<UpdateStep> {
  const decide = (present: BoundRemote, more: Partial<PlanContext> = {}): UpdateStep =>
    plan(context.kind, present.want, present.remote, { ...contextOf(context, wished, present), ...more });
  const first = decide(found);
  const present = await lookedInto(context, first, found);
  const step = present === found ? first : decide(present);
  if (step.do === 'approve' && step.asks.some(endsWithStop) && (await parentState(context, present.identity, 'edit')) === 'atRest')
    return decide(present, { parentRests: true });
  if (step.do !== 'refuse' || step.reason !== 'InvalidSpec') return step;
  await lookBeforeRefusal(context, step.changes, present);
  return decide(present);
}
