import * as z from 'zod';
import { wordOrQuoted } from '../lib/quoted.ts';
import {
  checked,
  defineCollection,
  ipv4Pattern,
  matches,
  type Notice,
  openEnum,
  optional,
  path,
  post,
  ready,
  ref,
  type RemoteId,
  slug,
  unknownStatus,
} from '../resource/index.ts';

/** The fields of a row of `GET /managed/services` that this operator reads. */
const Service = z.object({
  id: z.number(),
  label: z.string(),
  service_type: z.string(),
  address: z.string(),
  timeout: z.number(),
  body: z.string().nullish(),
  consultation_group: z.string().nullish(),
  credentials: z.array(z.number()),
  notes: z.string().nullish(),
  region: z.string().nullish(),
  status: openEnum('disabled', 'pending', 'ok', 'problem'),
  created: z.string(),
});
const Issues = z.array(z.object({ id: z.number(), created: z.string(), services: z.array(z.number()) }));
type Service = z.output<typeof Service> & { readonly issues?: z.output<typeof Issues> };

/** The service shows what is not set as null. */
const orNull = (text: string | undefined): string | null | undefined => (text === '' ? null : text);

const privateIPv4 = '(10([.][0-9]{1,3}){3}|192[.]168([.][0-9]{1,3}){2}|172[.](1[6-9]|2[0-9]|3[01])([.][0-9]{1,3}){2})';
const privateAddress = `([a-zA-Z][a-zA-Z0-9+.-]*://)?${privateIPv4}([:/?#].*)?`;
const isPrivate = matches('self.address', privateAddress);
const host = `([a-zA-Z0-9_]([a-zA-Z0-9_.-]*[a-zA-Z0-9_])?|[[][0-9a-fA-F:.]+[]]|${ipv4Pattern})`;

interface Wanted {
  readonly awaited?: readonly string[];
}
/** While one of them has no id yet, none is taken away. */
const opened = (ids: readonly RemoteId[], { awaited = [] }: Wanted, { credentials }: Service): readonly RemoteId[] =>
  awaited.includes('credentialRefs') ? [...new Set([...credentials, ...ids])] : ids;

const issuesOf = ({ id, issues }: Service) => issues?.filter(({ services }) => services.includes(id));

/** That what is watched is down is no failure of the object that has it watched. */
const down = (service: Service): readonly Notice[] => {
  const { id, status } = service;
  const address = wordOrQuoted(service.address);
  if (status !== 'problem') return [];
  const about = { entity: 'managed_service', id };
  const message = `${address} is down, as Managed sees it: its staff and the contacts of the consultation group are told. An issue says what is done about it: kubectl cloud get managed-issues`;
  // None says whether it is done, and the newest is the one that is not.
  const [issue] = (issuesOf(service) ?? []).toSorted((a, b) => b.id - a.id);
  const opened = issue && `issue ${issue.id} names ${address} since ${issue.created} UTC: kubectl cloud get managed-issues ${issue.id}`;
  return [
    { about, reason: 'ServiceDown', warning: true, message },
    ...(opened === undefined ? [] : [{ about, reason: 'ManagedIssue', warning: true, message: opened }]),
  ];
};

