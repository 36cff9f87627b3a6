import { defineCollection } from '../contract/collection.ts';

export const recordTypes = ['A', 'AAAA', 'NS', 'MX', 'CNAME', 'TXT', 'SRV', 'PTR', 'CAA'] as const;
export type RecordType = (typeof recordTypes)[number];

export interface DomainRecord {
  readonly id: number;
  readonly type: RecordType;
  readonly name: string;
  readonly target: string;
  readonly priority: number;
  readonly weight: number;
  readonly port: number;
  readonly service: string | null;
  readonly protocol: string | null;
  readonly ttl_sec: number;
  readonly tag: 'issue' | 'issuewild' | 'iodef' | null;
  readonly created: string;
  readonly updated: string;
  /** Not shown. */
  readonly domain_id: number;
}

export const records = defineCollection<DomainRecord>({
  name: 'domain records',
  indexes: ['domain_id'],
  view: ({ domain_id: _domain, ...shown }) => shown,
});
