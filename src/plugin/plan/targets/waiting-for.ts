import { isDeleting } from '../../../engine/model/annotations.ts';
import { objectId } from '../../../engine/model/object-id.ts';
import { adoptOf, namesPath, openWish } from '../../../engine/model/step.ts';
import type { Resource } from '../../../engine/ports/kubernetes.ts';
import type { Call } from '../../command-line/command.ts';
import { registry } from '../../command-line/kinds.ts';

/**
 * What is being deleted, and waits for one of these, which asks with `spec.adopt` for what it has: once that one is deleted, it is let go
 * of, or its cloud resource is deleted.
 */
export async function waitingFor({ session }: Call, leaving: readonly Resource[]): Promise<readonly Resource[]> {
  const heirs = leaving.filter((object) => openWish(object) !== undefined);
  if (heirs.length === 0) return [];
  const reader = await session.reader();
  const places = new Map(heirs.map((heir) => [objectId(heir.kind, { namespace: heir.metadata.namespace, name: '' }), heir] as const));
  const beside = await Promise.all([...places.values()].map((heir) => reader.list(registry.kind(heir.kind), heir.metadata.namespace)));
  return beside.flat().filter((object) => isDeleting(object) && heirs.some((heir) => isAwaited(object, heir)));
}

function isAwaited({ kind, metadata, status = {} }: Resource, heir: Resource): boolean {
  if (kind !== heir.kind || metadata.namespace !== heir.metadata.namespace) return false;
  const on = (status['waitingFor'] ?? []) as readonly string[];
  const name = `${kind} ${heir.metadata.name}`;
  // The operator may not have looked at it yet.
  const { path } = status;
  const id = adoptOf(heir.spec)?.id;
  const isNamed = id !== undefined && typeof path === 'string' && namesPath(registry.kind(kind), id, path);
  return isNamed || on.includes(name) || on.includes(`spec.adopt of ${name}`);
}
