import type { Account } from '../model/account.ts';
import { type AnyWant, seconds } from '../../resource/index.ts';
import type { CollectionContext, Performers } from '../context.ts';
import { adopt, adoptOf } from '../create/adopt.ts';
import { create } from '../create/create.ts';
import { recover } from '../create/recover.ts';
import { lookUp } from '../create/unknown-outcome.ts';
import { cannotBeMade } from '../guard/cannot-be-made.ts';
import { accountLimit } from '../guard/account-limit.ts';
import { massLossStop } from '../guard/mass-loss-stop.ts';
import { isRecovering } from '../guard/recovery.ts';
import { unresolvedFor } from '../identity/open-create.ts';
import { type Intent, intentOf } from '../model/intent.ts';
import type { Outcome } from '../model/outcome.ts';
import { type Policy, policyOf, shownPolicy } from '../model/policy.ts';
import type { CreateStep, CreateSteps, StepOf } from '../model/step.ts';
import { fixedIn } from '../observe/offer.ts';
import { circle } from '../resolve/circle.ts';
import type { Resolved } from '../resolve/resolve.ts';

/** No remote yet: wait for what its create needs, take what the spec adopts, or make it. */
export async function reconcileUnbound(context: CollectionContext, resolved: Resolved): Promise<Outcome> {
  const policy = policyOf(context.kind, context.object.spec, context.account, false);
  context.status['policy'] = shownPolicy(policy);
  const outcome = await performed(context, nextStep(context, resolved, policy), resolved);
  // The next reconcile shows it with all the rest: alone it is not worth a write.
  if (outcome.is === 'Again' || outcome.is === 'Quiet') delete context.status['policy'];
  return outcome;
}

const performers: Performers<CreateSteps, [resolved: Resolved], Outcome, CollectionContext> = {
  adopt: (context, { wish }, resolved) => adopt(context, resolved, wish),
  recover: (context, { policy }, resolved) => recover(context, resolved, policy),
  lookUp: async (context, { intent, otherwise }, { want }) => (await lookUp(context, want, intent)) ?? otherwise,
  create: (context, _, { want }) => create(context, want),
  hold: (_, { outcome }) => outcome,
};
async function performed<Do extends keyof CreateSteps>(
  context: CollectionContext,
  step: StepOf<CreateSteps, Do>,
  resolved: Resolved,
): Promise<Outcome> {
  return performers[step.do](context, step, resolved);
}

const hold = (outcome: Outcome): CreateStep => ({ do: 'hold', outcome });

function nextStep(context: CollectionContext, { waitingFor, unresolved, want }: Resolved, policy: Policy): CreateStep {
  const limited = accountLimit(context);
  if (limited !== undefined) return hold(limited);
  if (unresolved.length > 0) return hold(circle(context) ?? waitsForReferences(context, { waitingFor, unresolved }));
  const wish = adoptOf(context.object.spec);
  const intent = intentOf(context);
  // What reads alone cannot settle of an open create is for a person to say by `spec.adopt`.
  if (wish !== undefined && (intent === undefined || unresolvedFor(context, intent) <= 0)) return { do: 'adopt', wish };
  if (intent === undefined && looksFirst(context, policy)) return { do: 'recover', policy };
  return policy.management === 'Manage' ? mayCreate(context, intent, want) : mayNotCreate(context, intent, policy);
}

const looksFirst = (context: CollectionContext, { management }: Policy): boolean => isRecovering(context) && management !== 'Observe';

function mayCreate(context: CollectionContext, intent: Intent | undefined, want: AnyWant): CreateStep {
  const stopped = intent === undefined ? (cannotBeMade(context, want) ?? massLossStop(context)) : undefined;
  return stopped === undefined ? { do: 'create' } : hold(stopped);
}

function mayNotCreate({ account }: CollectionContext, intent: Intent | undefined, policy: Policy): CreateStep {
  const refusal = refusalOf(policy, account);
  return intent === undefined ? hold(refusal) : { do: 'lookUp', intent, otherwise: refusal };
}

function waitsForReferences(context: CollectionContext, { waitingFor, unresolved }: Pick<Resolved, 'waitingFor' | 'unresolved'>): Outcome {
  const fixed = intentOf(context) === undefined ? fixedIn(context, unresolved).map((field) => `spec.${field}`) : [];
  const stuck =
    fixed.length === 0
      ? ''
      : `. Nothing was made yet, and ${fixed.join(' and ')} cannot be changed in this object: to correct it, delete the object and apply the corrected one`;
  return {
    is: 'Waiting',
    reason: 'ReferenceNotReady',
    message: `${waitingFor.join('; ')}${stuck}`,
    on: waitingFor,
    recheckAfter: seconds(60),
  };
}

const refusalOf = ({ management }: Policy, { paused }: Pick<Account, 'paused'>): Outcome =>
  management === 'Observe'
    ? {
        is: 'Stalled',
        reason: 'RemoteMissing',
        message: 'spec.lifecycle.management is Observe, which never creates. Name what to observe with spec.adopt',
      }
    : {
        is: 'Reported',
        differs: true,
        reason: 'ReadOnly',
        message:
          paused === undefined
            ? 'the account is ReadOnly: this would be created. Set mode: Manage on the CloudAccount to let it'
            : `${paused}: this would be created`,
      };
