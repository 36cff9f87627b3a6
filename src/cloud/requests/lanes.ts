import type { Lane } from '../../engine/ports/index.ts';

/** Turns in a round when all lanes have work: the floor of a lane is its part of the sum. */
export const weights: Readonly<Record<Lane, number>> = { events: 8, edit: 8, delete: 4, create: 4, wait: 3, sweep: 1 };

export const laneNames = Object.keys(weights) as readonly Lane[];

/** Part of a window that a lane leaves to more urgent ones, so that an edit never finds it drained by a sweep. */
export const leaves: Readonly<Record<Lane, number>> = { events: 0, edit: 0, delete: 0.01, create: 0.02, wait: 0.02, sweep: 0.1 };

interface Queue<T> {
  /** Tenants in order of their turn; a map keeps insertion order. */
  readonly tenants: Map<string, Set<T>>;
  /** Virtual time of stride scheduling. */
  pass: number;
}

/** A waiting line: lanes by weight, tenants of a lane in turn, one tenant's items in order. */
export class Lanes<T> {
  readonly #queues = new Map<Lane, Queue<T>>();
  #size = 0;
  #pass = 0;

  get size(): number {
    return this.#size;
  }

  push(lane: Lane, tenant: string, item: T): void {
    const queue = this.#queue(lane);
    if (queue.tenants.size === 0) queue.pass = Math.max(queue.pass, this.#pass);
    const items = queue.tenants.get(tenant) ?? new Set();
    queue.tenants.set(tenant, items.add(item));
    this.#size += 1;
  }

  /** Takes a waiting item out again. */
  remove(lane: Lane, tenant: string, item: T): boolean {
    const queue = this.#queue(lane);
    const items = queue.tenants.get(tenant);
    if (items?.delete(item) !== true) return false;
    if (items.size === 0) queue.tenants.delete(tenant);
    this.#size -= 1;
    return true;
  }

  /** What waits longest for each tenant. */
  *firsts(): Iterable<T> {
    for (const lane of this.#queues.keys()) yield* this.longest(lane);
  }

  /** What waits longest for each tenant of a lane. */
  *longest(lane: Lane): Iterable<T> {
    for (const items of this.#queues.get(lane)?.tenants.values() ?? []) {
      const [first] = items;
      if (first !== undefined) yield first;
    }
  }

  /** The next item of a lane that may go now, of a tenant whose first one may. */
  next(may: (lane: Lane) => boolean, fits: (item: T) => boolean): T | undefined {
    let best: [Lane, Queue<T>, string] | undefined;
    for (const [lane, queue] of this.#queues) {
      if (queue.tenants.size === 0 || (best !== undefined && queue.pass >= best[1].pass) || !may(lane)) continue;
      const tenant = firstOf(queue, fits);
      if (tenant !== undefined) best = [lane, queue, tenant];
    }
    if (best === undefined) return undefined;
    const [lane, queue, tenant] = best;
    this.#pass = queue.pass;
    queue.pass += 1 / weights[lane];
    return this.#take(queue, tenant);
  }

  #take(queue: Queue<T>, tenant: string): T | undefined {
    const items = queue.tenants.get(tenant) ?? new Set<T>();
    const [item] = items;
    queue.tenants.delete(tenant);
    if (item === undefined) return undefined;
    items.delete(item);
    if (items.size > 0) queue.tenants.set(tenant, items);
    this.#size -= 1;
    return item;
  }

  #queue(lane: Lane): Queue<T> {
    const known = this.#queues.get(lane);
    if (known) return known;
    const made: Queue<T> = { tenants: new Map(), pass: this.#pass };
    this.#queues.set(lane, made);
    return made;
  }
}

function firstOf<T>({ tenants }: Queue<T>, fits: (item: T) => boolean): string | undefined {
  for (const [tenant, [item]] of tenants) if (item !== undefined && fits(item)) return tenant;
  return undefined;
}
