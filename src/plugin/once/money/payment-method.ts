import { type Body, del, path, post } from '../../../resource/index.ts';
import type { AccountReader } from '../../account/account-reader.ts';
import type { Call, Verb } from '../../command-line/command.ts';
import { CliError } from '../../exit.ts';
import { on } from '../../command-line/flag.ts';
import { cardOf } from './card.ts';
import type { AccountChange } from '../journal/account-change.ts';
import { once } from '../journal/transaction.ts';
import { companyOf, methodText } from '../words.ts';

const list = '/account/payment-methods';
const scope = 'account:read_write';
const columns = ['id', 'type', 'is_default', 'created', 'data.last_four'];
const usage = 'write: kubectl cloud payment-method add, or delete ID, or make-default ID';

/** `payment-method add`, `delete ID`, `make-default ID`. */
export const paymentMethod: Verb = (call) => {
  const [does, id, ...more] = call.args;
  if (does === 'add' && id === undefined) return once(call, 'payment-method', (account) => add(call, account), scope);
  const change = does === 'delete' ? remove : does === 'make-default' ? makeDefault : undefined;
  if (change === undefined || id === undefined || more.length > 0) throw new CliError(2, usage);
  return once(call, 'payment-method', (account) => change(account, id), scope);
};

async function add(call: Call, account: AccountReader): Promise<AccountChange> {
  const { number, cvv, month, year } = await cardOf(call);
  const deprecated = on(call.flags, 'deprecatedApi');
  const isDefault = deprecated || on(call.flags, 'default');
  const data: Body = { card_number: number, cvv, expiry_month: month, expiry_year: year };
  const record = await account.record('/account');
  return {
    what: 'add a payment method',
    facts: [
      `${companyOf(record)} gets one more card to be charged${isDefault ? ', as the default one from now on' : ''}`,
      "The provider's web page is the better place for it: whatever machine reads the number of a card becomes part of an audit.",
    ],
    level: 'C3',
    expected: 'add',
    call: deprecated ? post('/account/credit-card', data) : post(list, { type: 'credit_card', is_default: isDefault, data }),
    look: { path: list, since: 'created', columns },
    refuseRepeat: true,
    done: async (_, after) => {
      const newest = (await after.rows(list)).at(-1);
      return newest === undefined ? 'Added.' : `Added ${methodText(newest)}. Its id is ${String(newest['id'])}.`;
    },
  };
}

async function remove(account: AccountReader, id: string): Promise<AccountChange> {
  const at = path`/account/payment-methods/${id}`;
  const method = await account.record(at);
  if (method['is_default'] === true)
    throw new CliError(
      3,
      `${methodText(method)}: the default one cannot be deleted. Make another the default: kubectl cloud payment-method make-default ID`,
    );
  return {
    what: `delete payment method ${id}`,
    facts: [`${methodText(method)} is no longer charged, and has to be added anew to be`],
    level: 'C3',
    expected: id,
    call: del(at),
    look: { path: list, columns },
    done: () => `Deleted ${methodText(method)}.`,
  };
}

async function makeDefault(account: AccountReader, id: string): Promise<AccountChange> {
  const at = path`/account/payment-methods/${id}`;
  const method = await account.record(at);
  if (method['is_default'] === true) throw new CliError(3, `nothing was sent now: ${methodText(method)} is the default already`);
  return {
    what: `make payment method ${id} the default`,
    facts: [`${methodText(method)} is charged from now on, where a payment names no other`],
    level: 'C3',
    expected: id,
    call: post(`${at}/make-default`),
    look: { path: list, columns },
    done: () => `${methodText({ ...method, is_default: true })} is charged from now on.`,
  };
}
