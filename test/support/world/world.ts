import { plural } from '../../../src/generate/names.ts';
import { Operator, type Hooks } from '../../../src/operator.ts';
import type { AccountChange, Key } from '../../../src/engine/ports/index.ts';
import { clusterAt } from '../../../src/kube/index.ts';
import { kinds as allKinds } from '../../../src/generated/kinds.ts';
import type { Millis } from '../../../src/lib/clock.ts';
import type { AnyKind } from '../../../src/resource/index.ts';
import type { Fields, Log } from '../../../src/telemetry/log.ts';
import { ApiServer } from '../../apiserver/api-server.ts';
import { createEmulator, type Emulator, type EmulatorOptions } from '../../emulator/emulator.ts';
import { Activity } from '../virtual/activity.ts';
import type { Backend } from '../virtual/backend.ts';
import { establishedDefinitions } from './custom-resource-definitions.ts';
import type { Condition, KubeObject } from './custom-object.ts';
import { rememberedBy, removeObjects } from './remembered.ts';
import { configMapContent } from '../samples/config-map-content.ts';
import { openedWorlds } from './opened-worlds.ts';
import { InProcessDispatcher } from '../virtual/in-process-dispatcher.ts';
import { seeded, seedOfRun } from '../seeded.ts';
import { VirtualClock, type VirtualProcess } from '../virtual/virtual-clock.ts';

export type { Condition, KubeObject } from './custom-object.ts';
export interface LogLine extends Fields {
  readonly level: string;
  readonly message: string;
}
export interface WorldOptions {
  readonly emulator?: Partial<Omit<EmulatorOptions, 'clock'>>;
  readonly kinds?: readonly AnyKind[];
  /** Scale of the bounds of its proofs; default 60 s each. */
  readonly commitBound?: Millis;
  readonly listLag?: Millis;
  readonly leaseDuration?: Millis;
  /** Reconciles at once, where thousands are not to be made for it. */
  readonly turns?: number;
  /** Another cluster on the same account API, in the same time. */
  readonly beside?: World;
  /** Further servers by origin, from which operators may read images. */
  readonly sources?: Readonly<Record<string, Backend>>;
  /** Stands between an operator and one of the two servers: sees every request, and may lose, delay or answer it. */
  readonly between?: (server: 'kube' | 'cloud', backend: Backend, operator: RunningOperator) => Backend;
}
/** Whose process it is: those of one release stand by for each other, those of two know nothing of each other. */
export interface Release {
  readonly namespace: string;
  readonly leaseName: string;
  readonly accountSelector: Readonly<Record<string, string>>;
}
/** By name and key. */
export interface Provided {
  readonly secrets?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly configMaps?: Readonly<Record<string, Readonly<Record<string, string>>>>;
}
/** One operator process of a world; killing it takes its timers and connections at once. */
export interface RunningOperator {
  readonly identity: string;
  readonly operator: Operator;
  readonly process: VirtualProcess;
  kill(): void;
}

/** A database takes half an hour to be made. */
const longestJob: Millis = 2_700_000;
const nothing = (): void => undefined;
const kubeOrigin = 'https://kubernetes.test';
const cloudOrigin = 'https://api.test';
export const defaultNamespace = 'team-a';
const theRelease: Release = { namespace: 'cloud-operator', leaseName: 'cloud-operator', accountSelector: {} };

/** An API server, an account API and any number of operators in one process, in virtual time, without sockets. */
export class World {
  readonly clock: VirtualClock;
  readonly activity: Activity;
  readonly server: ApiServer;
  readonly emulator: Emulator;
  readonly log: LogLine[] = [];
  readonly panics: unknown[] = [];
  /** What operators said of calls that change the account, when they sent them, and what came of it. */
  readonly changes: AccountChange[] = [];
  readonly outcomes: (AccountChange & { readonly outcome: string })[] = [];
  readonly driftSeen: { readonly kind: string; readonly after: Millis }[] = [];
  readonly jobEnds: { readonly kind: string; readonly key: Key; readonly ago: Millis }[] = [];
  readonly #options: WorldOptions;
  readonly #running: RunningOperator[] = [];
  #operators = 0;

  private constructor(options: WorldOptions) {
    this.#options = options;
    const { beside } = options;
    this.activity = beside?.activity ?? new Activity();
    this.clock = beside?.clock ?? new VirtualClock({ activity: this.activity });
    this.server = new ApiServer({ clock: this.clock, seed: beside === undefined ? 'cluster' : 'another cluster' });
    this.emulator = beside?.emulator ?? createEmulator({ clock: this.clock, ...options.emulator });
    this.emulator.setOrigin(cloudOrigin);
  }

  /** With the CRDs applied, the operator's namespace, one for a team, and the team's account `default`. */
  static async create(options: WorldOptions = {}): Promise<World> {
    const world = new World(options);
    world.server.establish(await establishedDefinitions());
    for (const name of ['cloud-operator', defaultNamespace]) await world.namespace(name);
    await world.clock.settle();
    openedWorlds.note(world);
    return world;
  }

