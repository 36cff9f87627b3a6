import type { World } from '../../contract/world.ts';
import type { Promotion } from '../../records/billing.ts';
import { invoiceItems, invoices, logins, paymentMethods, payments, promoCodes } from '../../records/billing.ts';

const day = 86_400;

const promotion: Promotion = {
  credit_monthly_cap: '10.00',
  credit_remaining: '50.00',
  description: 'Credit for new accounts.',
  expire_dt: null,
  image_url: 'https://example.org/10_a_month_promotion.svg',
  summary: '$10 off your bill a month.',
  this_month_credit_remaining: '10.00',
  service_type: 'all',
};

/** One code that may be used, one that has run out. */
export function promoSeed(world: World): void {
  world.store(promoCodes).insert(() => ({ id: 'WELCOME50', ends: null, promotion }));
  world.store(promoCodes).insert(() => ({ id: 'SUMMER2020', ends: '2020-09-01T00:00:00', promotion }));
}

/** A paid invoice, the card that paid it, and one login: what every account has after its first month. */
export function billingSeed(world: World): void {
  const tax = { name: 'PA STATE TAX', tax: 1.2 };
  const invoice = world.store(invoices).insert((id) => ({
    id,
    date: world.timestamp(-day),
    label: `Invoice #${id}`,
    subtotal: 20,
    tax: tax.tax,
    tax_summary: [tax],
    total: 21.2,
  }));
  world.store(invoiceItems).insert((id) => ({
    id,
    invoice_id: invoice.id,
    label: 'Linode 4GB - web-1 (1000)',
    type: 'hourly',
    amount: 20,
    tax: 1.2,
    total: 21.2,
    quantity: 667,
    unit_price: '0.03',
    from: world.timestamp(-31 * day),
    to: world.timestamp(-day),
  }));
  world.store(payments).insert((id) => ({ id, date: world.timestamp(-day), usd: 21.2 }));
  world.store(paymentMethods).insert((id) => ({
    id,
    type: 'credit_card',
    is_default: true,
    created: world.timestamp(-31 * day),
    data: { card_type: 'Visa', last_four: '1111', expiry: '11/2030' },
  }));
  const login = { datetime: world.timestamp(-day), ip: '192.0.2.0', username: 'admin', status: 'successful', restricted: false } as const;
  world.store(logins).insert((id) => ({ id, ...login }));
}
