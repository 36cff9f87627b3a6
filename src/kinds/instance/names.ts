import type * as z from 'zod';
import type { Call } from '../../resource/index.ts';
import type { Ips } from './remote.ts';
import { addressPath, nameAddress, nameOf, plainName } from '../ip-address/reverse-dns.ts';

interface Named {
  readonly names?: z.output<typeof Ips> | undefined;
}
interface Wanted {
  readonly ipv4?: string | undefined;
  readonly ipv6?: string | undefined;
}
const families = ['ipv4', 'ipv6'] as const;

/** The first public IPv4 address came with the instance, as far as the account tells; so did the one that its IPv6 network is made of. */
const addressesOf = ({ ipv4, ipv6 }: z.output<typeof Ips>) => ({ ipv4: ipv4.public[0], ipv6: ipv6?.slaac ?? undefined });

export const foundNames = ({ names }: Named): Record<string, string | null> | undefined => {
  if (names === undefined) return undefined;
  const { ipv4, ipv6 } = addressesOf(names);
  return { ipv4: ipv4 === undefined ? null : nameOf(ipv4), ipv6: ipv6 === undefined ? null : nameOf(ipv6) };
};

export const sameNames = (names: unknown): unknown =>
  typeof names === 'object' && names !== null
    ? Object.fromEntries(Object.entries(names).map(([family, name]) => [family, plainName(name)]))
    : names;

const differing = (wanted: Wanted, { names }: Named) =>
  families.flatMap((family) => {
    const found = names === undefined ? undefined : addressesOf(names)[family];
    const name = wanted[family];
    return found === undefined || name === undefined
      ? []
      : [{ address: found.address, name, isSame: plainName(nameOf(found)) === plainName(name) }];
  });

/** Of what was read right before: an address that has left is none of this instance by then. What is named so already is named once more. */
export function nameOne(wanted: Wanted | undefined, instance: Named): Call | undefined {
  const all = differing(wanted ?? {}, instance);
  const next = all.find(({ isSame }) => !isSame) ?? all[0];
  return next === undefined ? undefined : nameAddress(next.address, next.name);
}

/** The addresses that would be named. */
export const addressesToName = (wanted: Wanted, instance: Named): readonly string[] =>
  differing(wanted, instance).flatMap(({ address, isSame }) => (isSame ? [] : [addressPath('/networking/ips', address)]));
