import { nameOf } from '../../engine/model/object-id.ts';
import { accountKey } from '../../engine/model/account.ts';
import type { MassHold } from '../../engine/guard/release-code.ts';
import type { Resource } from '../../engine/ports/kubernetes.ts';
import { registry } from '../command-line/kinds.ts';
import type { Landscape } from '../objects/landscape.ts';
import { type Brake, wentBefore, wentLines } from '../objects/went-before.ts';
import type { Session } from '../session.ts';
import { brakeOf } from '../status/held.ts';

/** Of objects that the brake holds: what went before they were, once for each namespace and account. */
export async function goneBefore(session: Session, landscape: Landscape, objects: readonly Resource[]): Promise<readonly string[]> {
  const held = objects.filter((object) => {
    const brake = brakeOf(object);
    return brake?.namespace !== undefined && brake.kind === undefined;
  });
  const groups = [...Map.groupBy(held, (object) => `${object.metadata.namespace} ${nameOf(accountKey(object))}`).values()];
  const all = await Promise.all(
    groups.map(async (group) => {
      const brake = await holdOf(landscape, group);
      return wentLines(brake, await wentBefore(session, brake, group));
    }),
  );
  return all.flat();
}

async function holdOf(landscape: Landscape, [object]: readonly Resource[]): Promise<Brake> {
  if (object === undefined) return {};
  const { namespace } = object.metadata;
  const account = await landscape.find(registry.connection.kind, accountKey(object));
  const holds = typeof account === 'string' ? [] : ((account.status?.['held'] ?? []) as readonly MassHold[]);
  return holds.find((hold) => hold.namespace === namespace && hold.kind === undefined) ?? { namespace };
}
