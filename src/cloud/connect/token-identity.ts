import type { Identity } from '../../engine/ports/index.ts';
import { CloudError } from '../../engine/ports/index.ts';
import type { Row } from '../../resource/index.ts';
import { get } from '../../resource/index.ts';
import type { Client, Head, Sending } from '../http/client.ts';
import type { Dialect } from '../http/dialect.ts';

/** Who a token stands for, and the two records that say so. */
export interface Identified {
  readonly identity: Identity;
  readonly account: Row;
  readonly profile: Row;
  /** Of both answers: their dates are the first that is known of the service's clock. */
  readonly heads: readonly Head[];
}

/** Asks the API who the token is. A token that cannot say so is refused: nothing could be pinned to an account. */
export async function identify(
  client: Pick<Client, 'send'>,
  dialect: Dialect,
  sending: Pick<Sending, 'token' | 'signal' | 'onHead'>,
): Promise<Identified> {
  let scopes: readonly string[] = [];
  const heads: Head[] = [];
  const onHead = (head: Head): void => {
    scopes = dialect.scopes(head.headers['x-oauth-scopes'] ?? '*');
    heads.push(head);
    sending.onHead?.(head);
  };
  const read = async (path: string): Promise<Row> => (await client.send(get(path), { ...sending, onHead })).body as Row;
  const account = await read('/account').catch((error: unknown) => {
    throw explain(error);
  });
  const profile = await read('/profile').catch((error: unknown) => {
    throw explain(error);
  });
  const identity = identityOf(account, profile, scopes);
  return { identity, account, profile, heads };
}

export function identityOf(account: Row, profile: Row, scopes: readonly string[]): Identity {
  const euuid = account['euuid'];
  const user = profile['username'];
  if (typeof euuid !== 'string' || euuid === '')
    throw new CloudError('Malformed', 'GET /account does not name the account (euuid); is this endpoint the right API?');
  if (typeof user !== 'string' || user === '')
    throw new CloudError('Malformed', 'GET /profile does not name the user; is this endpoint the right API?');
  return { account: euuid, user, restricted: profile['restricted'] === true, scopes };
}

/** A token may come to lead to another account or user without any change of ours. Undefined: it has not. */
export function leadsElsewhere(ours: Identity, { account, profile }: Pick<Identified, 'account' | 'profile'>): string | undefined {
  if (account['euuid'] !== ours.account) return elsewhereText('leads to account', account['euuid'], ours.account);
  return profile['username'] === ours.user ? undefined : elsewhereText('stands for user', profile['username'], ours.user);
}

const elsewhereText = (what: string, now: unknown, ours: string): string =>
  `the token now ${what} ${String(now)} instead of ${ours}; nothing is sent any more. Put a token of ${ours} into its Secret`;

function explain(error: unknown): unknown {
  if (!(error instanceof CloudError) || error.fault !== 'Forbidden') return error;
  const what =
    'this token cannot tell which account it belongs to, so nothing can be done safely with it: it needs scope account:read_only';
  return new CloudError('Forbidden', `${what}, and a restricted user needs the grant account_access (${error.message})`, {
    reasons: error.reasons,
    cause: error,
    lacks: error.lacks,
    ...(error.status !== undefined && { status: error.status }),
  });
}
