import type { Resource } from '../ports/index.ts';

export const group = 'cloudhosting.dev';
export const finalizer = `${group}/remote`;

/** Written by the operator. */
export const remoteAnnotation = `${group}/remote`;
export const intentAnnotation = `${group}/intent`;
export const twinsAnnotation = `${group}/twins`;
export const replacingAnnotation = `${group}/replacing`;
export const labelAnnotation = `${group}/label`;
export const spentAnnotation = `${group}/spent`;

/** Written by people. */
export const pauseAnnotation = `${group}/pause`;
export const resumeAnnotation = `${group}/resume`;
export const reconcileAtAnnotation = `${group}/reconcile-at`;
export const approveAnnotation = `${group}/approve`;
export const approveChangeAnnotation = `${group}/approve-change`;
export const recreateAnnotation = `${group}/recreate`;
export const releaseAnnotation = `${group}/release`;
export const abandonAnnotation = `${group}/abandon`;

export const ownerUidLabel = `${group}/owner-uid`;

/** Names the owner by installation, kind, namespace and name: after a restore its uid is another, and this is not. */
export const ownerKeyLabel = `${group}/owner-key`;

/** On what outputs were taken out of: empty, and free for the next object that wants it. */
export const releasedLabel = `${group}/released`;

export const annotation = (object: Resource, name: string): string | undefined => object.metadata.annotations?.[name];
export const hasFinalizer = (object: Resource): boolean => object.metadata.finalizers?.includes(finalizer) === true;
export const isDeleting = (object: Resource): boolean => object.metadata.deletionTimestamp !== undefined;

/** What a person may run to set an annotation; under Flux with a name that it does not take for somebody's mistake. */
export function annotateCommand({ kind, metadata }: Resource, name: string, value: string): string {
  const manager = metadata.labels?.['kustomize.toolkit.fluxcd.io/name'] === undefined ? '' : ' --field-manager=flux-client-side-apply';
  return `kubectl -n ${metadata.namespace} annotate ${kind.toLowerCase()} ${metadata.name} --overwrite${manager} ${name}=${value}`;
}
