import { defineCollection } from '../contract/collection.ts';

export interface Domain {
  readonly id: number;
  readonly type: 'master' | 'slave';
  readonly domain: string;
  readonly group: string;
  readonly status: 'active' | 'disabled' | 'edit_mode' | 'has_errors';
  readonly errors: string;
  readonly description: string;
  readonly soa_email: string;
  readonly retry_sec: number;
  readonly master_ips: readonly string[];
  readonly axfr_ips: readonly string[];
  readonly expire_sec: number;
  readonly refresh_sec: number;
  readonly ttl_sec: number;
  readonly tags: readonly string[];
  readonly created: string;
  readonly updated: string;
}

export const domains = defineCollection<Domain>({
  name: 'domains',
  grant: 'domain',
  indexes: ['domain'],
});
