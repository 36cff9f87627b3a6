import type { ErrorItem } from '../../contract/refusal.ts';
import type { World } from '../../contract/world.ts';
import { kernels } from '../../records/catalogue.ts';

export function kernelProblems(world: World, kernel: string | undefined): readonly ErrorItem[] {
  if (kernel === undefined || world.store(kernels).get(kernel) !== undefined) return [];
  return [{ reason: 'kernel is not valid', field: 'kernel' }];
}
