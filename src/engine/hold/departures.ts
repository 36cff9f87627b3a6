import type { Millis } from '../../lib/clock.ts';
import type { Row } from '../../resource/index.ts';
import type { Account } from '../account/accounts.ts';
import { actWindow } from './crowd.ts';

/** Remotes of one namespace that went with their objects in the minute that ended at `until` (RFC 3339). */
export interface Departed extends Row {
  readonly namespace: string;
  readonly count: number;
  readonly until: string;
}
const minute: Millis = 60_000;
const nameOf = ({ key }: Pick<Account, 'key'>): string => `${key.namespace}/${key.name}`;

/**
 * What went lately counts for the brake like what is pending (design 4.6). It leaves no object behind, so the account's
 * status keeps it by the minute for the next process. Times are wall clock.
 */
export class Departures {
  readonly #byAccount = new Map<string, Map<string, readonly Millis[]>>();

  note(account: Pick<Account, 'key'>, namespace: string, now: Millis): void {
    const places = this.#byAccount.get(nameOf(account)) ?? new Map<string, readonly Millis[]>();
    this.#byAccount.set(nameOf(account), places.set(namespace, [...this.#lately(account, namespace, now), now]));
  }
  count(account: Pick<Account, 'key'>, namespace: string, now: Millis): number {
    return this.#lately(account, namespace, now).length;
  }
  /** For the account's status; undefined when nothing went lately. */
  shown(account: Pick<Account, 'key'>, now: Millis): readonly Departed[] | undefined {
    const all: Departed[] = [];
    for (const namespace of [...(this.#byAccount.get(nameOf(account))?.keys() ?? [])].toSorted()) {
      const minutes = Map.groupBy(this.#lately(account, namespace, now), (at) => Math.ceil(at / minute) * minute);
      for (const [until, times] of minutes) all.push({ namespace, count: times.length, until: new Date(until).toISOString() });
    }
    return all.length > 0 ? all : undefined;
  }
  /** What the forerunner of this process saw going. */
  restore(account: Pick<Account, 'key'>, kept: readonly Departed[]): void {
    if (this.#byAccount.has(nameOf(account))) return;
    const places = new Map<string, readonly Millis[]>();
    for (const { namespace, count, until } of kept)
      places.set(namespace, [...(places.get(namespace) ?? []), ...Array.from({ length: count }, () => Date.parse(until))]);
    this.#byAccount.set(nameOf(account), places);
  }

  #lately(account: Pick<Account, 'key'>, namespace: string, now: Millis): readonly Millis[] {
    return (this.#byAccount.get(nameOf(account))?.get(namespace) ?? []).filter((at) => now - at < actWindow);
  }
}
