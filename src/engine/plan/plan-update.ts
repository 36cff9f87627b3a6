import {
  type AnyKind,
  type AnyWant,
  type Body,
  type Call,
  collectionOf,
  type Health,
  itemOf,
  minutes,
  put,
  type Row,
  seconds,
} from '../../resource/index.ts';
import { type Difference, placeOf, type UpdateStep } from '../model/step.ts';
import { shownText } from '../model/values.ts';
import type { Job } from '../ports/index.ts';
import { changeText, isAllowed, isFrozen, pendingPlan } from './approval.ts';
import { unfit, unlisted, unlistedText } from './catalogue.ts';
import { differences, isKnownDrift, isNoDrift, keepInstallationTags, unreadParts } from './diff.ts';
import type { PlanContext } from './input.ts';

/** Decides the next step for a remote that is there. Pure; a step repeated is a valid step. */
export function plan(kind: AnyKind, want: AnyWant, remote: Row, context: PlanContext): UpdateStep {
  const health = kind.health(remote, want);
  const changes = differing(kind, want, remote, context);
  const held = heldBack(health, changes, context);
  // What is only reported is said of what was read, too.
  if (held !== undefined && (held.do !== 'report' || context.changed !== true)) return held;
  const isAsked = context.pending || context.changed === true;
  const [part] = isAsked ? unreadParts(kind, want, remote, (field) => context.applied(field, undefined) === false) : [];
  if (part !== undefined) return { do: 'read', part };
  if (held !== undefined) return held;
  return besideGrowth(health, repair({ kind, want, remote, context }, changes), () => waitOut(health, changes, context));
}

/** What is not whole yet is looked at again, also where nothing is to be done about it, or not before somebody says yes. */
function besideGrowth(health: Health, step: UpdateStep, wait: () => UpdateStep | undefined): UpdateStep {
  if (step.do === 'approve' && health.state === 'Progressing') return { ...step, recheckAfter: health.recheckAfter };
  return step.do === 'nothing' ? (wait() ?? step) : step;
}

const differing = (kind: AnyKind, want: AnyWant, remote: Row, { applied, policy }: PlanContext): readonly Difference[] =>
  differences(kind, want, remote, applied).filter(({ field }) => !policy.ignoreFields.includes(field));

/** For what of that the remote is not as the spec asks. */
export const standing = (kind: AnyKind, want: AnyWant, remote: Row, context: PlanContext): readonly Difference[] =>
  differing(kind, want, remote, context).filter((change) => context.policy.drift !== 'Ignore' || !leftAlone(change, context));

/** What forbids any change now: the remote's own state, or a mode that only looks. */
function heldBack(health: Health, changes: readonly Difference[], context: PlanContext): UpdateStep | undefined {
  const { policy } = context;
  if (health.state === 'Failed') return { do: 'refuse', reason: 'RemoteFailed', message: health.message, changes };
  if (policy.management === 'Observe') return { do: 'report', reason: 'Observed', changes };
  if (policy.management === 'ReadOnly' && changes.length > 0) return { do: 'report', reason: 'ReadOnly', changes };
  return health.state === 'Progressing' && health.admitsChanges ? undefined : waitOut(health, changes, context);
}

const waitOut = (health: Health, changes: readonly Difference[], { jobs }: PlanContext): UpdateStep | undefined =>
  health.state === 'Progressing'
    ? { do: 'wait', message: health.message, recheckAfter: health.recheckAfter, differs: changes.length > 0, ...progressOf(jobs) }
    : undefined;

function progressOf(jobs: readonly Job[]): { readonly percent?: number } {
  const running = jobs.find(({ status }) => status === 'scheduled' || status === 'started');
  return typeof running?.percent === 'number' ? { percent: running.percent } : {};
}

interface Case {
  readonly kind: AnyKind;
  readonly want: AnyWant;
  readonly remote: Row;
  readonly context: PlanContext;
}

function repair(about: Case, changes: readonly Difference[]): UpdateStep {
  const { policy } = about.context;
  const open = changes.filter((change) => !leftAlone(change, about.context));
  if (open.length === 0)
    return changes.length > 0 && policy.drift === 'Report' ? { do: 'report', reason: 'DriftReported', changes } : { do: 'nothing' };

  const contested = open.find(({ field }) => about.context.contested.includes(field));
  if (contested) return { do: 'refuse', reason: 'Contested', changes, message: contestedText(contested) };
  const frozen = open.filter(isFrozen);
  const [first] = frozen;
  if (first !== undefined && (!policy.replace || policy.protect))
    return { do: 'refuse', reason: 'ImmutableField', changes, message: frozenText(first, about) };
  return mend(about, open, changes);
}

/** What can be sent goes first: what is wrong with one field holds no other up. */
function mend(about: Case, open: readonly Difference[], changes: readonly Difference[]): UpdateStep {
  const refuse = (message: string): UpdateStep => ({ do: 'refuse', reason: 'InvalidSpec', message, changes });
  const unknown = unlistedText(unlisted(about.kind, about.want, namesOf(open), about.context.catalogue));
  if (unknown !== undefined) return refuse(unknown);
  const wrong = open.map((change) => wrongIn(about, change));
  const fit = open.filter((_, index) => wrong[index] === undefined);
  if (fit.length === 0) return refuse(`${wrong.join('; ')}. Nothing of it was sent`);
  const allowed = fit.filter((change) => isAllowed(change, about.context));
  return allowed.length > 0 ? act(about, allowed) : { do: 'approve', plan: pendingPlan(fit, about.context), asks: fit, changes };
}

