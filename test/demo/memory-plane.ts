import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../src/lib/clock.ts';
import { ApiServer } from '../apiserver/api-server.ts';
import { chartGrants, operatorToken, operatorUser } from '../chaos/stage/chart-rights.ts';
import { manifests } from '../apiserver/resources/project-manifests.ts';
import type { AuditEntry } from '../controlplane/servers/audit-log.ts';
import type { CallOptions, Coordinates } from '../controlplane/cluster.ts';
import { ControlPlane } from '../controlplane/control-plane.ts';
import { kubeconfigText } from '../controlplane/servers/kubeconfig.ts';
import type { ApiRequest, ApiResponse } from '../emulator/core/http-message.ts';
import { serve } from '../emulator/server.ts';
import type { Installed } from '../support/process/installed-operator.ts';
import { defaultRelease } from '../support/process/rendered-chart.ts';
import { PlainKubectl } from './plain-kubectl.ts';

const { namespace } = defaultRelease;

/** The API server in memory on a port of this machine, for where no real control plane can be had. */
export class MemoryPlane extends ControlPlane {
  readonly #server: ApiServer;

  private constructor(server: ApiServer, coordinates: Coordinates, stop: () => Promise<void>) {
    super(coordinates, { stop }, systemClock);
    this.#server = server;
  }

  static async open(): Promise<MemoryPlane> {
    const server = new ApiServer({ clock: systemClock, users: { [operatorToken]: operatorUser }, grants: chartGrants });
    const running = await serve((request) => answer(server, request), { listen: '127.0.0.1:0' });
    const folder = await mkdtemp(join(tmpdir(), 'cloud-operator-memory-'));
    const stop = async (): Promise<void> => {
      await running.close();
      await rm(folder, { recursive: true, force: true });
    };
    const none = { ca: '', userKey: '', auditLog: '', kubectl: '' };
    return new MemoryPlane(server, { ...none, url: running.origin, adminToken: 'admin', folder, controllers: true }, stop);
  }

  /** CRDs and the operator's namespace; its rights are those of the chart. */
  async install(api: { readonly name: string; readonly url: string; readonly word: string }): Promise<Installed> {
    for (const crd of await manifests('crds')) await this.#server.apply(crd);
    await this.#server.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
    const args = ['run', `--endpoint=${api.name}=${api.url},word=${api.word}`, '--lease-name=cloud-operator'];
    return { release: defaultRelease, objects: [], container: { args, env: [] } };
  }

  override async kubectl(args: readonly string[], { input = '' }: CallOptions = {}): ReturnType<ControlPlane['kubectl']> {
    return { code: 0, stdout: await new PlainKubectl(this.#server).run(args, input), stderr: '' };
  }
  /** Readers of kubeconfigs take plain HTTP only where they are told that nothing is verified. */
  override async kubeconfigFor(token: string): Promise<string> {
    const config = JSON.parse(kubeconfigText(this.coordinates, token)) as { clusters: { cluster: Record<string, unknown> }[] };
    for (const { cluster } of config.clusters) cluster['insecure-skip-tls-verify'] = true;
    const path = join(this.coordinates.folder, 'kubeconfig');
    await writeFile(path, JSON.stringify(config), { mode: 0o600 });
    return path;
  }
  override serviceAccountToken(): Promise<string> {
    return Promise.resolve(operatorToken);
  }
  override auditLog(): Promise<AuditEntry[]> {
    const entries = this.#server.ledger.requests.map(({ user: username, verb, path, outcome }) => ({
      user: { username },
      verb,
      requestURI: path,
      responseStatus: { code: Number(outcome) },
    }));
    return Promise.resolve(entries as unknown as AuditEntry[]);
  }
}

async function answer(server: ApiServer, { method, path, headers: given = {}, body, signal }: ApiRequest): Promise<ApiResponse> {
  const {
    status,
    headers,
    body: shown,
  } = await server.handle({
    method,
    path,
    headers: given,
    body: Buffer.from(body ?? ''),
    signal: signal ?? new AbortController().signal,
  });
  const flat = Object.fromEntries(Object.entries(headers).map(([header, value]) => [header, String(value)]));
  return { status, headers: flat, body: shown };
}
