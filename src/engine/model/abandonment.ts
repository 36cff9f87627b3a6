import { createHash } from 'node:crypto';
import { base32 } from '../../lib/base32.ts';
import type { Resource } from '../ports/index.ts';
import { abandonAnnotation, annotation, isDeleting } from './annotations.ts';
import type { Identity } from './identity.ts';
import type { Outcome } from './outcome.ts';

/** Bound to the object's uid, so that no text in Git or in a backup can let go of what another object made. */
export const abandonmentValue = ({ metadata }: Resource, path: string): string =>
  base32(createHash('sha256').update(['abandon', metadata.uid, path].join('\0')).digest()).slice(0, 8);

/** A person let go of a remote that cannot be reached for deletion. Counts only where nothing else can be done. */
export const isAbandoned = (object: Resource, path: string): boolean =>
  isDeleting(object) && annotation(object, abandonAnnotation) === abandonmentValue(object, path);

/** What to do about a remote that cannot be reached with this token, beside giving it access. */
export function howToAbandon(object: Resource, path: string): string {
  if (!isDeleting(object)) return 'or delete this object; its status then says how to let go of it';
  const { namespace, name } = object.metadata;
  return `or leave it as it is, with what it costs, and let this object go: kubectl -n ${namespace} annotate ${object.kind.toLowerCase()} ${name} ${abandonAnnotation}=${abandonmentValue(object, path)}`;
}

/** A remote that another token made cannot be deleted with this one, and must not be forgotten for that. */
export const elsewhere = (object: Resource, identity: Identity, account: string): Outcome => ({
  is: 'Stalled',
  reason: 'AccountMismatch',
  message: `${identity.path} is in account ${identity.account}, and the token leads to ${account}. Put a token of the right account into the CloudAccount's Secret to have it deleted, ${howToAbandon(object, identity.path)}`,
});

export const isHidden = (outcome: Outcome): boolean => outcome.is === 'Stalled' && outcome.reason === 'RemoteNotVisible';
