import type { Millis } from '../../../src/lib/clock.ts';

/** One change that was committed to the store, or one write that changed nothing. */
export interface WriteRecord {
  readonly at: Millis;
  readonly user: string;
  readonly verb: string;
  readonly group: string;
  readonly resource: string;
  readonly namespace: string | undefined;
  readonly name: string;
  readonly subresource: string;
  readonly uid: string;
  /** Resource versions; absent: the object did not exist before, or does not any more. Equal: nothing changed. */
  readonly before?: string;
  readonly after?: string;
  /** Dotted paths that differ, `metadata.resourceVersion` apart. */
  readonly changed: readonly string[];
}

/** One request as it came in and what became of it. */
export interface AuditRecord {
  readonly at: Millis;
  readonly user: string;
  verb: string;
  readonly method: string;
  readonly path: string;
  /** HTTP status, or how the answer was lost by a fault. */
  outcome: number | 'lost' | 'pending';
  readonly userAgent: string;
}

/** Everything that was asked and written, in order. For assertions. */
export class Ledger {
  readonly writes: WriteRecord[] = [];
  readonly requests: AuditRecord[] = [];

  /** Forgets what happened so far, for example after a test's set-up. */
  clear(): void {
    this.writes.length = 0;
    this.requests.length = 0;
  }
}
