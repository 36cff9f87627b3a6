import { open } from 'node:fs/promises';
import type { AuditEntry } from '../controlplane/servers/audit-log.ts';
import type { Cluster } from '../controlplane/cluster.ts';
import type { EmulatorProgram, LedgerRequest } from '../support/process/emulator-program.ts';
import { releaseName, releaseNamespace } from '../support/process/rendered-chart.ts';

const operatorUser = `system:serviceaccount:${releaseNamespace}:${releaseName}`;
/** Whose token the operator has. */
export const cloudUser = 'admin';

/** One write of the operator to the API server, as the audit log has it. */
export interface KubeWrite {
  /** Milliseconds since the epoch, when its answer was complete. */
  readonly at: number;
  readonly verb: string;
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
  readonly status: number;
}

const writing = new Set(['create', 'update', 'patch', 'delete']);

const writeOf = ({ stageTimestamp, verb, objectRef = {}, responseStatus }: AuditEntry): KubeWrite => ({
  at: Date.parse(stageTimestamp),
  verb,
  resource: objectRef.resource ?? '',
  subresource: objectRef.subresource ?? '',
  namespace: objectRef.namespace ?? '',
  name: objectRef.name ?? '',
  status: responseStatus?.code ?? 0,
});

/** What others saw of the operator: the account's ledger and the API server's audit log, each entry read once. */
export class Evidence {
  readonly #cluster: Cluster;
  readonly #emulator: EmulatorProgram;
  #requests: LedgerRequest[] = [];
  #seen = 0;
  #writes: KubeWrite[] = [];
  #position = 0;

  constructor(cluster: Cluster, emulator: EmulatorProgram) {
    this.#cluster = cluster;
    this.#emulator = emulator;
  }

  /** Calls of the operator to the account that began in a span of time, in the order of their ends. */
  async calls(from: number, to = Infinity): Promise<readonly LedgerRequest[]> {
    const news = await this.#emulator.requests(this.#seen);
    this.#seen = news.at(-1)?.seq ?? this.#seen;
    this.#requests.push(...news.filter(({ username }) => username === cloudUser));
    return this.#requests.filter(({ at }) => at >= from && at < to);
  }

  /** Writes of the operator to Kubernetes that were answered in a span of time; its lease is not among them. */
  async writes(from: number, to = Infinity): Promise<readonly KubeWrite[]> {
    const entries = (await this.#auditLines()).map((line) => JSON.parse(line) as AuditEntry);
    const news = entries.filter(({ stage, verb }) => stage === 'ResponseComplete' && writing.has(verb));
    this.#writes.push(...news.map(writeOf).filter(({ resource }) => resource !== 'leases'));
    return this.#writes.filter(({ at }) => at >= from && at < to);
  }

  /** Whole lines of the operator since the last time; other users' are not even parsed. */
  async #auditLines(): Promise<readonly string[]> {
    const file = await open(this.#cluster.coordinates.auditLog);
    try {
      const { size } = await file.stat();
      const { buffer, bytesRead } = await file.read(Buffer.alloc(size - this.#position), 0, size - this.#position, this.#position);
      const whole = buffer.subarray(0, bytesRead).lastIndexOf('\n') + 1;
      this.#position += whole;
      return buffer
        .toString('utf8', 0, whole)
        .split('\n')
        .filter((line) => line.includes(`"username":"${operatorUser}"`));
    } finally {
      await file.close();
    }
  }

  /** Forgets what was before, so that a long run stays quick. */
  async forget(): Promise<void> {
    await Promise.all([this.calls(Infinity), this.writes(Infinity)]);
    this.#requests = [];
    this.#writes = [];
  }
}
