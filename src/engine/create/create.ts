import { type AnyWant, minutes, seconds } from '../../resource/index.ts';
import { attempt, recordBirth, withPermit, withTicket } from './attempt.ts';
import { unlisted } from '../converge/catalogue.ts';
import { canonical } from '../converge/drift.ts';
import { claimedBy, isOwn } from '../identity/identify.ts';
import { type Intent, intentOf } from '../identity/intent.ts';
import { baseline, candidates, type Found, idsOf, matching, stillThere } from '../identity/lookup.ts';
import type { Identity } from '../identity/marks.ts';
import type { Outcome } from '../outcome.ts';
import { maxObjectsReached } from './max-objects.ts';
import { collectionOf } from '../converge/plan.ts';
import type { Permit } from '../ports.ts';
import { how, type Turn } from '../run/turn.ts';
import { ambiguous, heldBack, inDoubtElsewhere, lookUp, takeFound } from './unknown.ts';
import { writeIdentity, writeStruck } from './writes.ts';

/** Makes the remote, exactly once: looks first where that is the only way to know, and never sends while an outcome is open. */
export async function create(turn: Turn, want: AnyWant): Promise<Outcome> {
  const { engine, object, account } = turn;
  account.connection.mirror.uses(turn.kind);
  const born = engine.evidence.born.get(object.metadata.uid);
  const intent = intentOf(turn);
  if (born !== undefined) return bornBefore(turn, born.identity, intent);
  const key: Intent['key'] = { in: collectionOf(turn.kind, want), is: turn.kind.key.of(want) };
  const guard = `${account.connection.identity.account} ${canonical(key)}`;
  if (engine.evidence.inFlight.has(guard)) return { is: 'Quiet', recheckAfter: seconds(2) };
  engine.evidence.inFlight.add(guard);
  try {
    const outcome =
      intent === undefined
        ? (refusedBefore(turn, want) ??
          inDoubtElsewhere(turn, key) ??
          maxObjectsReached(turn) ??
          (await notOffered(turn, want, key)) ??
          (await withTicket(turn, want, key.in, (permit) => lookAndSend(turn, permit, want, key))))
        : await resolveUnknown(turn, want, intent, key);
    return outcome === duplicate ? await refusedAsDuplicate(turn, want, key) : outcome;
  } finally {
    engine.evidence.inFlight.delete(guard);
    engine.evidence.making.delete(object.metadata.uid);
  }
}

/** Made by this process, and nothing says so: its identity could not be written, or a replace took it before the status had it. */
async function bornBefore(turn: Turn, identity: Identity, intent: Intent | undefined): Promise<Outcome> {
  if (intent !== undefined) return (await recordBirth(turn, identity, intent)) ?? { is: 'Again' };
  await writeIdentity(turn, identity);
  return { is: 'Again' };
}

/** The service refused a second one; who the first belongs to is looked up once the permit is given back. */
const duplicate: Outcome = { is: 'Stalled', reason: 'AlreadyExists', message: 'the API refused it as a duplicate' };

async function lookAndSend(turn: Turn, permit: Permit, want: AnyWant, key: Intent['key']): Promise<Outcome> {
  const look = await lookFirst(turn, want, key);
  if ('outcome' in look) return look.outcome;
  if ('before' in look) return send(turn, permit, want, { key, before: look.before, attempts: [] });
  // A read by id would wait for ever for a window of which this permit holds the only request.
  permit.release();
  const there = await stillThere(turn, look.found);
  if (there.length > 0) return existing(turn, want, there);
  const intent: Intent = { key, before: idsOf(look.found), attempts: [] };
  return withPermit(turn, want, key.in, (second) => send(turn, second, want, intent));
}

/** Refused for good, and nothing of what was asked for is another since; a person may ask for it all the same. */
function refusedBefore(turn: Turn, want: AnyWant): Outcome | undefined {
  const { refusals, evidence, clock } = turn.engine;
  const { uid } = turn.object.metadata;
  if (evidence.asked.delete(uid)) refusals.forget(uid);
  return refusals.known(uid, wishOf(turn, want), clock.monotonic());
}

/** A keyed hash of what is asked for and what the token may do, because Secrets are part of it. */
function wishOf({ engine, object, account }: Turn, want: AnyWant): string {
  const { scopes, restricted } = account.connection.identity;
  const { uid, generation } = object.metadata;
  return engine.key.remember(uid, 'refused', { text: canonical([generation, want, scopes, restricted]), want });
}

async function send(turn: Turn, permit: Permit, want: AnyWant, intent: Intent): Promise<Outcome> {
  const outcome = await attempt(turn, permit, want, intent);
  turn.engine.refusals.note(turn.object.metadata.uid, wishOf(turn, want), outcome, turn.engine.clock.monotonic());
  return outcome.is === 'Stalled' && outcome.reason === 'AlreadyExists' ? duplicate : outcome;
}

/** `found`: rows that a listing shows; whether they are there still takes a read of each. */
type Look = { readonly before: Intent['before'] } | { readonly found: readonly Found[] } | { readonly outcome: Outcome };

async function lookFirst(turn: Turn, want: AnyWant, key: Intent['key']): Promise<Look> {
  const { enforced, names } = turn.kind.key;
  if (enforced === 'unique') return { before: [] };
  if (enforced === 'item') {
    const item = turn.kind.item?.(key.is, key.in) ?? key.in;
    const seen = await turn.account.connection.mirror.read(item, how(turn, 'create'));
    return seen === undefined ? { before: [] } : { outcome: await existing(turn, want, [{ row: seen.remote, path: item }]) };
  }
  const found = await baseline(turn, key, want);
  const own = found.filter(({ path, row }) => claimedBy(turn, path) === undefined && isOwn(turn, row, want));
  if (found.length === 0 || (!names && own.length === 0)) return { before: idsOf(found) };
  return { found };
}

