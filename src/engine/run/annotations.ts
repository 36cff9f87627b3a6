import type { Resource } from '../ports.ts';

export const group = 'cloudhosting.dev';
export const finalizer = `${group}/remote`;

/** Written by the operator. */
export const remoteAnnotation = `${group}/remote`;
export const intentAnnotation = `${group}/intent`;
export const twinsAnnotation = `${group}/twins`;
/** Written by people. */
export const pauseAnnotation = `${group}/pause`;
export const reconcileAtAnnotation = `${group}/reconcile-at`;
export const approveAnnotation = `${group}/approve`;
export const recreateAnnotation = `${group}/recreate`;
export const releaseAnnotation = `${group}/release`;
export const abandonAnnotation = `${group}/abandon`;

export const ownerUidLabel = `${group}/owner-uid`;
/** Names the owner by installation, kind, namespace and name: after a restore its uid is another, and this is not. */
export const ownerKeyLabel = `${group}/owner-key`;

export const annotation = (object: Resource, name: string): string | undefined => object.metadata.annotations?.[name];
export const hasFinalizer = (object: Resource): boolean => object.metadata.finalizers?.includes(finalizer) === true;
export const isDeleting = (object: Resource): boolean => object.metadata.deletionTimestamp !== undefined;
/** `true`, or any other text but `false`: somebody in a hurry must not fail on the spelling. */
export const isPaused = (object: Resource): boolean => {
  const value = annotation(object, pauseAnnotation);
  return value !== undefined && value !== 'false';
};