export default defineCollection({
  kind: 'CloudManagedService',
  summary: "An address that the provider's Managed service watches: where it is down, its staff and a group of contacts are told.",
  shortName: 'cms',

  spec: z.object({
    label: optional(
      checked(z.string().min(3).max(64), {
        rule: matches('self', '[a-zA-Z0-9_ .-]*'),
        message: 'label has letters, digits, blanks, dots, dashes and underscores only: write for example prod-1',
      }),
      'Name in the cloud account, 3 to 64 letters, digits, blanks, dots, dashes and underscores, for example `prod-1`. Absent: derived from the name of this object.',
    ),
    serviceType: z.enum(['url', 'tcp']).describe('How it is watched: `url` asks for a page, `tcp` opens a connection.'),
    address: checked(z.string().min(3).max(100), {
      rule: "self.matches('^[!-~]+$')",
      message: 'address has no blanks and no letters but those of ASCII: write for example https://shop.example.org',
    }).describe(
      'What is watched, 3 to 100 characters: for `url` an address of a page, for example `https://shop.example.org`; for `tcp` a host and a port, for example `203.0.113.7:25`.',
    ),
    timeoutSeconds: z.int().min(1).max(255).describe('Seconds without an answer after which it counts as down, 1 to 255, for example 30.'),
    body: optional(
      z.string().max(100),
      'Text that the page must have to count as up, at most 100 characters, for example `it works`. Absent: left alone; empty: its words do not matter.',
    ),
    consultationGroup: optional(
      z.string().max(50),
      'Group of contacts that is told, as CloudManagedContacts have it in `group`, at most 50 characters, for example `on-call`. Absent: left alone; empty: none.',
    ),
    credentialRefs: optional(
      z.array(ref('CloudManagedCredential')).max(32),
      'Credentials with which the staff may log in to mend it, for example `[{name: ops}]`; all others are taken off. Absent: left alone; `[]`: none.',
    ),
    notes: optional(
      z.string().max(10_000),
      'What the staff should know, at most 10000 characters, no passwords, for example `Restart with systemctl restart shop`. Absent: left alone; empty: nothing.',
    ),
    region: optional(slug(), 'Region of a private address, for example `us-southeast`; goes with one and with nothing else. Absent: none.'),
    enabled: optional(z.boolean(), 'False: it is not watched for the time being. Absent: left alone, true at creation.'),
  }),
  rules: [
    {
      rule: `self.serviceType != 'url' || ${matches('self.address', `https?://${host}(:[0-9]+)?([/?#].*)?`)}`,
      message:
        'address of serviceType url is a whole address of a page, without a user in it: write for example https://shop.example.org, and log in by credentialRefs',
      fieldPath: '.address',
    },
    {
      rule: `self.serviceType != 'tcp' || ${matches('self.address', `(tcp://)?${host}(:[0-9]+)?`)}`,
      message: 'address of serviceType tcp is a host and a port: write for example 203.0.113.7:25',
      fieldPath: '.address',
    },
    {
      rule: `(${isPrivate}) == has(self.region)`,
      message:
        'region goes with a private address (10.*, 172.16.* to 172.31.*, 192.168.*) and with no other: add it there, or leave it out',
    },
  ],
  status: z.object({
    label: z.string().describe('Name in the cloud account.'),
    address: z.string().describe('What is watched.'),
    serviceType: z.string().describe('`url` or `tcp`.'),
    state: z.string().describe('`pending` until the first look at it, then `ok`, `problem` or `disabled`.'),
    issues: z.int().describe('How many issues of the account name it, done ones included.'),
  }),
  remote: Service,

  path: '/managed/services',
  parts: { issues: { path: () => '/managed/issues', paged: true, schema: Issues, for: 'status' } },
  // Nothing refuses a second one.
  key: {
    enforced: 'counted',
    names: true,
    of: ({ label, name, address }) => ({ label: label ?? name, address }),
  },
  label: { field: 'label', max: 64 },
  createdAt: 'created',

  create: (want) => ({
    label: want.label ?? want.name,
    service_type: want.serviceType,
    address: want.address,
    timeout: want.timeoutSeconds,
    body: orNull(want.body),
    consultation_group: want.consultationGroup,
    credentials: want.credentialRefs,
    notes: orNull(want.notes),
    // The account's default region is for what has none and needs one.
    region: new RegExp(`^${privateAddress}$`).test(want.address) ? want.region : undefined,
  }),
  fields: {
    label: { read: (service) => service.label, put: (label) => ({ label }) },
    serviceType: { read: (service) => service.service_type, put: (service_type) => ({ service_type }), errors: ['service_type'] },
    address: { read: (service) => service.address, put: (address) => ({ address }) },
    timeoutSeconds: { read: (service) => service.timeout, put: (timeout) => ({ timeout }), errors: ['timeout'] },
    body: { read: (service) => service.body ?? '', put: (body) => ({ body: orNull(body) }) },
    consultationGroup: {
      read: (service) => service.consultation_group ?? '',
      put: (consultation_group) => ({ consultation_group }),
      errors: ['consultation_group'],
    },
    credentialRefs: {
      read: (service) => service.credentials,
      put: (ids, want, service) => ({ credentials: opened(ids, want, service) }),
      as: 'set',
      errors: ['credentials'],
    },
    notes: { read: (service) => service.notes ?? '', put: (notes) => ({ notes: orNull(notes) }) },
    // It goes with the address, so that a private one that becomes another leaves none behind.
    region: { read: (service) => service.region, put: (region) => ({ region: region ?? null }), unset: 'clear' },
    enabled: {
      read: ({ status }) => (status === 'unknown' ? undefined : status !== 'disabled'),
      call: (enabled, { id }) => post(`${path`/managed/services/${id}`}/${enabled === true ? 'enable' : 'disable'}`),
    },
  },
  health: ({ status }) => (status === 'unknown' ? unknownStatus : ready),
  observe: (service) => ({
    label: service.label,
    address: service.address,
    serviceType: service.service_type,
    state: service.status,
    ...(service.issues !== undefined && { issues: issuesOf(service)?.length ?? 0 }),
  }),
  notices: down,
  // The documents know no way to end one; the service has DELETE all the same.
  deletion: {
    otherwise: () => ({
      keeps: 'the provider does not let it be deleted: its staff go on watching it until somebody ends that in the Cloud Manager',
    }),
  },

  // The documents know no read of one; the service has it all the same.
  sweep: { by: 'list', itemFromList: 'orById' },
  events: [
    {
      entity: 'managed_service',
      // None tells of a change.
      actions: ['managed_service_create', 'managed_service_delete'],
      creates: ['managed_service_create'],
      deletes: ['managed_service_delete'],
    },
  ],
  scopes: { read: ['account:read_only'], write: ['account:read_write'], unrestricted: true, product: 'Managed' },
  accountLevel: true,
  defaults: { onDelete: 'Delete', onMissing: 'Recreate' },
  columns: { Type: '.status.serviceType', Address: '.status.address', State: '.status.state' },
});
