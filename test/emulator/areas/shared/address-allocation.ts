import type { World } from '../../contract/world.ts';
import type { Address } from '../../records/addresses.ts';
import { addresses } from '../../records/addresses.ts';
import { instances } from '../../records/instances.ts';
import { regions } from '../../records/catalogue.ts';

/** What stands for `{default_rdns_domain}` of the documents. */
const rdnsDomain = 'ip.vmusercontent.com';

export const defaultRdns = (address: string): string => `${address.replaceAll('.', '-')}.${rdnsDomain}`;

/** The nth host of a block of /24s, leaving out .0, .1 (the gateway) and .255. */
function nthHost(first: number, n: number): string {
  const block = Math.floor((n - 1) / 253);
  return `${first}.${Math.floor(block / 256) % 256}.${block % 256}.${2 + ((n - 1) % 253)}`;
}

function publicIpv4(id: number, vmId: number, region: string): Address {
  const address = nthHost(172, id);
  return {
    address,
    gateway: address.replace(/\.\d+$/, '.1'),
    subnet_mask: '255.255.255.0',
    prefix: 24,
    type: 'ipv4',
    public: true,
    rdns: defaultRdns(address),
    vm_id: vmId,
    region,
    sharedWith: [],
  };
}

/** In 192.168.128.0/17, which the accounts share. */
function privateIpv4(id: number, vmId: number, region: string): Address {
  const host = id % 32_000;
  return {
    address: `192.168.${128 + Math.floor(host / 254)}.${1 + (host % 254)}`,
    gateway: null,
    subnet_mask: '255.255.128.0',
    prefix: 17,
    type: 'ipv4',
    public: false,
    rdns: null,
    vm_id: vmId,
    region,
    sharedWith: [],
  };
}

const group = (value: number): string => (value % 0x10000).toString(16);

/** The network of a region: one /32 each. */
export function regionPrefix(world: World, region: string): string {
  const place = [...world.store(regions).values()].findIndex((row) => row.id === region);
  return `2600:3c${(place + 1).toString(16).padStart(2, '0')}`;
}

function slaac(id: number, vmId: number, region: string, prefix: string): Address {
  return {
    address: `${prefix}::f03c:91ff:fe${(Math.floor(id / 0x10000) % 256).toString(16).padStart(2, '0')}:${group(id)}`,
    gateway: 'fe80::1',
    subnet_mask: 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff',
    prefix: 64,
    type: 'ipv6',
    public: true,
    rdns: null,
    vm_id: vmId,
    region,
    sharedWith: [],
  };
}

/** The instance's own `ipv4` and `ipv6` follow from its addresses. */
export function syncInstanceAddresses(world: World, vmId: number): void {
  const vm = world.store(instances).get(vmId);
  if (vm === undefined) return;
  const own = world.store(addresses).by('vm_id', vmId);
  const ipv4 = own.filter((row) => row.type === 'ipv4').map((row) => row.address);
  const ipv6 = own.find((row) => row.type === 'ipv6')?.address;
  world.store(instances).update(vm, { ipv4, ipv6: ipv6 === undefined ? null : `${ipv6}/128` });
}

export function allocateIpv4(world: World, vmId: number, region: string, visibility: 'public' | 'private'): Address {
  const make = visibility === 'public' ? publicIpv4 : privateIpv4;
  const row = world.store(addresses).insert((id) => make(id, vmId, region));
  syncInstanceAddresses(world, vmId);
  return row;
}

/** What every new instance has: one public IPv4 and its SLAAC address. */
export function allocateFirstAddresses(world: World, vmId: number, region: string): void {
  const prefix = regionPrefix(world, region);
  world.store(addresses).insert((id) => publicIpv4(id, vmId, region));
  world.store(addresses).insert((id) => slaac(id, vmId, region, prefix));
  syncInstanceAddresses(world, vmId);
}

/** fe80 with the same interface identifier as the SLAAC address. */
export function linkLocalOf(row: Address): object {
  const { sharedWith: _shared, ...shown } = row;
  return { ...shown, address: `fe80::${row.address.split('::')[1] ?? ''}`, public: false };
}
