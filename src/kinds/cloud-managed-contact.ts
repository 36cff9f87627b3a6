import * as z from 'zod';
import { checked, defineCollection, matches, optional, ready } from '../resource/index.ts';

/** The fields of `GET /managed/contacts/{id}` that this operator reads. */
const Contact = z.object({
  id: z.number(),
  name: z.string(),
  email: z.string(),
  phone: z.object({ primary: z.string().nullish(), secondary: z.string().nullish() }).nullish(),
  group: z.string().nullish(),
});

const lower = (email: unknown): string => String(email).toLowerCase();
/** The service shows what is not set as null. */
const orNull = (text: string | undefined): string | null | undefined => (text === '' ? null : text);

const number = (which: string) =>
  optional(z.string().max(32), `${which}, at most 32 characters, for example \`+1-555-0100\`. Absent: left alone; empty: removed.`);

export default defineCollection({
  kind: 'CloudManagedContact',
  summary: "Somebody whom the provider's Managed service alerts when what it watches is down.",
  shortName: 'cmc',

  spec: z.object({
    name: checked(z.string().min(2).max(64), {
      rule: matches('self', '[a-zA-Z0-9_ -]*'),
      message: 'name has letters, digits, blanks, dashes and underscores only: write for example Ops on call',
    }).describe('Name of the contact, 2 to 64 letters, digits, blanks, dashes and underscores, for example `Ops on call`.'),
    email: checked(z.string().min(6).max(100), {
      rule: matches('self', '[^@ ]+@[^@ ]+[.][^@ ]+'),
      message: 'email is one address and nothing else: write for example oncall@example.org',
    }).describe('Address to which alerts are sent, 6 to 100 characters, for example `oncall@example.org`.'),
    phone: optional(
      z.object({ primary: number('Telephone number that is called first'), secondary: number('Telephone number that is called next') }),
      'Telephone numbers, for example `{primary: +1-555-0100}`. Absent: left alone.',
    ),
    group: optional(
      checked(z.string().max(50), {
        rule: 'size(self) != 1',
        message: 'group has 2 to 50 characters: write for example on-call, or nothing to take the contact out of its group',
      }),
      'Group of contacts, 2 to 50 characters, which a CloudManagedService names in `consultationGroup`, for example `on-call`. Absent: left alone; empty: none.',
    ),
  }),
  status: z.object({
    name: z.string().describe('Name of the contact.'),
    email: z.string().describe('Address to which alerts are sent.'),
    group: z.string().describe('Group of contacts that it is in; empty: none.'),
  }),
  remote: Contact,

  path: '/managed/contacts',
  // Nothing refuses a second one, no row tells when or by whom it was made, and no event does.
  key: {
    enforced: 'counted',
    names: true,
    of: ({ name, email }) => ({ name, email: lower(email) }),
    row: ({ name, email }) => ({ name, email: lower(email) }),
  },

  create: ({ name, email, phone, group }) => ({
    name,
    email,
    phone: phone && { primary: orNull(phone.primary), secondary: orNull(phone.secondary) },
    group: orNull(group),
  }),
  fields: {
    name: { read: (contact) => contact.name, put: (name) => ({ name }) },
    email: { read: (contact) => contact.email, put: (email) => ({ email }), as: lower },
    phone: {
      read: ({ phone }) => ({ primary: phone?.primary ?? '', secondary: phone?.secondary ?? '' }),
      // Whether the service keeps a number that is left out is not known.
      put: (phone, _, contact) => ({
        phone: {
          primary: orNull(phone.primary ?? contact.phone?.primary ?? ''),
          secondary: orNull(phone.secondary ?? contact.phone?.secondary ?? ''),
        },
      }),
    },
    group: { read: ({ group }) => group ?? '', put: (group) => ({ group: orNull(group) }) },
  },
  health: () => ready,
  observe: ({ name, email, group }) => ({ name, email, group: group ?? '' }),

  sweep: { by: 'list' },
  events: [],
  // One contact is read with the larger scope only.
  scopes: { read: ['account:read_write'], write: ['account:read_write'], unrestricted: true, product: 'Managed' },
  accountLevel: true,
  defaults: { onDelete: 'Delete', onMissing: 'Recreate' },
  columns: { Email: '.status.email', Group: '.status.group' },
});
