import type { Millis } from '../../lib/clock.ts';
import type { Resource } from '../ports/index.ts';
import { hasStatusOfAnother } from './annotations.ts';
import type { Reason } from './outcome.ts';

const ready = (object: Resource): Condition | undefined =>
  (object.status?.['conditions'] as readonly Condition[] | undefined)?.find(({ type }) => type === 'Ready');
const readyGeneration = (object: Resource): number => ready(object)?.observedGeneration ?? -1;

/** As was last told of it. */
export const isReady = (object: Resource): boolean => ready(object)?.status === 'True';

export const reasonOf = ({ status }: Resource, of: Condition['type']): Reason | undefined =>
  (status?.['conditions'] as readonly Condition[] | undefined)?.find(({ type }) => type === of)?.reason;

/** A change of the operator's own was under way when it was last told of. */
export const isUpdating = (object: Resource): boolean => reasonOf(object, 'Synced') === 'Updating';

/** What its spec asks for was refused, and it is looked at again within the hour. */
export const isRefused = (object: Resource): boolean => reasonOf(object, 'Stalled') === 'Rejected';

/** It waits for a person. */
export const isStalled = ({ status }: Resource): boolean =>
  ((status?.['conditions'] ?? []) as readonly Condition[]).some(({ type, status: is }) => type === 'Stalled' && is === 'True');

/** This very spec was found to be wrong, as was last told of it. */
export const isFoundWrong = ({ status, metadata }: Resource): boolean =>
  ((status?.['conditions'] ?? []) as readonly Condition[]).some(
    ({ type, reason, observedGeneration }) => type === 'Stalled' && reason === 'InvalidSpec' && observedGeneration === metadata.generation,
  );

/** The generation was not yet synced, so differences are the user's edit and not drift. */
export const isPending = (object: Resource): boolean => readyGeneration(object) !== object.metadata.generation;

/** No generation was ever synced: what is under way is the creation. */
export const isNew = (object: Resource): boolean => readyGeneration(object) === -1;

export interface Condition {
  readonly type: 'Ready' | 'Synced' | 'Reconciling' | 'Stalled';
  readonly status: 'True' | 'False' | 'Unknown';
  readonly reason: Reason;
  readonly message: string;
  readonly observedGeneration: number;
  readonly lastTransitionTime: string;
}

/** It was as its spec asks for once, so that what it lacks is no longer only late. */
export const wasInStep = (object: Resource): boolean => object.status?.['lastSyncTime'] !== undefined && !hasStatusOfAnother(object);

/** That was so, and is not any more for so long. */
export function isOutOfStepFor(object: Resource, now: Millis, time: Millis): boolean {
  const synced = ((object.status?.['conditions'] ?? []) as readonly Condition[]).find(({ type }) => type === 'Synced');
  return wasInStep(object) && synced?.status === 'False' && now - Date.parse(synced.lastTransitionTime) >= time;
}
