import type { Millis } from '../../lib/clock.ts';
import type { AnyWant } from '../../resource/index.ts';
import type { Resource } from '../ports/index.ts';

/** An object that has no remote, and what it looks for. */
export interface Seeker {
  readonly object: Resource;
  readonly want: AnyWant;
  /** Fields of which nothing can be said: what they refer to is not known yet, or is a Secret. */
  readonly blind: readonly string[];
  /** Not even its name, or its account, can be told for certain before what it refers to is known. */
  readonly open: boolean;
}

/** All objects of a kind that look for what they had, by the names under which a remote could be theirs. */
export class RecoveryTable {
  readonly #byName = new Map<string, Seeker[]>();
  add(name: string, seeker: Seeker): void {
    this.#byName.set(name, [...(this.#byName.get(name) ?? []), seeker]);
  }
  of(names: readonly string[]): readonly Seeker[] {
    return names.flatMap((name) => this.#byName.get(name) ?? []);
  }
}

interface Built {
  readonly at: Millis;
  readonly version: number;
  readonly table: Promise<RecoveryTable>;
}

/** So long a table is good: what it calls open may be known by then. */
const goodFor: Millis = 10_000;
/** While objects come one after the other, not each of them is worth a table. */
const pause: Millis = 2000;

/** Who looks for a remote while an account recovers: one table for all of a kind, because each must be compared with all others. */
export class Recoveries {
  readonly #versions = new Map<string, number>();
  readonly #tables = new Map<string, Built>();
  /** Objects that share what they look for with another, or that found more than one: another one's choice may leave one. */
  readonly #undecided = new Map<string, Map<string, Resource>>();

  /** An object of this kind has come, or its spec is another. */
  changed(kind: string): void {
    this.#versions.set(kind, this.#version(kind) + 1);
  }
  /** A table that knows every object that is there now; or the time after which there may be one. */
  table(
    account: string,
    kind: string,
    now: Millis,
    build: () => Promise<RecoveryTable>,
  ): Promise<RecoveryTable> | { readonly after: Millis } {
    const place = `${account} ${kind}`;
    const known = this.#tables.get(place);
    const version = this.#version(kind);
    const isNew = known?.version === version;
    if (known !== undefined && isNew && now - known.at < goodFor) return known.table;
    if (known !== undefined && !isNew && now - known.at < pause) return { after: known.at + pause - now };
    const table = build();
    this.#tables.set(place, { at: now, version, table });
    table.catch(() => this.#tables.delete(place));
    return table;
  }
  undecided(account: string, object: Resource): void {
    const place = `${account} ${object.kind}`;
    this.#undecided.set(place, (this.#undecided.get(place) ?? new Map()).set(object.metadata.uid, object));
  }
  /** An object of this kind has taken a remote: those for whom that may have decided it. */
  decided(account: string, kind: string): readonly Resource[] {
    const place = `${account} ${kind}`;
    const waiting = [...(this.#undecided.get(place)?.values() ?? [])];
    this.#undecided.delete(place);
    return waiting;
  }
  forget(uid: string): void {
    for (const waiting of this.#undecided.values()) waiting.delete(uid);
  }
  known(): Iterable<string> {
    return [...this.#undecided.values()].flatMap((waiting) => [...waiting.keys()]);
  }
  #version(kind: string): number {
    return this.#versions.get(kind) ?? 0;
  }
}
