import { defineCollection } from '../contract/collection.ts';

/** Made by the provider only. */
export interface Invoice {
  readonly id: number;
  readonly date: string;
  readonly label: string;
  readonly subtotal: number;
  readonly tax: number;
  readonly tax_summary: readonly { readonly name: string; readonly tax: number }[];
  readonly total: number;
}

export const invoices = defineCollection<Invoice>({ name: 'invoices' });

/** `id` and `invoice_id` are not shown. */
export interface InvoiceItem {
  readonly id: number;
  readonly invoice_id: number;
  readonly label: string;
  readonly type: 'hourly' | 'misc';
  readonly amount: number;
  readonly tax: number;
  readonly total: number;
  readonly quantity: number | null;
  readonly unit_price: string | null;
  readonly from: string | null;
  readonly to: string | null;
}

export const invoiceItems = defineCollection<InvoiceItem>({
  name: 'invoice items',
  indexes: ['invoice_id'],
  view: ({ id: _id, invoice_id: _invoice, ...shown }) => shown,
});

export interface Payment {
  readonly id: number;
  readonly date: string;
  readonly usd: number;
}

export const payments = defineCollection<Payment>({ name: 'payments' });

export interface PaymentMethod {
  readonly id: number;
  readonly type: 'credit_card' | 'google_pay' | 'paypal';
  readonly is_default: boolean;
  readonly created: string;
  readonly data: {
    readonly card_type?: string;
    readonly last_four?: string;
    /** `MM/YYYY`. */
    readonly expiry?: string;
    readonly email?: string;
    readonly paypal_id?: string;
  };
}

export const paymentMethods = defineCollection<PaymentMethod>({ name: 'payment methods' });

/** Counts additions, those of methods that are gone included. */
export interface PaymentMethodAddition {
  readonly id: number;
  /** Milliseconds of the wall clock. */
  readonly at: number;
}

export const paymentMethodAdditions = defineCollection<PaymentMethodAddition>({ name: 'payment method additions', unlisted: true });

export interface Login {
  readonly id: number;
  readonly datetime: string;
  readonly ip: string;
  readonly username: string;
  readonly status: 'successful' | 'failed';
  readonly restricted: boolean;
}

export const logins = defineCollection<Login>({ name: 'logins' });

export interface Promotion {
  readonly credit_monthly_cap: string;
  readonly credit_remaining: string;
  readonly description: string;
  readonly expire_dt: string | null;
  readonly image_url: string;
  readonly summary: string;
  readonly this_month_credit_remaining: string;
  readonly service_type: string;
}

/** A code and what it gives; `id` is the code. */
export interface PromoCode {
  readonly id: string;
  /** Nobody can use it from then on; null: no end. */
  readonly ends: string | null;
  readonly promotion: Promotion;
}

export const promoCodes = defineCollection<PromoCode>({ name: 'promo codes', scope: 'platform' });
