import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sleep, systemClock } from '../../src/lib/clock.ts';
import { findArgoCd } from '../controlplane/programs/argocd.ts';
import type { Cluster } from '../controlplane/cluster.ts';
import { runCommand } from '../controlplane/command.ts';
import { freePort } from '../controlplane/free-port.ts';
import { thisMachine } from '../controlplane/programs/machine.ts';
import { Program } from '../support/process/program.ts';

const health = fileURLToPath(new URL('../../deploy/argocd-health.yaml', import.meta.url));
const namespace = 'argocd';
const refresh = 'argocd.argoproj.io/refresh';
const ours = { 'app.kubernetes.io/part-of': 'argocd' };

/** Retries hold on to the commit that they began with; the next one shall not wait minutes for them. */
const retry = { limit: 1, backoff: { duration: '1s', maxDuration: '2s' } };
const metrics = async (): Promise<readonly string[]> => ['--metrics-port', `${await freePort()}`];

export interface ResourceState {
  readonly kind: string;
  readonly name: string;
  readonly status?: string;
  readonly health?: { readonly status: string; readonly message?: string };
}
export interface Application {
  readonly metadata?: { readonly annotations?: Readonly<Record<string, string>> };
  readonly status?: {
    readonly sync?: { readonly status: string; readonly revision?: string };
    readonly health?: { readonly status: string };
    readonly resources?: readonly ResourceState[];
    readonly history?: readonly unknown[];
    readonly reconciledAt?: string;
    readonly operationState?: { readonly phase: string; readonly message?: string; readonly startedAt: string };
  };
}

/** What is needed beside the cluster; undefined when all is there. */
export async function lacking(): Promise<string | undefined> {
  if ((await runCommand('git', ['--version'])).code !== 0) return 'git is not in PATH; install it';
  return undefined;
}

/** A message that changes under the same health is seen at the next comparison only, which comes up to a minute late if nothing is said. */
const prompt = ['--app-resync-jitter', '0', '--persist-resource-health'];

/** Argo CD's application controller and repo server as processes, with the health of our kinds as `deploy` gives it. */
export class Controller {
  readonly #cluster: Cluster;
  readonly #folder: string;
  readonly #programs: Program[] = [];

  constructor(cluster: Cluster, folder: string) {
    this.#cluster = cluster;
    this.#folder = folder;
  }

  async start(log: (line: string) => void): Promise<void> {
    const { program, redis, crds } = await findArgoCd(thisMachine(log));
    await this.#configure(crds);
    const [cache, repository] = [`127.0.0.1:${await freePort()}`, await freePort()];
    const { kubeconfig } = this.#cluster;
    this.#run('redis', redis, [cache]);
    const env = { KUBECONFIG: kubeconfig, ARGOCD_FAKE_IN_CLUSTER: 'true', ARGOCD_GPG_ENABLED: 'false', TMPDIR: this.#folder };
    const server = ['--redis', cache, '--disable-tls', '--address', '127.0.0.1', '--port', `${repository}`];
    this.#run('repo-server', program, [...server, ...(await metrics())], { ...env, ARGOCD_BINARY_NAME: 'argocd-repo-server' });
    const controller = ['--redis', cache, '--repo-server', `127.0.0.1:${repository}`, '--repo-server-plaintext'];
    const where = ['--namespace', namespace, '--kubeconfig', kubeconfig, '--app-resync', '10', ...prompt];
    const name = { ARGOCD_BINARY_NAME: 'argocd-application-controller' };
    this.#run('application-controller', program, [...controller, ...where, ...(await metrics())], { ...env, ...name });
  }

  async create(name: string, repository: { readonly folder: string; readonly path: string }, destination: string): Promise<void> {
    await this.#apply({
      apiVersion: 'argoproj.io/v1alpha1',
      kind: 'Application',
      metadata: { name, namespace, finalizers: ['resources-finalizer.argocd.argoproj.io'] },
      spec: {
        project: 'default',
        source: { repoURL: `file://${repository.folder}`, path: repository.path, targetRevision: 'main' },
        destination: { server: 'https://kubernetes.default.svc', namespace: destination },
        syncPolicy: { automated: { prune: true, selfHeal: true, allowEmpty: true }, retry },
      },
    });
  }

  async application(name: string): Promise<Application | undefined> {
    const { status, body } = await this.#cluster.request<Application>('GET', this.#path(name));
    return status === 404 ? undefined : body;
  }

  /** As a webhook of the Git server would: look now. Answers when that is done: a request during another one would be lost. */
  async refresh(name: string): Promise<void> {
    const body = { metadata: { annotations: { [refresh]: 'normal' } } };
    await this.#cluster.request('PATCH', this.#path(name), { body, contentType: 'application/merge-patch+json' });
    for (let tries = 0; tries < 150; tries += 1) {
      const { metadata } = (await this.application(name)) ?? {};
      if (metadata?.annotations?.[refresh] === undefined) return;
      await sleep(systemClock, 200);
    }
    throw new Error(`Argo CD did not look at ${name} again within 30 s`);
  }

  async delete(name: string): Promise<void> {
    await this.#cluster.kubectl(['delete', 'application', name, '--namespace', namespace, '--wait=false']);
  }

  async lastWords(): Promise<string> {
    const texts = await Promise.all(this.#programs.map(async (program) => [program.name, ...(await program.lines()).slice(-8)]));
    return texts.flat().join('\n');
  }

  async stop(): Promise<void> {
    for (const program of this.#programs.toReversed()) await program.stop();
  }

  /** Settings as an installation has them, then ours merged into them with the command that deploy/argocd-health.yaml names. */
  async #configure(crds: string): Promise<void> {
    await this.#apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
    await this.#cluster.kubectl(['apply', '--server-side', '-f', crds]);
    for (const resource of ['applications', 'appprojects']) await this.#served(resource);
    const settings = { 'timeout.reconciliation': '10s' };
    await this.#apply(
      { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'argocd-cm', namespace, labels: ours }, data: settings },
      { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'argocd-rbac-cm', namespace, labels: ours } },
      {
        apiVersion: 'v1',
        kind: 'Secret',
        metadata: { name: 'argocd-secret', namespace, labels: ours },
        stringData: { 'server.secretkey': 'of no use here' },
      },
      {
        apiVersion: 'argoproj.io/v1alpha1',
        kind: 'AppProject',
        metadata: { name: 'default', namespace },
        spec: {
          sourceRepos: ['*'],
          destinations: [{ namespace: '*', server: '*' }],
          clusterResourceWhitelist: [{ group: '*', kind: '*' }],
        },
      },
    );
    await this.#cluster.kubectl(['patch', 'configmap', 'argocd-cm', '--namespace', namespace, '--patch-file', health]);
  }

  /** A CRD that was just applied needs a moment; later than 10 s something is wrong, and the next request says what. */
  async #served(resource: string): Promise<void> {
    for (let tries = 0; tries < 50; tries += 1) {
      if ((await this.#cluster.request('GET', `/apis/argoproj.io/v1alpha1/${resource}`)).status === 200) return;
      await sleep(systemClock, 200);
    }
  }

  async #apply(...items: readonly object[]): Promise<void> {
    await this.#cluster.kubectl(['apply', '-f', '-'], { input: JSON.stringify({ apiVersion: 'v1', kind: 'List', items }) });
  }

  #run(name: string, file: string, script: readonly string[], env: Readonly<Record<string, string>> = {}): void {
    this.#programs.push(new Program({ name, file, script, folder: this.#folder, env }));
  }

  #path(name: string): string {
    return join('/apis/argoproj.io/v1alpha1/namespaces', namespace, 'applications', name);
  }
}
