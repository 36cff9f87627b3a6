import type { Duration } from '../../resource/index.ts';
import type { ConnectingContext } from '../context.ts';
import { holdsOf, learnRelease } from '../guard/holds.ts';
import type { Account } from '../model/account.ts';
import type { Condition } from '../model/conditions.ts';
import type { Outcome } from '../model/outcome.ts';
import { type CloudError, type Connection, type ConnectionLease, type Resource, tokenEvery } from '../ports/index.ts';
import { shownInstallation } from './installation.ts';

export interface AccountSpec {
  readonly endpoint: string;
  readonly tokenSecretRef: { readonly name: string; readonly key: string };
}
type UsedUp = ReturnType<ConnectionLease['shareUsedUp']>;

/** What its status shows of an account that is connected. */
export async function noteAccount(context: ConnectingContext, account: Account, usedUp: UsedUp): Promise<void> {
  const { engine } = context;
  const { connection } = account;
  await learnRelease(context, account);
  const holds = holdsOf(engine, account);
  const { identity } = connection;
  Object.assign(context.status, connection.report(), {
    account: identity.account,
    user: identity.user,
    restricted: identity.restricted,
    scopes: [...identity.scopes],
    ...shownInstallation(engine, account, context.object),
    servedBy: engine.settings.release,
    held: holds.length > 0 ? holds : undefined,
    deletedLately: engine.deletionCounter.shown(account, engine.clock.now()),
    shareUsedUp: shareUsedUp(context, usedUp),
  });
}

/** Told in an Event when it begins. */
function shareUsedUp({ engine, object }: ConnectingContext, usedUp: UsedUp): object | undefined {
  if (usedUp === undefined) return undefined;
  const { sharePercent, classes } = usedUp;
  const known = object.status?.['shareUsedUp'] as { readonly since: string } | undefined;
  const since = known?.since ?? new Date(engine.clock.now()).toISOString().replace(/\.\d+Z$/, 'Z');
  if (known === undefined)
    engine.recorder.event(object, { type: 'Warning', reason: 'ShareUsedUp', message: shareText(sharePercent, classes) });
  return { sharePercent, classes: [...classes], since };
}
const shareText = (percent: number, classes: readonly string[]): string =>
  `spec.budget.sharePercent (${percent}) of the rate limits is used up by ${classes.join(', ')} calls of this account, and further ones wait for the next window. Raise it if that takes too long`;

/** Why there is no way to the account. */
export function outcomeOfConnecting({ spec, metadata }: Resource, error: CloudError, text: string): Outcome {
  const { name, key } = (spec as unknown as AccountSpec).tokenSecretRef;
  const after = error.retryAfter === undefined ? {} : { retryAfter: error.retryAfter as Duration };
  if (error.fault === 'Unauthorized')
    return {
      is: 'Retrying',
      reason: 'Unauthorized',
      message: `${text}. Put a valid token into key ${key} of Secret ${metadata.namespace}/${name} (spec.tokenSecretRef); it is read every minute, and nothing is changed until then`,
      // Ready is what one waits for before anything is made with it.
      unready: true,
      ...after,
    };
  if (error.fault === 'Forbidden')
    return {
      is: 'Stalled',
      reason: 'Forbidden',
      message: `${text}. The token must be able to read the account: give it at least the scope account:read_only`,
    };
  if (error.fault === 'Rejected') return { is: 'Stalled', reason: 'AccountMismatch', message: text };
  return {
    is: 'Retrying',
    reason: 'Unreachable',
    message: `${text}. It is tried again by itself; objects keep their last state`,
    ...after,
  };
}

/** What is wrong with a way that was there. */
export function outcomeOfTrouble({ reason, message }: NonNullable<ReturnType<Connection['outage']>>): Outcome {
  if (reason === 'AccountMismatch') return { is: 'Stalled', reason, message };
  // As after a restart: whoever waits for it to be Ready makes something with it then.
  const unready = reason === 'Unauthorized' && ({ unready: true } as const);
  return { is: 'Retrying', reason, message, retryAfter: tokenEvery, ...unready };
}

/** It says that what it asked of the account failed. */
export const hasTroubled = ({ status }: Resource): boolean =>
  ((status?.['conditions'] ?? []) as readonly Condition[]).some(
    ({ type, reason }) => type === 'Synced' && ['Unreachable', 'Unauthorized', 'UnknownOutcome'].includes(reason),
  );
