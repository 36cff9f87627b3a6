import type { Clock } from '../clock.ts';
import type { Area, Reaction } from '../contract/area.ts';
import type { CollectionDefinition } from '../contract/collection.ts';
import type { Knobs } from '../contract/knobs.ts';
import type { Rng } from '../contract/rng.ts';
import type { Actor, World } from '../contract/world.ts';
import type { Change } from './stored-collection.ts';
import { StoredCollection } from './stored-collection.ts';

/** On whose behalf rows change just now: a request, a job, or the seed. Handlers and job effects are synchronous, so one at a time. */
export interface Cause {
  readonly euuid: string;
  readonly actor: Actor | undefined;
  readonly world: World;
  /** `request 17`, `job 55 vm_boot`, `seed`. */
  readonly origin: string;
  /** Filled while the cause acts: what it changed. */
  readonly changes: Change[];
}

type ChangeListener = (cause: Cause, change: Change) => void;

interface PlatformParts {
  readonly clock: Clock;
  readonly rng: Rng;
  readonly knobs: Knobs;
  readonly areas: readonly Area[];
  /** Durations are divided by it; 0 = at once. */
  readonly speed: number;
}

function kindOf(change: Change): Reaction['on'] {
  if (change.before === undefined) return 'insert';
  return change.after === undefined ? 'remove' : 'update';
}

/** All rows of all accounts, and who is changing them. */
export class Platform {
  readonly parts: PlatformParts;
  readonly #stores = new Map<string, Map<CollectionDefinition<object>, StoredCollection<object>>>();
  readonly #ids = new Map<string, number>();
  readonly #reactions = new Map<CollectionDefinition<object>, readonly Reaction[]>();
  readonly #listeners: ChangeListener[] = [];
  readonly #causes: Cause[] = [];

  constructor(parts: PlatformParts) {
    this.parts = parts;
    for (const reaction of parts.areas.flatMap((area) => area.reactions ?? [])) {
      this.#reactions.set(reaction.collection, [...(this.#reactions.get(reaction.collection) ?? []), reaction]);
    }
  }

  listen(listener: ChangeListener): void {
    this.#listeners.push(listener);
  }

  /** Runs `act`; the rows that it changes are put down to the cause. */
  run<T>(cause: Cause, act: () => T): T {
    this.#causes.push(cause);
    try {
      return act();
    } finally {
      this.#causes.pop();
    }
  }

  collection<Row extends object>(euuid: string, definition: CollectionDefinition<Row>): StoredCollection<Row> {
    const owner = definition.scope === 'platform' ? '' : euuid;
    const store = this.#stores.get(owner) ?? new Map<CollectionDefinition<object>, StoredCollection<object>>();
    this.#stores.set(owner, store);
    const erased = definition as unknown as CollectionDefinition<object>;
    const known = store.get(erased) ?? new StoredCollection(erased, this.#ports());
    store.set(erased, known);
    return known as unknown as StoredCollection<Row>;
  }

  nextId(name: string, first: number): number {
    const id = (this.#ids.get(name) ?? first - 1) + 1;
    this.#ids.set(name, id);
    return id;
  }

  /** Milliseconds on the clock for so many seconds of the service. */
  scaled(seconds: number): number {
    return this.parts.speed === 0 ? 0 : (seconds * 1000) / this.parts.speed;
  }

  #ports(): ConstructorParameters<typeof StoredCollection>[1] {
    return {
      monotonic: () => this.parts.clock.monotonic(),
      nextId: (name, first) => this.nextId(name, first),
      changed: (change) => this.#changed(change),
    };
  }

  #changed(change: Change): void {
    const cause = this.#causes.at(-1);
    if (cause === undefined) throw new Error(`${change.definition.name} changed outside of a request, job or seed`);
    cause.changes.push(change);
    for (const listener of this.#listeners) listener(cause, change);
    this.#react(cause, change);
  }

  #react(cause: Cause, change: Change): void {
    const { definition, before, after } = change;
    const row = after ?? before;
    if (row === undefined) return;
    const kind = kindOf(change);
    for (const reaction of this.#reactions.get(definition) ?? []) if (reaction.on === kind) reaction.react(cause.world, row, before ?? row);
  }
}
