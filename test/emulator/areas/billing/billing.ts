import { notFound, refusal } from '../../contract/refusal.ts';
import type { World } from '../../contract/world.ts';
import type { AccountRow } from '../../records/account.ts';
import { accountRows } from '../../records/account.ts';
import type { Payment, PaymentMethod } from '../../records/billing.ts';
import { paymentMethods, payments } from '../../records/billing.ts';

export const read = { method: 'GET', scopes: ['account:read_only'], grant: [{ account: 'read_only' }] } as const;
export const write = { scopes: ['account:read_write'], grant: [{ account: 'read_write' }] } as const;

export function accountOf(world: World): AccountRow {
  const row = world.store(accountRows).get(world.euuid);
  if (row === undefined) throw notFound();
  return row;
}

export function defaultMethod(world: World): PaymentMethod | undefined {
  return [...world.store(paymentMethods).values()].find((method) => method.is_default);
}

/** One method is the default; the account record shows a default card (document 3, payment methods). */
export function makeDefault(world: World, chosen: PaymentMethod): void {
  const store = world.store(paymentMethods);
  for (const method of store.values()) {
    if (method.is_default !== (method.id === chosen.id)) store.update(method, { is_default: method.id === chosen.id });
  }
  const { last_four = null, expiry = null } = chosen.data;
  world.store(accountRows).update(accountOf(world), { credit_card: { last_four, expiry } });
}

/** Takes the money and lowers what the account owes. */
export function charge(world: World, usd: number): Payment {
  if (world.knobs.cardsDeclined) throw refusal(400, 'Your payment was declined.');
  const account = accountOf(world);
  const payment = world.store(payments).insert((id) => ({ id, date: world.timestamp(), usd }));
  world.store(accountRows).update(account, { balance: Math.round((account.balance - usd) * 100) / 100 });
  return payment;
}
