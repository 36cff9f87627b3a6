import { isDeepStrictEqual } from 'node:util';
import type { Millis } from '../../lib/clock.ts';
import type { Health, Row } from '../../resource/index.ts';
import { hasStatusOfAnother, isDeleting } from '../model/annotations.ts';
import { type Condition, noGeneration } from '../model/conditions.ts';
import type { StatusDraft, Outcome, PendingPlan, Reason } from '../model/outcome.ts';
import type { Resource } from '../ports/index.ts';
import { conditionsOf } from './condition-table.ts';

export interface Result {
  readonly object: Resource;
  readonly outcome: Outcome;
  readonly status: StatusDraft;
  readonly health: Health | undefined;
}
export const before = (object: Resource): readonly Condition[] => (object.status?.['conditions'] as readonly Condition[] | undefined) ?? [];

/** The whole status after this reconcile; equal to what is there while nothing changes. `remote`: objects of this kind have one each. */
export function statusOf(result: Result, now: Millis, remote: boolean): Row {
  const { object, outcome, status, health } = result;
  const old = lastOf(object);
  const time = new Date(now).toISOString().replace(/\.\d+Z$/, 'Z');
  const conditions = conditionsOf({
    outcome,
    before: lastSeen(object),
    health,
    generation: object.metadata.generation,
    deleting: isDeleting(object),
    unbound: hasStatusOfAnother(object) || (remote && isUnbound(object, status)),
    now: time,
  });
  const rows =
    conditions === undefined
      ? {}
      : {
          observedGeneration: object.metadata.generation,
          conditions,
          ...waitingOf(outcome),
          ...progressOf(outcome, old),
          plan: planOf(outcome, old),
        };
  const next = compact({ ...old, ...rows, ...driftOf(outcome), ...(conditions === undefined ? unjudged(object, status) : status) });
  const differs = (): boolean => !isDeepStrictEqual(without(next, 'lastSyncTime'), without(old, 'lastSyncTime'));
  return outcome.is === 'Synced' && differs() ? { ...next, lastSyncTime: time } : next;
}

/** While its conditions are those of another object the whole status is: its uid comes with the next verdict. */
function unjudged(object: Resource, { objectUid, ...status }: StatusDraft): StatusDraft {
  return objectUid === undefined || hasStatusOfAnother(object) ? status : { ...status, objectUid };
}

/** When another object was last as its spec says tells nothing of this one. */
const lastOf = (object: Resource): Row =>
  hasStatusOfAnother(object) ? without(object.status ?? {}, 'lastSyncTime') : (object.status ?? {});

/** How far another object was is no news of this one: it was never as its spec says. */
const lastSeen = (object: Resource): readonly Condition[] =>
  hasStatusOfAnother(object) ? before(object).map((one) => ({ ...one, observedGeneration: noGeneration })) : before(object);

/** No remote is noted, or only that of an earlier object, which a backup put back. */
function isUnbound({ metadata, status: old = {} }: Resource, status: StatusDraft): boolean {
  const { path, objectUid = metadata.uid } = 'path' in status ? status : old;
  return path === undefined || objectUid !== metadata.uid;
}

/** Without undefined and null: the API server keeps neither in a status, and what is not kept would be written for ever. */
function compact(row: Row): Row {
  const kept = Object.entries(row).filter(([, value]) => value !== undefined && value !== null);
  return Object.fromEntries(kept.map(([field, value]) => [field, bare(value)]));
}
const bare = (value: unknown): unknown =>
  Array.isArray(value) ? value.map(bare) : typeof value === 'object' && value !== null ? compact(value as Row) : value;
const without = (row: Row, field: string): Row => Object.fromEntries(Object.entries(row).filter(([name]) => name !== field));

/** What must happen first: in `waitingFor` what others must bring about, in `blockedBy` what runs on the remote itself. */
function waitingOf(outcome: Outcome): Row {
  const on = outcome.is === 'Waiting' && outcome.on.length > 0 ? [...outcome.on] : undefined;
  const busy = outcome.is === 'Waiting' && outcome.reason === 'Busy';
  return { waitingFor: busy ? undefined : on, blockedBy: busy ? on : undefined };
}
const driftOf = (outcome: Outcome): Row => (outcome.is === 'Synced' || outcome.is === 'Unsettled' ? { drift: undefined } : {});

const underWay: readonly Outcome['is'][] = ['Working', 'Waiting', 'Retrying', 'Unsettled', 'Paused'];
/** The spec came to be about something else, or forbids it. */
const withdrawn: readonly Reason[] = ['ImmutableField', 'InvalidSpec', 'Contested'];

/** An approved plan stays until all of it was made, or until it is no longer wanted: whatever stands in the way meanwhile, it is not asked for again. */
function planOf(outcome: Outcome, old: Row): unknown {
  if (outcome.is === 'Approval') return outcome.plan;
  if (underWay.includes(outcome.is)) return old['plan'];
  const stands = (outcome.is === 'Stalled' && !withdrawn.includes(outcome.reason)) || (outcome.is === 'Reported' && outcome.differs);
  const { approved } = (old['plan'] ?? {}) as Partial<PendingPlan>;
  return stands && approved !== undefined ? old['plan'] : undefined;
}
function progressOf(outcome: Outcome, old: Row): Row {
  const moving = outcome.is === 'Working' || outcome.is === 'Unsettled';
  if (!moving) return { progress: undefined };
  return { progress: outcome.percent === undefined ? old['progress'] : { percent: outcome.percent, message: outcome.message } };
}
