import type { AccountContext } from '../context.ts';
import { annotation, remoteAnnotation } from '../model/annotations.ts';
import { type Identity, parseIdentity } from '../model/identity.ts';
import type { Resource } from '../ports/index.ts';

/**
 * Whose remote an object may speak for (README: identity).
 * `heal`: annotation or status alone proved it, and the other is to be written again.
 * `unproven`: an annotation that this operator did not make and that status does not confirm.
 */
export type Proof =
  | { readonly is: 'none' }
  | { readonly is: 'ours'; readonly identity: Identity; readonly heal: boolean }
  | { readonly is: 'unproven'; readonly identity: Identity }
  | { readonly is: 'conflict'; readonly message: string };

/** Backups restore annotations and no status; a full replace drops annotations and no status: each heals the other. */
export function proofOf(context: Pick<AccountContext, 'key' | 'name'>, object: Resource): Proof {
  const text = annotation(object, remoteAnnotation);
  const told = text === undefined ? undefined : parseIdentity(context.key, context.name, text);
  const known = statusIdentity(object);
  if (text === undefined) return known === undefined ? { is: 'none' } : { is: 'ours', identity: known, heal: true };
  if (told === undefined && known === undefined)
    return {
      is: 'conflict',
      message: `annotation ${remoteAnnotation} cannot be read. Remove it to start anew, or put back the one from your backup`,
    };
  if (told === undefined) return { is: 'ours', identity: known as Identity, heal: true };
  return weigh(told, known);
}

function weigh({ genuine, ...identity }: Identity & { readonly genuine: boolean }, known: Identity | undefined): Proof {
  const agree = known !== undefined && known.path === identity.path && known.account === identity.account;
  if (genuine && (known === undefined || agree)) return { is: 'ours', identity, heal: false };
  if (agree) return { is: 'ours', identity: known, heal: true };
  if (known === undefined) return { is: 'unproven', identity };
  return {
    is: 'conflict',
    message: `annotation ${remoteAnnotation} names ${identity.path} and status names ${known.path}. Remove the annotation if the status is right; nothing is changed or deleted meanwhile`,
  };
}

function statusIdentity({ status }: Resource): Identity | undefined {
  const { path, account, origin } = (status ?? {}) as { path?: string; account?: string; origin?: string };
  return typeof path === 'string' && typeof account === 'string'
    ? { path, account, how: origin === 'Created' ? 'created' : 'adopted' }
    : undefined;
}
