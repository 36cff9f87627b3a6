import type { ClusterContext } from '../context.ts';
import { admission } from '../model/account.ts';
import { isRecovering } from './recovering.ts';

/**
 * An identity that was signed for an earlier object of this name counts: a backup put it back. Elsewhere it does not, because
 * whoever writes this object may have kept it while somebody else came to have the remote (README: identity).
 */
export const mayBeRestored = (context: ClusterContext): boolean =>
  isRecovering(context) || admission(context.account, context.kind, context.object.metadata.namespace)?.adopt === 'Any';
