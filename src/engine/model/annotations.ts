import { oneLine } from '../../lib/one-line.ts';
import {
  approveReasonAnnotation,
  finalizer,
  group,
  intentAnnotation,
  reconcileAtAnnotation,
  remoteAnnotation,
  spentAnnotation,
} from '../ports/annotations.ts';
import type { Resource } from '../ports/index.ts';

export * from '../ports/annotations.ts';

export const ownerUidLabel = `${group}/owner-uid`;

/** Names the owner by installation, kind, namespace and name: after a restore its uid is another, and this is not. */
export const ownerKeyLabel = `${group}/owner-key`;

/** On what outputs were taken out of: empty, and free for the next object that wants it. */
export const releasedLabel = `${group}/released`;

/** On the Secret that holds what is told once: a digest that names the remote that it was told of. */
export const toldOfLabel = `${group}/told-of`;
/** On a Secret: a digest that names the remote of which nobody knows what was told. */
export const lostLabel = `${group}/lost`;

export const annotation = (object: Resource, name: string): string | undefined => object.metadata.annotations?.[name];
export const hasFinalizer = (object: Resource): boolean => object.metadata.finalizers?.includes(finalizer) === true;
export const isDeleting = (object: Resource): boolean => object.metadata.deletionTimestamp !== undefined;

/** What a person may run to set an annotation; under Flux with a name that it does not take for somebody's mistake. */
export function annotateCommand({ kind, metadata }: Resource, name: string, value: string): string {
  const manager = metadata.labels?.['kustomize.toolkit.fluxcd.io/name'] === undefined ? '' : ' --field-manager=flux-client-side-apply';
  return `kubectl -n ${metadata.namespace} annotate ${kind.toLowerCase()} ${metadata.name} --overwrite${manager} ${name}=${value}`;
}

/** What people read in an Event, and not an essay. */
export const longestReason = 200;

/** Bound to the value of the approval that it is given for, because the annotation may stay when that is over. */
export const approvalReason = (approval: string, text: string): string => `${approval} ${text}`;

/** Why somebody says that this value approves; undefined: for another approval, or for none. */
export function reasonFor(object: Resource, approval: string): string | undefined {
  const [first = '', ...rest] = (annotation(object, approveReasonAnnotation) ?? '').trim().split(/\s+/);
  const text = oneLine(rest.join(' '));
  return first !== approval || text === '' ? undefined : text.slice(0, longestReason);
}

/** Value of `reconcile-at`, as `status.lastHandledReconcileAt` repeats it; undefined: nothing was asked, or not by a time. */
export const lookAskedBy = (object: Resource): string | undefined => {
  const value = annotation(object, reconcileAtAnnotation);
  return value === undefined || value === '' || value.length > 100 ? undefined : value;
};

/** A status that a backup put back, or somebody copied, speaks of another object; one of a release that did not note the uid counts. */
export const hasStatusOfAnother = ({ metadata: { uid }, status }: Resource): boolean => (status?.['objectUid'] ?? uid) !== uid;
export const hasOwnPath = (object: Resource): boolean => object.status?.['path'] !== undefined && !hasStatusOfAnother(object);

/** The operator has looked at it, or at the one whose status it has. */
export const isSeen = ({ status }: Resource): boolean => status?.['conditions'] !== undefined;
/** An approval by content that comes with it counts as spent. */
export const spendsApproval = (object: Resource): boolean => !isSeen(object) || hasStatusOfAnother(object);

/** Approvals by content of which status or annotation note that they were used. */
export const spentNoted = (object: Resource): readonly string[] => [
  ...((object.status?.['approvals'] ?? []) as readonly string[]),
  ...(annotation(object, spentAnnotation)?.split(' ') ?? []),
];

/** How many remotes this object has had and let go of; those of another one do not count. */
export const remotesBefore = (object: Resource): number => (hasStatusOfAnother(object) ? 0 : Number(object.status?.['remotesBefore'] ?? 0));

/** Nothing on it tells of a remote, or of an attempt to make one. */
export const isBare = (object: Resource): boolean =>
  [remoteAnnotation, intentAnnotation].every((name) => annotation(object, name) === undefined) &&
  ['path', 'intent'].every((field) => object.status?.[field] === undefined);
