import { createHash } from 'node:crypto';
import { base32 } from '../../lib/base32.ts';
import type { Millis } from '../../lib/clock.ts';
import { type Account, accountKey } from '../account/accounts.ts';
import { annotation, releaseAnnotation } from '../run/annotations.ts';
import type { Resource } from '../ports.ts';
import type { Engine } from '../run/turn.ts';

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
/** The same where what it had vanished together with much else: neither must be taken for the other. */
export const lostBy = (account: Pick<Account, 'key'>): string => `${heldBy(account)} to be made anew`;

/** Valid for what of this namespace or kind came to be held until `last`, also for a process that starts in the middle of it. */
export const releaseAt = (of: string, last: Millis): string => {
  const second = Math.floor(last / 1000);
  const name = base32(
    createHash('sha256')
      .update([of, String(second)].join())
      .digest(),
  ).slice(0, 8);
  return `${second.toString(36)}-${name}`;
};

/** Until when this namespace or kind is released by the annotation on the account, ms since the epoch. */
export function releasedUntil(engine: Engine, { key }: Pick<Account, 'key'>, of: string): Millis {
  const there = engine.objects.get(engine.registry.connection.kind, key);
  const value = there === undefined ? undefined : annotation(there, releaseAnnotation);
  const last = Number.parseInt(value?.split('-')[0] ?? '', 36) * 1000;
  return value !== undefined && value === releaseAt(of, last) ? last : -Infinity;
}

export const releaseCommand = ({ key }: Pick<Account, 'key'>, value: string): string =>
  `kubectl -n ${key.namespace} annotate cloudaccount ${key.name} --overwrite ${releaseAnnotation}=${value}`;
