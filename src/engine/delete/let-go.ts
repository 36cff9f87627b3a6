import { lastSegment } from '../../lib/last-segment.ts';
import { releaseFinalizer } from '../change/metadata.ts';
import { leaveTold, leftText } from '../change/outputs/left.ts';
import type { ReconcileContext } from '../context.ts';
import type { Identity } from '../model/identity.ts';
import type { Outcome } from '../model/outcome.ts';
import { adoptOf, namesPath, type RetentionSteps, type StepOf } from '../model/step.ts';
import type { Resource } from '../ports/index.ts';
import { handOver } from './handed-over.ts';
import { handRetiring } from './retiring-to.ts';

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

type Retain = StepOf<RetentionSteps, 'retain'>;
/** What it has stays, for another object or for whoever wants it. */
export async function retain(context: ReconcileContext, identity: Identity, { to, keeper }: Omit<Retain, 'do'>): Promise<Outcome> {
  const whose = keeper === undefined ? 'the policy' : `the policy of ${keeper}, which asked for it last,`;
  const { path } = identity;
  const beside = await handRetiring(context, to);
  const told = `${beside}${leftText(await leaveTold(context, identity, to))}`;
  context.engine.recorder.event(context.object, {
    type: 'Normal',
    reason: 'Retained',
    message:
      to === undefined
        ? `${path} stays in the account, because ${whose} is Retain. It costs what it cost before. To have it back, ${howBack(context, identity)}; or delete it in the account${told}`
        : `${path} stays in the account for ${to.kind} ${to.metadata.name}, which asks for it with spec.adopt${told}`,
  });
  if (to !== undefined) handOver(context, identity, to);
  return releaseObject(context, `${identity.path} is retained`);
}

/** What its spec adopted may be gone long since, and this be what was made in its place. */
function howBack({ object, kind }: ReconcileContext, { path }: Identity): string {
  const named = adoptOf(object.spec)?.id;
  return named === undefined || namesPath(kind, named, path)
    ? 'apply the same manifest again, or one with spec.adopt'
    : `apply the manifest again with spec.adopt: {id: ${String(object.status?.['id'] ?? lastSegment(path))}}, as what it names there is gone`;
}
