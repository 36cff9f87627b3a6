import type { Millis } from '../../lib/clock.ts';
import type { Row } from '../../resource/index.ts';
import type { Account } from '../model/account.ts';

/** What was asked for within this long of each other counts as one act (README: loss, deletion). */
export const actWindow: Millis = 10 * 60_000;

/** Remotes of one namespace that went in the minute that ended at `until` (RFC 3339). */
export interface DeletedLately extends Row {
  readonly namespace: string;
  readonly count: number;
  readonly until: string;
  /** So many of them were replaced: their objects are still there. */
  readonly replaced?: number;
}
export interface Departure {
  readonly at: Millis;
  readonly replaced: boolean;
  /** `CloudVolume data`; absent: a process before this one saw it go. */
  readonly object?: string;
}
type Place = Pick<Account, 'key'>;
const minute: Millis = 60_000;
const nameOf = ({ key }: Place): string => `${key.namespace}/${key.name}`;

/**
 * What went lately counts for the brake like what is pending (README: deletion). It leaves no trace on an object, so the
 * account's status keeps it by the minute for the next process. Times are wall clock.
 */
export class DeletionCounter {
  readonly #byAccount = new Map<string, Map<string, readonly Departure[]>>();

  note(account: Place, namespace: string, departure: Departure): void {
    const places = this.#byAccount.get(nameOf(account)) ?? new Map<string, readonly Departure[]>();
    this.#byAccount.set(nameOf(account), places.set(namespace, [...this.#lately(account, namespace, departure.at), departure]));
  }
  count(account: Place, namespace: string, now: Millis): { readonly all: number; readonly replaced: number } {
    const lately = this.#lately(account, namespace, now);
    return { all: lately.length, replaced: replacedOf(lately) };
  }
  lately(account: Place, namespace: string, now: Millis): readonly Departure[] {
    return this.#lately(account, namespace, now);
  }
  /** For the account's status; undefined when nothing went lately. */
  shown(account: Place, now: Millis): readonly DeletedLately[] | undefined {
    const all: DeletedLately[] = [];
    for (const namespace of [...(this.#byAccount.get(nameOf(account))?.keys() ?? [])].toSorted()) {
      const minutes = Map.groupBy(this.#lately(account, namespace, now), ({ at }) => Math.ceil(at / minute) * minute);
      for (const [until, went] of minutes) {
        const replaced = replacedOf(went);
        all.push({ namespace, count: went.length, until: new Date(until).toISOString(), ...(replaced > 0 && { replaced }) });
      }
    }
    return all.length > 0 ? all : undefined;
  }
  /** What the forerunner of this process saw going. */
  restore(account: Place, kept: readonly DeletedLately[]): void {
    if (this.#byAccount.has(nameOf(account))) return;
    const places = new Map<string, readonly Departure[]>();
    for (const { namespace, count, until, replaced = 0 } of kept) {
      const went = Array.from({ length: count }, (_, n) => ({ at: Date.parse(until), replaced: n < replaced }));
      places.set(namespace, [...(places.get(namespace) ?? []), ...went]);
    }
    this.#byAccount.set(nameOf(account), places);
  }
  forget(account: Place): void {
    this.#byAccount.delete(nameOf(account));
  }

  #lately(account: Place, namespace: string, now: Millis): readonly Departure[] {
    return (this.#byAccount.get(nameOf(account))?.get(namespace) ?? []).filter(({ at }) => now - at < actWindow);
  }
}

const replacedOf = (went: readonly Departure[]): number => went.filter(({ replaced }) => replaced).length;

/**
 * The indices of all times that lie in some window with more than `limit` of them, whenever that was: what one act asked
 * for stays one act, however long it is held. `times` rises; `extra(end)` counts what a window that ends there also saw.
 */
export function inBurst(times: readonly Millis[], limit: number, extra: (end: Millis) => number): ReadonlySet<number> {
  const found = new Set<number>();
  let first = 0;
  for (const [last, end] of times.entries()) {
    while ((times[first] ?? end) <= end - actWindow) first += 1;
    if (last - first + 1 + extra(end) <= limit) continue;
    for (let index = last; index >= first && !found.has(index); index -= 1) found.add(index);
  }
  return found;
}
