import * as z from 'zod';
import { type Call, checked, hostPattern, matches, put, type Refusal, segment } from '../../resource/index.ts';

interface Named {
  readonly address?: string | undefined;
  readonly rdns?: string | null | undefined;
}

/** What an address is looked up as. `field`: where the spec has it. */
export const reverseName = (field = 'reverseDNS') =>
  checked(z.string().min(3).max(253), {
    rule: matches('self', `${hostPattern}[.][a-zA-Z]{2,}`),
    message: `${field} is a whole host name without a final dot: write for example mail.example.org`,
  });

/** Set by the service where nobody asked for a name: of the address itself, or (older) of the machine. */
export const nameOf = ({ address = '', rdns }: Named): string | null =>
  typeof rdns !== 'string' || rdns.startsWith(`${address.replaceAll('.', '-')}.ip.`) || /^li\d+-\d+\.members\./.test(rdns) ? null : rdns;

/** As name servers compare them. */
export const plainName = (name: unknown): unknown => (typeof name === 'string' ? name.toLowerCase().replace(/\.$/, '') : name);

/** As the service writes an address in its paths: with its colons. */
export const addressPath = (collection: string, address: string): string => `${collection}/${segment(address).replaceAll('%3A', ':')}`;

export const nameAddress = (address: string, name: string | null): Call => put(addressPath('/networking/ips', address), { rdns: name });

export const noForwardName: Refusal = {
  text: /unable to (perform|preform) a lookup|must have a matching forward entry/i,
  says: 'that name does not lead to this address yet, as the service sees it: make an A record of it, for example a CloudDomainRecord',
  as: 'Busy',
};
