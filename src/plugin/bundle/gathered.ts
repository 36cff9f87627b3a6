import { KubeError } from '../../engine/ports/kubernetes.ts';
import { group, plural } from '../../generate/names.ts';
import { kubePath } from '../../kube/http/client.ts';
import type { Millis } from '../../lib/clock.ts';
import { withoutControls } from '../../lib/one-line.ts';
import { crdStates, operatorsOf } from '../cluster/installed.ts';
import { operatorLabels, operatorNamespaces } from '../cluster/operator-namespaces.ts';
import type { Reader } from '../cluster/reader.ts';
import { buildOf } from '../build.ts';
import { checks } from '../doctor/checks/checks.ts';
import { patientOf } from '../doctor/patient/patient.ts';
import { registry } from '../command-line/kinds.ts';
import { yamlOf } from '../output/yaml.ts';
import type { Session } from '../session.ts';
import { shownObject, withoutSecrets } from './without-secrets.ts';

/** One file of a bundle: data, or lines that are shown as they are. */
export interface Page {
  readonly name: string;
  readonly data?: unknown;
  readonly text?: string;
}
export interface Gathered {
  readonly pages: readonly Page[];
  /** What could not be read, and why. */
  readonly missing: readonly string[];
}

const mostLog = 5 * 2 ** 20;

interface Pod {
  readonly metadata: { readonly namespace: string; readonly name: string };
  readonly status?: unknown;
}
interface Event {
  readonly involvedObject?: { readonly apiVersion?: string; readonly kind?: string; readonly namespace?: string; readonly name?: string };
  readonly type?: string;
  readonly reason?: string;
  readonly message?: string;
  readonly count?: number;
  readonly firstTimestamp?: string;
  readonly lastTimestamp?: string;
  readonly eventTime?: string;
  readonly reportingComponent?: string;
  readonly source?: { readonly component?: string };
}

/** Everything that helps somebody who has nothing but this; Secrets are not even asked for. */
export class Gatherer {
  readonly #session: Session;
  readonly #reader: Reader;
  readonly #namespace: string | undefined;
  readonly #missing: string[] = [];

  constructor(session: Session, reader: Reader, namespace: string | undefined) {
    this.#session = session;
    this.#reader = reader;
    this.#namespace = namespace;
  }

  async gather(since: Millis): Promise<Gathered> {
    const pages: Page[] = [];
    for (const kind of registry.kinds) {
      const objects = await this.#reader.list(kind, this.#namespace);
      if (objects.length > 0) pages.push({ name: `objects/${plural(kind.kind)}.yaml`, data: objects.map(shownObject) });
    }
    const patient = await patientOf({ session: this.#session, flags: {} }, this.#namespace);
    const findings = checks.flatMap(({ id, look }) => look(patient).map((found) => ({ id, ...found })));
    pages.push(
      { name: 'doctor.yaml', data: findings },
      { name: 'leases.yaml', data: [...patient.leases.values()].map(({ metadata, spec }) => ({ name: metadata.name, spec })) },
    );
    pages.push(
      ...patient.pods.flatMap(({ metrics }, at) =>
        typeof metrics === 'string' ? [{ name: `pods/${at + 1}.metrics`, text: metrics }] : [],
      ),
    );
    pages.push({ name: 'versions.yaml', data: await this.#versions() }, ...(await this.#events(since)), ...(await this.#logs(since)));
    return { pages, missing: this.#missing };
  }

  async #versions(): Promise<unknown> {
    const [crds, { operators }] = await Promise.all([crdStates(this.#reader), operatorsOf(this.#reader)]);
    const nodes = (await this.#optional('/api/v1/nodes', 'nodes')) as
      | { readonly items?: readonly { readonly status?: { readonly nodeInfo?: { readonly kubeletVersion?: string } } }[] }
      | undefined;
    const kubelets = (nodes?.items ?? []).map(({ status }) => status?.nodeInfo?.kubeletVersion ?? 'unknown');
    return { plugin: buildOf(), server: await this.#optional('/version', 'version of the API server'), kubelets, crds, operators };
  }

  async #events(since: Millis): Promise<readonly Page[]> {
    const path = this.#namespace === undefined ? '/api/v1/events' : kubePath('api', 'v1', 'namespaces', this.#namespace, 'events');
    const { items = [] } = ((await this.#optional(path, 'Events')) ?? {}) as { readonly items?: readonly Event[] };
    const ours = items.filter(({ involvedObject, lastTimestamp, eventTime }) => {
      const at = Date.parse(lastTimestamp ?? eventTime ?? '');
      return involvedObject?.apiVersion?.startsWith(`${group}/`) === true && !(at < since);
    });
    const shown = ours.map(({ involvedObject: about = {}, ...event }) => ({
      kind: about.kind,
      namespace: about.namespace,
      name: about.name,
      type: event.type,
      reason: event.reason,
      message: event.message === undefined ? undefined : withoutSecrets(event.message, 'message'),
      // As they call themselves.
      reportedBy: event.reportingComponent || event.source?.component,
      count: event.count,
      firstTimestamp: event.firstTimestamp,
      lastTimestamp: event.lastTimestamp,
    }));
    return shown.length === 0 ? [] : [{ name: 'events.yaml', data: shown }];
  }

  async #logs(since: Millis): Promise<readonly Page[]> {
    const list = (await this.#optional(`/api/v1/pods?${operatorLabels}`, 'Pods of the operator')) as
      | { readonly items?: readonly Pod[] }
      | undefined;
    const pages: Page[] = [];
    const namespaces = await operatorNamespaces(this.#reader);
    const pods = (list?.items ?? []).filter(({ metadata }) => namespaces.has(metadata.namespace));
    const seconds = Math.max(1, Math.ceil((this.#session.now - since) / 1000));
    for (const [index, { metadata, status }] of pods.entries()) {
      const path = kubePath('api', 'v1', 'namespaces', metadata.namespace, 'pods', metadata.name, 'log');
      const text = await this.#optional(
        `${path}?timestamps=true&sinceSeconds=${seconds}&limitBytes=${mostLog}`,
        `log of Pod ${index + 1}`,
        true,
      );
      pages.push({ name: `pods/${index + 1}.yaml`, data: { name: metadata.name, namespace: metadata.namespace, status } });
      if (typeof text === 'string') pages.push({ name: `pods/${index + 1}.log`, text: withoutSecrets(text, 'log') });
    }
    return pages;
  }

  async #optional(path: string, what: string, text?: true): Promise<unknown> {
    try {
      const { client, signal, timeout } = this.#reader;
      return await client.request({ path, signal, timeout, ...(text !== undefined && { text }) });
    } catch (error) {
      if (!(error instanceof KubeError) || this.#session.host.signal.aborted) throw error;
      this.#missing.push(`${what}: ${error.fault}`);
      return undefined;
    }
  }
}

export const textOf = ({ data, text }: Page): string => (text === undefined ? yamlOf(data) : withoutControls(text));
