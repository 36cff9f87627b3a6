/** The one spelling of an IP address or network: IPv6 compressed and in lower case, IPv4 as it is. */
export function canonicalAddress(text: string): string {
  const [address = '', prefix] = text.trim().split('/');
  const host = address.includes(':') ? `[${address}]` : '';
  const known = host !== '' && URL.canParse(`http://${host}/`) ? new URL(`http://${host}/`).hostname.slice(1, -1) : address;
  return prefix === undefined ? known : `${known}/${prefix}`;
}

/** The one spelling by which the service knows an address, or a range: by its first address, without the length of its prefix. */
export const firstAddress = (text: string): string => canonicalAddress(text.replace(/\/\d+$/, ''));
