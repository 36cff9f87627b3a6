import type { KubeObject } from '../../support/world/world.ts';

const verdicts: readonly string[] = ['ApprovalRequired', 'Rejected', 'Forbidden', 'InvalidSpec', 'QuotaExceeded', 'AlreadyExists'];

/** The operator has come to a verdict on the newest spec: as wanted, or a person must act. */
export function isSettled(object: KubeObject | undefined): boolean {
  const synced = object?.status?.conditions?.find(({ type }) => type === 'Synced');
  return isReady(object) || (synced?.observedGeneration === object?.metadata.generation && verdicts.includes(synced?.reason ?? ''));
}

/** Ready for its newest generation. */
export function isReady(object: KubeObject | undefined): boolean {
  const ready = object?.status?.conditions?.find(({ type }) => type === 'Ready');
  return ready?.status === 'True' && ready.observedGeneration === object?.metadata.generation;
}

/** Nothing of it is still to be changed. */
export const isSynced = (object: KubeObject | undefined): boolean =>
  object?.status?.conditions?.find(({ type }) => type === 'Synced')?.status === 'True';
