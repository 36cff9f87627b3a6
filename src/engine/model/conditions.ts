import type { Resource } from '../ports/index.ts';
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
