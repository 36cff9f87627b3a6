import type { Clock, Millis } from '../../lib/clock.ts';
import type { Key, SecretRecord, Secrets } from '../ports.ts';

const freshFor: Millis = 5 * 60_000;

/** Secrets are read by name, at most every five minutes and when their object changes (design 3.6): there is no watch on them. */
export class SecretCache {
  readonly #secrets: Secrets;
  readonly #clock: Clock;
  readonly #read = new Map<string, { readonly at: Millis; readonly record: SecretRecord | undefined }>();
  constructor(secrets: Secrets, clock: Clock) {
    this.#secrets = secrets;
    this.#clock = clock;
  }
  async record(key: Key, signal: AbortSignal, maxAge: Millis = freshFor): Promise<SecretRecord | undefined> {
    const id = `${key.namespace}/${key.name}`;
    const known = this.#read.get(id);
    const now = this.#clock.monotonic();
    // An absent Secret is asked for again each time: somebody is about to create it.
    if (known?.record !== undefined && now - known.at < maxAge) return known.record;
    const record = await this.#secrets.get(key, signal);
    this.#drop(now - freshFor);
    this.#read.delete(id);
    this.#read.set(id, { at: now, record });
    return record;
  }
  /** What is too old to be used is not kept: contents of Secrets least of all. */
  #drop(before: Millis): void {
    for (const [id, { at }] of this.#read) {
      if (at > before) return;
      this.#read.delete(id);
    }
  }
  forget(key: Key): void {
    this.#read.delete(`${key.namespace}/${key.name}`);
  }
}
