import type { Row } from '../../resource/index.ts';
import type { Call } from '../command.ts';
import { durationOf, on, text } from '../flag.ts';

/** What `--since`, `--user` and `--failed` let through, of a verb that has them. Times of the service are UTC without a zone. */
export function filterOf({ session, flags }: Call): (row: Row) => boolean {
  const since = text(flags, 'since') === undefined ? -Infinity : session.now - durationOf(flags, 'since');
  const user = text(flags, 'user');
  return ({ created, datetime, date, username, status }) =>
    (since === -Infinity || Date.parse(`${String(created ?? datetime ?? date)}Z`) >= since) &&
    (user === undefined || username === user) &&
    (!on(flags, 'failed') || status === 'failed');
}
