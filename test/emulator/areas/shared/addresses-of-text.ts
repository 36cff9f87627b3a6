import { isIPv4, isIPv6 } from 'node:net';

export const isIp = (text: string): boolean => isIPv4(text) || isIPv6(text);

function split(text: string): { readonly address: string; readonly bits: number } | undefined {
  const found = /^([^/]+)\/(\d{1,3})$/.exec(text);
  return found === null ? undefined : { address: found[1] ?? '', bits: Number(found[2]) };
}

/** `192.0.2.0/24`. */
export function isIpv4Network(text: string): boolean {
  const found = split(text);
  return found !== undefined && isIPv4(found.address) && found.bits <= 32;
}

/** `2001:db8::/64`. */
export function isIpv6Network(text: string): boolean {
  const found = split(text);
  return found !== undefined && isIPv6(found.address) && found.bits <= 128;
}
