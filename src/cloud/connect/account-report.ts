import type { Identity } from '../../engine/ports/index.ts';
import type { Clock, Millis } from '../../lib/clock.ts';
import { type AnyKind, holdsScope, type Row } from '../../resource/index.ts';
import type { BudgetLeft } from '../requests/rate-budget.ts';
import type { Count } from '../cache/resource-counts.ts';

export interface ReportSources {
  readonly clock: Clock;
  readonly identity: () => Identity;
  readonly budget: () => readonly BudgetLeft[];
  readonly cursor: () => number | undefined;
  readonly eventsRefused: () => string | undefined;
  readonly roundsBound: () => Millis;
  readonly counts: () => readonly Count[];
  /** Kinds that have objects in this account. */
  readonly kinds: () => Iterable<AnyKind>;
}

/** Shown so often at most: a cursor that moves would otherwise write the status with every event. */
const cursorEvery: Millis = 60_000;
/** What the connection itself reads. */
const ownScopes = ['account:read_only', 'events:read_only'];

/** What the account's status shows of the connection. It changes only when something worth a write did. */
export class AccountReport {
  readonly #sources: ReportSources;
  #cursor: number | undefined;
  #cursorAt: Millis = -Infinity;

  constructor(sources: ReportSources) {
    this.#sources = sources;
  }

  /** Keys are fields of the account's status; an undefined one is cleared, an absent one kept. */
  row(): Row {
    const { budget, counts, roundsBound, eventsRefused } = this.#sources;
    const limits = budget().flatMap(({ rate, limit }) => (limit === undefined ? [] : [{ class: rate, limit }]));
    const cursor = this.#shownCursor();
    return {
      ...(cursor !== undefined && { eventCursor: cursor }),
      eventsRefused: eventsRefused(),
      missingScopes: this.missingScopes(),
      rateLimits: limits.toSorted((a, b) => (a.class < b.class ? -1 : 1)),
      resources: counts(),
      driftBoundSeconds: Math.ceil(roundsBound() / 1000),
    };
  }

  /** Scopes that the kinds in use need and the token lacks. */
  missingScopes(): readonly string[] {
    const { identity, kinds } = this.#sources;
    const wanted = new Set(ownScopes);
    for (const { scopes, parts = {} } of kinds()) {
      const ofParts = Object.values(parts).flatMap(({ ifWanted, scopes: own = [] }) => (ifWanted === undefined ? own : []));
      for (const scope of [...scopes.read, ...scopes.write, ...ofParts]) wanted.add(scope);
    }
    const held = identity().scopes;
    const missing = [...wanted].filter((scope) => !holdsScope(held, scope));
    return missing
      .filter((scope) => !scope.endsWith(':read_only') || !missing.includes(scope.replace(/:read_only$/, ':read_write')))
      .toSorted();
  }

  #shownCursor(): number | undefined {
    const now = this.#sources.clock.monotonic();
    if (now - this.#cursorAt >= cursorEvery) {
      const cursor = this.#sources.cursor();
      if (cursor !== this.#cursor) this.#cursorAt = now;
      this.#cursor = cursor;
    }
    return this.#cursor;
  }
}
