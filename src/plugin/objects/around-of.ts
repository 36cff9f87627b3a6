import { KubeError, type Resource } from '../../engine/ports/kubernetes.ts';
import type { AnyKind } from '../../resource/index.ts';
import { plural } from '../../generate/names.ts';
import { registry } from '../command-line/kinds.ts';
import { CliError } from '../exit.ts';
import type { Session } from '../session.ts';
import { Around } from './around.ts';

/** These objects and all that may name one of them, in their namespaces and those that they admit. What the caller may not list is left out, and told so. */
export async function aroundOf(session: Session, objects: readonly Resource[]): Promise<Around> {
  const reader = await session.reader();
  const kinds = namingKinds(new Set(objects.map(({ kind }) => kind)));
  const namespaces = new Set(objects.flatMap(({ metadata, spec }) => [metadata.namespace, ...admitted(spec)]));
  const lists = await Promise.all(
    [...namespaces].flatMap((namespace) =>
      kinds.map((kind) => reader.list(kind, namespace).catch((error: unknown) => unread(session, error, { kind, namespace }))),
    ),
  );
  return new Around([...objects, ...lists.flat()]);
}

const admitted = (spec: Resource['spec']): readonly string[] =>
  ((spec['allowedRefs'] ?? {}) as { readonly namespaces?: readonly string[] }).namespaces ?? [];

/** Kinds of which an object may name one of these. */
export function namingKinds(named: ReadonlySet<string>): readonly AnyKind[] {
  return registry.kinds.filter(({ kind }) =>
    registry
      .sites(kind)
      .some(({ what }) => (what.is === 'ref' && named.has(what.target.kind)) || (what.is === 'output' && named.has(what.kind))),
  );
}

interface Place {
  readonly kind: AnyKind;
  readonly namespace: string;
}
function unread(session: Session, error: unknown, { kind, namespace }: Place): readonly Resource[] {
  const isForbidden = (error instanceof CliError && error.isForbidden) || (error instanceof KubeError && error.fault === 'Forbidden');
  if (!isForbidden) throw error;
  session.warn(`which ${plural(kind.kind)} of namespace ${namespace} this concerns is not told: you may not list them`);
  return [];
}
