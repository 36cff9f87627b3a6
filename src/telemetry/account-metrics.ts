import { Counter, Gauge, Histogram, type LabelValues, type Registry } from 'prom-client';

/** One request to the account's API; `status` 0 when no answer came. */
export interface ApiCall {
  readonly method: string;
  /** Path with placeholders, never with ids. */
  readonly template: string;
  readonly status: number;
  readonly seconds: number;
}
/** What one connection knows of itself when Prometheus asks. Seconds. */
export interface ConnectionFigures {
  /** The account's own id. */
  readonly account: string;
  readonly eventsLag?: number | undefined;
  readonly snapshotAge?: number | undefined;
  /** Lane -> age of what waits there longest. */
  readonly queueAge?: Readonly<Record<string, number>>;
}

/** The account's API as this operator uses it. */
export class AccountMetrics {
  readonly #calls: Counter<'method' | 'path' | 'status'>;
  readonly #seconds: Histogram<'method' | 'path'>;
  readonly #budget: Gauge<'account' | 'class'>;
  readonly #queueAge: Gauge<'account' | 'lane'>;
  readonly #eventsLag: Gauge<'account'>;
  readonly #snapshotAge: Gauge<'account'>;
  readonly #leases: Gauge<'held'>;

  constructor(registry: Registry) {
    const registers = [registry];
    const gauge = <L extends string>(name: string, help: string, labelNames: L[]): Gauge<L> =>
      new Gauge({ name, help, labelNames, registers });
    this.#calls = new Counter({
      name: 'cloud_operator_api_calls_total',
      help: 'Requests to the account API; status 0: no answer came.',
      labelNames: ['method', 'path', 'status'],
      registers,
    });
    this.#seconds = new Histogram({
      name: 'cloud_operator_api_call_seconds',
      help: 'From sending to the end of the answer.',
      labelNames: ['method', 'path'],
      buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60],
      registers,
    });
    this.#budget = gauge(
      'cloud_operator_budget_left',
      'Requests of a rate class that this operator may still send in the present window.',
      ['account', 'class'],
    );
    this.#queueAge = gauge(
      'cloud_operator_budget_queue_age_seconds',
      'How long the oldest request of a lane has waited for the rate window.',
      ['account', 'lane'],
    );
    this.#snapshotAge = gauge('cloud_operator_snapshot_age_seconds', 'Age of the oldest collection that was read as a whole.', ['account']);
    this.#leases = gauge(
      'cloud_operator_account_leases',
      'CloudAccounts that this process asks for, by whether it holds their lease. Those that it does not hold another release serves.',
      ['held'],
    );
    this.#eventsLag = gauge('cloud_operator_events_lag_seconds', 'Since the last answered poll of the account events.', ['account']);
  }

  called({ method, template, status, seconds }: ApiCall): void {
    this.#calls.inc({ method, path: template, status: String(status) });
    this.#seconds.observe({ method, path: template }, seconds);
  }

  budget(account: string, rateClass: string, left: number): void {
    this.#budget.set({ account, class: rateClass }, left);
  }

  /** Called right before a scrape is answered. */
  serve(leases: Iterable<{ readonly held: boolean }>): void {
    const all = [...leases];
    const held = all.filter((one) => one.held).length;
    this.#leases.set({ held: 'true' }, held);
    this.#leases.set({ held: 'false' }, all.length - held);
  }

  /** Replaces what was known of all connections; called right before a scrape is answered. */
  show(connections: Iterable<ConnectionFigures>): void {
    for (const gauge of [this.#queueAge, this.#eventsLag, this.#snapshotAge]) gauge.reset();
    const all = [...connections];
    worst(
      this.#eventsLag,
      all.map(({ account, eventsLag }) => [{ account }, eventsLag]),
    );
    worst(
      this.#snapshotAge,
      all.map(({ account, snapshotAge }) => [{ account }, snapshotAge]),
    );
    worst(
      this.#queueAge,
      all.flatMap(({ account, queueAge = {} }) => Object.entries(queueAge).map(([lane, age]) => [{ account, lane }, age] as const)),
    );
  }
}

/** Several users of one account are one line: the worst of them. */
function worst<Label extends string>(gauge: Gauge<Label>, values: readonly (readonly [LabelValues<Label>, number | undefined])[]): void {
  const known = values.flatMap(([labels, value]) => (value === undefined ? [] : [[labels, value] as const]));
  for (const [labels, value] of known.toSorted(([, a], [, b]) => a - b)) gauge.set(labels, value);
}