function wrongIn(about: Case, change: Difference): string | undefined {
  const { rule, field, want } = change;
  const why =
    rule.withheld?.(about.want) ??
    (want === undefined
      ? undefined
      : (rule.wrong?.(want, about.want) ?? ofAnother(about, change) ?? unfit(change, about, about.context.catalogue)));
  return why === undefined ? undefined : `spec.${field}: ${why}`;
}

/** What another object stands for is not changed by the way. */
function ofAnother({ want, remote, context }: Case, { rule, want: wanted }: Difference): string | undefined {
  for (const path of rule.others?.(wanted, remote, want) ?? []) {
    const holder = context.standsFor?.(path);
    if (holder !== undefined)
      return `${path.slice(path.lastIndexOf('/') + 1)} is that of ${holder}, which alone says so: set it there and take it out of this spec, or delete that object`;
  }
  return undefined;
}

const namesOf = (changes: readonly Difference[]): readonly string[] => changes.map(({ field }) => field);

/** Out-of-band differences follow `lifecycle.drift`; an edit of another field does not correct what was only reported. */
function leftAlone(change: Difference, { policy, pending, drift }: PlanContext): boolean {
  if (policy.drift === 'Correct') return false;
  if (isNoDrift(change)) return false;
  return !pending || isKnownDrift(change, drift);
}

function act({ kind, want, remote, context }: Case, changes: readonly Difference[]): UpdateStep {
  if (changes.some(isFrozen)) return { do: 'replace', changes };
  const puts = changes.filter(({ rule }) => rule.put !== undefined);
  if (puts.length > 0) {
    return {
      do: 'update',
      call: putOf({ kind, want, remote }, puts),
      changes: puts,
      pending: context.pending || puts.every(isNoDrift),
    };
  }
  const calls = changes.flatMap((change) => {
    const call = callOf(change, remote, want);
    return call === undefined ? [] : [{ call, change }];
  });
  const [next] = calls;
  const job = next && openJob(context);
  if (job !== undefined)
    return { do: 'wait', message: waitsFor(changes, job), recheckAfter: seconds(5), differs: true, ...progressOf([job]) };
  if (next !== undefined) {
    const done = calls.filter(({ call }) => isSame(call, next.call)).map(({ change }) => change);
    return { do: 'update', call: next.call, changes: done, pending: context.pending || done.every(isNoDrift) };
  }
  return {
    do: 'wait',
    message: `${names(changes)} cannot be changed at this moment; waiting for the remote`,
    recheckAfter: seconds(5),
    differs: true,
  };
}

/** One PUT for all of them. */
export function putOf({ kind, want, remote }: Omit<Case, 'context'>, changes: readonly Difference[]): Call {
  const body = Object.assign({}, ...changes.map((change) => change.rule.put?.(change.want, want, remote))) as Body;
  return put(itemOf(kind, remote, collectionOf(kind, want)), keepInstallationTags(kind, body, remote) as Body);
}

/** Also of secrets, which no text of theirs tells apart. */
function isSame(one: Call, other: Call): boolean {
  const [body = {}, bodyOfOther = {}] = [one.body, other.body];
  const fields = [...new Set([...Object.keys(body), ...Object.keys(bodyOfOther)])];
  return one.method === other.method && one.path === other.path && fields.every((field) => body[field] === bodyOfOther[field]);
}

/** The call that mends this difference alone, of a field that has one of its own. */
export const callOf = ({ rule, member, want: wanted }: Difference, remote: Row, want: AnyWant): Call | undefined =>
  member === undefined ? rule.call?.(wanted, remote, want) : rule.members?.call(member, wanted, remote, want);

/** What a job is about to bring about must not be asked for again. One that is an hour old has most likely lost its end. */
const openJob = ({ jobs, now }: PlanContext): Job | undefined =>
  jobs.find(
    ({ status, created }) =>
      (status === 'scheduled' || status === 'started') && now - Date.parse(created.replace(/Z?$/, 'Z')) < minutes(60),
  );

const waitsFor = (changes: readonly Difference[], { action }: Job): string =>
  `${names(changes)} waits for the running job ${action} of the remote`;

const names = (changes: readonly Difference[]): string => changes.map((change) => `spec.${placeOf(change)}`).join(', ');

const contestedText = (change: Difference): string =>
  `somebody else keeps rewriting this field: ${changeText(change)}. Stop the other writer, or put "${change.field}" into spec.lifecycle.ignoreFields`;

function frozenText(change: Difference, { kind, remote, context: { policy } }: Case): string {
  const { field, want, have, rule } = change;
  const why = rule.immutable === true ? 'it is fixed when the thing is created' : 'it only grows, and is never taken back';
  const way = policy.protect ? 'spec.lifecycle.protect: false and replace: Allow' : 'spec.lifecycle.replace: Allow';
  const cannot = `spec.${field} cannot become ${shownText(want)}, because ${why} and the account has ${shownText(have)}. Set ${backTo(change)}`;
  // Nothing of it is left to be deleted.
  if (kind.deletion?.ended?.(remote) === true) return `${cannot}, or make another ${kind.kind}: this one is over`;
  return `${cannot}, or set ${way} and approve Replace to have it deleted and made anew`;
}
/** What to type, where that is plain. */
const backTo = ({ field, have }: Difference): string =>
  typeof have === 'number' || typeof have === 'boolean' ? `spec.${field} back to ${have}` : 'it back';
