import * as z from 'zod';
import { checked, defineSingleton, matches, ready } from '../resource/index.ts';

/** The subscription that is in force; all of it is missing while that is the free plan. */
const Plan = z.object({
  id: z.string().nullish(),
  clients_included: z.int().nullish(),
  price: z.object({ monthly: z.number() }).nullish(),
});
type Plan = z.output<typeof Plan>;

/** What the service writes by leaving everything out. */
const free = 'Free';
const nameOf = ({ id }: Plan): string => (typeof id === 'string' && id !== '' ? id : free);
const priceOf = (plan: Plan): string | null => (nameOf(plan) === free ? '0.00' : (plan.price?.monthly.toFixed(2) ?? null));

export default defineSingleton({
  kind: 'CloudLongviewPlan',
  summary: 'The Longview subscription of the account: how many machines Longview may watch, and what that costs.',
  shortName: 'clvp',

  spec: z.object({
    plan: checked(z.string().max(40), {
      rule: matches('self', `${free}|longview-[1-9][0-9]*`),
      message: 'plan is Free or a subscription of the provider: write for example longview-10',
    }).describe(
      'Subscription, for example `longview-10`; the number is that of the machines it takes. `Free`: none is paid for. The account is charged for it, whether or not machines are watched.',
    ),
  }),
  status: z.object({
    subscription: z.string().describe('What the account has now.'),
    clientsIncluded: z.int().nullable().describe('How many machines it takes. Absent where the provider does not say, as with Free.'),
    monthlyUSD: z.string().nullable().describe('What it costs per month, in US dollars. Absent where the provider does not say.'),
  }),
  remote: Plan,

  path: '/longview/plan',
  fields: {
    plan: {
      read: nameOf,
      put: (plan) => ({ longview_subscription: plan === free ? null : plan }),
      errors: ['longview_subscription'],
      catalogue: { path: '/longview/subscriptions', holds: (plan) => plan !== free },
    },
  },
  health: () => ready,
  observe: (plan) => ({ subscription: nameOf(plan), clientsIncluded: plan.clients_included ?? null, monthlyUSD: priceOf(plan) }),

  // No event tells of a change.
  events: [],
  scopes: { read: ['longview:read_only'], write: ['longview:read_write'] },
  // All of the account share it, and pay for it.
  accountLevel: true,
  // What it was before nobody knows; machines may be watched under it.
  defaults: { onDelete: 'Retain', onMissing: 'Stall' },
  columns: { Plan: '.status.subscription', Clients: '.status.clientsIncluded', USD: '.status.monthlyUSD' },
});
