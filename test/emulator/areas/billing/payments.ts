import type { Context } from '../../contract/context.ts';
import { integer, nullable, required, string } from '../../contract/fields.ts';
import { operation } from '../../contract/operation.ts';
import type { ErrorItem } from '../../contract/refusal.ts';
import { notFound, refusal } from '../../contract/refusal.ts';
import type { World } from '../../contract/world.ts';
import type { Payment, PaymentMethod } from '../../records/billing.ts';
import { paymentMethods, payments } from '../../records/billing.ts';
import { accountOf, charge, defaultMethod, read, write } from './billing.ts';

const base = '/account/payments';

interface NewPayment {
  readonly usd: string;
  readonly payment_method_id?: number | null;
  readonly cvv?: string | null;
}

/** Document 3, Payment: the bounds follow what the account owes; without a debt the minimum is $5.00. The text is assumed. */
function amountProblems(world: World, usd: number): readonly ErrorItem[] {
  const { balance } = accountOf(world);
  const low = balance > 0 ? Math.min(5, balance) : 5;
  const high = Math.max(2000, Math.min(balance, 50_000));
  return usd < low || usd > high ? [{ reason: `Must be ${low.toFixed(2)}-${high.toFixed(2)}`, field: 'usd' }] : [];
}

function methodFor(ctx: Context<unknown>, id: number | null | undefined): PaymentMethod {
  const field = 'payment_method_id';
  const method = typeof id === 'number' ? ctx.store(paymentMethods).get(id) : defaultMethod(ctx);
  if (method !== undefined) return method;
  throw refusal(400, typeof id === 'number' ? 'A valid payment method by that ID was not found' : `${field} is required`, field);
}

function pay(ctx: Context<unknown>, { usd, payment_method_id: id, cvv }: NewPayment): Payment {
  const amount = Number(usd.replace('$', ''));
  const method = methodFor(ctx, id);
  const missing = method.type === 'credit_card' && (cvv ?? '') === '';
  ctx.refuseIfAny([...amountProblems(ctx, amount), ...(missing ? [{ reason: 'cvv is required', field: 'cvv' }] : [])]);
  const payment = charge(ctx, amount);
  ctx.emit({ action: 'payment_submitted' });
  return payment;
}

/** Disabled and no longer accessible (decision e). */
const gone = {
  ...write,
  method: 'POST',
  handler: (): never => {
    throw notFound();
  },
} as const;

export const paymentOperations = [
  operation({ ...read, path: base, filterable: [], handler: (ctx) => ctx.page(payments) }),
  operation({
    ...write,
    method: 'POST',
    path: base,
    body: {
      usd: required(string({ pattern: /^\$?\d+\.\d{2}$/ })),
      payment_method_id: nullable(integer()),
      cvv: nullable(string({ pattern: /^\d{3,4}$/ })),
    },
    handler: (ctx) => pay(ctx, ctx.body),
  }),
  operation({ ...read, path: `${base}/{paymentId}`, handler: (ctx) => ctx.load(payments, 'paymentId') }),
  operation({ ...gone, path: `${base}/paypal` }),
  operation({ ...gone, path: `${base}/paypal/execute` }),
];
