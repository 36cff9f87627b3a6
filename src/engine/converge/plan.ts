import { createHash } from 'node:crypto';
import type { Millis } from '../../lib/clock.ts';
import {
  type AnyKind,
  type AnyWant,
  type Body,
  type Call,
  del,
  type Duration,
  type Effect,
  type Health,
  minutes,
  post,
  put,
  type Row,
  seconds,
} from '../../resource/index.ts';
import { type Catalogue, unlisted } from './catalogue.ts';
import { type Applied, canonical, type Difference, differences, keepInstallationTags, shown, shownText, unreadParts } from './drift.ts';
import type { Drift, PendingPlan } from '../outcome.ts';
import { greatest, type Policy } from './policy.ts';
import type { Job, Seen } from '../ports.ts';

/** What a plan may know besides the object and the remote. Data only; nothing here is read from anywhere. */
export interface PlanContext {
  readonly policy: Policy;
  /** The spec's generation, or what its references led to since, was not applied yet: differences are wished for, not drift. */
  readonly pending: boolean;
  /** `status.drift` as it stands. */
  readonly drift: readonly Drift[];
  /** Annotation `approve`. */
  readonly approval?: string;
  /** `status.plan`: what was asked last; its changes may be made one after the other under one approval. */
  readonly asked?: PendingPlan;
  readonly applied: Applied;
  readonly jobs: readonly Job[];
  /** Wall clock of the service. */
  readonly now: Millis;
  readonly catalogue: Catalogue;
  /** Fields that somebody else keeps rewriting (design 5.7). */
  readonly contested: readonly string[];
}

/** The single next thing to do. Plans are data, so every decision is tested by a table. */
export type Step =
  | { readonly do: 'create'; readonly call: Call }
  | { readonly do: 'read'; readonly part: string }
  | { readonly do: 'update'; readonly call: Call; readonly changes: readonly Difference[]; readonly pending: boolean }
  | { readonly do: 'replace'; readonly changes: readonly Difference[] }
  | { readonly do: 'release' | 'delete'; readonly call: Call }
  | { readonly do: 'wait'; readonly message: string; readonly recheckAfter: Duration; readonly differs: boolean; readonly percent?: number }
  | { readonly do: 'approve'; readonly plan: PendingPlan; readonly changes: readonly Difference[] }
  | { readonly do: 'report'; readonly reason: 'DriftReported' | 'Observed' | 'ReadOnly'; readonly changes: readonly Difference[] }
  | {
      readonly do: 'refuse';
      readonly reason: 'ImmutableField' | 'RemoteFailed' | 'Contested' | 'Rejected' | 'InvalidSpec';
      readonly message: string;
      readonly changes: readonly Difference[];
    }
  | { readonly do: 'nothing' };

export const collectionOf = (kind: AnyKind, want: AnyWant): string => (typeof kind.path === 'string' ? kind.path : kind.path(want));
export const itemOf = (kind: AnyKind, remote: Row, collection: string): string =>
  kind.item?.(remote, collection) ??
  (kind.mode === 'collection' ? `${collection}/${encodeURIComponent(String(remote['id']))}` : collection);

/** Decides the next step for an object that is wanted. Pure; a step repeated is a valid step. */
export function plan(kind: AnyKind, want: AnyWant, seen: Pick<Seen, 'remote'> | undefined, context: PlanContext): Step {
  if (seen === undefined) {
    const unknown = unlisted(kind, want, Object.keys(kind.fields), context.catalogue);
    if (unknown !== undefined) return { do: 'refuse', reason: 'InvalidSpec', message: unknown, changes: [] };
    return { do: 'create', call: post(kind.createPath?.(want) ?? collectionOf(kind, want), kind.create(want), kind.createRate) };
  }
  const { remote } = seen;
  const health = kind.health(remote, want);
  const changes = differences(kind, want, remote, context.applied).filter(({ field }) => !context.policy.ignoreFields.includes(field));
  const held = heldBack(health, changes, context);
  if (held !== undefined) return held;
  const [part] = context.pending ? unreadParts(kind, want, remote) : [];
  if (part !== undefined) return { do: 'read', part };
  return repair({ kind, want, remote, context }, changes);
}

/** What forbids any change now: the remote's own state, or a mode that only looks. */
function heldBack(health: Health, changes: readonly Difference[], { policy, jobs }: PlanContext): Step | undefined {
  if (health.state === 'Failed') return { do: 'refuse', reason: 'RemoteFailed', message: health.message, changes };
  if (policy.management === 'Observe') return { do: 'report', reason: 'Observed', changes };
  if (policy.management === 'ReadOnly' && changes.length > 0) return { do: 'report', reason: 'ReadOnly', changes };
  if (health.state === 'Ready') return undefined;
  return { do: 'wait', message: health.message, recheckAfter: health.recheckAfter, differs: changes.length > 0, ...progressOf(jobs) };
}

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

function repair(about: Case, changes: readonly Difference[]): Step {
  const { policy } = about.context;
  const open = changes.filter((change) => !leftAlone(change, about.context));
  if (open.length === 0)
    return changes.length > 0 && policy.drift === 'Report' ? { do: 'report', reason: 'DriftReported', changes } : { do: 'nothing' };

  const contested = open.find(({ field }) => about.context.contested.includes(field));
  if (contested) return { do: 'refuse', reason: 'Contested', changes, message: contestedText(contested) };
  const frozen = open.filter(isFrozen);
  const [first] = frozen;
  if (first !== undefined && (!policy.replace || policy.protect))
    return { do: 'refuse', reason: 'ImmutableField', changes, message: frozenText(first, policy) };

  const unknown = unlisted(about.kind, about.want, namesOf(open), about.context.catalogue);
  if (unknown !== undefined) return { do: 'refuse', reason: 'InvalidSpec', message: unknown, changes };

  const pending = pendingPlan(open, about.context);
  const allowed = open.filter((change) => policy.approve.includes(effectOf(change)) || isApproved(change, pending, about.context));
  return allowed.length > 0 ? act(about, allowed) : { do: 'approve', plan: pending, changes };
}

