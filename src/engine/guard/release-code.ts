import { createHash } from 'node:crypto';
import { base32 } from '../../lib/base32.ts';
import type { Millis } from '../../lib/clock.ts';
import type { ClusterEngine } from '../context.ts';
import { type ReadAccount, accountKey } from '../model/account.ts';
import { releaseAnnotation } from '../model/annotations.ts';
import type { Resource } from '../ports/index.ts';

/** What was asked for within this long of each other is one act, also for who tells of it. */
export { actWindow } from '../memory/deletion-counter.ts';

/** Work that waits for a person, as the account's status shows it. */
export interface MassHold {
  /** Set for a held mass deletion, and where things of one kind vanished in this namespace alone. */
  readonly namespace?: string;
  /** Set for things of one kind that vanished. */
  readonly kind?: string;
  readonly count: number;
  /** What annotation `release` on the CloudAccount must echo; valid for exactly what is held now. */
  readonly release: string;
  readonly message: string;
  /** Of a mass deletion: what of it went before the rest was held. */
  readonly before?: WentBefore;
}
export interface WentBefore {
  readonly count: number;
  /** `CloudVolume data`, as far as it is remembered; of the account's own namespace alone, as who reads the account may not read every other one. */
  readonly objects?: readonly string[];
}

export const belongsTo = ({ key }: Pick<ReadAccount, 'key'>, object: Resource): boolean => {
  const { namespace, name } = accountKey(object);
  return namespace === key.namespace && name === key.name;
};

/** What an object that is held waits for, in its status, by which it is known as held after a restart or an upgrade: never worded anew. */
export const heldBy = ({ key }: Pick<ReadAccount, 'key'>): string =>
  `annotation ${releaseAnnotation} on CloudAccount ${key.namespace}/${key.name}`;

/** The same where what it had vanished together with much else, of the account or of one namespace: none must be taken for another. */
export const lostBy = (account: Pick<ReadAccount, 'key'>, namespace?: string): string =>
  `${heldBy(account)} to be made anew${namespace === undefined ? '' : ` in namespace ${namespace}`}`;

/** What a release is of: a namespace where deletions are held, a kind where things vanished, both where they did in one namespace alone. */
export const nameOf = ({ namespace, kind }: Pick<MassHold, 'namespace' | 'kind'>): string =>
  [kind, namespace].filter((part) => part !== undefined).join('/');

/** Valid for what of this name ({@link nameOf}) came to be held until `last`, also for a process that starts in the middle of it. */
export const releaseAt = (of: string, last: Millis): string => {
  const second = Math.floor(last / 1000);
  const name = base32(
    createHash('sha256')
      .update([of, String(second)].join())
      .digest(),
  ).slice(0, 8);
  return `${second.toString(36)}-${name}`;
};

/** `status.released` of the CloudAccount: what a person has let go, whatever becomes of the annotation. */
export interface Released {
  /** {@link nameOf} what was held. */
  readonly of: string;
  readonly value: string;
  /** Field manager that wrote the annotation. */
  readonly by?: string;
  readonly at: string;
}
export const releasedIn = (account: Resource | undefined): readonly Released[] =>
  (account?.status?.['released'] ?? []) as readonly Released[];

/** Until when a value releases what is held by this name, ms since the epoch. */
export function lastOf(of: string, value: string): Millis {
  const last = Number.parseInt(value.split('-')[0] ?? '', 36) * 1000;
  return value === releaseAt(of, last) ? last : -Infinity;
}

/** Until when what is held by this name is released. */
export function releasedUntil(engine: ClusterEngine, { key }: Pick<ReadAccount, 'key'>, of: string): Millis {
  const noted = releasedIn(engine.objects.get(engine.registry.connection.kind, key)).filter((one) => one.of === of);
  return Math.max(-Infinity, ...noted.map(({ value }) => lastOf(of, value)));
}

export const releaseCommand = ({ key }: Pick<ReadAccount, 'key'>, value: string): string =>
  `kubectl -n ${key.namespace} annotate cloudaccount ${key.name} --overwrite ${releaseAnnotation}=${value}`;

/** Whoever may not read the account, or comes when it is forgotten there, asks the Events of the namespace. */
export const eventsOf = (namespace: string): string => `kubectl -n ${namespace} get events --field-selector reason=Deleted`;

/** Goes on after how many are held. */
export function beforeText(before: WentBefore | undefined, namespace: string): string {
  if (before === undefined) return '';
  const { count, objects = [] } = before;
  const more = count - objects.length;
  const named = objects.length === 0 ? eventsOf(namespace) : `${objects.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
  return `, and ${count === 1 ? '1 other' : `${count} others`} went before that with what they had, which nothing brings back (${named})`;
}
