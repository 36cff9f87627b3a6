import type { Account } from '../model/account.ts';
import { type AnyWant, minutes, seconds } from '../../resource/index.ts';
import type { CollectionContext, Performers } from '../context.ts';
import { adopt } from '../create/adopt.ts';
import { create } from '../create/create.ts';
import { takeMarked } from '../create/found-again.ts';
import { recover } from '../create/recover.ts';
import { lookUp } from '../create/unknown-outcome.ts';
import { endVainPromise } from '../delete/handed-over.ts';
import { cannotBeMade } from '../guard/cannot-be-made.ts';
import { accountLimit } from '../guard/account-limit.ts';
import { massLossStop } from '../guard/mass-loss-stop.ts';
import { isRecovering } from '../guard/recovery.ts';
import { unresolvedFor } from '../identity/open-create.ts';
import { type Intent, intentOf } from '../model/intent.ts';
import type { Outcome } from '../model/outcome.ts';
import { fixedIn, type Policy, policyOf, shownPolicy } from '../model/policy.ts';
import { type CreateStep, type CreateSteps, openWish, type StepOf } from '../model/step.ts';
import { circle } from '../resolve/circle.ts';
import { type Resolved, wrongReferences } from '../resolve/resolve.ts';

/** No remote yet: wait for what its create needs, take what the spec adopts, or make it. */
export async function reconcileUnbound(context: CollectionContext, resolved: Resolved): Promise<Outcome> {
  endVainPromise(context);
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
  takeMarked: async (context, { otherwise }, { want }) => (await takeMarked(context, want)) ?? otherwise,
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

function nextStep(context: CollectionContext, resolved: Resolved, policy: Policy): CreateStep {
  const limited = accountLimit(context);
  if (limited !== undefined) return hold(limited);
  if (resolved.unresolved.length > 0) return withoutReferences(context, resolved, policy);
  const wish = openWish(context.object);
  const intent = intentOf(context);
  // What reads alone cannot settle of an open create is for a person to say by `spec.adopt`.
  if (wish !== undefined && (intent === undefined || unresolvedFor(context, intent) <= 0)) return { do: 'adopt', wish };
  if (intent === undefined && looksFirst(context, policy)) return { do: 'recover', policy };
  return policy.management === 'Manage' ? mayCreate(context, intent, resolved.want) : mayNotCreate(context, intent, policy);
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

type Waits = Pick<Resolved, 'waitingFor' | 'unresolved' | 'wrong' | 'absent'>;

/** Nothing can be made now; what was made before is taken all the same, where that can be told. */
function withoutReferences(context: CollectionContext, waits: Waits, { management }: Policy): CreateStep {
  const otherwise = circle(context) ?? waitsForReferences(context, waits);
  const intent = intentOf(context);
  if (intent !== undefined) return { do: 'lookUp', intent, otherwise };
  const isFound = management === 'Manage' && waits.unresolved.every((field) => isOfBirth(context, field));
  return isFound ? { do: 'takeMarked', otherwise } : hold(otherwise);
}

/** Of what it is made; nothing that is there shows it, and nothing else depends on it. */
const isOfBirth = ({ kind }: CollectionContext, field: string): boolean =>
  kind.fields[field]?.immutable === true && kind.fields[field].read === undefined && kind.parent?.ref !== field;

function waitsForReferences(context: CollectionContext, { waitingFor, unresolved, wrong, absent }: Waits): Outcome {
  if (wrong.length > 0) return wrongReferences({ wrong });
  const intent = intentOf(context);
  return {
    is: 'Waiting',
    reason: 'ReferenceNotReady',
    message: `${waitingFor.join('; ')}${stuckText(context, intent, fixedIn(context, unresolved))}`,
    on: waitingFor,
    ...(absent && { absent }),
    // The account is listed each time.
    recheckAfter: intent === undefined ? seconds(60) : minutes(10),
  };
}

const pathsOf = (fields: readonly string[]): string => fields.map((field) => `spec.${field}`).join(' and ');

function stuckText(context: CollectionContext, intent: Intent | undefined, fields: readonly string[]): string {
  if (fields.length === 0) return '';
  const known =
    intent === undefined
      ? 'Nothing on it tells of anything that was made for it'
      : `The create of ${intent.attempts.at(-1)?.at} made nothing that can be seen`;
  const births = fields.filter((field) => isOfBirth(context, field));
  const again =
    births.length === 0
      ? ''
      : `. If it was made before (by a cluster that was rebuilt from Git, for example), apply it without ${pathsOf(births)} and with spec.adopt: {id: ...}`;
  return `. ${known}, and ${pathsOf(fields)} cannot be changed in this object: to correct it, delete the object and apply the corrected one${again}`;
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
