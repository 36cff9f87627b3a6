import { type AnyKind, byMode } from '../../../src/resource/index.ts';

/** What is always there and cannot be put back stays when its object goes. */
export const canGo = ({ mode, deletion }: AnyKind): boolean => mode === 'collection' || (mode === 'singleton' && deletion !== undefined);

/** What is compared with nothing has none. */
const hasOne = (kind: AnyKind): boolean =>
  byMode(kind, { collection: () => true, singleton: () => true, connection: () => true, issued: () => false, operation: () => false });

/** Under which every step may be taken, and everything goes in the end that can. */
export const wholeLifecycle = (kind: AnyKind) =>
  hasOne(kind) ? { ...(canGo(kind) && { onDelete: 'Delete' }), approve: ['InPlace', 'Reboot', 'Rebuild', 'Replace'] } : undefined;
