import { collectionOf, seconds } from '../../resource/index.ts';
import { bindRemote } from '../change/bind.ts';
import { writeReplacing } from '../change/metadata.ts';
import type { CollectionContext } from '../context.ts';
import { massLossStop } from '../guard/mass-loss-stop.ts';
import { maxObjectsReached } from '../guard/object-quota.ts';
import { mayMake, notMade } from '../guard/recovery.ts';
import { freshWish } from '../guard/spent-gestures.ts';
import { called, toName } from '../identity/called.ts';
import { type Found, idIn } from '../identity/lookup.ts';
import { type Match, matchOf } from '../identity/recovery.ts';
import type { Identity } from '../model/identity.ts';
import type { Outcome } from '../model/outcome.ts';
import type { Policy } from '../model/policy.ts';
import type { Resource } from '../ports/index.ts';
import type { Resolved } from '../resolve/resolve.ts';
import { create } from './create.ts';

/** While the account recovers: what surely was this object's is taken, and what is not found is made only where a person asks for it. */
export async function recover(context: CollectionContext, resolved: Resolved, { management }: Policy): Promise<Outcome> {
  const match = await matchOf(context, resolved);
  if (match.is !== 'none') return taken(context, match);
  if (management === 'Manage' && (await isAskedFor(context, resolved))) return massLossStop(context) ?? create(context, resolved.want);
  return {
    is: 'Stalled',
    reason: 'RemoteMissing',
    message: `nothing in the account has the operator's tag, this object's name and every value that its spec sets. ${notMade(context)}. If it is there with other values, name it with spec.adopt`,
  };
}

/** The same where an annotation names the remote that was not made with this key, and how it came; undefined: that is not the one. */
export async function recoverNamed(
  context: CollectionContext,
  resolved: Resolved,
  { path, how }: Pick<Identity, 'path' | 'how'>,
): Promise<Outcome | undefined> {
  const match = await matchOf(context, resolved);
  if (match.is === 'none' || (match.is === 'one' && match.found.path !== path)) return undefined;
  return taken(context, match.is === 'one' ? { ...match, how } : match);
}

/** Annotation `recreate` is noted before anything is done, as it may go; there is no remote to name, so it names where one is to be. */
async function isAskedFor(context: CollectionContext, { want }: Resolved): Promise<boolean> {
  if (mayMake(context)) return true;
  if (freshWish(context) === undefined) return false;
  const { account } = context.account.connection.identity;
  await writeReplacing(context, { account, path: collectionOf(context.kind, want), how: 'created' });
  return true;
}

async function taken(context: CollectionContext, match: Exclude<Match, { is: 'none' }>): Promise<Outcome> {
  const { engine, account, object } = context;
  if (match.is === 'later') return { is: 'Quiet', recheckAfter: seconds(Math.max(1, Math.ceil(match.after / 1000))) };
  if (match.is !== 'one') {
    engine.recoveries.undecided(account.connection.identity.account, object);
    return match.is === 'many' ? tooMany(context, match.found) : sharedBy(context, match);
  }
  return (
    maxObjectsReached(context) ??
    bindRemote(context, match.found, match.how).finally(() => engine.objectMemory.placeHeld.delete(object.metadata.uid))
  );
}

const tooMany = (context: CollectionContext, found: readonly Found[]): Outcome => ({
  is: 'Stalled',
  reason: 'Ambiguous',
  message: `${called(context, found)} all fit this object, and nothing tells which was its own. To have the right one ${adoptLines(context, found, 'look which one is used, and write')}`,
});

function sharedBy(context: CollectionContext, { is, found, others }: Extract<Match, { is: 'shared' | 'open' }>): Outcome {
  const names = namesOf(context, others);
  if (is === 'open')
    return {
      is: 'Waiting',
      reason: 'ReferenceNotReady',
      message: `${called(context, [found])} fits this object, and maybe also ${names}, of which that is not known before its account is connected and its references are found`,
      on: [names],
      recheckAfter: seconds(15),
    };
  return {
    is: 'Stalled',
    reason: 'Ambiguous',
    message: `${called(context, [found])} fits this object and ${names} as well, and nothing tells whose it was. To have it here ${adoptLines(context, [found], 'write, if this is the one that had it,')}`,
  };
}

/** An object of another namespace is none of this one's business. */
function namesOf({ object }: CollectionContext, others: readonly Resource[]): string {
  const near = others.filter(({ metadata }) => metadata.namespace === object.metadata.namespace).map(({ metadata }) => metadata.name);
  const far = others.length > near.length ? ['an object of another namespace'] : [];
  return [...near.map((name) => `${object.kind} ${name}`), ...far].join(', ');
}

const adoptLines = (context: CollectionContext, found: readonly Found[], before: string): string =>
  toName(context, found, `${before} ${found.map((one) => `spec.adopt: {id: ${JSON.stringify(idIn(context, one))}}`).join(' or ')}`);
