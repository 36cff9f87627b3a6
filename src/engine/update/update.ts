import { seconds } from '../../resource/index.ts';
import type { Performers, ReconcileContext } from '../context.ts';
import { isNew, isPending } from '../model/conditions.ts';
import type { Outcome } from '../model/outcome.ts';
import { isLeftAlone } from '../model/policy.ts';
import type { BoundRemote, StepOf, UpdateSteps } from '../model/step.ts';
import { actorOf } from '../observe/attribution.ts';
import { lookAgain } from '../observe/observe.ts';
import { appliedValues, forgetCleared, rememberedOf, takenUp } from '../plan/applied-values.ts';
import { readPart, update } from './apply.ts';
import { approve } from './approve.ts';
import { driftText, noteDrift } from './drift-report.ts';
import { replace } from './replace.ts';
import { nothingIsSent } from './sent-once.ts';

/** Whether the spec was edited: what differs then is a wish, and no drift. */
interface Under {
  readonly pending: boolean;
}
export const updatePerformers: Performers<UpdateSteps, [present: BoundRemote & Under]> = {
  nothing: (context, _, present) => {
    const { want } = present;
    settled(context);
    nothingIsSent(context, present);
    // A value that was there before us counts as applied, and from now on its rotation is seen.
    const remembered = rememberedOf(context.object);
    const unknown = Object.keys(context.kind.fields).filter((field) => remembered[field] === undefined);
    const counted = appliedValues(context, want, unknown);
    const uncompared = unknown.filter((field) => want[field] !== undefined && counted.applied?.[field] !== undefined);
    tellCounted(context, present, uncompared);
    Object.assign(context.status, forgetCleared(context, want, present.remote), counted);
    return { is: 'Synced' };
  },
  read: (context, step, present) => readPart(context, step.part, present),
  update,
  replace: (context, step, present) => replace(context, step.changes, present),
  wait: waiting,
  approve,
  report: (context, step, present) => {
    settled(context);
    if (!present.pending || step.reason !== 'ReadOnly') noteDrift(context, step.changes, present.identity);
    return {
      is: 'Reported',
      differs: step.changes.length > 0,
      reason: step.reason,
      message: step.changes.length === 0 ? 'as wanted' : driftText(context, step.changes, present.identity),
    };
  },
  refuse: (context, step, present) => {
    // What differs of that is told by whoever asked: unsent.ts.
    if (step.reason !== 'RemoteFailed' && !present.pending) noteDrift(context, step.changes, present.identity);
    const actor = step.reason === 'Contested' ? actorOf(context, present.identity.path) : undefined;
    const by = actor === undefined ? '' : `. The last to write was likely ${actor.called} (${actor.action})`;
    return { is: 'Stalled', reason: step.reason, message: `${step.message}${by}` };
  },
};

/** Who had it before may have applied another value than the Secret has by now, which no answer of the service shows. True: status says so next. */
export function takeUpApplied(context: ReconcileContext, present: BoundRemote): boolean {
  const { engine, object, status } = context;
  const before = engine.appliedBefore.of(present.identity, object, status['bornAt']);
  const taken = before && takenUp(context, present, before);
  if (taken === undefined || Object.keys(taken).length === 0) return false;
  status['applied'] = { ...rememberedOf(object), ...taken };
  return true;
}

/** Nothing else would tell that a Secret may hold another value than the account has. */
function tellCounted({ engine, object }: ReconcileContext, { identity: { path } }: BoundRemote, fields: readonly string[]): void {
  const told = fields.filter((field) => !isLeftAlone(object.spec, field));
  if (told.length === 0) return;
  const names = told.map((field) => `spec.${field}`).join(' and ');
  const message = `the value of ${names} counts as applied, and was not sent: ${path} was there before, and no answer of the service shows which value it has. To have it sent, renew the Secret now`;
  engine.recorder.event(object, { type: 'Normal', reason: 'SecretNotSent', message });
}

function settled({ engine, object }: ReconcileContext): void {
  engine.objectMemory.settled(object.metadata.uid);
  engine.ledger.settled(object.metadata.uid);
}

export async function perform<Do extends keyof UpdateSteps>(
  context: ReconcileContext,
  step: StepOf<UpdateSteps, Do>,
  present: BoundRemote & Under,
): Promise<Outcome> {
  return updatePerformers[step.do](context, step, present);
}

async function waiting(context: ReconcileContext, step: StepOf<UpdateSteps, 'wait'>, { identity }: BoundRemote): Promise<Outcome> {
  if (await lookAgain(context, identity, step.recheckAfter)) return { is: 'Again' };
  context.account.connection.cache.expect(identity.path, seconds(1800));
  const percent = step.percent === undefined ? {} : { percent: step.percent };
  const { message, recheckAfter } = step;
  if (isPending(context.object))
    return { is: 'Working', reason: isNew(context.object) ? 'Creating' : 'Updating', message, recheckAfter, ...percent };
  return step.differs
    ? { is: 'Working', reason: 'Updating', message, recheckAfter, ...percent }
    : { is: 'Unsettled', message, recheckAfter, ...percent };
}
