import { type Body, path, post, type Row } from '../../../resource/index.ts';
import type { AccountReader } from '../../account/account-reader.ts';
import type { Call, Verb } from '../../command-line/command.ts';
import { CliError } from '../../exit.ts';
import { text } from '../../command-line/flag.ts';
import { cvvOf } from './card.ts';
import type { AccountChange } from '../journal/account-change.ts';
import { once } from '../journal/transaction.ts';
import { companyOf, dollars, methodText, numberIn } from '../words.ts';

const [least, most, mostOwed] = [5, 2000, 50_000];

/** `pay --usd 20.00`: charges a payment method, once. */
export const pay: Verb = (call) => once(call, 'pay', (account) => payment(call, account), 'account:read_write');

async function payment(call: Call, account: AccountReader): Promise<AccountChange> {
  const usd = amountOf(call);
  const record = await account.record('/account');
  const balance = numberIn(record, 'balance');
  refuseAmount(usd, balance);
  const method = await methodOf(call, account);
  const body: Body = {
    usd: usd.toFixed(2),
    payment_method_id: numberIn(method, 'id'),
    ...(method['type'] === 'credit_card' && { cvv: await cvvOf(call) }),
  };
  return {
    what: `pay ${dollars(usd)}`,
    facts: [
      `${companyOf(record)} pays ${dollars(usd)} with ${methodText(method)}`,
      `balance ${dollars(balance)} -> ${dollars(balance - usd)}`,
      'A payment cannot be taken back from here.',
    ],
    level: 'C3',
    expected: usd.toFixed(2),
    call: post('/account/payments', body),
    look: { path: '/account/payments', since: 'date', columns: ['id', 'date', 'usd'] },
    refuseRepeat: true,
    done: async (answer, after) => {
      const now = numberIn(await after.record('/account'), 'balance');
      const paid = `Paid ${dollars(usd)} with ${methodText(method)}. Payment ${String(answer['id'])}.`;
      const lines = [`${paid} Balance ${dollars(balance)} -> ${dollars(now)}.`, ...warningsIn(answer)];
      return { lines, data: { balance: { before: balance, after: now } } };
    },
  };
}

/** The service takes the money and adds what it could not do. */
const warningsIn = ({ warnings }: Row): readonly string[] =>
  Array.isArray(warnings)
    ? (warnings as readonly Row[]).map(({ title, details }) => `Warning: ${String(title)} ${String(details ?? '')}`.trim())
    : [];

function amountOf({ flags }: Call): number {
  const given = text(flags, 'usd');
  if (given === undefined) throw new CliError(2, 'say how much, in dollars and cents: kubectl cloud pay --usd 20.00');
  const number = /^\$?(\d{1,5}\.\d{2})$/.exec(given)?.[1];
  if (number === undefined) throw new CliError(2, `--usd ${given}: write dollars and cents, for example --usd 20.00`);
  return Number(number);
}

function refuseAmount(usd: number, balance: number): void {
  const [from, to] = [balance > 0 ? Math.min(least, balance) : least, Math.max(most, Math.min(balance, mostOwed))];
  if (usd >= from && usd <= to) return;
  throw new CliError(
    2,
    `--usd ${usd.toFixed(2)}: with a balance of ${dollars(balance)} the service takes ${from.toFixed(2)} to ${dollars(to)}`,
  );
}

/** The one that is named, else the default. */
async function methodOf({ flags }: Call, account: AccountReader): Promise<Row> {
  const id = text(flags, 'method');
  if (id !== undefined) return account.record(path`/account/payment-methods/${id}`);
  const found = (await account.rows('/account/payment-methods')).find((one) => one['is_default'] === true);
  if (found === undefined)
    throw new CliError(
      3,
      'the account has no default payment method: name one with --method ID, or add one: kubectl cloud payment-method add',
    );
  return found;
}
