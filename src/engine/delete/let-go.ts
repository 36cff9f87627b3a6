import { releaseFinalizer } from '../change/metadata.ts';
import type { ReconcileContext } from '../context.ts';
import type { Identity } from '../model/identity.ts';
import type { Outcome } from '../model/outcome.ts';
import type { Resource } from '../ports/index.ts';

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

/** What is always there, and was nothing else before that anybody knows of. */
export async function leave(context: ReconcileContext, { path }: Identity, to: Resource | undefined): Promise<Outcome> {
  context.engine.recorder.event(context.object, {
    type: 'Normal',
    reason: 'Retained',
    message:
      to === undefined
        ? `${path} is always there and stays as it is now: what it does and what it costs goes on. Change it in the account, or with another object`
        : `${path} is not put back: ${to.kind} ${to.metadata.name} names it, too, and says from now on what it is to be`,
  });
  return releaseObject(context, to === undefined ? 'it only described what is always there' : `${path} is left to ${to.metadata.name}`);
}
