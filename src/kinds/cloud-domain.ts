import * as z from 'zod';
import {
  checked,
  copiedRef,
  defineCollection,
  digest,
  hostPattern,
  isRoundedUp,
  matches,
  openEnum,
  optional,
  path,
  ready,
  tagList,
} from '../resource/index.ts';
import { addresses, span } from './domain/fields.ts';
import { besideOf, ofAll, sharedNames } from './domain/zones.ts';

/** The fields of a domain that this operator reads. Unset texts come as `""`, seconds as 0. */
const Domain = z.object({
  id: z.number(),
  domain: z.string(),
  type: z.string(),
  status: openEnum('active', 'disabled', 'edit_mode', 'has_errors'),
  description: z.string().nullish(),
  group: z.string().nullish(),
  soa_email: z.string().nullish(),
  master_ips: z.array(z.string()).nullish(),
  axfr_ips: z.array(z.string()).nullish(),
  expire_sec: z.number(),
  refresh_sec: z.number(),
  retry_sec: z.number(),
  ttl_sec: z.number(),
  tags: z.array(z.string()).nullish(),
  errors: z.unknown(),
  // Not documented.
  created: z.string().nullish(),
});
type Domain = z.output<typeof Domain>;
const ZoneFile = z.object({ zone_file: z.array(z.string()) });

/** What 0 stands for. */
const defaults = { expire_sec: 1_209_600, refresh_sec: 14_400, retry_sec: 14_400, ttl_sec: 86_400 } as const;
type Span = keyof typeof defaults;

/** The value of the spec when the service's rounding is all that differs. */
const seconds = (domain: Domain, span: Span, wanted: number | undefined): number | undefined => {
  const stored = domain[span];
  const same =
    isRoundedUp(wanted ?? 0, stored) || (stored === defaults[span] && wanted === 0) || (stored === 0 && wanted === defaults[span]);
  return same ? wanted : stored;
};

/** Made whole by one POST to the collection; an import or a clone brings its own fields, which are then set by PUT. */
const isPlain = 'has(self.importFrom) || has(self.cloneFrom)';

