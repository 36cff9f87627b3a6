import type { Context } from '../../contract/context.ts';
import { required, string } from '../../contract/fields.ts';
import { operation } from '../../contract/operation.ts';
import { notFound, refusal } from '../../contract/refusal.ts';
import { accountRows } from '../../records/account.ts';
import type { Login, Promotion } from '../../records/billing.ts';
import { invoiceItems, invoices, logins, promoCodes } from '../../records/billing.ts';
import { accountOf, charge, defaultMethod, read } from './billing.ts';

/** Logins and promo credit are kept this long, in seconds: 90 days (document 1, Limits). */
const ninetyDays = 90 * 86_400;

const unrestricted = [{ unrestricted: true }] as const;
const readUnrestricted = { method: 'GET', scopes: ['account:read_only'], grant: unrestricted } as const;

const unpaid =
  'We were unable to charge your credit card for services rendered. We cannot cancel this account until the balance has been paid.';

/** A charge of what is owed is tried first. What becomes of objects and tokens is not known: they stay (assumed). */
function cancel(ctx: Context<unknown>): unknown {
  const { balance } = accountOf(ctx);
  if (balance > 0) {
    if (ctx.knobs.cardsDeclined || defaultMethod(ctx) === undefined) throw refusal(409, unpaid);
    charge(ctx, balance);
  }
  return { survey_link: `https://survey.example.org/cancelled?account=${ctx.euuid}` };
}

/** The rules of document 3, Account; the texts are assumed. */
function applyPromo(ctx: Context<unknown>, code: string): Promotion {
  const account = accountOf(ctx);
  const field = 'promo_code';
  const promo = ctx.store(promoCodes).get(code);
  if (promo === undefined || (promo.ends !== null && promo.ends <= ctx.timestamp())) throw refusal(400, 'promo_code is not valid', field);
  if (account.active_since < ctx.timestamp(-ninetyDays)) {
    throw refusal(400, 'Promo codes are only for accounts younger than 90 days.', field);
  }
  if (account.active_promotions.length > 0) throw refusal(400, 'This account has a promotion already.', field);
  ctx.store(accountRows).update(account, { active_promotions: [promo.promotion] });
  ctx.emit({ action: 'account_promo_apply' });
  return promo.promotion;
}

function recent(ctx: Context<unknown>): (login: Login) => boolean {
  const oldest = ctx.timestamp(-ninetyDays);
  return (login) => login.datetime >= oldest;
}

export const accountWideOperations = [
  operation({ ...read, path: '/account/invoices', filterable: [], handler: (ctx) => ctx.page(invoices) }),
  operation({ ...read, path: '/account/invoices/{invoiceId}', handler: (ctx) => ctx.load(invoices, 'invoiceId') }),
  operation({
    ...read,
    path: '/account/invoices/{invoiceId}/items',
    filterable: [],
    handler: (ctx) => ctx.page(invoiceItems, { from: { invoice_id: ctx.load(invoices, 'invoiceId').id } }),
  }),
  operation({ ...readUnrestricted, path: '/account/logins', filterable: [], handler: (ctx) => ctx.page(logins, { where: recent(ctx) }) }),
  operation({
    ...readUnrestricted,
    path: '/account/logins/{loginId}',
    handler: (ctx) => {
      const login = ctx.load(logins, 'loginId');
      if (!recent(ctx)(login)) throw notFound();
      return login;
    },
  }),
  operation({
    method: 'POST',
    path: '/account/promo-codes',
    scopes: ['account:read_only'],
    grant: unrestricted,
    body: { promo_code: required(string({ min: 1, max: 32 })) },
    handler: (ctx) => applyPromo(ctx, ctx.body.promo_code),
  }),
  operation({
    method: 'POST',
    path: '/account/cancel',
    scopes: ['account:read_write'],
    grant: unrestricted,
    body: { comments: string() },
    handler: cancel,
  }),
];
