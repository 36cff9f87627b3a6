import { plural } from '../../../src/generate/names.ts';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sleep, systemClock, type Millis } from '../../../src/lib/clock.ts';
import type { Cluster } from '../../controlplane/cluster.ts';
import { configMapContent } from '../samples/config-map-content.ts';
import type { Condition, KubeObject } from '../world/custom-object.ts';
import { EmulatorProgram } from './emulator-program.ts';
import { installChart, startOperator, type Installed, type OperatorProgram } from './installed-operator.ts';
import type { Values } from './rendered-chart.ts';

export interface StageOptions {
  /** Its connections are the stage's from now on; by default those of the control plane that all suites of a run share. */
  readonly cluster?: Cluster;
  /** Of the emulator: `--speed 20`. */
  readonly emulator?: readonly string[];
  /** Of the operator, after those of the chart. */
  readonly flags?: readonly string[];
  /** How many namespaces beside the team's own the operator serves. */
  readonly more?: number;
  /** Over those that the stage sets. */
  readonly values?: Values;
  /** False: the caller starts the operator. */
  readonly start?: boolean;
  /** Puts something between the operator and the API at this URL, and answers the URL that the operator is given instead. */
  readonly between?: (apiUrl: string) => Promise<string>;
}

/** Only where vitest runs. */
const shared = async (): Promise<Cluster> => (await import('../../controlplane/shared.ts')).sharedControlPlane();
const clusterOf = ({ cluster }: StageOptions): Promise<Cluster> => (cluster === undefined ? shared() : Promise.resolve(cluster));

/**
 * A release of its own on the shared control plane: the emulator and the built operator as processes, the chart's objects,
 * the operator's namespace and a team's. It serves only its own namespaces, so that stages do not meet.
 */
export class Stage {
  readonly cluster: Cluster;
  readonly folder: string;
  readonly emulator: EmulatorProgram;
  readonly installed: Installed;
  readonly namespaces: readonly string[];
  readonly #flags: readonly string[];
  #operator: OperatorProgram | undefined;
  #starts = 0;

  private constructor(parts: Pick<Stage, 'cluster' | 'folder' | 'emulator' | 'installed' | 'namespaces'>, flags: readonly string[]) {
    this.cluster = parts.cluster;
    this.folder = parts.folder;
    this.emulator = parts.emulator;
    this.installed = parts.installed;
    this.namespaces = parts.namespaces;
    this.#flags = flags;
  }

  static async open(options: StageOptions = {}): Promise<Stage> {
    const { emulator: args = [], flags = [], more = 0, values = {}, start = true, between = (url) => Promise.resolve(url) } = options;
    const cluster = await clusterOf(options);
    const folder = await mkdtemp(join(tmpdir(), 'cloud-operator-stage-'));
    const emulator = await EmulatorProgram.start(args, { folder });
    const namespaces = await Promise.all(Array.from({ length: 1 + more }, () => cluster.createNamespace('team')));
    const release = { name: `cloud-operator-${randomBytes(4).toString('hex')}`, namespace: await cluster.createNamespace('operator') };
    const url = await between(emulator.ready.url);
    // The samples name the one of the README, tests that make an account of their own the other.
    const endpoints = ['main', 'default'].map((name) => ({ name, url, word: 'vm' }));
    const installed = await installChart(cluster, { endpoints, watchNamespaces: namespaces, ...values }, release);
    const stage = new Stage({ cluster, folder, emulator, installed, namespaces }, flags);
    if (!start) return stage;
    try {
      await stage.start();
    } catch (error) {
      await stage.close();
      throw error;
    }
    return stage;
  }

