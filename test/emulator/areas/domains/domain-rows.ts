import type { Context } from '../../contract/context.ts';
import type { Field } from '../../contract/fields.ts';
import { array, integer, nullable, oneOf, pick, string, tags } from '../../contract/fields.ts';
import type { ErrorItem } from '../../contract/refusal.ts';
import type { World } from '../../contract/world.ts';
import type { Domain } from '../../records/domains.ts';
import { domains } from '../../records/domains.ts';
import { isIp, isIpv4Network, isIpv6Network } from '../shared/addresses-of-text.ts';
import { tagsFor } from '../shared/tag-rights.ts';
import { taken } from '../shared/taken.ts';
import { roundedUp } from './seconds.ts';

/** As the service checks the name of a domain. */
export const domainName = () =>
  string({
    min: 1,
    max: 253,
    pattern: /^(\*\.)?([a-zA-Z0-9_-]{1,63}\.)+([a-zA-Z]{2,3}\.)?([a-zA-Z]{2,16}|xn--[a-zA-Z0-9]+)$/,
  });

/** Each address by itself, and at most 1000 characters together (document 1, Limits). */
const addressList = (): Field<readonly string[] | null> => {
  const item = string({
    also: (value) => (isIp(value) || isIpv4Network(value) || isIpv6Network(value) ? undefined : 'Must be a valid IP address'),
  });
  const list = array(item);
  return nullable({
    ...list,
    check: (value: unknown, path: string, report: (reason: string, field: string) => void) => {
      list.check(value, path, report);
      if (Array.isArray(value) && value.join(',').length > 1000) report('Length must be 0-1000 characters', path);
    },
  });
};

const seconds = () => integer({ min: 0 });

export const domainFields = {
  type: oneOf(['master', 'slave']),
  domain: domainName(),
  description: nullable(string({ min: 1, max: 253 })),
  group: string({ min: 1, max: 50 }),
  status: oneOf(['active', 'disabled']),
  soa_email: string({ pattern: /^[^@\s]+@[^@\s]+\.[^@\s]+$/ }),
  master_ips: addressList(),
  axfr_ips: addressList(),
  expire_sec: seconds(),
  refresh_sec: seconds(),
  retry_sec: seconds(),
  ttl_sec: seconds(),
  tags: tags(),
};

export interface DomainBody {
  readonly type?: 'master' | 'slave';
  readonly domain?: string;
  readonly description?: string | null;
  readonly group?: string;
  readonly status?: 'active' | 'disabled';
  readonly soa_email?: string;
  readonly master_ips?: readonly string[] | null;
  readonly axfr_ips?: readonly string[] | null;
  readonly expire_sec?: number;
  readonly refresh_sec?: number;
  readonly retry_sec?: number;
  readonly ttl_sec?: number;
  readonly tags?: readonly string[] | null;
}

const times = ['expire_sec', 'refresh_sec', 'retry_sec', 'ttl_sec'] as const;

function rounded(body: DomainBody): Partial<Domain> {
  const sent = times.filter((name) => body[name] !== undefined);
  return Object.fromEntries(sent.map((name) => [name, roundedUp(body[name] ?? 0)]));
}

function lists(body: DomainBody): Partial<Domain> {
  return {
    ...(body.master_ips === undefined ? {} : { master_ips: body.master_ips ?? [] }),
    ...(body.axfr_ips === undefined ? {} : { axfr_ips: body.axfr_ips ?? [] }),
    ...(body.description === undefined ? {} : { description: body.description ?? '' }),
  };
}

/** What the body changes, in stored form. */
export function storedChange(ctx: Context<unknown>, body: DomainBody, before?: Domain): Partial<Domain> {
  return {
    ...pick(body, 'type', 'domain', 'group', 'status', 'soa_email'),
    ...rounded(body),
    ...lists(body),
    tags: tagsFor(ctx, body.tags, before?.tags ?? []),
  };
}

/** Nobody on the platform may have it. */
export function requireFreeDomain(world: World, domain: string, except?: number): void {
  const holders = world.everywhere(domains).flatMap((collection) => collection.by('domain', domain));
  if (holders.some((row) => row.id !== except)) throw taken(world, 'domain');
}

/** What a master and a slave must have. */
export function typeProblems(row: Pick<Domain, 'type' | 'soa_email' | 'master_ips'>): readonly ErrorItem[] {
  if (row.type === 'master' && row.soa_email === '') {
    return [{ reason: 'soa_email required when type=master', field: 'soa_email' }];
  }
  if (row.type === 'slave' && row.master_ips.length === 0) {
    return [{ reason: 'You need at least one master DNS server IP address for this zone.', field: 'master_ips' }];
  }
  return [];
}

/** With the defaults of a create answer. */
export function newDomain(world: World, wanted: Partial<Domain> & Pick<Domain, 'type' | 'domain'>): Omit<Domain, 'id'> {
  const now = world.timestamp();
  return {
    group: '',
    status: 'active',
    description: '',
    soa_email: '',
    retry_sec: 0,
    master_ips: [],
    axfr_ips: [],
    expire_sec: 0,
    refresh_sec: 0,
    ttl_sec: 0,
    tags: [],
    ...wanted,
    errors: '',
    created: now,
    updated: now,
  };
}