const namesOf = (changes: readonly Difference[]): readonly string[] => changes.map(({ field }) => field);

const isApproved = (change: Difference, pending: PendingPlan, { approval, asked }: PlanContext): boolean =>
  approval === pending.hash || (approval !== undefined && approval === asked?.hash && asked.changes.includes(changeText(change)));

/** Out-of-band differences follow `lifecycle.drift`; an edit of another field does not correct what was only reported. */
function leftAlone({ field, want }: Difference, { policy, pending, drift }: PlanContext): boolean {
  if (policy.drift === 'Correct') return false;
  return !pending || drift.some((known) => known.field === field && canonical(known.was) === canonical(shown(want)));
}

const isFrozen = ({ rule, want, have }: Difference): boolean =>
  rule.immutable === true || (rule.only === 'grows' && typeof want === 'number' && typeof have === 'number' && want < have);
export const effectOf = (change: Difference): Effect => {
  const { rule, want } = change;
  if (isFrozen(change)) return 'Replace';
  return (want === undefined ? undefined : rule.effectOf?.(want)) ?? rule.effect ?? 'InPlace';
};

function act({ kind, want, remote, context }: Case, changes: readonly Difference[]): Step {
  if (changes.some(isFrozen)) return { do: 'replace', changes };
  const puts = changes.filter(({ rule }) => rule.put !== undefined);
  if (puts.length > 0) {
    const body = Object.assign({}, ...puts.map((change) => change.rule.put?.(change.want, want, remote))) as Body;
    const call = put(itemOf(kind, remote, collectionOf(kind, want)), keepInstallationTags(kind, body, remote) as Body);
    return { do: 'update', call, changes: puts, pending: context.pending };
  }
  const calls = changes.flatMap((change) => {
    const call = change.rule.call?.(change.want, remote, want);
    return call === undefined ? [] : [{ call, change }];
  });
  const [next] = calls;
  const job = next && openJob(context);
  if (job !== undefined)
    return { do: 'wait', message: waitsFor(changes, job), recheckAfter: seconds(5), differs: true, ...progressOf([job]) };
  if (next !== undefined) return { do: 'update', call: next.call, changes: [next.change], pending: context.pending };
  return {
    do: 'wait',
    message: `${names(changes)} cannot be changed at this moment; waiting for the remote`,
    recheckAfter: seconds(5),
    differs: true,
  };
}

/** What a job is about to bring about must not be asked for again. One that is an hour old has most likely lost its end. */
const openJob = ({ jobs, now }: PlanContext): Job | undefined =>
  jobs.find(
    ({ status, created }) =>
      (status === 'scheduled' || status === 'started') && now - Date.parse(created.replace(/Z?$/, 'Z')) < minutes(60),
  );

const waitsFor = (changes: readonly Difference[], { action }: Job): string =>
  `${names(changes)} waits for the running job ${action} of the remote`;

const names = (changes: readonly Difference[]): string => changes.map(({ field }) => `spec.${field}`).join(', ');

/** `spec.size: 10 -> 20`, as plans, Events and conditions show a change. */
export const changeText = ({ field, want, have }: Difference): string =>
  `spec.${field}: the account has ${shownText(have)}, wanted ${shownText(want)}`;

/**
 * The hash is of what was seen too, and of when it was asked: an approval holds neither for the same wish against another
 * state, nor for the same question asked again after it was answered.
 */
export function pendingPlan(changes: readonly Difference[], { asked, now }: Pick<PlanContext, 'asked' | 'now'>): PendingPlan {
  const texts = changes.map(changeText);
  if (asked !== undefined && canonical(asked.changes) === canonical(texts)) return { ...asked, effect: greatest(changes.map(effectOf)) };
  const hash = createHash('sha256')
    .update(canonical([now, ...changes.map(({ field, want, have }) => [field, shown(want), shown(have)])]))
    .digest('hex')
    .slice(0, 10);
  return { hash, effect: greatest(changes.map(effectOf)), changes: texts };
}

const contestedText = (change: Difference): string =>
  `somebody else keeps rewriting this field: ${changeText(change)}. Stop the other writer, or put "${change.field}" into spec.lifecycle.ignoreFields`;

function frozenText(change: Difference, { protect }: Policy): string {
  const { field, want, have, rule } = change;
  const why = rule.immutable === true ? 'it is fixed when the thing is created' : 'it can only grow';
  const way = protect ? 'spec.lifecycle.protect: false and replace: Allow' : 'spec.lifecycle.replace: Allow';
  return `spec.${field} cannot become ${shownText(want)}, because ${why} and the account has ${shownText(have)}. Set it back, or set ${way} and approve Replace to have it deleted and made anew`;
}

/** Decides the next step for an object that is being deleted and whose remote is to go with it. */
export function planDelete(kind: AnyKind, item: string, remote: Row): Step {
  const wait = kind.deleteWaits?.(remote);
  if (typeof wait === 'string') return { do: 'wait', message: wait, recheckAfter: seconds(10), differs: false };
  if (wait !== undefined) return { do: 'refuse', reason: 'Rejected', message: wait.personMust, changes: [] };
  const release = kind.release?.(remote);
  return release === undefined ? { do: 'delete', call: del(item) } : { do: 'release', call: release };
}
