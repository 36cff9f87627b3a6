import type { Millis } from '../../lib/clock.ts';
import type { Resource } from '../ports/index.ts';
import { hasStatusOfAnother } from './annotations.ts';
import type { Reason } from './outcome.ts';

/**
 * In place of a generation where none was ever synced. It is written, because `kubectl wait` takes that of the status where a
 * condition names none, and would pass what is Ready as last seen; and it is not negative, which `metav1.Condition` forbids.
 */
export const noGeneration = 0;

/** Earlier releases wrote -1 in its place. */
export const syncedGeneration = (conditions: readonly Condition[]): number =>
  Math.max(conditions.find(({ type }) => type === 'Ready')?.observedGeneration ?? noGeneration, noGeneration);

const conditions = ({ status }: Resource): readonly Condition[] => (status?.['conditions'] ?? []) as readonly Condition[];
const ready = (object: Resource): Condition | undefined => conditions(object).find(({ type }) => type === 'Ready');

/** As was last told of it. */
export const isReady = (object: Resource): boolean => ready(object)?.status === 'True';

export const conditionOf = (object: Resource, of: Condition['type']): Condition | undefined =>
  conditions(object).find(({ type }) => type === of);
export const reasonOf = (object: Resource, of: Condition['type']): Reason | undefined => conditionOf(object, of)?.reason;

/** At rest and out of action, as was last told of it. */
export const isOff = (object: Resource): boolean => reasonOf(object, 'Ready') === 'PoweredOff';

/** A change of the operator's own was under way when it was last told of. */
export const isUpdating = (object: Resource): boolean => reasonOf(object, 'Synced') === 'Updating';

/** What its spec asks for was refused, and it is looked at again within the hour. */
export const isRefused = (object: Resource): boolean => reasonOf(object, 'Stalled') === 'Rejected';

/** It waits for a person. */
export const isStalled = (object: Resource): boolean =>
  conditions(object).some(({ type, status: is }) => type === 'Stalled' && is === 'True');

/** This very spec was found to be wrong, as was last told of it. */
export const isFoundWrong = (object: Resource): boolean =>
  conditions(object).some(
    ({ type, reason, observedGeneration }) =>
      type === 'Stalled' && reason === 'InvalidSpec' && observedGeneration === object.metadata.generation,
  );

/** The generation was not yet synced, so differences are the user's edit and not drift. */
export const isPending = (object: Resource): boolean => syncedGeneration(conditions(object)) !== object.metadata.generation;

/** No generation was ever synced: what is under way is the creation. */
export const isNew = (object: Resource): boolean => syncedGeneration(conditions(object)) === noGeneration;

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
  const synced = conditions(object).find(({ type }) => type === 'Synced');
  return wasInStep(object) && synced?.status === 'False' && now - Date.parse(synced.lastTransitionTime) >= time;
}

/** Words of messages by which `kubectl cloud` knows what it tells. Of what went with what it was in. */
export const wentWithIt = 'went with what it was in';
export const isGoneFrom = 'is gone from the account';
/** Nobody need ask for another one, but where a person is asked about many losses at once. */
export const madeThen = ', and another one is made then; if much is lost at once, a person is asked first';
export const nothingLeft = 'the account has nothing of it any more';
/** Of what is above a remote: only its stop lets go on what waits. */
export const runsAndUses = 'runs and may use';
