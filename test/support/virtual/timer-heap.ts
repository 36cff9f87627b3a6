/** A timer as the virtual clock keeps it; `serial` orders timers that are due at the same time. */
export interface HeapTimer {
  readonly due: number;
  readonly serial: number;
  readonly fire: () => void;
  cancelled: boolean;
}

const before = (a: HeapTimer, b: HeapTimer): boolean => a.due < b.due || (a.due === b.due && a.serial < b.serial);

/** Binary heap of timers, earliest first. A cancelled timer stays until it reaches the top. */
export class TimerHeap {
  readonly #items: HeapTimer[] = [];

  /** Live timers, in the order in which they will fire. For messages, not for the hot path. */
  pending(): HeapTimer[] {
    return this.#items.filter((timer) => !timer.cancelled).toSorted((a, b) => (before(a, b) ? -1 : 1));
  }

  push(timer: HeapTimer): void {
    let at = this.#items.push(timer) - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!this.#swapIfBefore(at, parent)) return;
      at = parent;
    }
  }

  peek(): HeapTimer | undefined {
    while (this.#items[0]?.cancelled) this.#removeTop();
    return this.#items[0];
  }

  pop(): HeapTimer | undefined {
    const top = this.peek();
    if (top) this.#removeTop();
    return top;
  }

  #removeTop(): void {
    const last = this.#items.pop();
    if (!last || this.#items.length === 0) return;
    this.#items[0] = last;
    let at = 0;
    for (;;) {
      const left = 2 * at + 1;
      const a = this.#items[left];
      if (!a) return;
      const b = this.#items[left + 1];
      const child = b && before(b, a) ? left + 1 : left;
      if (!this.#swapIfBefore(child, at)) return;
      at = child;
    }
  }

  #swapIfBefore(child: number, parent: number): boolean {
    const a = this.#items[child];
    const b = this.#items[parent];
    if (!a || !b || !before(a, b)) return false;
    this.#items[child] = b;
    this.#items[parent] = a;
    return true;
  }
}
