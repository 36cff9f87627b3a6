import type { AnyKind } from '../../src/resource/index.ts';

/** What is always there and cannot be put back stays when its object goes. */
export const canGo = ({ mode, deletion }: AnyKind): boolean => mode === 'collection' || (mode === 'singleton' && deletion !== undefined);

/** Under which every step may be taken, and everything goes in the end that can. */
export const wholeLifecycle = (kind: AnyKind) => ({
  ...(canGo(kind) && { onDelete: 'Delete' }),
  approve: ['InPlace', 'Reboot', 'Rebuild', 'Replace'],
});