  get kinds(): readonly AnyKind[] {
    return this.#options.kinds ?? allKinds;
  }

  /** A request as the cluster's administrator; throws on anything but 2xx. */
  async admin(method: string, path: string, body?: unknown): Promise<KubeObject> {
    const answer = await this.server.as('admin', method, path, body);
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body as unknown as KubeObject;
  }
  namespace(name: string): Promise<KubeObject> {
    return this.admin('POST', '/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  }
  secret(name: string, data: Record<string, string>, namespace = defaultNamespace): Promise<KubeObject> {
    const encoded = Object.fromEntries(Object.entries(data).map(([key, value]) => [key, Buffer.from(value).toString('base64')]));
    return this.admin('POST', `/api/v1/namespaces/${namespace}/secrets`, {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name, namespace },
      data: encoded,
    });
  }
  configMap(name: string, data: Readonly<Record<string, string>>, namespace = defaultNamespace): Promise<KubeObject> {
    const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace }, ...configMapContent(data) };
    return this.admin('POST', `/api/v1/namespaces/${namespace}/configmaps`, object);
  }
  /** What objects refer to by name: those Secrets and ConfigMaps that are not there yet. */
  async provide({ secrets = {}, configMaps = {} }: Provided, namespace = defaultNamespace): Promise<void> {
    const missing = (plural: string, texts: NonNullable<Provided['secrets']>) => {
      const known = this.server.objects(`/${plural}`).filter(({ metadata }) => metadata.namespace === namespace);
      return Object.entries(texts).filter(([name]) => !known.some(({ metadata }) => metadata.name === name));
    };
    for (const [name, data] of missing('secrets', secrets)) await this.secret(name, data, namespace);
    for (const [name, data] of missing('configmaps', configMaps)) await this.configMap(name, data, namespace);
  }
  /** The account `default` of a namespace with its token, under an installation of that name unless `spec` says otherwise. */
  async account(spec: Record<string, unknown> = {}, namespace = defaultNamespace, token = 'token-admin'): Promise<void> {
    await this.secret('cloud-token', { token }, namespace);
    await this.apply(
      'CloudAccount',
      'default',
      { endpoint: 'main', tokenSecretRef: { name: 'cloud-token', key: 'token' }, installation: 'tests', ...spec },
      namespace,
    );
  }

  path(kind: string, namespace = defaultNamespace, name?: string): string {
    return `/apis/cloudhosting.dev/v1alpha1/namespaces/${namespace}/${plural(kind)}${name === undefined ? '' : `/${name}`}`;
  }
  /** Creates the object, or replaces its spec. */
  async apply(kind: string, name: string, spec: Record<string, unknown>, namespace = defaultNamespace): Promise<KubeObject> {
    const known = await this.find(kind, name, namespace);
    const object = {
      apiVersion: 'cloudhosting.dev/v1alpha1',
      kind,
      metadata: { name, namespace, ...(known && { ...known.metadata }) },
      spec,
    };
    return known === undefined
      ? this.admin('POST', this.path(kind, namespace), object)
      : this.admin('PUT', this.path(kind, namespace, name), { ...known, spec });
  }
  patch(kind: string, name: string, change: object, namespace = defaultNamespace): Promise<KubeObject> {
    return this.admin('PATCH', this.path(kind, namespace, name), change);
  }
  delete(kind: string, name: string, namespace = defaultNamespace): Promise<KubeObject> {
    return this.admin('DELETE', this.path(kind, namespace, name));
  }
  async find(kind: string, name: string, namespace = defaultNamespace): Promise<KubeObject | undefined> {
    const answer = await this.server.as('admin', 'GET', this.path(kind, namespace, name));
    return answer.status === 404 ? undefined : (answer.body as unknown as KubeObject);
  }
  async get(kind: string, name: string, namespace = defaultNamespace): Promise<KubeObject> {
    const object = await this.find(kind, name, namespace);
    if (object === undefined) throw new Error(`${kind} ${namespace}/${name} is not there`);
    return object;
  }
  async condition(kind: string, name: string, type: string, namespace = defaultNamespace): Promise<Condition | undefined> {
    return (await this.find(kind, name, namespace))?.status?.conditions?.find((condition) => condition.type === type);
  }
  /** Lets time pass until the object is Ready for its newest generation; tells what stands in the way when it does not become so. */
  async ready(kind: string, name: string, limit: Millis = longestJob, namespace = defaultNamespace): Promise<KubeObject> {
    await this.#until(
      { kind, name, namespace },
      limit,
      (object) =>
        object?.status?.conditions?.some(
          ({ type, status, observedGeneration }) =>
            type === 'Ready' && status === 'True' && observedGeneration === object.metadata.generation,
        ) === true,
    );
    return this.get(kind, name, namespace);
  }
  // oxlint-disable-next-line max-params -- read aloud in stories; the last two are rarely given
  async reason(kind: string, name: string, reason: string, limit: Millis = 600_000, namespace = defaultNamespace): Promise<Condition> {
    await this.#until(
      { kind, name, namespace },
      limit,
      (object) => object?.status?.conditions?.some((condition) => condition.type === 'Synced' && condition.reason === reason) === true,
    );
    return (await this.condition(kind, name, 'Synced', namespace)) as Condition;
  }
  async gone(kind: string, name: string, limit: Millis = 600_000, namespace = defaultNamespace): Promise<void> {
    await this.#until({ kind, name, namespace }, limit, (object) => object === undefined);
  }
  async #until(
    { kind, name, namespace }: { readonly kind: string; readonly name: string; readonly namespace: string },
    limit: Millis,
    done: (object: KubeObject | undefined) => boolean,
  ): Promise<void> {
    try {
      await this.clock.runUntil(async () => done(await this.find(kind, name, namespace)), limit);
    } catch (error) {
      const object = await this.find(kind, name, namespace);
      const log = this.log
        .slice(-15)
        .map((line) => JSON.stringify(line))
        .join('\n');
      throw new Error(
        `${kind} ${name} after ${limit / 1000} s: ${JSON.stringify(object?.status ?? null, null, 1)}\nmetadata ${JSON.stringify(object?.metadata)}\npanics ${this.panics.map(String).join('; ')}\nlog\n${log}`,
        { cause: error },
      );
    }
  }

  /** Starts an operator and lets it take the lease. */
  async start(token = 'admin', release: Partial<Release> = {}): Promise<RunningOperator> {
    const running = this.launch(token, release);
    await this.clock.settle();
    return running;
  }
  /** Starts an operator; what it does it does when the clock goes on. */
  launch(token = 'admin', release: Partial<Release> = {}): RunningOperator {
    const identity = `operator-${(this.#operators += 1)}`;
    const process = this.clock.spawn();
    const running: { -readonly [K in keyof RunningOperator]?: RunningOperator[K] } = { identity, process };
    const between = this.#options.between ?? ((_server, backend) => backend);
    const dispatcher = new InProcessDispatcher({
      clock: process.clock,
      activity: this.activity,
      backends: {
        [kubeOrigin]: between('kube', this.server, running as RunningOperator),
        ...this.#options.sources,
        [cloudOrigin]: between('cloud', this.emulator, running as RunningOperator),
      },
    });
    const operator = new Operator({
      settings: {
        endpoints: [{ name: 'main', url: `${cloudOrigin}/v4`, word: this.#options.emulator?.providerWord ?? 'vm' }],
        ...theRelease,
        ...release,
        watchNamespaces: [],
        imageSources: Object.keys(this.#options.sources ?? {}).map((origin) => ({ host: new URL(origin).hostname })),
        leaderElect: true,
        leaseDuration: this.#options.leaseDuration ?? 15_000,
        identity,
        commitBound: this.#options.commitBound ?? 60_000,
        listLag: this.#options.listLag ?? 60_000,
        shutdownGrace: 20_000,
      },
      kinds: this.kinds,
      cluster: clusterAt(process.clock, { server: kubeOrigin, token }),
      clock: process.clock,
      random: seeded(seedOfRun() * 1_000 + this.#operators),
      log: this.#logger(identity),
      hooks: this.#hooks(),
      turns: this.#options.turns,
      dispatchers: { kube: dispatcher, cloud: dispatcher },
      onLeaseLost: () => undefined,
    });
    const kill = (): void => {
      process.kill();
      dispatcher.kill();
    };
    Object.assign(running, { operator, kill });
    this.#running.push(running as RunningOperator);
    void operator.start().catch((error: unknown) => this.log.push({ level: 'error', message: 'start failed', error: String(error) }));
    return running as RunningOperator;
  }

  /** What operators that still run remember of objects that are gone, as far as each has heard. */
  remembered(): readonly string[] {
    return this.#running.flatMap((running) => rememberedBy(running, this.kinds));
  }
  /** The same once every object has been taken away by force, and what was under way has ended. */
  async rememberedOnceEmpty(): Promise<readonly string[]> {
    this.server.faults.clear();
    await removeObjects(this);
    await this.clock.advance(5_000);
    if (this.remembered().length > 0) await this.clock.advance(60_000);
    return this.remembered();
  }

  #hooks(): Hooks {
    return {
      reconciled: nothing,
      queued: nothing,
      panic: (_kind, _key, error) => void this.panics.push(error),
      cloud: { onJobEnd: (end) => void this.jobEnds.push(end) },
      kubeRequest: nothing,
      mismatched: nothing,
      leading: nothing,
      watched: nothing,
      changing: (change) => void this.changes.push({ ...change }),
      changed: (change, outcome) => void this.outcomes.push({ ...change, outcome }),
      driftSeen: (kind, after) => void this.driftSeen.push({ kind, after }),
    };
  }
  #logger(identity: string): Log {
    const at =
      (level: string) =>
      (message: string, fields: Fields = {}): void =>
        void this.log.push({ level, message, identity, ...fields });
    return { debug: () => undefined, info: at('info'), warn: at('warn'), error: at('error') };
  }
}
