import { boolean, object, oneOf, required } from '../../contract/fields.ts';
import { operation } from '../../contract/operation.ts';
import { refusal } from '../../contract/refusal.ts';
import { paymentMethods } from '../../records/billing.ts';
import { makeDefault, read, write } from './billing.ts';
import { addCard, cardFields, expiryProblems } from './cards.ts';

const base = '/account/payment-methods';
const one = `${base}/{paymentMethodId}`;

export const paymentMethodOperations = [
  operation({ ...read, path: base, filterable: [], handler: (ctx) => ctx.page(paymentMethods) }),
  operation({
    ...write,
    method: 'POST',
    path: base,
    body: { type: required(oneOf(['credit_card'])), is_default: required(boolean()), data: required(object(cardFields)) },
    handler: (ctx) => {
      ctx.refuseIfAny(expiryProblems(ctx, ctx.body.data, 'data.'));
      addCard(ctx, ctx.body.data, ctx.body.is_default);
      ctx.emit({ action: 'payment_method_add' });
    },
  }),
  operation({ ...read, path: one, handler: (ctx) => ctx.load(paymentMethods, 'paymentMethodId') }),
  operation({
    ...write,
    method: 'DELETE',
    path: one,
    // Deactivating asks for no more than the read scope (document 3).
    scopes: ['account:read_only'],
    handler: (ctx) => {
      const method = ctx.load(paymentMethods, 'paymentMethodId');
      if (method.is_default) throw refusal(400, 'The default payment method cannot be deleted.');
      ctx.store(paymentMethods).remove(method);
    },
  }),
  operation({
    ...write,
    method: 'POST',
    path: `${one}/make-default`,
    handler: (ctx) => makeDefault(ctx, ctx.load(paymentMethods, 'paymentMethodId')),
  }),
  // Deprecated: adds a card and makes it the default.
  operation({
    ...write,
    method: 'POST',
    path: '/account/credit-card',
    body: cardFields,
    handler: (ctx) => {
      ctx.refuseIfAny(expiryProblems(ctx, ctx.body));
      addCard(ctx, ctx.body, true);
      ctx.emit({ action: 'credit_card_updated' });
    },
  }),
];
