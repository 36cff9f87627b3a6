import type { Millis } from '../../lib/clock.ts';
import { shownTime } from '../../lib/utc-time.ts';
import { asCollection, isKnownByBirth, madeAt, type Row } from '../../resource/index.ts';
import type { AccountContext } from '../context.ts';
import type { Job } from '../ports/index.ts';
import { untaggedBirth } from './ownership.ts';

/** So long the event of a creation may take to be read, while events are asked for every two seconds. */
export const witnessWithin: Millis = 20_000;

/** What events tell of its creation has been read, as far as it comes at all. */
export function isBirthTold({ kind, account, engine }: AccountContext, row: Row): boolean {
  const made = madeAt(kind, row);
  const readAt = account.connection.cache.eventsReadAt();
  if (made === undefined || readAt === undefined) return made === undefined;
  // By the service's clock.
  const toldUntil = account.connection.apiNow() - engine.clock.monotonic() + readAt;
  return toldUntil - made > witnessWithin;
}

/** What is said beside that something waits for its events, while the account does not give them. */
export function feedText({ account }: AccountContext): string {
  const failing = account.connection.cache.eventsFailing();
  return failing === undefined
    ? ''
    : `. The events of the account, which tell who made it, cannot be read since ${shownTime(failing.since)} (${failing.why}); it goes on once they can`;
}

/** Our user makes things by hand, too, and of what is made without our tag nothing but its event tells them apart. */
export function isBornOtherwise(context: AccountContext, { path }: { readonly path: string }): boolean {
  const action = context.account.connection.cache.birth(path);
  return action !== undefined && untaggedBirth(context)?.includes(action) === false;
}

/** What its create began, before events tell of it: no state of the row shows it. */
export function jobsOfBirth(context: AccountContext, row: Row): readonly Job[] {
  const { bornWith, createdAt = '' } = asCollection(context.kind) ?? {};
  if (bornWith === undefined || context.object.spec[bornWith.field] === undefined || isBirthTold(context, row)) return [];
  return [{ id: 0, action: bornWith.job, status: 'scheduled', percent: null, message: '', user: null, created: String(row[createdAt]) }];
}

/** What its name alone tells from others may have gone, and another one come to be in its place: status notes when this object's was made. */
export function noteBirth(context: AccountContext, row: Row): void {
  const made = isKnownByBirth(context.kind) ? madeAt(context.kind, row) : undefined;
  if (made !== undefined) context.status['bornAt'] = shownTime(made);
}
