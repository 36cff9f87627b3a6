import { seconds } from '../../resource/index.ts';
import { actorOf } from './actor.ts';
import { driftText, noteDrift, type Present, readPart, update } from './act.ts';
import { accountLimit } from '../account/account-limit.ts';
import { leftAsFound } from './as-found.ts';
import { annotation, approveAnnotation, recreateAnnotation } from '../run/annotations.ts';
import { rememberApplied } from '../create/attempt.ts';
import { contestedFields } from './contest.ts';
import { idText } from '../identity/marks.ts';
import type { Drift, Outcome, PendingPlan } from '../outcome.ts';
import { publish } from './outputs.ts';
import { isNew, isPending } from './pending.ts';
import { collectionOf, plan, type PlanContext, type Step } from './plan.ts';
import type { Policy } from './policy.ts';
import { replace } from './replace.ts';
import type { Resolved } from '../resolve/resolve.ts';
import { lookAgain } from './observe.ts';
import { passOn } from './tidings.ts';
import type { Turn } from '../run/turn.ts';
import { watchTwins } from '../identity/twins.ts';

/** What is wanted of a remote, and under which rules. */
export interface Wished {
  readonly resolved: Resolved;
  readonly policy: Policy;
  readonly pending: boolean;
}

/** Compares a remote that is there with what is wanted, and takes the one step that the plan names. */
export async function converge(turn: Turn, wished: Wished, present: Present): Promise<Outcome> {
  const { kind } = turn;
  isThere(turn);
  noteRemote(turn, present);
  passOn(turn, present.remote);
  const blocked = (mayWrite(turn, wished) ? await watchTwins(turn, present) : undefined) ?? (await publish(turn, present.remote));
  if (blocked !== undefined) return blocked;
  const elsewhere = movedAway(turn, wished, present);
  if (elsewhere !== undefined) return elsewhere;
  const step = plan(kind, present.want, { remote: present.remote }, contextOf(turn, wished, present));
  const outcome =
    (step.do === 'nothing' ? undefined : accountLimit(turn)) ?? (await perform(turn, step, { ...present, pending: wished.pending }));
  return outcome.is === 'Synced' && wished.resolved.waitingFor.length > 0 ? waitingForRest(wished.resolved) : outcome;
}

/** What the spec refers to as its parent is another one now, for example a domain that was made anew: nothing moves a remote there. */
function movedAway({ kind }: Turn, { resolved }: Wished, { identity, want }: Present): Outcome | undefined {
  if (typeof kind.path === 'string' || kind.mode !== 'collection' || resolved.unresolved.length > 0) return undefined;
  const collection = collectionOf(kind, want);
  if (identity.path.startsWith(`${collection}/`)) return undefined;
  const message = `its remote is ${identity.path}, and the spec now leads to ${collection}. Delete this object and make it again, or put back what it referred to`;
  return { is: 'Stalled', reason: 'ImmutableField', message };
}

/** Also a twin is deleted only where this object may change anything now. */
const mayWrite = ({ kind, account }: Turn, { policy }: Wished): boolean =>
  kind.mode === 'collection' && policy.management === 'Manage' && account.limited === undefined;

/** A wish for a new remote, and a loss, are over once there is one. */
function isThere({ engine, object, notes }: Turn): void {
  const { uid } = object.metadata;
  const wish = annotation(object, recreateAnnotation);
  if (wish !== undefined) notes['recreated'] = wish;
  engine.evidence.present(uid);
  engine.vanishings.end(uid);
  engine.releases.end(uid);
}

function noteRemote({ kind, notes }: Turn, { remote }: Present): void {
  Object.assign(notes, kind.observe(remote));
  if (kind.mode === 'collection') notes['id'] = idText(kind.id?.(remote) ?? (remote['id'] as string | number));
}

const waitingForRest = ({ waitingFor }: Resolved): Outcome => ({
  is: 'Waiting',
  reason: 'ReferenceNotReady',
  message: waitingFor.join('; '),
  on: waitingFor,
  recheckAfter: seconds(60),
});

