import type { Dispatcher } from 'undici';
import { createConnector, type ConnectorOptions, type Endpoint, StreamTransfers, userAgentOf } from './cloud/index.ts';
import { type ClusterFacts, clusterFacts, manager } from './cluster-facts.ts';
import type { OperatorConfig } from './config.ts';
import { createEngine, type RunningEngine } from './engine/engine.ts';
import type { Connector, Leadership, Monitor, Resource } from './engine/ports/index.ts';
import { crdHashes } from './generated/crd-hashes.ts';
import {
  type Cluster,
  type CrdMismatch,
  KubeClient,
  KubeObjects,
  KubeRecorder,
  KubeConfigMaps,
  KubeSecrets,
  KubeAccountLeases,
  LeaderElection,
  pluralOf,
} from './kube/index.ts';
import type { Clock, Millis } from './lib/clock.ts';
import type { Random } from './lib/random.ts';
import type { AnyKind } from './resource/index.ts';
import type { Log } from './telemetry/log.ts';

type Settings = OperatorConfig & {
  readonly endpoints: readonly Endpoint[];
  /** Of the API server, which no tenant may have anything read from. */
  readonly apiServer?: string | undefined;
  /** Of this process, in the lease; nobody else's. */
  readonly identity: string;
};

/** What the operator reports of itself; every hook is called synchronously and must not throw. */
export interface Hooks extends Monitor {
  readonly cloud: Pick<ConnectorOptions, 'onCall' | 'onBudget' | 'onJobEnd'>;
  kubeRequest(request: { readonly code: string; readonly method: string; readonly host: string }): void;
  mismatched(mismatches: readonly CrdMismatch[]): void;
  leading(leads: boolean): void;
  /** An object appeared, changed or went. */
  watched(kind: string, was: Resource | undefined, is: Resource | undefined): void;
}
export interface OperatorOptions {
  readonly settings: Settings;
  readonly kinds: readonly AnyKind[];
  readonly cluster: Cluster;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly hooks: Hooks;
  /** Of this program, for those who read the service's logs. */
  readonly version?: string;
  /** To the account's API. */
  readonly proxy?: ConnectorOptions['proxy'];
  /** Frees what streams have gone through. */
  readonly collect?: () => void;
  /** Reconciles at once; the tests' alone. */
  readonly turns?: number | undefined;
  /** Serve all requests in place of own connections, for tests in one process. */
  readonly dispatchers?: { readonly kube?: Dispatcher; readonly cloud?: Dispatcher };
  /** The lease is gone for good: nothing may be written any more, and the process should end. */
  readonly onLeaseLost: () => void;
}

/** For Events that are still unsent at the end. */
const farewell: Millis = 2000;

/** One operator: adapters, engine and lease, put together. `main` runs one per process; tests run several in one. */
export class Operator {
  readonly #options: OperatorOptions;
  readonly #stopping = new AbortController();
  readonly client: KubeClient;
  readonly objects: KubeObjects;
  readonly #recorder: KubeRecorder;
  readonly accountLeases: KubeAccountLeases;
  #engine: RunningEngine | undefined;
  #lease: LeaderElection | undefined;
  #connector: ReturnType<typeof createConnector> | undefined;
  #phase: 'starting' | 'standby' | 'leading' | 'stopped' = 'starting';
  /** Where nobody is elected, as long as it runs. */
  readonly #leadership: Leadership = {
    held: () => (this.#options.settings.leaderElect ? this.#lease?.held() === true : this.#phase !== 'stopped'),
  };

