import { isDeleting } from '../../../engine/model/annotations.ts';
import type { MassHold } from '../../../engine/guard/release-code.ts';
import type { Resource } from '../../../engine/ports/kubernetes.ts';
import { counted } from '../../../lib/counted.ts';
import { registry } from '../../command-line/kinds.ts';
import { stateOf } from '../../objects/facts.ts';

/** What it had is gone, and it is made anew for nobody who does not ask for this one: no release says so of it. */
export const isAsking = (object: Resource): boolean =>
  !isDeleting(object) && stateOf(object).reason === 'RemoteMissing' && object.status?.['path'] !== undefined;

export const askingIn = (objects: readonly Resource[], { kind, namespace }: Pick<MassHold, 'kind' | 'namespace'>): readonly Resource[] =>
  objects.filter(
    (object) => object.kind === kind && (namespace === undefined || namespace === object.metadata.namespace) && isAsking(object),
  );

/** One line for all of a kind in a namespace. */
export function recreateLines(objects: readonly Resource[]): readonly string[] {
  const lines = objects.map(({ kind, metadata }) => `kubectl cloud recreate -n ${metadata.namespace} ${registry.kind(kind).shortName}`);
  return [...new Set(lines)];
}

/** Below what a release is about. */
export const askingLines = (asking: readonly Resource[]): readonly string[] =>
  asking.length === 0
    ? []
    : [
        `  ${counted(asking.length, 'object is', 'objects are')} RemoteMissing (lifecycle.onMissing: Stall), and no release has them made anew. To have all of them made, empty, which lists them and asks:`,
        ...recreateLines(asking).map((line) => `    ${line}`),
      ];
