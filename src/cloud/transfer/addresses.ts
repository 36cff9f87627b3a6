import { BlockList, isIP } from 'node:net';

type Net = readonly [address: string, prefix: number];
/** Whatever is not for everybody: own host, private networks, links (metadata services), tests, groups. */
const notPublic4: readonly Net[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
];
/** Within what is global at all: transition mechanisms, which lead to IPv4, and documentation. */
const notPublic6: readonly Net[] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
];

function listOf(family: 'ipv4' | 'ipv6', nets: readonly Net[]): BlockList {
  const list = new BlockList();
  for (const [address, prefix] of nets) list.addSubnet(address, prefix, family);
  return list;
}
const closed4 = listOf('ipv4', notPublic4);
const closed6 = listOf('ipv6', notPublic6);
const global6 = listOf('ipv6', [['2000::', 3]]);
/** IPv4 as a translator of the network writes it. */
const translated6 = listOf('ipv6', [['64:ff9b::', 96]]);
const loopback = { 4: listOf('ipv4', [['127.0.0.0', 8]]), 6: listOf('ipv6', [['::1', 128]]) } as const;

const isPublic4 = (address: string): boolean => !closed4.check(address, 'ipv4');

/** The last 32 bits of an IPv6 address, as IPv4. */
function last4(address: string): string | undefined {
  const dotted = /:(?<v4>\d+\.\d+\.\d+\.\d+)$/.exec(address)?.groups?.['v4'];
  if (dotted !== undefined) return dotted;
  const [high, low] = address.endsWith('::') ? ['0', '0'] : address.split(':').slice(-2);
  const bits = [high, low].map((group = '') => Number.parseInt(group === '' ? '0' : group, 16));
  return bits.some(Number.isNaN) ? undefined : bits.flatMap((group) => [group >> 8, group & 255]).join('.');
}

const isMapped = (address: string): boolean => /^(?:0*:)*:?(?:0*:)*ffff:(?:\d+\.\d+\.\d+\.\d+|[\da-f]+:[\da-f]+)$/i.test(address);

function isPublic6(address: string): boolean {
  if (isMapped(address) || translated6.check(address, 'ipv6')) {
    const inner = last4(address);
    return inner !== undefined && isPublic4(inner);
  }
  return global6.check(address, 'ipv6') && !closed6.check(address, 'ipv6');
}

/** Anybody may reach it from anywhere: nothing of a cluster, of its nodes or of this host is there. */
export function isPublic(address: string): boolean {
  const [bare = ''] = address.split('%');
  const family = isIP(bare);
  if (family === 4) return isPublic4(bare);
  return family === 6 && bare === address && isPublic6(bare);
}

export function isLoopback(address: string): boolean {
  const family = isIP(address);
  if (family === 4) return loopback[4].check(address, 'ipv4');
  return family === 6 && loopback[6].check(address, 'ipv6');
}
