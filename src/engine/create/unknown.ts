import type { Millis } from '../../lib/clock.ts';
import { type AnyWant, type Duration, minutes, seconds } from '../../resource/index.ts';
import { accountKey, naming, objectName } from '../account/accounts.ts';
import { reconcileAtAnnotation } from '../run/annotations.ts';
import { canonical } from '../converge/drift.ts';
import { recordBirth } from './attempt.ts';
import { formatIntent, type Intent, intentOf, sentWithin } from '../identity/intent.ts';
import { candidates, type Found, isWitnessed, matching } from '../identity/lookup.ts';
import type { Outcome } from '../outcome.ts';
import type { Resource } from '../ports.ts';
import { parseObjectId } from '../resolve/links.ts';
import type { Turn } from '../run/turn.ts';

/** More attempts without an answer than this are for a person: each may have made something that nobody sees. */
const mostAttempts = 6;
const longestWait: Millis = minutes(10);

/**
 * Looks up, uncached, what an attempt of unknown outcome may have made; sends nothing (design 4.4). Undefined: it surely made
 * nothing.
 */
export async function lookUp(turn: Turn, want: AnyWant, intent: Intent): Promise<Outcome | undefined> {
  turn.notes['intent'] = formatIntent(turn, intent);
  const found = candidates(turn, intent, await matching(turn, intent.key, want, turn.engine.clock.monotonic()));
  const [first] = found;
  if (first !== undefined)
    return found.length > 1 && found.length > intent.attempts.length ? ambiguous(found) : takeFound(turn, first, intent);
  const wait = unresolvedFor(turn, intent);
  return wait > 0 ? unknown(intent, Math.min(wait, seconds(15))) : undefined;
}

const unknown = (intent: Intent, retryAfter: Millis): Outcome => ({
  is: 'Retrying',
  reason: 'UnknownOutcome',
  message: `a create was sent at ${intent.attempts.at(-1)?.at} and its answer never came. The account is watched for what it made; only then is it sent again`,
  retryAfter: retryAfter as Duration,
});

export const ambiguous = (found: readonly Found[]): Outcome => ({
  is: 'Stalled',
  reason: 'Ambiguous',
  message: `${found.map(({ path }) => path).join(', ')} may all be the remote of this object. Look which one is used, delete the others in the account, and write spec.adopt: {id: <the one to keep>}`,
});

/** Why it is not sent again yet, or no more: each attempt waits twice as long as the one before. */
export function heldBack(turn: Turn, intent: Intent): Outcome | undefined {
  const { attempts } = intent;
  const { commitBound, listLag } = turn.engine.settings;
  const patience = Math.min(longestWait, (sentWithin + commitBound + listLag) * 2 ** (attempts.length - 1));
  const wait = Date.parse(attempts.at(-1)?.at ?? '') + patience - turn.account.connection.apiNow();
  if (attempts.length < mostAttempts) return wait > 0 ? unknown(intent, Math.min(wait, minutes(1))) : undefined;
  if (turn.engine.evidence.asked.delete(turn.object.metadata.uid)) return undefined;
  return {
    is: 'Stalled',
    reason: 'UnknownOutcome',
    message: `the create was sent ${attempts.length} times, last at ${attempts.at(-1)?.at}; no answer ever came, and nothing that it made can be seen. It is not sent again by itself. Find out why answers are lost (a proxy, the service), then annotate ${reconcileAtAnnotation}=<time> to have it sent once more`,
  };
}

/**
 * One create at a time per account and natural key (design 4.3): what another object sent may yet turn out to have made the
 * very thing. Of two that are in doubt themselves the older goes on.
 */
export function inDoubtElsewhere(turn: Turn, key: Intent['key'], own?: Intent): Outcome | undefined {
  if (!turn.kind.key.names) return undefined;
  const told = canonical(key);
  for (const id of turn.engine.openCreates.of(turn.kind.kind, told)) {
    const other = turn.engine.objects.get(turn.kind.kind, parseObjectId(id).key);
    if (other === undefined || other.metadata.uid === turn.object.metadata.uid) continue;
    if (!isOpen(turn, other, told) || (own !== undefined && age(turn.object) < age(other))) continue;
    const name = `${other.kind} ${other.metadata.namespace}/${other.metadata.name}`;
    return {
      is: 'Waiting',
      reason: 'Busy',
      message: `${name} has sent a create of ${canonical(key.is)}, and what came of it is not known yet. Nothing is made meanwhile, so that there are not two. If both are wanted, give this one another name`,
      on: [name],
      recheckAfter: seconds(15),
    };
  }
  return undefined;
}

function isOpen({ engine, account }: Turn, other: Resource, told: string): boolean {
  const theirs = engine.accounts.get(accountKey(other))?.connection.identity.account;
  if (theirs !== account.connection.identity.account) return false;
  const intent = intentOf({ engine, name: objectName(naming(engine), other), object: other });
  return intent !== undefined && told === canonical(intent.key);
}
const age = ({ metadata }: Resource): string => `${metadata.creationTimestamp} ${metadata.uid}`;

/** Until when a commit of the last attempt may still show up in a listing; 0 when it surely made nothing. */
export function unresolvedFor(turn: Turn, intent: Intent): number {
  const { commitBound, listLag } = turn.engine.settings;
  return Math.max(0, Date.parse(intent.attempts.at(-1)?.at ?? '') + sentWithin + commitBound + listLag - turn.account.connection.apiNow());
}

export async function takeFound(turn: Turn, found: Found, intent: Intent): Promise<Outcome> {
  const { engine, account, object } = turn;
  if (!isWitnessed(turn, found)) return unknown(intent, seconds(2));
  const identity = { account: account.connection.identity.account, path: found.path, how: 'created' as const };
  const now = engine.clock.monotonic();
  engine.evidence.created(object.metadata.uid, now);
  account.connection.mirror.note(found.path, found.row, {
    body: found.row,
    apiTime: account.connection.apiNow(),
    requestedAt: now,
    answeredAt: now,
  });
  return (await recordBirth(turn, identity, intent)) ?? { is: 'Again' };
}
