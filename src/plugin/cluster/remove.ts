import { KubeError, type Resource } from '../../engine/ports/kubernetes.ts';
import { plural } from '../../generate/names.ts';
import { isMissing } from '../../kube/http/status-error.ts';
import { CliError } from '../exit.ts';
import { registry } from '../command-line/kinds.ts';
import { shownName } from './naming.ts';
import { pathOf, type Reader, withRight } from './reader.ts';

/** Deletes the very object, and no other that has its name by now, or no other version of it. One that is gone already is no failure. */
export async function remove(reader: Reader, object: Resource, resourceVersion?: string): Promise<void> {
  const { kind, metadata } = object;
  try {
    await reader.client.request({
      method: 'DELETE',
      path: pathOf(registry.kind(kind), metadata),
      body: {
        apiVersion: 'v1',
        kind: 'DeleteOptions',
        preconditions: { uid: metadata.uid, ...(resourceVersion !== undefined && { resourceVersion }) },
      },
      signal: reader.signal,
      timeout: reader.timeout,
    });
  } catch (error) {
    if (isMissing(error)) return;
    if (error instanceof KubeError && error.fault === 'Conflict' && resourceVersion === undefined)
      throw new CliError(3, `${shownName(object)} was made anew meanwhile; it stays`);
    throw withRight(error, { verb: 'delete', resource: plural(kind), namespace: metadata.namespace });
  }
}
