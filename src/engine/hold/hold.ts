import { createHash } from 'node:crypto';
import { base32 } from '../../lib/base32.ts';
import { type Account, accountKey } from '../account/accounts.ts';
import { releaseAnnotation } from '../run/annotations.ts';
import type { Resource } from '../ports.ts';

/** Work that waits for a person, as the account's status shows it. */
export interface Hold {
  /** Set for a held mass deletion. */
  readonly namespace?: string;
  /** Set for things of one kind that vanished. */
  readonly kind?: string;
  readonly count: number;
  /** What annotation `release` on the CloudAccount must echo; valid for exactly what is held now. */
  readonly release: string;
  readonly message: string;
}

export const belongsTo = ({ key }: Pick<Account, 'key'>, object: Resource): boolean => {
  const { namespace, name } = accountKey(object);
  return namespace === key.namespace && name === key.name;
};

/** What an object that is held waits for, in its status. */
export const heldBy = ({ key }: Pick<Account, 'key'>): string =>
  `annotation ${releaseAnnotation} on CloudAccount ${key.namespace}/${key.name}`;

/** Names a set of objects, so that a release is valid for these and no others. */
export const releaseValue = (objects: readonly Resource[]): string => nameOf(objects.map(({ metadata }) => metadata.uid).toSorted());

export const nameOf = (parts: readonly string[]): string => base32(createHash('sha256').update(parts.join()).digest()).slice(0, 8);

export const releaseCommand = ({ key }: Pick<Account, 'key'>, value: string): string =>
  `kubectl -n ${key.namespace} annotate cloudaccount ${key.name} --overwrite ${releaseAnnotation}=${value}`;
