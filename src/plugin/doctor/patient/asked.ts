import { KubeError } from '../../../engine/ports/kubernetes.ts';
import type { Reader } from '../../cluster/reader.ts';

/** What a check asks beside objects: each may be forbidden, and then that is what is told. */
export class Asked {
  readonly #reader: Reader;
  /** `get leases.coordination.k8s.io in namespace shop`. */
  readonly forbidden = new Set<string>();

  constructor(reader: Reader) {
    this.#reader = reader;
  }

  /** Undefined: it is not there, cannot be had now, or may not be seen; `right` is noted then. */
  async get(path: string, right: string, how: { readonly text?: true; readonly metadataOnly?: true } = {}): Promise<unknown> {
    const answer = await this.answered(path, right, how);
    return 'found' in answer ? answer.found : undefined;
  }

  async answered(
    path: string,
    right: string,
    how: { readonly text?: true; readonly metadataOnly?: true } = {},
  ): Promise<{ readonly found: unknown } | { readonly fault: string }> {
    const { client, signal, timeout } = this.#reader;
    try {
      return { found: await client.request({ path, signal, timeout, ...how }) };
    } catch (error) {
      if (!(error instanceof KubeError) || signal.aborted) throw error;
      if (error.fault === 'Forbidden') this.forbidden.add(right);
      return { fault: error.fault };
    }
  }
}
