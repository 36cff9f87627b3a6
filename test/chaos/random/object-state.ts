import { recreateAnnotation } from '../../../src/engine/model/annotations.ts';
import type { Remedy } from '../../support/world/remedy.ts';
import type { KubeObject } from '../../support/world/world.ts';

export const isLeaving = (object: KubeObject | undefined): boolean => object?.metadata.deletionTimestamp !== undefined;
export const isStalled = (object: KubeObject | undefined): boolean =>
  object?.status?.conditions?.some(({ type, status: is }) => type === 'Stalled' && is === 'True') === true;
/** A cluster whose pools are objects of their own. */
export const isHeldByMembers = (object: KubeObject | undefined): boolean =>
  isLeaving(object) &&
  object?.status?.conditions?.some(({ message }) => message.includes('that are not of this object and would go with it')) === true;

/** Data that is lost is made anew, empty, only where a person says so. */
export function anewOf({ status }: KubeObject, at: string): Remedy | undefined {
  const isLost = status?.conditions?.some(
    ({ type, status: is, reason }) => type === 'Stalled' && is === 'True' && reason === 'RemoteMissing',
  );
  return isLost === true ? { patch: { metadata: { annotations: { [recreateAnnotation]: at } } } } : undefined;
}
