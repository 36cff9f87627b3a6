import { scrub } from './scrub.ts';

/** One call that changes an account, as plain data; never a body. */
export type AuditedChange = object;

/**
 * Two lines of JSON per call that changes an account: `sent` in the turn of the socket write, so that a killed process has
 * said what it did, and `answered` with the outcome. The same `id` ties them together; a line that stands alone is of a call of which
 * nobody knows the outcome.
 */
export class AuditLog {
  readonly #write: (line: string) => void;
  readonly #now: () => Date;
  readonly #process: string;
  readonly #ids = new WeakMap<AuditedChange, string>();
  #sent = 0;

  /** `process`: nobody else's, also after a restart. `write` must have written when it returns. */
  constructor(process: string, write: (line: string) => void, now: () => Date) {
    this.#process = process;
    this.#write = write;
    this.#now = now;
  }

  sent(change: AuditedChange): void {
    this.#sent += 1;
    this.#ids.set(change, `${this.#process}-${this.#sent}`);
    this.#line('sent', change);
  }

  answered(change: AuditedChange, outcome: string): void {
    this.#line('answered', change, { outcome });
  }

  #line(stage: 'sent' | 'answered', change: AuditedChange, more: AuditedChange = {}): void {
    const line = { time: this.#now().toISOString(), audit: stage, id: this.#ids.get(change), ...more, ...change };
    this.#write(`${JSON.stringify(scrub(line))}\n`);
  }
}
