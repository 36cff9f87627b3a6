import type { Millis } from '../../lib/clock.ts';
import { readTime } from '../../lib/utc-time.ts';
import { asCollection, type Duration, seconds } from '../../resource/index.ts';
import { callOptions, type ReconcileContext } from '../context.ts';
import { sentWithin } from '../model/intent.ts';
import type { Change, Outcome } from '../model/outcome.ts';
import { type BoundRemote, isMadeOnce, placeOf, type Update } from '../model/step.ts';
import { lookAgain } from '../observe/observe.ts';
import { wasSent } from '../plan/applied-values.ts';
import { unreadParts } from '../plan/diff.ts';

/** So often the account is looked at for what may have come about. */
const lookEvery: Millis = 15_000;

/**
 * Why a change of which a second one would do harm is not sent now; undefined: now, once. It is written down before it is
 * sent, so that whoever finds the note, and did not write it, first waits until it can surely not come about any more.
 */
export async function beforeSending(context: ReconcileContext, step: Update, { change, present }: Sending): Promise<Outcome | undefined> {
  if (!step.changes.some(isMadeOnce)) return undefined;
  return (await tooYoung(context, step, present)) ?? firstNoted(context, step, { change, present });
}

async function firstNoted(context: ReconcileContext, step: Update, { change, present }: Sending): Promise<Outcome | undefined> {
  const { objectMemory } = context.engine;
  const { uid } = context.object.metadata;
  const wish = wishOf(context, step, change);
  const noted = noteIn(context.object.status?.['sending']);
  const own = ownNote(objectMemory.noted.get(uid), wish);
  if (own !== undefined && noted?.wish === wish) {
    objectMemory.noted.delete(uid);
    return undefined;
  }
  return own === undefined && noted !== undefined && openFor(context, noted) > 0 && !isShownMember(noted, wish)
    ? inDoubt(context, step, present, { rest: openFor(context, noted), why: stillOpen(noted) })
    : noteFirst(context, wish, own);
}

/** A member is noted by its name: in whatever form it is wanted by now, it must not be made while another one of it may come about. */
function wishOf({ key, object }: ReconcileContext, { changes }: Update, { wish }: Change): string {
  const made = changes.find(({ member, have }) => member !== undefined && have === null);
  return made === undefined ? wish : `${ofMember}${key.remember(object.metadata.uid, 'member', placeOf(made))}`;
}
const ofMember = 'member-';

/** The first that is missing is made first: who asks for another one sees that one, or wants it no more. */
const isShownMember = (noted: Note, wish: string): boolean =>
  noted.wish.startsWith(ofMember) && wish.startsWith(ofMember) && noted.wish !== wish;

function noteFirst({ engine, object, status, account }: ReconcileContext, wish: string, own: Note | undefined): Outcome {
  const text = own?.text ?? `${wish}@${new Date(account.connection.apiNow()).toISOString()}`;
  engine.objectMemory.noted.set(object.metadata.uid, text);
  status['sending'] = text;
  return { is: 'Working', reason: 'Updating', message: 'what must not be sent twice is noted before it is sent', recheckAfter: seconds(0) };
}

/** Written by this process, about this change, and not sent since. */
function ownNote(text: string | undefined, wish: string): Note | undefined {
  const note = noteIn(text);
  return note?.wish === wish ? note : undefined;
}

interface Sending {
  readonly change: Change;
  readonly present: BoundRemote;
}
interface Note {
  readonly text: string;
  readonly wish: string;
  /** The service's clock. */
  readonly at: Millis;
}

function noteIn(text: unknown): Note | undefined {
  const [wish, time = ''] = typeof text === 'string' ? text.split('@') : [];
  const at = readTime(time);
  return typeof text !== 'string' || wish === undefined || at === undefined ? undefined : { text, wish, at };
}

/** A look that was begun after the last moment at which it can come about is among those that are made until then. */
function openFor({ engine, account }: ReconcileContext, { at }: Note): Millis {
  const { commitBound, listLag } = engine.settings;
  return at + sentWithin + commitBound + listLag + 2 * lookEvery - account.connection.apiNow();
}

/** Members are made with their remote, and a listing may show them later. */
function youngFor({ kind, engine, account }: ReconcileContext, { changes }: Update, { remote }: BoundRemote): Millis {
  const field = asCollection(kind)?.createdAt;
  const text = field === undefined ? '' : String(remote[field]);
  const made = readTime(text.endsWith('Z') ? text : `${text}Z`);
  const isMember = changes.some(({ member, have }) => member !== undefined && have === null);
  const { commitBound, listLag } = engine.settings;
  return !isMember || made === undefined ? 0 : made + commitBound + listLag - account.connection.apiNow();
}

async function tooYoung(context: ReconcileContext, step: Update, present: BoundRemote): Promise<Outcome | undefined> {
  const rest = youngFor(context, step, present);
  const why = 'what was made with it may not be listed yet; one more is made only once it surely would be';
  return rest > 0 ? inDoubt(context, step, present, { rest, why }) : undefined;
}

const stillOpen = ({ at }: Note): string =>
  `what was sent at ${new Date(at).toISOString()} may still come about; the account is looked at until it surely cannot, and only then it is sent again`;

async function inDoubt(
  context: ReconcileContext,
  { changes }: Update,
  { identity }: BoundRemote,
  { rest, why }: { readonly rest: Millis; readonly why: string },
): Promise<Outcome> {
  await lookAgain(context, identity, lookEvery);
  for (const part of new Set(changes.flatMap(({ rule }) => rule.part ?? [])))
    await context.account.connection.cache.readPart(identity.path, part, callOptions(context, 'wait'));
  const fields = changes.map(({ field }) => `spec.${field}`).join(', ');
  return { is: 'Working', reason: 'UnknownOutcome', message: `${fields}: ${why}`, recheckAfter: Math.min(lookEvery, rest) as Duration };
}

/**
 * It was answered, or surely never sent; of unknown outcome the note stays. Of a member it stays for its time, as a listing may
 * not show for a while what an answer told of.
 */
export function afterSending({ object, status }: ReconcileContext, refused: Outcome | undefined): void {
  const sending = status['sending'] ?? object.status?.['sending'];
  const isOpen = refused !== undefined && 'reason' in refused && refused.reason === 'UnknownOutcome';
  const mayNotShow = refused === undefined && noteIn(sending)?.wish.startsWith(ofMember) === true;
  if (!isOpen && !mayNotShow && sending !== undefined) status['sending'] = undefined;
}

/** Nothing differs: a member that was made is shown, if all could be compared. */
export function nothingIsSent(context: ReconcileContext, { identity, want, remote }: BoundRemote): void {
  const { object, status, kind } = context;
  if (object.status?.['sending'] === undefined) return;
  if (unreadParts(kind, want, remote, (field) => wasSent(context, field, { identity, remote })).length === 0) status['sending'] = undefined;
}
