import type { Row } from '../../resource/index.ts';
import type { Call } from '../command-line/command.ts';
import { CliError } from '../exit.ts';
import { ageOf, on, text } from '../command-line/flag.ts';

/** What `--since`, `--user`, `--failed` and `--max-usd` let through, of a verb that has them. Times of the service are UTC without a zone. */
export function filterOf({ session, flags }: Call): (row: Row) => boolean {
  const since = session.now - (ageOf(flags, 'since', 'since') ?? Infinity);
  const user = text(flags, 'user');
  const most = dollarsOf(text(flags, 'maxUsd'));
  return ({ created, datetime, date, username, status, price }) =>
    (since === -Infinity || Date.parse(`${String(created ?? datetime ?? date)}Z`) >= since) &&
    (user === undefined || username === user) &&
    (!on(flags, 'failed') || status === 'failed') &&
    (most === undefined || monthlyIn(price) <= most);
}

function dollarsOf(given: string | undefined): number | undefined {
  if (given === undefined) return undefined;
  if (!/^\d+(\.\d+)?$/.test(given)) throw new CliError(2, `--max-usd=${given} is no amount: write for example 20`);
  return Number(given);
}
/** What says no price may cost anything. */
const monthlyIn = (price: unknown): number => {
  const monthly = typeof price === 'object' && price !== null ? (price as Row)['monthly'] : undefined;
  return typeof monthly === 'number' ? monthly : Infinity;
};
