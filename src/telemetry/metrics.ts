import { collectDefaultMetrics, Counter, Gauge, Registry } from 'prom-client';
import type { Clock } from '../lib/clock.ts';
import { AccountMetrics, type ConnectionFigures } from './account-metrics.ts';
import { ChangeMetrics } from './change-metrics.ts';
import { ObjectMetrics, type CountedObject } from './object-metrics.ts';
import { type OwnedAccount, OwnerMetrics } from './owner-metrics.ts';
import { WorkMetrics } from './work-metrics.ts';

export interface Build {
  readonly version: string;
  readonly commit: string;
}
/** What is read at the moment of a scrape, so that it costs nothing in between. */
export interface Figures {
  objects(): Iterable<CountedObject>;
  connections(): Iterable<ConnectionFigures>;
  accountLeases(): Iterable<{ readonly held: boolean }>;
  owned(): Iterable<OwnedAccount>;
}

/** Milliseconds between two looks at the event loop; each wakes the process. The delay that is told contains them. */
const loopLooks = 100;
/** Milliseconds between two looks at how busy the event loop is; each is sorted into a digest, which ten a second make dear. */
const utilizationLooks = 5000;

/** Everything that Prometheus may know. No label holds a name of an object, an id of something in an account, or a secret. */
export class Metrics {
  readonly #registry = new Registry();
  readonly #objects = new ObjectMetrics(this.#registry);
  readonly #owners = new OwnerMetrics(this.#registry);
  readonly work = new WorkMetrics(this.#registry);
  readonly account = new AccountMetrics(this.#registry);
  readonly changes: ChangeMetrics;
  readonly #requests: Counter<'code' | 'method' | 'host'>;
  readonly #leads: Gauge<'name'>;
  readonly #mismatch: Gauge<'kind'>;
  #figures: Figures | undefined;

  constructor({ version, commit }: Build, clock: Clock) {
    this.changes = new ChangeMetrics(this.#registry, clock);
    const registers = [this.#registry];
    this.#requests = new Counter({
      name: 'rest_client_requests_total',
      help: 'Requests to the Kubernetes API server.',
      labelNames: ['code', 'method', 'host'],
      registers,
    });
    this.#leads = new Gauge({
      name: 'leader_election_master_status',
      help: '1 while this process holds the lease.',
      labelNames: ['name'],
      registers,
    });
    this.#mismatch = new Gauge({
      name: 'cloud_operator_crd_mismatch',
      help: '1 for a kind whose CRD in the cluster does not fit this operator; it is not written.',
      labelNames: ['kind'],
      registers,
    });
    new Gauge({ name: 'cloud_operator_build_info', help: 'Always 1.', labelNames: ['version', 'commit', 'node'], registers }).set(
      { version, commit, node: process.version },
      1,
    );
  }

  /** From now on `process_*` and `nodejs_*` are told too: memory, processor, delay of the event loop. */
  watchProcess(): void {
    collectDefaultMetrics({
      register: this.#registry,
      eventLoopMonitoringPrecision: loopLooks,
      eventLoopUtilizationTimeout: utilizationLooks,
    });
  }

  readonly contentType = Registry.PROMETHEUS_CONTENT_TYPE;

  requested({ code, method, host }: { readonly code: string; readonly method: string; readonly host: string }): void {
    this.#requests.inc({ code, method, host });
  }

  /** Shows what has not happened yet as 0: alerts cannot see what is not there. */
  begin(kinds: Iterable<string>, lease: string): void {
    for (const kind of kinds) this.work.begin(kind);
    this.leading(lease, false);
  }

  leading(lease: string, leads: boolean): void {
    this.#leads.set({ name: lease }, leads ? 1 : 0);
  }

  mismatched(kinds: Iterable<string>): void {
    this.#mismatch.reset();
    for (const kind of kinds) this.#mismatch.set({ kind }, 1);
  }

  /** From now on each scrape reads these. */
  follow(figures: Figures): void {
    this.#figures = figures;
  }

  /** The exposition text. */
  text(): Promise<string> {
    if (this.#figures) {
      this.#objects.show(this.#figures.objects());
      this.#owners.show(this.#figures.owned());
      this.account.show(this.#figures.connections());
      this.account.serve(this.#figures.accountLeases());
    }
    return this.#registry.metrics();
  }
}