/** Something with our natural key is there already: ours to take, somebody's, or a stranger. */
async function existing(turn: Turn, want: AnyWant, found: readonly Found[]): Promise<Outcome> {
  const free = found.filter(({ path }) => claimedBy(turn, path) === undefined);
  const own = free.filter(({ row }) => isOwn(turn, row, want));
  if (own.length === 1 && own[0] !== undefined) return take(turn, own[0], 'created');
  if (own.length > 1) return ambiguous(own);
  const [stranger] = free;
  if (stranger === undefined)
    return {
      is: 'Stalled',
      reason: 'AlreadyClaimed',
      message: `${found[0]?.path} has this spec's name already and belongs to ${claimedBy(turn, found[0]?.path ?? '')}. Delete one of the two objects, or give this one another name`,
    };
  const [given] = idsOf([stranger]);
  const id = turn.kind.id?.(stranger.row) ?? given;
  return {
    is: 'Stalled',
    reason: 'AlreadyExists',
    message: `${stranger.path} exists in the account and was not made by this object. To take it over write spec.adopt: {id: ${JSON.stringify(id)}}; else rename or delete it there`,
  };
}

/** Takes a remote that was found; no call is needed for it. */
export async function take(turn: Turn, { row, path }: Found, origin: 'created' | 'adopted'): Promise<Outcome> {
  const { engine, account } = turn;
  const now = engine.clock.monotonic();
  await writeIdentity(turn, { account: account.connection.identity.account, path, how: origin });
  engine.claims.claim(account.connection.identity.account, path, turn.object);
  engine.recorder.event(turn.object, {
    type: 'Normal',
    reason: origin === 'adopted' ? 'Adopted' : 'Recovered',
    message: `${path} exists already and is this object's now`,
  });
  account.connection.mirror.note(path, row, { body: row, apiTime: account.connection.apiNow(), requestedAt: now, answeredAt: now });
  turn.notes['intent'] = undefined;
  return { is: 'Again' };
}

/** What the service does not offer is not asked for, unless it is there already: a plan may be withdrawn while its instances live on. */
async function notOffered(turn: Turn, want: AnyWant, key: Intent['key']): Promise<Outcome | undefined> {
  const { kind, account } = turn;
  const message = unlisted(kind, want, Object.keys(kind.fields), (path) => account.connection.catalogue(path));
  if (message === undefined) return undefined;
  const found = await baseline(turn, key, want);
  return found.length > 0 ? existing(turn, want, found) : { is: 'Stalled', reason: 'InvalidSpec', message };
}

/** The service refused a second one: it is ours, somebody's, on its way out, or a stranger's (design 4.3). */
async function refusedAsDuplicate(turn: Turn, want: AnyWant, key: Intent['key']): Promise<Outcome> {
  const { engine, object } = turn;
  const now = engine.clock.monotonic();
  const found = await matching(turn, key, want, now);
  const open = intentOf(turn);
  const [made, ...more] = open === undefined ? [] : candidates(turn, open, found);
  if (open !== undefined && made !== undefined && more.length === 0) return takeFound(turn, made, open);
  const there = await stillThere(turn, found);
  if (there.length > 0) return existing(turn, want, there);
  if (engine.evidence.refusedFor(object.metadata.uid, now) < minutes(30)) {
    const name = canonical(key.is);
    return {
      is: 'Waiting',
      reason: 'Busy',
      message: `the API says that ${name} is taken, but shows nothing of that name: most likely it is being deleted. It is tried again for 30 minutes`,
      on: [name],
      recheckAfter: seconds(15),
    };
  }
  return {
    is: 'Stalled',
    reason: 'AlreadyExists',
    message: `the API has refused ${canonical(key.is)} as taken for 30 minutes, and nothing of that name can be seen with this token. Choose another name, or ask the owner of the account`,
  };
}

/** An attempt of unknown outcome: sent again only when it surely made nothing, and not too often (design 4.4). */
async function resolveUnknown(turn: Turn, want: AnyWant, intent: Intent, key: Intent['key']): Promise<Outcome> {
  const known = await lookUp(turn, want, intent);
  if (known !== undefined) return known;
  if (canonical(key) !== canonical(intent.key)) return forgetIntent(turn);
  return (
    heldBack(turn, intent) ??
    inDoubtElsewhere(turn, key, intent) ??
    withPermit(turn, want, intent.key.in, (permit) => sendAgain(turn, permit, want, intent))
  );
}

/** A create of what exists already is answered with it (a bucket), so somebody else's must not be there by now. */
async function sendAgain(turn: Turn, permit: Permit, want: AnyWant, intent: Intent): Promise<Outcome> {
  const look = turn.kind.key.enforced === 'item' ? await lookFirst(turn, want, intent.key) : undefined;
  return look !== undefined && 'outcome' in look ? look.outcome : send(turn, permit, want, intent);
}

/** It surely made nothing, and the spec names another thing by now, which is looked for like any first time. */
async function forgetIntent(turn: Turn): Promise<Outcome> {
  await writeStruck(turn, undefined);
  turn.notes['intent'] = undefined;
  return { is: 'Again' };
}
