import type { Millis } from '../../lib/clock.ts';
import type { Resource } from '../ports/index.ts';

/** Until a first identity stands in its object, nothing there tells that the installation is in use. */
const untilSeen: Millis = 120_000;

/** Accounts whose installation this process was the first to use, by uid. */
export class InstallationUse {
  readonly #begunAt = new Map<string, Millis>();
  readonly #saying = new Map<string, Promise<Resource>>();

  /** Says it once for all who ask meanwhile. */
  begin(uid: string, now: Millis, say: () => Promise<Resource>): Promise<Resource> {
    this.#begunAt.set(uid, now);
    const saying = this.#saying.get(uid) ?? say().finally(() => this.#saying.delete(uid));
    this.#saying.set(uid, saying);
    return saying;
  }
  forget(uid: string): void {
    this.#begunAt.delete(uid);
  }
  known(): Iterable<string> {
    return this.#begunAt.keys();
  }
  hasJustBegun(uid: string, now: Millis): boolean {
    return now - (this.#begunAt.get(uid) ?? -Infinity) < untilSeen;
  }
}
