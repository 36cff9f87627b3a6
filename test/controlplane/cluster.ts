import { createHash, randomBytes } from 'node:crypto';
import { access, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Agent, request } from 'undici';
import { auditPosition, readAuditLog, type AuditEntry } from './servers/audit-log.ts';
import { runCommand, type CommandResult } from './command.ts';
import { findHelm } from './programs/helm.ts';
import { kubeconfigText } from './servers/kubeconfig.ts';
import { thisMachine } from './programs/machine.ts';
import { signUser } from './servers/user-token.ts';

/** All that is needed to use a running control plane, as plain data: it can be handed to another process. */
export interface Coordinates {
  readonly url: string;
  /** PEM. */
  readonly ca: string;
  /** A bearer token of group `system:masters`, or bound to `cluster-admin` where the cluster is not ours. */
  readonly adminToken: string;
  /** Key of user tokens; empty where the cluster is not ours and users cannot be made. */
  readonly userKey: string;
  /** Path of the audit log; empty where the cluster is not ours. */
  readonly auditLog: string;
  /** Path of the kubectl program. */
  readonly kubectl: string;
  /** For kubeconfigs and kubectl's and Helm's own files; removed at stop. */
  readonly folder: string;
  /** False when nothing collects garbage and empties deleted namespaces. */
  readonly controllers: boolean;
}

export interface CallOptions {
  /** Who calls; the administrator when absent. */
  readonly token?: string;
  readonly input?: string;
  /** Return a failure instead of throwing it. */
  readonly allowFail?: boolean;
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

export interface RequestOptions {
  readonly token?: string;
  readonly body?: unknown;
  /** Of the body; `application/json` when absent. Patches need their own. */
  readonly contentType?: string;
}

export interface Answer<T> {
  readonly status: number;
  readonly body: T;
}

/** A running control plane, as its users see it. */
export class Cluster {
  readonly coordinates: Coordinates;
  readonly #agent: Agent;

  constructor(coordinates: Coordinates) {
    this.coordinates = coordinates;
    this.#agent = new Agent({ allowH2: false, connect: coordinates.ca === '' ? {} : { ca: coordinates.ca } });
  }

  get url(): string {
    return this.coordinates.url;
  }

  get ca(): string {
    return this.coordinates.ca;
  }

  get adminToken(): string {
    return this.coordinates.adminToken;
  }

  /** Path of the administrator's kubeconfig. */
  get kubeconfig(): string {
    return this.#kubeconfigPath(this.adminToken);
  }

  /** Runs kubectl; throws with its stderr when it fails, unless told otherwise. */
  async kubectl(args: readonly string[], options: CallOptions = {}): Promise<CommandResult> {
    const kubeconfig = await this.kubeconfigFor(options.token ?? this.adminToken);
    const cache = join(this.coordinates.folder, 'kubectl-cache');
    return this.#run(this.coordinates.kubectl, ['--kubeconfig', kubeconfig, '--cache-dir', cache, ...args], options);
  }

  /** Runs Helm, which is looked for, or built, at the first call; throws as `kubectl` does. */
  async helm(args: readonly string[], options: CallOptions = {}): Promise<CommandResult> {
    const kubeconfig = await this.kubeconfigFor(options.token ?? this.adminToken);
    const helm = await findHelm(thisMachine((line) => process.stderr.write(`${line}\n`)));
    const own = {
      KUBECONFIG: kubeconfig,
      HELM_CACHE_HOME: this.#own('cache'),
      HELM_CONFIG_HOME: this.#own('config'),
      HELM_DATA_HOME: this.#own('data'),
    };
    return this.#run(helm, args, { ...options, env: { ...own, ...options.env } });
  }

  /** One request to the API; any status is an answer. Much cheaper than kubectl. */
  async request<T = Record<string, unknown>>(method: string, path: string, options: RequestOptions = {}): Promise<Answer<T>> {
    const response = await request(new URL(path, this.url), {
      method: method as 'GET',
      dispatcher: this.#agent,
      headers: { authorization: `Bearer ${options.token ?? this.adminToken}`, 'content-type': options.contentType ?? 'application/json' },
      ...(options.body === undefined ? {} : { body: JSON.stringify(options.body) }),
    });
    const text = await response.body.text();
    const isJson = String(response.headers['content-type']).startsWith('application/json');
    return { status: response.statusCode, body: (isJson ? JSON.parse(text) : { message: text }) as T };
  }

  /** The token of a real user; it needs RBAC for all it does. */
  user(name: string, groups: readonly string[] = []): string {
    if (this.coordinates.userKey === '') {
      throw new Error(
        'users can be made only on a control plane that was started here, not on an existing cluster: use serviceAccountToken',
      );
    }
    return signUser({ name, groups }, this.coordinates.userKey);
  }

  /** The token of a ServiceAccount, which is created when it is not there; valid for an hour, or for so many seconds. */
  async serviceAccountToken(namespace: string, name: string, expirationSeconds = 3600): Promise<string> {
    const accounts = `/api/v1/namespaces/${namespace}/serviceaccounts`;
    await this.#must([201, 409], 'POST', accounts, { metadata: { name } });
    const answer = await this.#must([201], 'POST', `${accounts}/${name}/token`, { spec: { expirationSeconds } });
    return (answer.body as { status: { token: string } }).status.token;
  }

  /** Creates a namespace whose name no other test has. */
  async createNamespace(prefix = 'test'): Promise<string> {
    const name = `${prefix}-${randomBytes(4).toString('hex')}`;
    await this.#must([201], 'POST', '/api/v1/namespaces', { metadata: { name } });
    return name;
  }

  /** Writes a kubeconfig with this token, once; answers its path. */
  async kubeconfigFor(token: string): Promise<string> {
    const path = this.#kubeconfigPath(token);
    if (await isFile(path)) return path;
    // Two processes may write it at once, and nobody may read half of it.
    const own = `${path}.${randomBytes(4).toString('hex')}`;
    await writeFile(own, kubeconfigText(this.coordinates, token), { mode: 0o600 });
    await rename(own, path);
    return path;
  }

  /** Where the audit log ends now, to read on from there later. */
  auditPosition(): Promise<number> {
    return auditPosition(this.coordinates.auditLog);
  }

  /** Every request since the start, or since a position. Empty where the cluster is not ours or audit is off. */
  auditLog(from = 0): Promise<AuditEntry[]> {
    return readAuditLog(this.coordinates.auditLog, from);
  }

  /** Closes this process's connections; the control plane goes on. */
  async disconnect(): Promise<void> {
    await this.#agent.destroy();
  }

  async #run(file: string, args: readonly string[], options: CallOptions): Promise<CommandResult> {
    const result = await runCommand(file, args, {
      env: { ...process.env, KUBERC: 'off', ...options.env },
      ...(options.input === undefined ? {} : { input: options.input }),
      ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
    });
    if (result.code === 0 || options.allowFail) return result;
    throw new Error(`${file} ${args.join(' ')}: exit code ${result.code}\n${result.stderr}`);
  }

  async #must(expected: readonly number[], method: string, path: string, body: unknown): Promise<Answer<Record<string, unknown>>> {
    const answer = await this.request(method, path, { body });
    if (expected.includes(answer.status)) return answer;
    throw new Error(`${method} ${path}: ${answer.status} ${String(answer.body['message'])}`);
  }

  #own(name: string): string {
    return join(this.coordinates.folder, `helm-${name}`);
  }

  #kubeconfigPath(token: string): string {
    return join(this.coordinates.folder, `kubeconfig-${createHash('sha256').update(token).digest('hex').slice(0, 12)}`);
  }
}

const isFile = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );
