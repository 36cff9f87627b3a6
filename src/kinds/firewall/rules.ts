import * as z from 'zod';
import {
  canonicalAddress,
  checked,
  ipv4NetworkPattern,
  ipv6NetworkPattern,
  networksField,
  optional,
  portsField,
} from '../../resource/index.ts';

/** CEL: number of elements of an optional list. */
export const length = (of: string): string => `(has(self.${of}) ? size(self.${of}) : 0)`;

const Rule = z
  .object({
    action: z.enum(['ACCEPT', 'DROP']).describe('What happens to matching traffic, whatever the policy of the direction says.'),
    protocol: z.enum(['TCP', 'UDP', 'ICMP', 'IPENCAP']).describe('Protocol of the traffic.'),
    addresses: checked(
      z.object({
        ipv4: networksField(
          '203.0.113.7/32',
          ipv4NetworkPattern,
          'IPv4 networks, for example `[203.0.113.0/24]`; `0.0.0.0/0` is everything. Absent: none.',
        ),
        ipv6: networksField(
          '2001:db8::/32',
          ipv6NetworkPattern,
          'IPv6 networks, for example `[2001:db8::/32]`; `::/0` is everything. Absent: none.',
        ),
      }),
      {
        rule: `${length('ipv4')} + ${length('ipv6')} <= 255`,
        message: 'a rule has at most 255 addresses, IPv4 and IPv6 together: split the rule',
      },
    ).describe('Sources of inbound, destinations of outbound traffic; at most 255 in all.'),
    ports: optional(
      portsField(),
      'Ports for TCP and UDP, for example `22, 80, 8000-8100`; a single one is in quotes, `"443"`, because YAML takes it for a number. A range counts as two of at most 15. Absent: with ICMP and IPENCAP only.',
    ),
    label: optional(z.string().min(3).max(32), 'Name shown to people, 3 to 32 characters, for example `allow-ssh`. Absent: none.'),
    description: optional(z.string().min(1).max(100), 'Why the rule exists, 1 to 100 characters. Absent: none.'),
  })
  .meta({
    'x-kubernetes-validations': [
      {
        rule: "!(self.protocol in ['TCP', 'UDP']) || has(self.ports)",
        message: 'TCP and UDP need ports: write for example "22", or 1-65535 for all',
      },
      { rule: "!(self.protocol in ['ICMP', 'IPENCAP']) || !has(self.ports)", message: 'ICMP and IPENCAP have no ports: leave ports out' },
    ],
  });
export type Rule = z.output<typeof Rule>;

export const rulesField = (text: string) => optional(z.array(Rule).max(25), text);
export const policyField = (text: string) => z.enum(['ACCEPT', 'DROP']).describe(text);

/** A list of rules by what it does: order counts, the spelling of ports and addresses does not. */
export function comparable(value: unknown): unknown {
  return ((value ?? []) as readonly Partial<Rule>[]).map(({ action, protocol, addresses, ports, label, description }) => ({
    action,
    protocol,
    ports: (ports ?? '').replaceAll(' ', ''),
    ipv4: [...(addresses?.ipv4 ?? [])].toSorted(),
    ipv6: (addresses?.ipv6 ?? []).map(canonicalAddress).toSorted(),
    label: label ?? '',
    description: description ?? '',
  }));
}