  constructor(options: OperatorOptions) {
    const { cluster, clock, random, log, kinds, settings, hooks, dispatchers } = options;
    this.#options = options;
    this.client = new KubeClient({
      cluster,
      clock,
      userAgent: manager,
      onRequest: (request) => hooks.kubeRequest(request),
      ...(dispatchers?.kube && { dispatcher: dispatchers.kube }),
    });
    this.#recorder = new KubeRecorder({
      client: this.client,
      clock,
      log,
      controller: `cloudhosting.dev/${manager}`,
      instance: settings.identity,
      leadership: this.#leadership,
    });
    this.accountLeases = new KubeAccountLeases({
      client: this.client,
      clock,
      random,
      log,
      release: releaseOf(settings),
      leaseDuration: settings.leaseDuration,
      leadership: this.#leadership,
    });
    const served = kinds.map(({ kind }) => ({ kind, plural: pluralOf(crdHashes, kind) }));
    this.objects = new KubeObjects({
      client: this.client,
      clock,
      random,
      log,
      kinds: served,
      watchNamespaces: settings.watchNamespaces,
      fieldManager: manager,
      leadership: this.#leadership,
    });
  }

  /** What it is doing, for readiness and metrics. */
  get phase(): 'starting' | 'standby' | 'leading' | 'stopped' {
    return this.#phase;
  }
  get engine(): RunningEngine | undefined {
    return this.#engine;
  }
  get connector(): ReturnType<typeof createConnector> | undefined {
    return this.#connector;
  }

  /** Fills the caches, then waits for the lease; resolves when the operator stands by. Rejects only when it was stopped meanwhile. */
  async start(): Promise<void> {
    const { settings } = this.#options;
    const facts = await clusterFacts({ ...this.#options, leadership: this.#leadership }, this.client, this.#stopping.signal);
    this.#connector = this.#connect();
    this.#lease = this.#election();
    const engine = this.#assemble(facts, this.#connector);
    this.#engine = engine;
    this.objects.subscribe((kind, key, { was, is, from }) => {
      this.#options.hooks.watched(kind, was, is);
      engine.onWatchEvent({ kind, key, before: was, now: is, ours: from === 'answer' });
    });
    this.objects.start();
    await this.objects.synced();
    this.#phase = 'standby';
    if (settings.leaderElect) this.#lease.start();
    else this.#lead();
  }

  #connect(): ReturnType<typeof createConnector> {
    const { clock, settings, kinds, log, hooks, random, proxy, dispatchers, version } = this.#options;
    return createConnector({
      endpoints: settings.endpoints,
      clock,
      random,
      log,
      kinds,
      listLag: settings.listLag,
      ...hooks.cloud,
      ...(version !== undefined && { userAgent: userAgentOf(`${manager}/${version}`) }),
      ...(proxy && { proxy }),
      ...(dispatchers?.cloud && { dispatcher: dispatchers.cloud }),
    });
  }

  #election(): LeaderElection {
    const { clock, settings, log, random } = this.#options;
    return new LeaderElection({
      client: this.client,
      clock,
      random,
      log,
      namespace: settings.namespace,
      name: settings.leaseName,
      identity: settings.identity,
      duration: settings.leaseDuration,
      renewDeadline: settings.leaseDuration * (2 / 3),
      retry: settings.leaseDuration * (2 / 15),
      onAcquired: () => this.#lead(),
      onLost: (why) => this.#lost(why),
    });
  }

  #assemble({ uid, ...facts }: ClusterFacts, connector: Connector): RunningEngine {
    const { clock, settings, kinds, log, hooks, random, dispatchers, turns } = this.#options;
    return createEngine({
      ...facts,
      kinds,
      objects: this.objects,
      recorder: this.#recorder,
      secrets: new KubeSecrets(this.client, manager, this.#leadership),
      configMaps: new KubeConfigMaps(this.client, manager, this.#leadership),
      leadership: this.#leadership,
      accountLeases: this.accountLeases,
      connector,
      transfers: new StreamTransfers({ ...this.#options, ...settings, dispatcher: dispatchers?.cloud }),
      clock,
      random,
      log,
      monitor: hooks,
      clusterUid: uid,
      turns,
      settings: {
        commitBound: settings.commitBound,
        listLag: settings.listLag,
        operatorNamespace: settings.namespace,
        release: releaseOf(settings),
        accountSelector: settings.accountSelector,
      },
    });
  }

  /** SIGTERM: no new work, calls in flight get their grace, the lease goes last, with all written, so that a standby takes over at once. */
  async stop(grace: number = this.#options.settings.shutdownGrace): Promise<void> {
    if (this.#phase === 'stopped') return;
    this.#stopping.abort(new Error('the operator is stopping'));
    await this.#engine?.stop(grace);
    await this.#recorder.close(Math.min(grace, farewell));
    this.#connector?.close();
    await this.accountLeases.stop();
    this.#phase = 'stopped';
    await this.objects.stop();
    await this.#lease?.stop();
    await this.client.close();
  }

  #lead(): void {
    this.#phase = 'leading';
    this.#options.hooks.leading(true);
    this.#options.log.info('working', { identity: this.#options.settings.identity });
    this.#engine?.start();
  }

  #lost(why: string): void {
    this.#options.hooks.leading(false);
    if (this.#phase !== 'leading' || this.#stopping.signal.aborted) return;
    this.#options.log.error('the lease is lost: calls are cut and the process ends', { why });
    void this.stop(0).finally(() => this.#options.onLeaseLost());
  }
}

const releaseOf = ({ namespace, leaseName }: Settings): string => `${namespace}/${leaseName}`;
