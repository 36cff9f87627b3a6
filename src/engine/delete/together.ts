import { seconds } from '../../resource/index.ts';
import type { ReconcileContext } from '../context.ts';
import { isDeleting } from '../model/annotations.ts';
import { conditionOf } from '../model/conditions.ts';
import type { Resource } from '../ports/index.ts';

/** What is deleted together is seen to be deleted by then, whichever comes first. */
const together = seconds(3);
export const restOfTogether = ({ engine, object }: ReconcileContext): number =>
  Date.parse(object.metadata.deletionTimestamp ?? '') + together - engine.clock.now();

export const isBeside = ({ metadata }: Resource, other: Resource): boolean =>
  other.metadata.namespace === metadata.namespace && other.metadata.uid !== metadata.uid && !isDeleting(other);

/** It was looked at as it is now. */
export const isSeen = (other: Resource): boolean => conditionOf(other, 'Synced')?.observedGeneration === other.metadata.generation;

/** And nothing but this object stands in its way. */
export const waitsForThisOnly = (to: Resource): boolean => isSeen(to) && conditionOf(to, 'Synced')?.reason === 'AlreadyClaimed';
