/** What is due when; equal times in order of arrival. */
export interface Due {
  readonly at: number;
  readonly order: number;
}

const before = (left: Due, right: Due): boolean => left.at < right.at || (left.at === right.at && left.order < right.order);

/** Binary heap of things by due time. */
export class DueQueue<T extends Due> {
  readonly #heap: T[] = [];

  get first(): T | undefined {
    return this.#heap[0];
  }

  push(item: T): void {
    const heap = this.#heap;
    let at = heap.push(item) - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      const above = heap[parent];
      if (above === undefined || !before(item, above)) break;
      heap[at] = above;
      at = parent;
    }
    heap[at] = item;
  }

  pop(): T | undefined {
    const top = this.#heap[0];
    const last = this.#heap.pop();
    if (last !== undefined && this.#heap.length > 0) this.#sink(last);
    return top;
  }

  #sink(item: T): void {
    const heap = this.#heap;
    let at = 0;
    for (;;) {
      const child = this.#smallerChild(at);
      const below = heap[child];
      if (below === undefined || !before(below, item)) break;
      heap[at] = below;
      at = child;
    }
    heap[at] = item;
  }

  #smallerChild(at: number): number {
    const [left, right] = [this.#heap[2 * at + 1], this.#heap[2 * at + 2]];
    return left !== undefined && right !== undefined && before(right, left) ? 2 * at + 2 : 2 * at + 1;
  }
}
