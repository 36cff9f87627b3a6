import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

type Change = 'add' | 'retry' | 'start' | 'done';
type Result = 'success' | 'requeue' | 'requeue_after' | 'error';

const seconds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300];

/** What the engine does, under the names that dashboards for controller-runtime know. */
export class WorkMetrics {
  readonly #total: Counter<'controller' | 'result'>;
  readonly #time: Histogram<'controller'>;
  readonly #panics: Counter<'controller'>;
  readonly #active: Gauge<'controller'>;
  readonly #depth: Gauge<'name'>;
  readonly #adds: Counter<'name'>;
  readonly #retries: Counter<'name'>;
  readonly #waited: Histogram<'name'>;
  #working = 0;

  constructor(registry: Registry) {
    const registers = [registry];
    const perController = { labelNames: ['controller'] as const, registers };
    const perQueue = { labelNames: ['name'] as const, registers };
    this.#total = new Counter({
      name: 'controller_runtime_reconcile_total',
      help: 'Reconciles per kind, by how they ended.',
      labelNames: ['controller', 'result'],
      registers,
    });
    this.#time = new Histogram({
      name: 'controller_runtime_reconcile_time_seconds',
      help: 'How long reconciles took, waiting for the rate window included.',
      buckets: seconds,
      ...perController,
    });
    this.#panics = new Counter({
      name: 'controller_runtime_reconcile_panics_total',
      help: 'Reconciles that ended in a bug.',
      ...perController,
    });
    this.#active = new Gauge({ name: 'controller_runtime_active_workers', help: 'Reconciles under way.', ...perController });
    this.#depth = new Gauge({ name: 'workqueue_depth', help: 'Objects that are due and wait for their turn.', ...perQueue });
    this.#adds = new Counter({ name: 'workqueue_adds_total', help: 'Objects that became due.', ...perQueue });
    this.#retries = new Counter({ name: 'workqueue_retries_total', help: 'Objects put back with back-off.', ...perQueue });
    this.#waited = new Histogram({
      name: 'workqueue_queue_duration_seconds',
      help: 'From due to taken.',
      buckets: seconds,
      ...perQueue,
    });
  }

  /** Reconciles under way, over all kinds. */
  get working(): number {
    return this.#working;
  }

  /** `took` in milliseconds. */
  reconciled(kind: string, result: Result, took: number): void {
    this.#total.inc({ controller: kind, result });
    this.#time.observe({ controller: kind }, took / 1000);
  }

  /** Prometheus sees no increase in a series that begins with 1, so the first bug of a kind must find a 0. */
  begin(kind: string): void {
    this.#panics.inc({ controller: kind }, 0);
  }

  panicked(kind: string): void {
    this.#panics.inc({ controller: kind });
  }

  /** `waited` in milliseconds. */
  queued(kind: string, change: Change, waited: number): void {
    const act = {
      add: () => {
        this.#adds.inc({ name: kind });
        this.#depth.inc({ name: kind });
      },
      retry: () => this.#retries.inc({ name: kind }),
      start: () => {
        this.#working += 1;
        this.#depth.dec({ name: kind });
        this.#active.inc({ controller: kind });
        this.#waited.observe({ name: kind }, waited / 1000);
      },
      done: () => {
        this.#working -= 1;
        this.#active.dec({ controller: kind });
      },
    };
    act[change]();
  }
}
