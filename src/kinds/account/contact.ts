import * as z from 'zod';
import { type Body, checked, optional } from '../../resource/index.ts';

/** Names in the spec and in the API. */
const contact = {
  firstName: 'first_name',
  lastName: 'last_name',
  company: 'company',
  email: 'email',
  phone: 'phone',
  address1: 'address_1',
  address2: 'address_2',
  city: 'city',
  state: 'state',
  country: 'country',
  zip: 'zip',
  taxId: 'tax_id',
} as const;
type Contact = { readonly [F in keyof typeof contact]?: string | undefined };
const contactFields = Object.keys(contact) as (keyof typeof contact)[];

const text = (max: number, what: string) =>
  optional(z.string().max(max), `${what}, at most ${max} characters. Absent: left alone; empty: removed.`);

/** Contact and billing data, with the bounds of the service. */
export const contactField = () =>
  optional(
    checked(
      z.object({
        firstName: text(50, 'First name'),
        lastName: text(50, 'Last name'),
        company: text(128, 'Company'),
        email: text(128, 'E-mail address, for example `billing@example.org`'),
        phone: text(32, 'Telephone number'),
        address1: text(64, 'First line of the address'),
        address2: text(64, 'Second line of the address'),
        city: text(24, 'City'),
        state: text(24, 'State; two letters for US and CA, for example `PA` (US military: AA, AE, AP), elsewhere the province'),
        country: optional(
          z
            .string()
            .regex(/^[a-zA-Z]{2}$/)
            .max(2),
          'Country, two letters of ISO 3166, for example `DE`. Absent: left alone.',
        ),
        zip: optional(
          checked(
            z.string().max(32),
            {
              rule: "self.matches('^[A-Za-z0-9 -]*$')",
              message: 'zip has letters, digits, spaces and hyphens only: write for example 19102-1234',
            },
            {
              rule: "self.matches('^[ -]*([A-Za-z0-9][ -]*){0,9}$')",
              message: 'zip has at most 9 letters and digits: write for example 19102-1234',
            },
          ),
          'Postal code, for example `19102-1234`: at most 9 letters and digits, with spaces and hyphens between. Absent: left alone.',
        ),
        taxId: text(25, 'Tax number, for example `ATU99999999`; empty where no tax is collected'),
      }),
      {
        rule: "!has(self.country) || !(self.country in ['US', 'CA', 'us', 'ca']) || !has(self.state) || self.state.matches('^([a-zA-Z]{2})?$')",
        message: 'state is a code of two letters in US and CA: write for example PA',
      },
    ),
    'Contact and billing data that the account should have; needs the scope account:read_write. Absent: left alone.',
  );

/** As the account has it. */
export const contactOf = (account: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(contactFields.map((field) => [field, account[contact[field]]]));

/** Only what the user set, as requests carry it. */
export const contactBody = (want: Contact): Body =>
  Object.fromEntries(contactFields.flatMap((field) => (want[field] === undefined ? [] : [[contact[field], want[field]]])));

export const contactErrors = Object.values(contact);
export const contactNames = Object.fromEntries(contactFields.map((field) => [contact[field], field]));
