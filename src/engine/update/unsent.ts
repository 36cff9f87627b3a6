import type { ReconcileContext } from '../context.ts';
import type { Outcome } from '../model/outcome.ts';
import type { BoundRemote, Difference } from '../model/step.ts';
import { wasSent } from '../plan/applied-values.ts';
import { isKnownDrift, isNoDrift, unreadParts } from '../plan/diff.ts';
import { standing } from '../plan/plan-update.ts';
import { changesText, noteDrift } from './drift-report.ts';
import { contextOf, type Wished } from './plan-input.ts';

/**
 * To what has failed nothing is sent: what its spec asks for, and the account does not have, is told in place of that. What an
 * edit asks for is no drift: noted as such it would be left as it is under `lifecycle.drift: Report` once the remote works again.
 */
export function withUnsent(context: ReconcileContext, wished: Wished, present: BoundRemote, outcome: Outcome): Outcome {
  if (outcome.is !== 'Stalled' || outcome.reason !== 'RemoteFailed') return outcome;
  const about = contextOf(context, wished, present);
  const changes = standing(context.kind, present.want, present.remote, about);
  const drift = changes.filter((change) => !isNoDrift(change) && (!wished.pending || isKnownDrift(change, about.drift)));
  const told = isSecretive(context, present) ? [] : [...textOf(context, changes), ...(wished.pending ? uncompared(context, present) : [])];
  noteDrift(context, told.length === 0 ? [] : drift, present.identity);
  if (told.length > 0)
    return { ...outcome, differs: true, message: `${outcome.message}. ${notAsAsked}${told.join('; ')}${then(wished, drift, changes)}` };
  return changes.length > 0 ? { ...outcome, differs: true } : outcome;
}

/** What is seen of it may be somebody else's, of whom nothing is told. */
function isSecretive({ kind }: ReconcileContext, { remote, want }: BoundRemote): boolean {
  const health = kind.health(remote, want);
  return health.state === 'Failed' && health.secretive === true;
}

const notAsAsked = 'It is not as its spec asks, and nothing is sent to it until that is over: ';
const textOf = (context: ReconcileContext, changes: readonly Difference[]): readonly string[] =>
  changes.length > 0 ? [changesText(context, changes)] : [];

/** An edit that something of is to be sent. */
const then = ({ policy }: Wished, drift: readonly Difference[], changes: readonly Difference[]): string =>
  policy.management === 'Manage' && drift.length < changes.length
    ? '. An edit is sent by itself then; to ask for it no more, set the spec to what the account has'
    : '';

/** Parts that nobody has read since cannot be compared, and are not read of what has failed. */
function uncompared(context: ReconcileContext, { identity, remote, want }: BoundRemote): readonly string[] {
  const { kind } = context;
  const parts = unreadParts(kind, want, remote, (field) => wasSent(context, field, { identity, remote }));
  const fields = Object.entries(kind.fields).filter(([field, { part = '' }]) => parts.includes(part) && want[field] !== undefined);
  return fields.map(([field]) => `spec.${field}: what the account has there is not known`);
}
