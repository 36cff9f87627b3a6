import { seconds } from '../../resource/index.ts';
import type { ReconcileContext } from '../context.ts';
import type { Outcome } from '../model/outcome.ts';
import type { UpdateStep } from '../model/step.ts';

/** The service wants time between two changes of one remote. A restart forgets when the last one was, and sends one too soon. */
export function tooSoon({ engine, kind, object }: ReconcileContext, step: UpdateStep): Outcome | undefined {
  if (step.do !== 'update' || kind.changesApart === undefined) return undefined;
  const last = engine.objectMemory.changedAt.get(object.metadata.uid) ?? -Infinity;
  const rest = last + kind.changesApart - engine.clock.monotonic();
  if (rest <= 0) return undefined;
  const fields = step.changes.map(({ field }) => `spec.${field}`).join(', ');
  return {
    is: 'Working',
    reason: 'Updating',
    message: `${fields}: the last change was sent less than ${kind.changesApart / 1000} s ago, and the service wants that between two; it is sent then`,
    recheckAfter: seconds(rest / 1000),
  };
}
