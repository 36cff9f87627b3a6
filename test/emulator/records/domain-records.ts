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
  /** Not shown: the domain, and what conflicts are looked up by: `<domain>/<name>` and `<domain>/<type>`. */
  readonly domain_id: number;
  readonly ofName: string;
  readonly ofType: string;
}

export const records = defineCollection<DomainRecord>({
  name: 'domain records',
  indexes: ['domain_id', 'ofName', 'ofType'],
  view: ({ domain_id: _domain, ofName: _name, ofType: _type, ...shown }) => shown,
});
