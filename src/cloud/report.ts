import type { Identity } from '../engine/ports.ts';
import type { Clock, Millis } from '../lib/clock.ts';
import type { AnyKind, Row } from '../resource/index.ts';
import type { BudgetLeft } from './budget.ts';
import { holdsScope } from './identity.ts';
import type { AccountFacts } from './watch.ts';

export interface ReportSources {
  readonly clock: Clock;
  readonly identity: () => Identity;
  readonly facts: () => AccountFacts;
  readonly budget: () => readonly BudgetLeft[];
  readonly cursor: () => number | undefined;
  readonly eventsRefused: () => string | undefined;
  readonly roundsBound: () => Millis;
  /** Kinds that have objects in this account. */
  readonly kinds: () => Iterable<AnyKind>;
}

/** Shown so often at most: a cursor that moves would otherwise write the status with every event. */
const cursorEvery: Millis = 60_000;
/** What the connection itself reads. */
const ownScopes = ['account:read_only', 'events:read_only'];

/** What the account's status shows of the connection. It changes only when something worth a write did. */
export class Report {
  readonly #sources: ReportSources;
  #cursor: number | undefined;
  #cursorAt: Millis = -Infinity;

  constructor(sources: ReportSources) {
    this.#sources = sources;
  }

  row(): Row {
    const { facts, budget, roundsBound, eventsRefused } = this.#sources;
    const { account, notifications, maintenance } = facts();
    const limits = budget().flatMap(({ rate, limit }) => (limit === undefined ? [] : [{ class: rate, limit }]));
    const cursor = this.#shownCursor();
    const refused = eventsRefused();
    return {
      ...(cursor !== undefined && { eventCursor: cursor }),
      ...(refused !== undefined && { eventsRefused: refused }),
      missingScopes: this.missingScopes(),
      ...(typeof account['balance'] === 'number' && { balance: account['balance'] }),
      notifications: notifications.map(({ type, severity, label, when, until, entity }) =>
        brief({ type, severity, label, when, until, entity: named(entity) }),
      ),
      maintenance: maintenance.map(({ type, status, reason, when, entity }) =>
        brief({ type, status, reason, when, entity: named(entity) }),
      ),
      rateLimits: limits.toSorted((a, b) => (a.class < b.class ? -1 : 1)),
      driftBoundSeconds: Math.ceil(roundsBound() / 1000),
    };
  }

  /** Scopes that the kinds in use need and the token lacks. */
  missingScopes(): readonly string[] {
    const { identity, kinds } = this.#sources;
    const wanted = new Set(ownScopes);
    for (const { scopes } of kinds()) for (const scope of [...scopes.read, ...scopes.write]) wanted.add(scope);
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

const brief = (row: Row): Row => Object.fromEntries(Object.entries(row).filter(([, value]) => value !== undefined && value !== null));
const named = (entity: unknown): string | undefined => {
  if (typeof entity !== 'object' || entity === null) return undefined;
  const { type, label } = entity as Row;
  return `${typeof type === 'string' ? type : 'entity'} ${typeof label === 'string' ? label : ''}`.trim();
};
