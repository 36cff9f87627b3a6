import type { Resource } from '../../engine/ports/kubernetes.ts';

export const phaseOf = (object: Resource | undefined): string | undefined => object?.status?.['phase'] as string | undefined;

/** An operation that goes on once somebody confirms what is lost by it. */
export const asksToBeConfirmed = (object: Resource): boolean => phaseOf(object) === 'AwaitingConfirmation';

export const consequencesIn = ({ status }: Resource): readonly string[] => (status?.['consequences'] ?? []) as readonly string[];
