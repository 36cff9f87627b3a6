import type { Context } from '../../contract/context.ts';
import { integer, required, string } from '../../contract/fields.ts';
import type { ErrorItem } from '../../contract/refusal.ts';
import { refusal } from '../../contract/refusal.ts';
import type { World } from '../../contract/world.ts';
import type { PaymentMethod } from '../../records/billing.ts';
import { paymentMethodAdditions, paymentMethods } from '../../records/billing.ts';
import { makeDefault } from './billing.ts';

/** Document 3, Credit card / payment method data. */
export const cardFields = {
  card_number: required(string({ min: 14, max: 24, pattern: /^\d*$/ })),
  cvv: required(string({ pattern: /^\d{3,4}$/ })),
  expiry_month: required(integer({ min: 1, max: 12 })),
  expiry_year: required(integer({ min: 1000, max: 9999 })),
};

export interface Card {
  readonly card_number: string;
  readonly cvv: string;
  readonly expiry_month: number;
  readonly expiry_year: number;
}

/** The current month or later. */
export function expiryProblems(world: World, card: Card, prefix = ''): readonly ErrorItem[] {
  const now = new Date(world.clock.now());
  const year = now.getUTCFullYear();
  if (card.expiry_year < year) return [{ reason: 'expiry_year is not valid', field: `${prefix}expiry_year` }];
  const past = card.expiry_year === year && card.expiry_month <= now.getUTCMonth();
  return past ? [{ reason: 'expiry_month is not valid', field: `${prefix}expiry_month` }] : [];
}

const brands = [
  [/^4/, 'Visa'],
  [/^5[1-5]|^2[2-7]/, 'MasterCard'],
  [/^3[47]/, 'American Express'],
  [/^6/, 'Discover'],
] as const;

const dayMilliseconds = 86_400_000;

/** 6 active methods, 60 additions a day (document 1, Limits); the texts are assumed. */
function requireRoom(world: World): void {
  if (world.store(paymentMethods).size >= 6) throw refusal(400, 'An account may have at most 6 active payment methods.');
  const since = world.clock.now() - dayMilliseconds;
  const recent = [...world.store(paymentMethodAdditions).values()].filter((addition) => addition.at > since);
  if (recent.length >= 60) throw refusal(400, 'At most 60 payment methods may be added per day.');
}

/** The first method is the default whatever was asked (assumed). */
export function addCard(ctx: Context<unknown>, card: Card, asDefault: boolean): PaymentMethod {
  requireRoom(ctx);
  const { card_number: number, expiry_month: month, expiry_year: year } = card;
  const data = {
    card_type: brands.find(([pattern]) => pattern.test(number))?.[1] ?? 'Unknown',
    last_four: number.slice(-4),
    expiry: `${String(month).padStart(2, '0')}/${year}`,
  };
  const first = ctx.store(paymentMethods).size === 0;
  const row = { type: 'credit_card', is_default: false, created: ctx.timestamp(), data } as const;
  const method = ctx.store(paymentMethods).insert((id) => ({ id, ...row }));
  ctx.store(paymentMethodAdditions).insert((id) => ({ id, at: ctx.clock.now() }));
  if (asDefault || first) makeDefault(ctx, method);
  return method;
}
