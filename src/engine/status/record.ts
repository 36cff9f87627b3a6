import { isDeepStrictEqual } from 'node:util';
import type { Millis } from '../../lib/clock.ts';
import { type Health, type Row, seconds } from '../../resource/index.ts';
import { isDeleting } from '../run/annotations.ts';
import { type Condition, conditionsOf } from './conditions.ts';
import { Details, isDetail } from './details.ts';
import type { Outcome } from '../outcome.ts';
import { KubeError, type Resource } from '../ports.ts';
import { objectId } from '../resolve/links.ts';
import { statusOps, statusPatch } from './status-patch.ts';
import { type Engine, keyOf, type Notes } from '../run/turn.ts';

/** When an object is looked at again, beyond what wakes it by itself. */
export type Requeue =
  | { readonly is: 'none' }
  | { readonly is: 'after'; readonly delay: Millis }
  | { readonly is: 'backoff'; readonly atLeast: Millis; readonly atMost?: Millis };

const stalledRecheck = { from: 30 * 60_000, to: 60 * 60_000 };

export function requeueOf(outcome: Outcome, engine: Pick<Engine, 'random'>): Requeue {
  switch (outcome.is) {
    case 'Again':
      return { is: 'after', delay: 0 };
    case 'Retrying':
      return { is: 'backoff', atLeast: outcome.retryAfter ?? 0 };
    case 'Stalled':
      return { is: 'after', delay: stalledRecheck.from + engine.random() * (stalledRecheck.to - stalledRecheck.from) };
    case 'Waiting':
      // The job that is in the way may take long; its event tells when it ends, so asking again may get rarer.
      return outcome.reason === 'Busy' ? { is: 'backoff', atLeast: outcome.recheckAfter } : { is: 'after', delay: outcome.recheckAfter };
    case 'Unsettled':
    case 'Working':
    case 'Quiet':
      return { is: 'after', delay: outcome.recheckAfter };
    default:
      return { is: 'none' };
  }
}

export interface Result {
  readonly object: Resource;
  readonly outcome: Outcome;
  readonly notes: Notes;
  readonly health: Health | undefined;
}

const idOf = (object: Resource): string => objectId(object.kind, keyOf(object));
const before = (object: Resource): readonly Condition[] => (object.status?.['conditions'] as readonly Condition[] | undefined) ?? [];

/** The whole status after this turn; equal to what is there while nothing changes. */
export function statusOf(result: Result, now: Millis): Row {
  const { object, outcome, notes, health } = result;
  const old = object.status ?? {};
  const time = new Date(now).toISOString().replace(/\.\d+Z$/, 'Z');
  const conditions = conditionsOf({
    outcome,
    before: before(object),
    health,
    generation: object.metadata.generation,
    deleting: isDeleting(object),
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
  const next = compact({ ...old, ...rows, ...driftOf(outcome), ...notes });
  const differs = (): boolean => !isDeepStrictEqual(without(next, 'lastSyncTime'), without(old, 'lastSyncTime'));
  return outcome.is === 'Synced' && differs() ? { ...next, lastSyncTime: time } : next;
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
/** An approved plan stays until all of it was made: its later steps are made under the same approval. */
function planOf(outcome: Outcome, old: Row): unknown {
  if (outcome.is === 'Approval') return outcome.plan;
  return ['Working', 'Waiting', 'Retrying', 'Unsettled'].includes(outcome.is) ? old['plan'] : undefined;
}
function progressOf(outcome: Outcome, old: Row): Row {
  const moving = outcome.is === 'Working' || outcome.is === 'Unsettled';
  if (!moving) return { progress: undefined };
  return { progress: outcome.percent === undefined ? old['progress'] : { percent: outcome.percent, message: outcome.message } };
}

/** Writes status when it differs, tells of a new reason in an Event. Details wait for company. */
export class StatusWriter {
  readonly #engine: Engine;
  readonly #details = new Details();
  constructor(engine: Engine) {
    this.#engine = engine;
  }
  async write(result: Result, signal: AbortSignal): Promise<void> {
    const { object, outcome } = result;
    if (outcome.is === 'Deleted' || this.#engine.crds.mismatched.has(object.kind)) return;
    const old = object.status ?? {};
    const next = statusOf(result, this.#engine.clock.now());
    const patch = statusPatch(old, next);
    if (patch === undefined) return this.#details.settled(idOf(object));
    if (this.#isHeld(result, patch)) return;
    const ops = statusOps(object, patch);
    const written = await this.#engine.objects.patch(object.kind, keyOf(object), { type: 'json', ops, subresource: 'status' }, signal);
    this.#details.written(idOf(object), this.#engine.clock.monotonic(), outcome.is === 'Working' || outcome.is === 'Unsettled');
    if (lacksOld(written, next, patch)) this.#engine.wake(object.kind, keyOf(object), { after: seconds(1) });
    this.#tell(object, next);
  }
  /** `id`: as in the queue; the object is not there any more. */
  forget(id: string): void {
    this.#details.forget(id);
  }
  /** The turn that is due then writes it, unless another one has by then. */
  #isHeld(result: Result, patch: Row): boolean {
    const { object } = result;
    if (!isDetail(result, patch, this.#engine.registry)) return false;
    const wait = this.#details.wait(idOf(object), this.#engine.clock.monotonic());
    if (wait > 0) this.#engine.wake(object.kind, keyOf(object), { after: wait });
    return wait > 0;
  }
  #tell(object: Resource, next: Row): void {
    const now = (next['conditions'] as readonly Condition[] | undefined) ?? [];
    const synced = now.find(({ type }) => type === 'Synced');
    const known = before(object).find(({ type }) => type === 'Synced');
    if (synced === undefined || (known?.reason === synced.reason && known.status === synced.status)) return;
    const warning =
      now.some(({ type, status }) => type === 'Stalled' && status === 'True') ||
      ['Unreachable', 'Unauthorized', 'UnknownOutcome', 'Drifted', 'DeletionHeld'].includes(synced.reason);
    this.#engine.recorder.event(object, {
      type: warning ? 'Warning' : 'Normal',
      reason: synced.reason,
      message: synced.message === '' ? 'as wanted' : synced.message,
    });
  }
}

/** Somebody took away what stood there before, between the look and the write: the next turn puts it back. */
const lacksOld = ({ status }: Resource, next: Row, patch: Row): boolean =>
  Object.keys(next).some((field) => !(field in patch) && status?.[field] === undefined);

/** A status that could not be written is tried again by the next turn; a gone object needs none. */
export const isHarmless = (error: unknown): boolean =>
  error instanceof KubeError && (error.fault === 'NotFound' || error.fault === 'Conflict');
