import type { ClusterContext } from '../context.ts';
import { admission } from '../model/account.ts';
import { annotateCommand, recreateAnnotation } from '../model/annotations.ts';
import { replacingOf } from '../model/replacing.ts';

export const accountName = ({ account: { key } }: Pick<ClusterContext, 'account'>): string => `CloudAccount ${key.namespace}/${key.name}`;

/** Also where it was just asked for, and the account has not been looked at since. */
export const isRecovering = ({ engine, account }: Pick<ClusterContext, 'engine' | 'account'>): boolean =>
  account.recover || engine.objects.get(engine.registry.connection.kind, account.key)?.spec['recover'] === true;

/** While an account recovers nothing is made that no person has asked for: what somebody removed meanwhile must not come back empty (README: recover). */
export const mayMake = (context: ClusterContext): boolean => !isRecovering(context) || replacingOf(context) !== undefined;

/** What is missing, and the two ways on. */
export const notMade = (context: ClusterContext): string =>
  `${accountName(context)} recovers (spec.recover), so nothing is made. To have it made, empty: ${annotateCommand(context.object, recreateAnnotation, '<time>')}; or set spec.recover: false on the CloudAccount, and all that is missing is made`;

/** Why an approved replacement waits. */
export const notReplaced = (context: ClusterContext): string =>
  `${accountName(context)} recovers (spec.recover), so nothing is replaced. It goes on when spec.recover of the CloudAccount is false`;

/**
 * An identity that was signed for an earlier object of this name counts: a backup put it back. Elsewhere it does not, because
 * whoever writes this object may have kept it while somebody else came to have the remote (README: identity).
 */
export const mayBeRestored = (context: ClusterContext): boolean => isRecovering(context) || mayAdopt(context);

/** Its namespace may have anything of the account, and be told of it. */
export const mayAdopt = ({ account, kind, object }: Pick<ClusterContext, 'account' | 'kind' | 'object'>): boolean =>
  admission(account, kind, object.metadata.namespace)?.adopt === 'Any';