  /** The team's. */
  get namespace(): string {
    return this.namespaces[0] ?? '';
  }
  get operator(): OperatorProgram {
    if (this.#operator === undefined) throw new Error('no operator was started on this stage');
    return this.#operator;
  }
  /** Of the operator's ServiceAccount, as the audit log names it. */
  get user(): string {
    const { name, namespace } = this.installed.release;
    return `system:serviceaccount:${namespace}:${name}`;
  }

  /** All our resources, as kubectl takes them; the category `cloud` is not known to it before its cache is renewed. */
  get resources(): string {
    const crds = this.installed.objects.filter(({ kind }) => kind === 'CustomResourceDefinition');
    return crds.map(({ metadata }) => metadata.name).join(',');
  }

  /** Starts the operator, again if need be; resolves when it does its work. */
  async start(flags: readonly string[] = [], env: Readonly<Record<string, string>> = {}): Promise<OperatorProgram> {
    const name = `operator-${(this.#starts += 1)}`;
    const options = { name, folder: this.folder, flags: [...this.#flags, ...flags], env: { POD_NAME: name, ...env } };
    const operator = await startOperator(this.cluster, this.installed, options);
    this.#operator = operator;
    await operator.program.line((line) => line.includes('"working"'), 30_000);
    return operator;
  }

  /** Ends the processes whatever happened, and removes what is not the shared control plane's. */
  async close(): Promise<void> {
    await this.#operator?.program.stop();
    await this.#removeObjects();
    await this.abandon();
  }

  /** Ends the emulator and leaves the objects to whoever ends the control plane. */
  async abandon(): Promise<void> {
    await this.emulator.program.stop();
    await this.cluster.disconnect();
    await rm(this.folder, { recursive: true, force: true });
  }

  path(kind: string, name?: string, namespace: string = this.namespace): string {
    return `/apis/cloudhosting.dev/v1alpha1/namespaces/${namespace}/${plural(kind)}${name === undefined ? '' : `/${name}`}`;
  }
  manifest(kind: string, name: string, spec: object, namespace: string = this.namespace): object {
    return { apiVersion: 'cloudhosting.dev/v1alpha1', kind, metadata: { name, namespace }, spec };
  }
  async find(kind: string, name: string, namespace?: string): Promise<KubeObject | undefined> {
    const { status, body } = await this.cluster.request<KubeObject>('GET', this.path(kind, name, namespace));
    return status === 404 ? undefined : body;
  }
  /** Applies with kubectl, as a person does. */
  async apply(...objects: readonly object[]): Promise<string> {
    const list = { apiVersion: 'v1', kind: 'List', items: objects };
    return (await this.cluster.kubectl(['apply', '-f', '-'], { input: JSON.stringify(list) })).stdout;
  }
  secret(name: string, stringData: Readonly<Record<string, string>>, namespace: string = this.namespace): Promise<string> {
    return this.apply({ apiVersion: 'v1', kind: 'Secret', metadata: { name, namespace }, stringData });
  }
  configMap(name: string, data: Readonly<Record<string, string>>): Promise<string> {
    return this.apply({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: this.namespace }, ...configMapContent(data) });
  }
  /** An account with its token. */
  async account(name = 'default', spec: object = {}, token = 'token-admin', namespace: string = this.namespace): Promise<void> {
    await this.secret(name, { token }, namespace);
    const whole = { endpoint: 'default', tokenSecretRef: { name, key: 'token' }, installation: 'tests', ...spec };
    await this.apply(this.manifest('CloudAccount', name, whole, namespace));
  }
  async patch(kind: string, name: string, body: object, namespace?: string): Promise<void> {
    const path = this.path(kind, name, namespace);
    const answer = await this.cluster.request('PATCH', path, { body, contentType: 'application/merge-patch+json' });
    if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${String(answer.body['message'])}`);
  }

  /** Waits until the object is so (undefined: gone); tells what it was instead. */
  async until(
    what: readonly [kind: string, name: string, namespace?: string],
    done: (object: KubeObject | undefined) => boolean,
    limit: Millis = 30_000,
  ): Promise<KubeObject> {
    const end = systemClock.monotonic() + limit;
    for (;;) {
      const object = await this.find(...what);
      if (done(object)) return object as KubeObject;
      if (systemClock.monotonic() > end) throw new Error(await this.#story(`${what.join(' ')} after ${limit / 1000} s`, object));
      await sleep(systemClock, 100);
    }
  }
  ready(kind: string, name: string, limit?: Millis): Promise<KubeObject> {
    return this.until([kind, name], isReady, limit);
  }
  gone(kind: string, name: string, limit?: Millis): Promise<KubeObject> {
    return this.until([kind, name], (object) => object === undefined, limit);
  }

  async #story(what: string, object: KubeObject | undefined): Promise<string> {
    const log = this.#operator === undefined ? [] : await this.#operator.program.lines();
    const requests = await this.emulator.requests().catch(() => []);
    const calls = requests.slice(-15).map(({ method, path, status, body }) => `${method} ${path} ${status} ${body.slice(0, 200)}`);
    const { metadata, status } = object ?? {};
    const about = `${JSON.stringify({ annotations: metadata?.annotations, finalizers: metadata?.finalizers })}\n${JSON.stringify(status, null, 1)}`;
    return `${what}: ${object === undefined ? 'it is not there' : about}\ncalls\n${calls.join('\n')}\nlog\n${log.slice(-15).join('\n')}`;
  }

  /** Nobody is left to take the finalizers off. */
  async #removeObjects(): Promise<void> {
    const mine = this.installed.objects.filter(({ kind }) =>
      ['ValidatingAdmissionPolicy', 'ValidatingAdmissionPolicyBinding'].includes(kind),
    );
    await this.cluster.kubectl([
      'delete',
      '--ignore-not-found',
      '--wait=false',
      ...mine.map(({ kind, metadata }) => `${kind}/${metadata.name}`),
    ]);
    await this.cluster.kubectl(['delete', 'namespace', ...this.namespaces, '--wait=false']);
    for (const namespace of this.namespaces) {
      const { stdout } = await this.cluster.kubectl(['get', this.resources, '-n', namespace, '-o', 'name']);
      const names = stdout.split('\n').filter((name) => name !== '');
      if (names.length > 0)
        await this.cluster.kubectl(['patch', '-n', namespace, ...names, '--type=merge', '-p', '{"metadata":{"finalizers":null}}'], {
          allowFail: true,
        });
    }
    await this.cluster.kubectl(['delete', 'namespace', this.installed.release.namespace, '--wait=false']);
  }
}

export const isReady = (object: KubeObject | undefined): boolean =>
  object?.status?.conditions?.some(
    ({ type, status, observedGeneration }) => type === 'Ready' && status === 'True' && observedGeneration === object.metadata.generation,
  ) === true;

export const conditionOf = (object: KubeObject | undefined, type: string): Condition | undefined =>
  object?.status?.conditions?.find((condition) => condition.type === type);
