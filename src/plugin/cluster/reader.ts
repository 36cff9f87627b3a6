import { duration } from '../../flag-values.ts';
import { group, plural, version } from '../../generate/names.ts';
import { KubeError, type Key, type Resource } from '../../engine/ports/kubernetes.ts';
import { type KubeClient, type KubeRequest, kubePath } from '../../kube/http/client.ts';
import { isMissing, StatusError } from '../../kube/http/status-error.ts';
import { type RawObject, trim } from '../../kube/watch/trim.ts';
import type { Clock, Millis } from '../../lib/clock.ts';
import type { AnyKind } from '../../resource/index.ts';
import { CliError } from '../exit.ts';

const page = 500;

interface Page {
  readonly metadata?: { readonly continue?: string };
  readonly items?: readonly RawObject[];
}

/** Reads our objects with the caller's own rights. A refusal names the right that is missing. */
export class Reader {
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly timeout: Millis;

  constructor(client: KubeClient, clock: Clock, signal: AbortSignal, timeout: string | undefined) {
    this.client = client;
    this.clock = clock;
    this.signal = signal;
    const limit = duration(timeout ?? '30s');
    if (limit === undefined) throw new CliError(2, `--request-timeout=${timeout} is no duration: write for example 30s`);
    this.timeout = limit;
  }

  async get(kind: AnyKind, key: Key): Promise<Resource | undefined> {
    try {
      const raw = await this.#ask({ path: pathOf(kind, key) }, { verb: 'get', resource: plural(kind.kind), namespace: key.namespace });
      return trim(kind.kind, raw as RawObject);
    } catch (error) {
      if (isMissing(error)) return undefined;
      if (error instanceof StatusError && error.status === 404) throw new CliError(4, uninstalledText(`${plural(kind.kind)}.${group}`));
      throw error;
    }
  }

  /** Of one namespace, or of all; nothing where the kind is not installed. */
  async list(kind: AnyKind, namespace: string | undefined, labelSelector?: string): Promise<readonly Resource[]> {
    const found: Resource[] = [];
    const right = { verb: 'list', resource: plural(kind.kind), namespace };
    let next: string | undefined;
    do {
      const query = { limit: page, continue: next, labelSelector };
      const { items = [], metadata } = await this.#page({ path: collectionOf(kind, namespace), query }, right).catch(
        misread(labelSelector),
      );
      found.push(...items.flatMap((raw) => trim(kind.kind, raw) ?? []));
      next = metadata?.continue === '' ? undefined : metadata?.continue;
    } while (next !== undefined);
    return found;
  }

  /** Anything else; undefined where it is not there, or not for the caller to see. */
  async optional(path: string, metadataOnly?: true): Promise<unknown> {
    try {
      return await this.client.request({ path, signal: this.signal, timeout: this.timeout, ...(metadataOnly && { metadataOnly }) });
    } catch (error) {
      if (error instanceof KubeError && ['NotFound', 'Forbidden'].includes(error.fault)) return undefined;
      throw error;
    }
  }

  /** Known not to be there; who may not see it is not told. */
  async isAbsent(path: string): Promise<boolean> {
    try {
      await this.client.request({ path, signal: this.signal, timeout: this.timeout, metadataOnly: true });
      return false;
    } catch (error) {
      if (error instanceof KubeError && error.fault === 'NotFound') return true;
      if (error instanceof KubeError && error.fault === 'Forbidden') return false;
      throw error;
    }
  }

  async #page(request: KubeRequest, right: Needed): Promise<Page> {
    try {
      return (await this.#ask(request, right)) as Page;
    } catch (error) {
      if (error instanceof StatusError && error.status === 404) return {};
      throw error;
    }
  }

  async #ask(request: KubeRequest, right: Needed): Promise<unknown> {
    try {
      return await this.client.request({ ...request, signal: this.signal, timeout: this.timeout });
    } catch (error) {
      throw withRight(error, right);
    }
  }
}

const uninstalledText = (what: string): string =>
  `this cluster does not have ${what}. Look whether it is the one that you mean: kubectl config current-context. If it is, the CRDs are not installed there: the chart brings them, or cloud-operator crds --apply`;

/** Ends the line where the API server serves nothing of ours: no object is found there, whatever is asked. */
export async function refuseWithoutCrds(reader: Reader): Promise<void> {
  if (await reader.isAbsent(kubePath('apis', group, version))) throw new CliError(4, uninstalledText(`${group}/${version}`));
}

/** What RBAC must allow. */
export interface Needed {
  readonly verb: string;
  /** Of our group. */
  readonly resource: string;
  readonly namespace: string | undefined;
}

/** A refusal in words that can be handed to an administrator. */
export function withRight(error: unknown, { verb, resource, namespace }: Needed): unknown {
  if (!(error instanceof StatusError) || error.status !== 403) return error;
  const where = namespace === undefined ? 'in all namespaces' : `in namespace ${namespace}`;
  return new CliError(4, [error.message, `The right that is missing: ${verb} ${resource}.${group} ${where}`], true);
}

export const collectionOf = (kind: AnyKind, namespace: string | undefined): string =>
  kubePath('apis', group, version, ...(namespace === undefined ? [] : ['namespaces', namespace]), plural(kind.kind));
export const pathOf = (kind: AnyKind, { namespace, name }: Key): string => `${collectionOf(kind, namespace)}${kubePath(name)}`;

/** Of what a list is asked with, only the labels are as somebody typed them. */
const misread =
  (labels: string | undefined) =>
  (error: unknown): never => {
    if (labels === undefined || !(error instanceof StatusError) || error.status !== 400) throw error;
    throw new CliError(2, `--selector ${labels} cannot be read: ${error.message.replace(/^[A-Z]+ \S+: \d{3} (BadRequest: )?/, '')}`);
  };
