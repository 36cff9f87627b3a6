import { type Duration, seconds } from '../../resource/index.ts';
import { removeRemote } from '../change/remove-remote.ts';
import { keptOf, outdated } from '../change/outputs/keeper.ts';
import { callOptions, type ReconcileContext } from '../context.ts';
import type { Found } from '../identity/lookup.ts';
import { isDeleting } from '../model/annotations.ts';
import type { Identity } from '../model/identity.ts';
import type { Outcome } from '../model/outcome.ts';
import { policyOf } from '../model/policy.ts';

const identityOf = ({ account }: ReconcileContext, { path }: Found): Identity => ({
  account: account.connection.identity.account,
  path,
  how: 'created',
});

/** What was told of it came into the Secret: then nothing is missing but the note of whose it is. */
export async function keptAmong(context: ReconcileContext, found: readonly Found[]): Promise<Found | undefined> {
  for (const one of found) if ((await keptOf(context, identityOf(context, one), 0)) !== undefined) return one;
  return undefined;
}

/** Nobody knows what was told when it was made, and nobody ever will: it goes, and another one is made. */
export async function removeUntold(context: ReconcileContext, found: Found): Promise<Outcome> {
  const { kind, object, account, engine } = context;
  const identity = identityOf(context, found);
  if (policyOf(kind, object.spec, account, false).management !== 'Manage') return stays(context, found);
  await outdated(context, identity);
  const removed = await removeRemote<Outcome>(context, {
    why: 'duplicate',
    identity,
    judge: (live) => (live === undefined || isDeleting(live) ? { is: 'Again' } : undefined),
    uninstalled: { is: 'Quiet', recheckAfter: seconds(30) },
    read: async () => {
      const known = await account.connection.cache.read(found.path, kind, callOptions(context, 'delete'));
      return known === undefined ? { missing: true } : { remote: known.remote, readAt: known.readAt };
    },
  });
  if (removed.is === 'instead') return removed.step;
  if (removed.is === 'waits') return removed.outcome;
  if (removed.is === 'kept') return { is: 'Stalled', reason: 'Ambiguous', message: `${lost(found)}, and it stays: ${removed.why}` };
  engine.objectMemory.deleted(object.metadata.uid, found.path);
  engine.log.info('a remote of which nobody knows the secret is deleted', { kind: kind.kind, path: found.path });
  return { is: 'Working', reason: 'UnknownOutcome', message: `${lost(found)}; it is deleted, and another one is made`, recheckAfter: soon };
}
const soon: Duration = seconds(5);
const lost = ({ path }: Found): string => `the answer to the create of ${path} was lost, and with it what nobody tells again`;

const stays = ({ account }: ReconcileContext, found: Found): Outcome => ({
  is: 'Waiting',
  reason: 'ReadOnly',
  message: `${lost(found)}; it is deleted when the account and this object may be changed again${account.paused === undefined ? '' : ` (${account.paused})`}`,
  on: ['spec.mode of the CloudAccount or spec.lifecycle.management'],
  recheckAfter: seconds(60),
});
