import { post } from '../../../resource/index.ts';
import type { Verb } from '../../command-line/command.ts';
import { CliError } from '../../exit.ts';
import { once } from '../journal/transaction.ts';
import { companyOf } from '../words.ts';

/** `promo add CODE`: credit for a young account, once. */
export const promo: Verb = (call) => {
  const [does, code, ...more] = call.args;
  if (does !== 'add' || code === undefined || more.length > 0) throw new CliError(2, 'write: kubectl cloud promo add CODE');
  return once(call, 'promo', async (account) => {
    if (account.isRestricted)
      throw new CliError(4, `user ${account.shown.user} is restricted: only an unrestricted user may add a promo code`);
    const record = await account.record('/account');
    const there = record['active_promotions'];
    if (Array.isArray(there) && there.length > 0) throw new CliError(3, 'the account has a promotion already, and takes one only');
    return {
      what: `add promo code ${code}`,
      facts: [`${companyOf(record)} gets the credit of promo code ${code}. An account takes one only, in its first 90 days`],
      level: 'C3',
      expected: code,
      call: post('/account/promo-codes', { promo_code: code }),
      look: { path: '/account', columns: ['active_promotions'] },
      done: (answer) =>
        `Credit left: ${String(answer['credit_remaining'])} USD${answer['expire_dt'] ? `, until ${String(answer['expire_dt'])}` : ''}.`,
    };
  });
};
