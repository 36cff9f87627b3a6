import type { KubeObject, World } from '../../support/world/world.ts';
import { isReady, isSynced } from '../stage/readiness.ts';
import type { Manifest, Operation } from './scenario.ts';

const wish = 'as chaos asks';

/** As a user does it to an object that is there. */
export async function asked(world: World, operation: Operation, { kind, name }: Manifest): Promise<void> {
  if (operation.is === 'delete') await world.delete(kind, name);
  else if (operation.is !== 'update') throw new Error(`${operation.id} needs no object`);
  else if (operation.rotates === true) await world.patch(kind, name, { metadata: { annotations: { 'cloudhosting.dev/rotate': wish } } });
  else await world.apply(kind, name, operation.spec);
}

/** It is gone, or ready for its newest generation and with the secret that was asked for. */
export function hasEnded(operation: Operation, object: KubeObject | undefined): boolean {
  if (operation.is === 'delete') return object === undefined;
  const rotates = operation.is === 'update' && operation.rotates === true;
  if (!rotates || !isReady(object)) return isReady(object);
  // The mark by which a lost answer is found is taken off the new one last.
  return object?.status?.['rotated'] === wish && object.status['rotating'] === undefined && isSynced(object);
}
