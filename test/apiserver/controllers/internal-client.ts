import { ApiError } from '../requests/api-error.ts';
import type { Call } from '../requests/call.ts';
import type { JsonObject } from '../storage/json.ts';
import type { KubeObject } from '../storage/kube-object.ts';
import type { Resource } from '../resources/resource.ts';
import type { Writer } from '../storage/writer.ts';

/** How the cluster's own controllers write: as a named user, so that the ledger tells them from the operator. */
export class InternalClient {
  readonly #writer: Writer;
  readonly #user: string;

  constructor(writer: Writer, user: string) {
    this.#writer = writer;
    this.#user = user;
  }

  patch(resource: Resource, object: KubeObject, patch: JsonObject, subresource = ''): void {
    const call = this.#call(resource, object, { verb: 'patch', subresource, body: JSON.stringify(patch) });
    ignoringRaces(() => this.#writer.patch(call));
  }

  delete(resource: Resource, object: KubeObject, options: JsonObject): void {
    const body = JSON.stringify({ ...options, preconditions: { uid: object.metadata.uid } });
    ignoringRaces(() => this.#writer.delete(this.#call(resource, object, { verb: 'delete', subresource: '', body })));
  }

  #call(resource: Resource, object: KubeObject, parts: { verb: string; subresource: string; body: string }): Call {
    const { namespace, name } = object.metadata;
    return {
      resource,
      namespace,
      name,
      contentType: 'application/merge-patch+json',
      query: new URLSearchParams(),
      user: { name: this.#user, groups: ['system:masters'] },
      signal: new AbortController().signal,
      warnings: [],
      metadataOnly: false,
      ...parts,
    };
  }
}

/** Somebody was faster, or the object cannot be written as it is: the next change brings the controller back. */
function ignoringRaces(write: () => unknown): void {
  try {
    write();
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
  }
}
