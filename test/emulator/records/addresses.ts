import { defineCollection } from '../contract/collection.ts';

/** One address of an instance: public IPv4, private IPv4 or SLAAC. Link-local addresses follow from the SLAAC one. */
export interface Address {
  readonly address: string;
  readonly gateway: string | null;
  readonly subnet_mask: string;
  readonly prefix: number;
  readonly type: 'ipv4' | 'ipv6';
  readonly public: boolean;
  readonly rdns: string | null;
  readonly vm_id: number;
  readonly region: string;
  /** Not shown: instances that share it for failover. */
  readonly sharedWith: readonly number[];
}

export const addresses = defineCollection<Address>({
  name: 'addresses',
  key: (row) => row.address,
  firstId: 1,
  indexes: ['vm_id'],
  view: ({ sharedWith: _shared, ...shown }) => shown,
});

export interface Ipv6Range {
  readonly range: string;
  readonly prefix: 56 | 64;
  readonly region: string;
  /** The SLAAC address of the instance to which the range is routed. */
  readonly route_target: string | null;
  /** Not shown. */
  readonly vm_id: number | null;
  readonly sharedWith: readonly number[];
}

export const ipv6Ranges = defineCollection<Ipv6Range>({
  name: 'ipv6 ranges',
  key: (row) => row.range,
  firstId: 1,
  indexes: ['vm_id'],
  view: ({ vm_id: _vm, sharedWith: _shared, ...shown }) => shown,
});