function contextOf(turn: Turn, { resolved, policy, pending }: Wished, { identity, remote, want }: Present): PlanContext {
  const { engine, object, account, kind } = turn;
  const applied = (object.status?.['applied'] ?? {}) as Readonly<Record<string, string>>;
  const complete = resolved.partial.filter((field) => holdsAll(kind.fields[field]?.read?.(remote, want), want[field]));
  const approval = annotation(object, approveAnnotation);
  const asked = object.status?.['plan'] as PendingPlan | undefined;
  return {
    policy: {
      ...policy,
      ignoreFields: [...policy.ignoreFields, ...resolved.unresolved, ...complete, ...leftAsFound(turn, identity, want)],
    },
    pending,
    drift: (object.status?.['drift'] as readonly Drift[] | undefined) ?? [],
    ...(approval !== undefined && { approval }),
    ...(asked !== undefined && { asked }),
    applied: (field, value) =>
      applied[field] === undefined || value === undefined
        ? undefined
        : applied[field] === engine.key.remember(object.metadata.uid, field, value),
    jobs: account.connection.mirror.jobs(identity.path),
    now: account.connection.apiNow(),
    catalogue: (path) => account.connection.catalogue(path),
    contested: contestedFields(turn),
  };
}

/** A list of which some elements are still awaited takes nothing away. */
const holdsAll = (have: unknown, want: unknown): boolean =>
  Array.isArray(have) && Array.isArray(want) && want.every((item) => have.includes(item));

/** Whether the spec was edited: what differs then is a wish, and no drift. */
interface Under {
  readonly pending: boolean;
}
type Performers = {
  readonly [Do in Step['do']]?: (turn: Turn, step: Extract<Step, { do: Do }>, present: Present & Under) => Outcome | Promise<Outcome>;
};

const performers: Performers = {
  nothing: (turn, _, { want }) => {
    turn.engine.evidence.settled(turn.object.metadata.uid);
    // A value that was there before us counts as applied, and from now on its rotation is seen.
    const remembered = (turn.object.status?.['applied'] ?? {}) as Readonly<Record<string, string>>;
    rememberApplied(
      turn,
      want,
      Object.keys(turn.kind.fields).filter((field) => remembered[field] === undefined),
    );
    return { is: 'Synced' };
  },
  read: (turn, step, present) => readPart(turn, step.part, present),
  update,
  replace: (turn, step, present) => replace(turn, step.changes, present),
  wait: waiting,
  approve: (turn, { plan: asked, changes }, { identity, pending }) => {
    if (!pending) noteDrift(turn, changes, identity);
    return {
      is: 'Approval',
      plan: asked,
      message: `${asked.effect} is needed for: ${asked.changes.join('; ')}. To allow it: annotate ${approveAnnotation}=${asked.hash}`,
    };
  },
  report: (turn, step, present) => {
    turn.engine.evidence.settled(turn.object.metadata.uid);
    if (!present.pending || step.reason !== 'ReadOnly') noteDrift(turn, step.changes, present.identity);
    return {
      is: 'Reported',
      differs: step.changes.length > 0,
      reason: step.reason,
      message: step.changes.length === 0 ? 'as wanted' : driftText(turn, step.changes, present.identity),
    };
  },
  refuse: (turn, step, present) => {
    if (step.reason !== 'RemoteFailed' && !present.pending) noteDrift(turn, step.changes, present.identity);
    const actor = step.reason === 'Contested' ? actorOf(turn, present.identity.path) : undefined;
    const by = actor === undefined ? '' : `. The last to write was likely ${actor.user} (${actor.action})`;
    return { is: 'Stalled', reason: step.reason, message: `${step.message}${by}` };
  },
};

async function perform(turn: Turn, step: Step, present: Present & Under): Promise<Outcome> {
  const performer = performers[step.do] as ((turn: Turn, step: Step, present: Present & Under) => Outcome | Promise<Outcome>) | undefined;
  return performer === undefined ? { is: 'Again' } : performer(turn, step, present);
}

async function waiting(turn: Turn, step: Extract<Step, { do: 'wait' }>, { identity }: Present): Promise<Outcome> {
  if (await lookAgain(turn, identity, step.recheckAfter)) return { is: 'Again' };
  turn.account.connection.mirror.expect(identity.path, seconds(1800));
  const percent = step.percent === undefined ? {} : { percent: step.percent };
  const { message, recheckAfter } = step;
  if (isPending(turn.object))
    return { is: 'Working', reason: isNew(turn.object) ? 'Creating' : 'Updating', message, recheckAfter, ...percent };
  return step.differs
    ? { is: 'Working', reason: 'Updating', message, recheckAfter, ...percent }
    : { is: 'Unsettled', message, recheckAfter, ...percent };
}