export default defineCollection({
  kind: 'CloudDomain',
  summary: 'A DNS zone. Its records are CloudDomainRecord objects, which may live in other namespaces.',
  shortName: 'cdom',

  spec: z.object({
    domain: checked(
      z.string().min(1).max(253),
      {
        rule: matches('self', `([*][.])?${hostPattern}`),
        message:
          'domain is a name of letters, digits and dashes without final dot, for example example.org; each part has at most 63 characters',
      },
      { rule: "self.matches('[^*][.]')", message: 'domain has at least two parts, for example example.org: the service takes no other' },
    ).describe(
      'Name of the domain, for example `example.org`; nobody else on the platform may have it, in whatever letters: it is made in lower-case ones. Cannot be changed.',
    ),
    type: optional(
      z.enum(['master', 'slave']),
      '`master`: the records are kept here. `slave`: they are copied from masterIps. Absent: only with importFrom and cloneFrom, which bring their own.',
    ),
    enabled: optional(
      z.boolean(),
      'False stops the service from answering for the domain; its records are kept. Absent: left alone, true at creation.',
    ),
    description: optional(z.string().min(1).max(253), 'Note for people, 1 to 253 characters. Absent: left alone.'),
    group: optional(
      z.string().min(1).max(50),
      'Group under which the Cloud Manager shows the domain, 1 to 50 characters. Absent: left alone.',
    ),
    soaEmail: optional(
      checked(z.string().max(254), {
        rule: "self.matches('^[^@ ]+@[^@ ]+$')",
        message: 'soaEmail is an e-mail address, for example admin@example.org',
      }),
      'E-mail address of the person in charge, for example `admin@example.org`; needed for type master. Absent: left alone.',
    ),
    masterIps: addresses(
      'Addresses of the servers from which a slave copies, for example `[203.0.113.53]`; needed for type slave. Absent: left alone.',
    ),
    axfrIps: addresses(
      'Addresses that may copy the whole zone, for example `[203.0.113.54]`; all others may not. Absent: left alone; `[]`: nobody.',
    ),
    expireSeconds: span('How long a slave answers without reaching its master', '1209600'),
    refreshSeconds: span('How often a slave asks its master for changes', '14400'),
    retrySeconds: span('How long a slave waits before it asks again after a failure', '14400'),
    ttlSeconds: span('Time to live of records that have none of their own', '86400'),
    tags: tagList(),
    importFrom: optional(
      z.object({
        nameServer: z
          .string()
          .min(1)
          .max(253)
          .describe(
            'Name server that now holds the zone, for example `ns1.example.net`. It must permit zone transfers (AXFR) from 96.126.114.97, 96.126.114.98, 2600:3c00::5e and 2600:3c00::5f.',
          ),
      }),
      'Copies the zone with all records from another name server. Only at creation, cannot be changed. Absent: an empty zone.',
    ),
    cloneFrom: optional(
      copiedRef('CloudDomain'),
      'Copies another domain with all records. Only at creation, cannot be changed. Absent: an empty zone.',
    ),
  }),
  rules: [
    { rule: '!(has(self.importFrom) && has(self.cloneFrom))', message: 'set at most one of importFrom and cloneFrom' },
    { rule: `has(self.type) || ${isPlain}`, message: 'set type: master for a zone that is kept here, slave for a copy' },
    {
      rule: `!has(self.type) || self.type != 'master' || has(self.soaEmail) || ${isPlain}`,
      message: 'a master needs soaEmail, for example admin@example.org',
    },
    {
      rule: "!has(self.type) || self.type != 'slave' || (has(self.masterIps) && size(self.masterIps) > 0)",
      message: 'a slave needs masterIps: the addresses of the servers from which it copies',
    },
  ],
  status: z.object({
    domain: z.string().describe('Name of the domain.'),
    state: z.string().describe('What the service says of the domain: `active`, `disabled`, `edit_mode` or `has_errors`.'),
    type: z.string().describe('`master` or `slave`.'),
    zoneFileHash: z.string().optional().describe('Hash of the zone file that was last rendered. Equal hashes: equal files.'),
  }),
  remote: Domain,

  path: '/domains',
  createPath: (want) =>
    want.importFrom ? '/domains/import' : want.cloneFrom === undefined ? '/domains' : path`/domains/${want.cloneFrom}/clone`,
  createdAt: 'created',
  parts: { zoneFile: { path: (item) => `${item}/zone-file`, paged: false, schema: ZoneFile, for: 'status' } },
  key: {
    enforced: 'unique',
    names: true,
    anyLetters: true,
    of: (want) => ({ domain: want.domain.toLowerCase() }),
    row: ({ domain }) => ({ domain: String(domain).toLowerCase() }),
  },
  reserved: ({ domain }) => ofAll(domain),
  conflictsWith: {
    kind: 'CloudDomain',
    says: ({ domain }, { domain: other }) => besideOf(domain, String(other)),
  },
  tags: 'tags',
  // A clone has the tags of its source: no event tells it from what our user made by hand.
  withoutTags: { importFrom: ['domain_import', 'dns_zone_import'] },

  create: (want) => {
    const { domain, type, description, group, tags } = { ...want, domain: want.domain.toLowerCase() };
    if (want.importFrom) return { domain, remote_nameserver: want.importFrom.nameServer };
    if (want.cloneFrom !== undefined) return { domain };
    const status = want.enabled === undefined ? undefined : stateOf(want.enabled);
    const servers = { soa_email: want.soaEmail, master_ips: want.masterIps, axfr_ips: want.axfrIps };
    const spans = {
      expire_sec: want.expireSeconds,
      refresh_sec: want.refreshSeconds,
      retry_sec: want.retrySeconds,
      ttl_sec: want.ttlSeconds,
    };
    return { domain, type, status, description, group, tags, ...servers, ...spans };
  },
  fields: {
    domain: { read: (domain) => domain.domain, immutable: true, as: (name) => String(name).toLowerCase() },
    type: { read: (domain) => domain.type, put: (type) => ({ type }) },
    enabled: {
      read: (domain) => (domain.status === 'unknown' ? undefined : domain.status === 'active' || domain.status === 'has_errors'),
      put: (enabled) => ({ status: stateOf(enabled) }),
      errors: ['status'],
    },
    description: { read: (domain) => domain.description, put: (description) => ({ description }) },
    group: { read: (domain) => domain.group, put: (group) => ({ group }) },
    soaEmail: { read: (domain) => domain.soa_email, put: (soa_email) => ({ soa_email }), errors: ['soa_email'] },
    masterIps: { read: (domain) => domain.master_ips ?? [], put: (master_ips) => ({ master_ips }), as: 'set', errors: ['master_ips'] },
    axfrIps: { read: (domain) => domain.axfr_ips ?? [], put: (axfr_ips) => ({ axfr_ips }), as: 'set', errors: ['axfr_ips'] },
    expireSeconds: {
      read: (domain, want) => seconds(domain, 'expire_sec', want.expireSeconds),
      put: (expire_sec) => ({ expire_sec }),
      errors: ['expire_sec'],
    },
    refreshSeconds: {
      read: (domain, want) => seconds(domain, 'refresh_sec', want.refreshSeconds),
      put: (refresh_sec) => ({ refresh_sec }),
      errors: ['refresh_sec'],
    },
    retrySeconds: {
      read: (domain, want) => seconds(domain, 'retry_sec', want.retrySeconds),
      put: (retry_sec) => ({ retry_sec }),
      errors: ['retry_sec'],
    },
    ttlSeconds: {
      read: (domain, want) => seconds(domain, 'ttl_sec', want.ttlSeconds),
      put: (ttl_sec) => ({ ttl_sec }),
      errors: ['ttl_sec'],
    },
    tags: { read: (domain) => domain.tags ?? [], put: (tags) => ({ tags }), as: 'set' },
    importFrom: { immutable: true, errors: ['remote_nameserver'] },
    cloneFrom: { immutable: true },
  },
  // A zone with errors is still ours to edit, and an edit is what mends it: only its status tells.
  health: () => ready,
  observe: (domain) => {
    const lines = domain.zoneFile?.zone_file;
    // Empty until the service renders it for the first time, and while the domain is disabled.
    const rendered = lines === undefined ? {} : { zoneFileHash: lines.length > 0 ? digest(lines.join('\n')) : undefined };
    return { domain: domain.domain, state: domain.status, type: domain.type, ...rendered };
  },

  sweep: { by: 'list' },
  events: [
    {
      entity: 'domain',
      actions: ['domain_create', 'domain_update', 'domain_delete', 'domain_import', 'dns_zone_'],
      creates: ['domain_create', 'dns_zone_create', 'domain_import', 'dns_zone_import'],
      deletes: ['domain_delete', 'dns_zone_delete'],
    },
  ],
  scopes: { read: ['domains:read_only'], write: ['domains:read_write'] },
  defaults: { onDelete: 'Retain', onMissing: 'Stall' },
  shareable: sharedNames,
  columns: { Domain: '.spec.domain', Type: '.status.type', State: '.status.state' },
});

const stateOf = (enabled: boolean): string => (enabled ? 'active' : 'disabled');
