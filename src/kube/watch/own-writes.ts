/**
 * News of an object while a write of ours to it is under way: the watch often tells of the write before its answer comes,
 * and would pass for a change by somebody else. It waits for the answer, and is old news then.
 */
export class OwnWrites {
  readonly #open = new Map<string, { writes: number; readonly news: (() => void)[] }>();

  async during<T>(object: string, write: () => Promise<T>): Promise<T> {
    const open = this.#open.get(object) ?? { writes: 0, news: [] };
    this.#open.set(object, open);
    open.writes += 1;
    try {
      return await write();
    } finally {
      open.writes -= 1;
      if (open.writes === 0) {
        this.#open.delete(object);
        for (const tell of open.news) tell();
      }
    }
  }

  /** Tells now, or once the last write to the object has ended, in the order of the news. */
  after(object: string, tell: () => void): void {
    const open = this.#open.get(object);
    if (open === undefined) tell();
    else open.news.push(tell);
  }
}
