import { releaseFinalizer } from '../change/metadata.ts';
import type { ReconcileContext } from '../context.ts';
import type { Outcome } from '../model/outcome.ts';

/** Lets go without a call, and says so where a person looks: what the object stood for may still be there and cost. */
export function releaseWithNotice(
  context: ReconcileContext,
  why: string,
  todo = 'Look there whether something of this object is left',
): Promise<Outcome> {
  const message = `${why}, so nothing in the account was touched. ${todo}`;
  context.engine.recorder.event(context.object, { type: 'Warning', reason: 'Retained', message });
  return releaseObject(context, why);
}

export async function releaseObject(context: ReconcileContext, why: string): Promise<Outcome> {
  context.engine.log.info('an object lets go of its remote', {
    kind: context.kind.kind,
    namespace: context.object.metadata.namespace,
    name: context.object.metadata.name,
    why,
  });
  await releaseFinalizer(context);
  return { is: 'Deleted' };
}
