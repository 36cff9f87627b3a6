import type { Millis } from '../../lib/clock.ts';
import { type AnyWant, minutes, seconds } from '../../resource/index.ts';
import { bindRemote } from '../change/bind.ts';
import { createOf } from '../change/send.ts';
import type { ReconcileContext } from '../context.ts';
import { candidates } from '../identity/candidates.ts';
import { type Found, idIn, matching, stillThere } from '../identity/lookup.ts';
import { ambiguous } from '../identity/open-create.ts';
import { claimedBy, isOwn, refusedFor } from '../identity/ownership.ts';
import { annotateCommand, recreateAnnotation } from '../model/annotations.ts';
import { type Intent, intentOf } from '../model/intent.ts';
import type { Outcome } from '../model/outcome.ts';
import { canonical } from '../model/values.ts';
import { takeFound } from './unknown-outcome.ts';

/** Something with our natural key is there already: ours to take, somebody's, or a stranger. */
export async function existing(context: ReconcileContext, want: AnyWant, found: readonly Found[]): Promise<Outcome> {
  const free = found.filter(({ path }) => claimedBy(context, path) === undefined);
  const own = free.filter(({ row }) => isOwn(context, row));
  if (own.length === 1 && own[0] !== undefined) return bindRemote(context, own[0], 'created');
  if (own.length > 1) return ambiguous(own);
  const [stranger] = free;
  if (stranger === undefined) return alreadyClaimed(context, found[0]?.path ?? '');
  if (context.kind.takesOver !== undefined) return bindRemote(context, stranger, 'adopted');
  return {
    is: 'Stalled',
    reason: 'AlreadyExists',
    message: `${stranger.path} exists in the account, and nothing shows that it was made for this object. To take it over write spec.adopt: {id: ${JSON.stringify(idIn(context, stranger))}}; else ${orElse(context)}`,
  };
}

const orElse = ({ kind, object }: ReconcileContext): string =>
  kind.key?.names === false
    ? `have another one made beside it: ${annotateCommand(object, recreateAnnotation, '<time>')}`
    : 'rename or delete it there';

const alreadyClaimed = (context: ReconcileContext, path: string): Outcome =>
  refusedFor(context, path, {
    is: 'Stalled',
    reason: 'AlreadyClaimed',
    message: `${path} has this spec's name already and belongs to ${claimedBy(context, path)}. Delete one of the two objects, or give this one another name`,
  });

/** The service refused a second one: it is ours, somebody's, on its way out, or a stranger's (README: create). */
export async function refusedAsDuplicate(context: ReconcileContext, want: AnyWant, key: Intent['key']): Promise<Outcome> {
  const { ledger, clock } = context.engine;
  const { uid } = context.object.metadata;
  const change = createOf(context, want);
  const taken = await takenBy(context, want, key);
  const outcome = taken ?? notSeen(key, ledger.refusedFor(uid, change, clock.monotonic()));
  if (outcome.is !== 'Again') ledger.note(uid, change, { is: 'refused', outcome, final: taken !== undefined }, clock.monotonic());
  return outcome;
}

/** Whose this name is; undefined: nothing of that name can be seen. */
export async function takenBy(context: ReconcileContext, want: AnyWant, key: Intent['key']): Promise<Outcome | undefined> {
  const found = await matching(context, key, want, context.engine.clock.monotonic());
  const open = intentOf(context);
  const [made, ...more] = open === undefined ? [] : candidates(context, open, found);
  if (open !== undefined && made !== undefined && more.length === 0) return takeFound(context, made, open);
  const there = await stillThere(context, found);
  return there.length > 0 ? existing(context, want, there) : undefined;
}

function notSeen(key: Intent['key'], refusedFor: Millis): Outcome {
  const name = canonical(key.is);
  if (refusedFor < minutes(30))
    return {
      is: 'Waiting',
      reason: 'Busy',
      message: `the API says that ${name} is taken, but shows nothing of that name: most likely it is being deleted. It is tried again for 30 minutes`,
      on: [name],
      recheckAfter: seconds(15),
    };
  return {
    is: 'Stalled',
    reason: 'AlreadyExists',
    message: `the API has refused ${name} as taken for 30 minutes, and nothing of that name can be seen with this token. Choose another name, or ask the owner of the account`,
  };
}
