import * as z from 'zod';
import { checked, optional } from './fields.ts';
import { accountIds } from '../schema.ts';
import { ipv4NetworkPattern, matches } from './grammar.ts';

/** Holds when no two elements have the same value in this optional field. */
const distinct = (field: string): string =>
  `self.all(a, !has(a.${field}) || self.filter(b, has(b.${field}) && b.${field} == a.${field}).size() == 1)`;

const networkInterface = z
  .object({
    purpose: z.enum(['public', 'vlan']).describe('`public`: the internet. `vlan`: a private network of the account in this region.'),
    label: optional(
      z
        .string()
        .regex(/^[a-zA-Z0-9-]+$/)
        .max(64)
        // Whoever names a VLAN of the account is in it.
        .register(accountIds, { ofAccount: true }),
      'Name of the VLAN, 1 to 64 letters, digits and dashes, for example `backend`; a new name makes a new VLAN. From other namespaces than that of the account only where its `access` says adopt: Any. Absent with public.',
    ),
    ipamAddress: optional(
      checked(z.string().max(18), {
        rule: matches('self', ipv4NetworkPattern),
        message: 'write an address with its mask, for example 10.0.0.1/24',
      }),
      'Address of this instance in the VLAN with its mask, for example `10.0.0.1/24`. Absent: none, and always with public.',
    ),
  })
  .meta({
    'x-kubernetes-validations': [
      { rule: "self.purpose != 'vlan' || has(self.label)", message: 'a vlan interface needs a label: the name of the VLAN' },
      {
        rule: "self.purpose != 'public' || (!has(self.label) && !has(self.ipamAddress))",
        message: 'a public interface has neither label nor ipamAddress: leave them out',
      },
    ],
  });

/** The network interfaces of an instance, eth0 first. */
export const interfacesField = () =>
  checked(
    z.array(networkInterface).max(3),
    { rule: "self.filter(i, i.purpose == 'public').size() <= 1", message: 'at most one interface is public: make the others vlan' },
    { rule: distinct('label'), message: 'an instance can be in a VLAN only once: give each interface another label' },
    { rule: distinct('ipamAddress'), message: 'each interface needs an ipamAddress of its own' },
  );

interface Wanted {
  readonly purpose: string;
  readonly label?: string | undefined;
  readonly ipamAddress?: string | undefined;
}
/** As requests carry them. */
export const interfacesBody = (interfaces: readonly Wanted[] | undefined) =>
  interfaces?.map(({ purpose, label, ipamAddress }) => ({ purpose, label: label ?? '', ipam_address: ipamAddress ?? '' }));
