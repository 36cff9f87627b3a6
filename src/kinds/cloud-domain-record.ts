import * as z from 'zod';
import {
  checked,
  defineCollection,
  hostPattern,
  ipv4Pattern,
  ipv6Pattern,
  isRounded,
  matches,
  output,
  optional,
  path,
  ready,
  sharedRef,
} from '../resource/index.ts';
import { nameOf, sameName, sameTarget, targetOf, tupleOf, word } from './domain-record/tuple.ts';

/** The fields of a record that this operator reads. */
const Record = z.object({
  id: z.number(),
  type: z.string(),
  name: z.string(),
  target: z.string(),
  ttl_sec: z.number(),
  priority: z.number(),
  weight: z.number(),
  port: z.number(),
  service: z.string().nullish(),
  protocol: z.string().nullish(),
  tag: z.string().nullish(),
  created: z.string(),
});

const hostName = (field: string): string => matches(field, `${hostPattern}[.]?`);
const is = (...types: readonly string[]): string => `self.type in [${types.map((type) => `'${type}'`).join(', ')}]`;
/** Holds unless the record has one of the types and a target of its own that is not as said. */
const target = (types: readonly string[], condition: string): string => `!(${is(...types)}) || !has(self.target) || ${condition}`;

const rules = [
  { rule: 'has(self.target) != has(self.targetFrom)', message: 'set exactly one of target and targetFrom' },
  {
    rule: "!has(self.targetFrom) || (self.type == 'A' && self.targetFrom.address in ['PublicIPv4', 'PrivateIPv4']) || (self.type == 'AAAA' && self.targetFrom.address == 'IPv6')",
    message:
      'targetFrom gives an address: use PublicIPv4 or PrivateIPv4 with type A, IPv6 with type AAAA, and target with every other type',
  },
  {
    rule: target(['A'], `self.target == '[remote_addr]' || ${matches('self.target', ipv4Pattern)}`),
    message: 'target of an A record is an IPv4 address, for example 203.0.113.7, or [remote_addr]',
  },
  {
    rule: target(['AAAA'], `self.target == '[remote_addr]' || ${matches('self.target', ipv6Pattern)}`),
    message: 'target of an AAAA record is an IPv6 address, for example 2001:db8::1',
  },
  { rule: target(['CNAME', 'NS', 'SRV'], hostName('self.target')), message: 'target is a host name, for example mail.example.org or mail' },
  {
    rule: target(['MX'], `self.target == '' || ${hostName('self.target')}`),
    message: 'target of an MX record is a host name, for example mail.example.org, or empty for a Null MX',
  },
  { rule: target(['TXT', 'PTR', 'CAA'], "self.target != ''"), message: 'target must not be empty: write the value of the record' },
  {
    rule: target(['MX'], "self.target != '' || ((!has(self.host) || self.host == '') && (!has(self.priority) || self.priority == 0))"),
    message: 'a Null MX (empty target) has an empty host and priority 0: leave both out',
  },
  {
    rule: "self.type != 'NS' || !has(self.host) || !self.host.contains('*')",
    message: 'host of an NS record cannot be a wildcard: name the subdomain',
  },
  {
    rule: "self.type != 'CNAME' || (has(self.host) && self.host != '')",
    message: 'a CNAME record needs a host below the domain, for example www',
  },
  {
    rule: "self.type != 'SRV' || (has(self.service) && has(self.priority) && has(self.weight) && has(self.port) && !has(self.host))",
    message: 'an SRV record needs service, priority, weight and port, and has no host: its name is made of service and protocol',
  },
  {
    rule: "self.type == 'SRV' || !(has(self.service) || has(self.protocol) || has(self.weight) || has(self.port))",
    message: 'service, protocol, weight and port belong to type SRV: leave them out',
  },
  { rule: `${is('MX', 'SRV')} || !has(self.priority)`, message: 'priority belongs to types MX and SRV: leave it out' },
  { rule: "(self.type == 'CAA') == has(self.tag)", message: 'tag goes with type CAA, and only there: write issue, issuewild or iodef' },
  {
    rule: `!has(self.tag) || !has(self.target) || self.tag == 'iodef' || ${matches('self.target', hostPattern)}`,
    message: 'target of a CAA issue or issuewild record is the domain of the authority without final dot or *, for example letsencrypt.org',
  },
  {
    rule: `!has(self.tag) || !has(self.target) || self.tag != 'iodef' || self.target.startsWith('mailto:') || ${matches('self.target', `(https?://)?${hostPattern}(/.*)?`)}`,
    message: 'target of a CAA iodef record is a domain, a URL that begins with http:// or https://, or mailto: and an e-mail address',
  },
];

export default defineCollection({
  kind: 'CloudDomainRecord',
  summary: 'One DNS record of a CloudDomain.',
  shortName: 'crec',

  spec: z.object({
    domainRef: sharedRef('CloudDomain').describe('Domain that holds the record. Cannot be changed.'),
    type: z
      .enum(['A', 'AAAA', 'NS', 'MX', 'CNAME', 'TXT', 'SRV', 'PTR', 'CAA'])
      .describe('Type of the record, for example `A`. Cannot be changed.'),
    host: optional(
      checked(z.string().max(100), {
        rule: matches('self', '([*]|([*][.])?[a-zA-Z0-9_]([a-zA-Z0-9._/-]*[a-zA-Z0-9_])?[.]?)?'),
        message: 'host is a name below the domain, for example www: leave it out for the domain itself, never write @',
      }),
      'Name below the domain, for example `www`, `*` or `_dmarc`; the full name `www.example.org` means the same. At most 100 characters. Never `@`. Absent or empty: the domain itself.',
    ),
    target: optional(
      z.string().max(65_535),
      'Value of the record: an address, a host name (`mail` is completed with the domain) or text, at most 65535 characters. `[remote_addr]` in an A record is the address from which the operator calls. Absent: taken from targetFrom.',
    ),
    targetFrom: optional(
      output('CloudInstance', {
        ref: 'instanceRef',
        selector: 'address',
        fields: { PublicIPv4: 'publicIPv4', PrivateIPv4: 'privateIPv4', IPv6: 'ipv6' },
        describe: 'Which address of the instance: `PublicIPv4` or `PrivateIPv4` for type A, `IPv6` for type AAAA.',
      }),
      'Takes the target from an instance and follows it, for example `{instanceRef: {name: web}, address: PublicIPv4}`. Absent: target is used.',
    ),
    ttlSeconds: optional(
      z.int().min(0).max(2_419_200),
      'Time to live in seconds, for example 300; rounded by the service, up or to the nearest of 300, 3600, 7200, 14400, ... 2419200, 0 is the default of the domain. Absent: left alone.',
    ),
    priority: optional(z.int().min(0).max(255), 'MX and SRV only, 0 to 255; lower is preferred. Needed for SRV. Absent: 0 for MX.'),
    weight: optional(
      z.int().min(0).max(65_535),
      'SRV only and needed there, 0 to 65535: higher is preferred among equal priority. Absent with other types.',
    ),
    port: optional(
      z.int().min(0).max(65_535),
      'SRV only and needed there: port of the service, for example 5060. Absent with other types.',
    ),
    service: optional(
      z
        .string()
        .regex(/^_?[a-zA-Z0-9-]+[.]?$/)
        .max(63),
      'SRV only and needed there: name of the service, for example `sip`; the underscore is added. Absent with other types.',
    ),
    protocol: optional(
      z
        .string()
        .regex(/^_?[a-zA-Z0-9-]+[.]?$/)
        .max(63),
      'SRV only: protocol of the service, for example `tcp`; the underscore is added. Absent: none is sent.',
    ),
    tag: optional(z.enum(['issue', 'issuewild', 'iodef']), 'CAA only and needed there: what the target may do. Absent with other types.'),
  }),
  rules,
  status: z.object({
    name: z.string().describe('Name below the domain as the service stores it; empty for the domain itself.'),
    target: z.string().describe('Value as the service stores it.'),
    ttlSeconds: z.int().describe('Time to live in seconds; 0 is the default of the domain.'),
  }),
  remote: Record,

  // 12,000 records, the most that a domain has, are 24 pages.
  parent: { ref: 'domainRef', calls: 24 },
  path: (want) => path`/domains/${want.domainRef}/records`,
  borrows: { zone: { ref: 'domainRef', status: 'domain' } },
  // Nothing but CNAME refuses a duplicate, so the whole tuple is the key (src/cloud/README.md: facts 14).
  key: {
    enforced: 'counted',
    names: true,
    of: tupleOf,
    // Asked for every row of a listing, so the tuple is made only for those that may be it.
    row: ({ type, name, target, port, tag }, want) => {
      const row = { type, name, target, port: port ?? 0, tag: tag ?? null };
      if (type !== want.type || !sameName(String(name), want)) return row;
      const tuple = tupleOf(want);
      return { ...row, name: tuple.name, ...(sameTarget(String(target), want) && { target: tuple.target }) };
    },
  },
  createdAt: 'created',

  create: (want) => {
    const { type, ttlSeconds, priority, weight, port, service, protocol, tag } = want;
    // An empty name is only written out for a Null MX; a name of 1 to 100 characters is what the documents admit elsewhere.
    const name = type === 'MX' ? nameOf(want) : want.host === '' ? undefined : want.host;
    return { type, name, target: targetOf(want), ttl_sec: ttlSeconds, priority, weight, port, service, protocol, tag };
  },
  fields: {
    domainRef: { immutable: true, says: /\b0-\d+ records/ },
    type: { read: (record) => record.type, immutable: true },
    host: {
      read: (record, want) => (want.type === 'SRV' ? undefined : sameName(record.name, want) ? (want.host ?? null) : record.name),
      put: (_, want) => ({ name: want.host ?? '' }),
      unset: 'clear',
      errors: ['name'],
    },
    target: { read: (record, want) => (sameTarget(record.target, want) ? want.target : record.target), put: (target) => ({ target }) },
    targetFrom: {
      read: (record, want) => (sameTarget(record.target, want) ? want.targetFrom : record.target),
      put: (target) => ({ target }),
      errors: ['target'],
    },
    ttlSeconds: {
      read: (record, want) => (isRounded(want.ttlSeconds ?? 0, record.ttl_sec) ? want.ttlSeconds : record.ttl_sec),
      put: (ttl_sec) => ({ ttl_sec }),
      errors: ['ttl_sec'],
    },
    priority: { read: (record) => record.priority, put: (priority) => ({ priority }) },
    weight: { read: (record) => record.weight, put: (weight) => ({ weight }) },
    port: { read: (record) => record.port, put: (port) => ({ port }) },
    service: { read: (record) => record.service, put: (service) => ({ service }), as: (value) => word(value as string) },
    protocol: { read: (record) => record.protocol, put: (protocol) => ({ protocol }), as: (value) => word(value as string) },
    tag: { read: (record) => record.tag, put: (tag) => ({ tag }) },
  },
  health: () => ready,
  observe: (record) => ({ name: record.name, target: record.target, ttlSeconds: record.ttl_sec }),

  sweep: { by: 'list' },
  events: [
    {
      entity: 'domain',
      actions: ['domain_record_', 'dns_record_'],
      ofParent: true,
      creates: ['domain_record_create', 'dns_record_create'],
    },
  ],
  scopes: { read: ['domains:read_only'], write: ['domains:read_write'] },
  defaults: { onDelete: 'Delete', onMissing: 'Recreate' },
  goesWithParent: true,
  brakeExempt: true,
  columns: { Type: '.spec.type', Host: '.status.name', Target: '.status.target' },
});
