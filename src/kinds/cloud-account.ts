import { z } from 'zod';
import { defineKind, optional, ready, secretKey, slug } from '../resource/index.ts';
import { contactBody, contactErrors, contactField, contactOf } from './account/contact.ts';
import { maintenanceOf, type Notice, noticeOf, notices } from './account/notices.ts';

/** The fields of the account that this operator reads (realities 13, Account). */
const Account = z.object({
  euuid: z.string(),
  first_name: z.string().nullish(),
  last_name: z.string().nullish(),
  company: z.string().nullish(),
  email: z.string().nullish(),
  phone: z.string().nullish(),
  address_1: z.string().nullish(),
  address_2: z.string().nullish(),
  city: z.string().nullish(),
  state: z.string().nullish(),
  country: z.string().nullish(),
  zip: z.string().nullish(),
  tax_id: z.string().nullish(),
  balance: z.number().nullish(),
  balance_uninvoiced: z.number().nullish(),
  active_since: z.string().nullish(),
  capabilities: z.array(z.string()).nullish(),
  billing_source: z.string().nullish(),
});

type Account = z.output<typeof Account> & {
  readonly notifications?: readonly Notice[];
  readonly maintenance?: readonly Notice[];
  readonly transfer?: { readonly used?: unknown };
};

const namespaceName = () =>
  z
    .string()
    .regex(/^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/)
    .max(63);

export default defineKind({
  kind: 'CloudAccount',
  mode: 'connection',
  summary:
    'The way to one cloud account: endpoint, token, and who may use it for what. Objects name it in `accountRef`; the one called `default` needs no naming.',
  shortName: 'cacc',

  spec: z.object({
    endpoint: slug().describe("Name of an endpoint that the operator's administrator configured with `--endpoint`, for example `default`."),
    tokenSecretRef: secretKey().describe(
      'Key of a Secret with a personal access token, for example `{name: cloud, key: token}`. Read every minute, so a rotated token needs no restart.',
    ),
    installation: optional(
      z
        .string()
        .regex(/^[a-zA-Z0-9]([-a-zA-Z0-9._]*[a-zA-Z0-9])?$/)
        .max(63),
      'Name of this installation in marks on cloud resources, for example `prod-eu`; give a cluster that is rebuilt from Git the name of the old one. Cannot be changed. Absent: the uid of namespace kube-system.',
    ),
    recover: optional(
      z.boolean(),
      'True while a cluster is rebuilt from Git: what carries the marks of this installation, or is equal in every field, is taken over without adopt. Absent: false.',
    ),
    mode: optional(
      z.enum(['Manage', 'ReadOnly']),
      '`ReadOnly` changes nothing in the account and reports what it would change. Absent: Manage.',
    ),
    defaults: optional(
      z.object({
        tags: optional(
          z.array(z.string().min(3).max(50)).max(64),
          'Tags that everything with tags gets when it is made, beside those of its object. Absent: none.',
        ),
        region: optional(slug(), 'Region of objects that name none, for example `eu-central`. Absent: none.'),
        onDelete: optional(
          z.enum(['Delete', 'Retain']),
          'What becomes of cloud resources when their objects are deleted. Absent: the default of each kind.',
        ),
      }),
      'Defaults for the objects of this account. Absent: none.',
    ),
    access: optional(
      z
        .array(
          z.object({
            namespaces: z.array(namespaceName()).min(1).max(256).describe('Namespaces that are admitted, for example `[shop, blog]`.'),
            kinds: optional(
              z.array(z.string().min(1).max(63)).max(64),
              'Kinds that they may have, for example `[CloudDomainRecord]`. Absent: all but those of the account itself.',
            ),
            adopt: optional(
              z.enum(['None', 'Any']),
              'Whether they may adopt what exists in the account, and refer to it by `external` id. Absent: None.',
            ),
            maxObjects: optional(z.int().min(0), 'Most objects that each of these namespaces may have. Absent: no limit.'),
          }),
        )
        .max(64),
      'Other namespaces that may use this account; its own may do everything. Entries for one namespace add up: what one admits is admitted, and the smallest maxObjects of those that fit holds. Absent: no other.',
    ),
    pollIntervalSeconds: optional(
      z.int().min(2).max(3600),
      'Seconds between two looks at the events while nothing is awaited, 2 to 3600. Absent: 10.',
    ),
    budget: optional(
      z.object({
        sharePercent: optional(
          z.int().min(1).max(100),
          "Percent of the token's rate limits that this operator may use; the rest is for others. Absent: 80.",
        ),
      }),
      'How much of the rate limits may be used. Absent: 80 percent.',
    ),
    contact: contactField(),
  }),
  status: z.object({
    user: z.string().describe('User whose token this is.'),
    restricted: z.boolean().describe('True when that user has grants only for some things.'),
    scopes: z.array(z.string()).describe('What the token may do; `*` is everything.'),
    held: z
      .array(
        z.object({
          namespace: z.string().optional().describe('Namespace whose objects are being deleted at once.'),
          kind: z.string().optional().describe('Kind of the objects whose cloud resources vanished at once.'),
          count: z.int().describe('How many objects wait.'),
          release: z.string().describe('Value that annotation cloudhosting.dev/release must have to let them go on.'),
          message: z.string().describe('What was seen, and the command that lets them go on.'),
        }),
      )
      .describe('Mass deletions, and creates after a mass loss, that wait for a person.'),
    deletedLately: z
      .array(
        z.object({
          namespace: z.string().describe('Namespace of the objects.'),
          count: z.int().describe('How many cloud resources went with their objects.'),
          until: z.string().describe('End of the minute in which they went.'),
        }),
      )
      .describe('Deletions of the last ten minutes. With those that are pending they tell a mass deletion.'),
    eventCursor: z.int().describe("Newest of the account's events that was seen."),
    missingScopes: z
      .array(z.string())
      .describe('Scopes that the kinds in use need and the token lacks. Give the token these, or expect Forbidden on their objects.'),
    eventsRefused: z.string().describe('Why the events of the account cannot be read; changes by others are then found by sweeps only.'),
    rateLimits: z
      .array(z.object({ class: z.string().describe('Class of calls.'), limit: z.int().describe('Calls per window, as the service says.') }))
      .describe('Rate limits of the service, as learned from its answers.'),
    resources: z
      .array(
        z.object({
          kind: z.string().describe('Kind that has objects in this account.'),
          managed: z.int().describe('Cloud resources that have an object.'),
          unmanaged: z
            .int()
            .optional()
            .describe('Cloud resources that have none, as last listed. Absent until a first listing, up to five minutes after a start.'),
        }),
      )
      .describe('What the account has of the kinds in use; sub-resources only of parents that have an object.'),
    driftBoundSeconds: z.int().describe('Longest time until a change is found that no event tells of.'),
    company: z.string().nullable().describe('Company, as the account has it.'),
    email: z.string().nullable().describe('E-mail address, as the account has it.'),
    balance: z.string().nullable().describe('What is owed, in US dollars; negative is credit.'),
    balanceUninvoiced: z.string().nullable().describe('What will be on the next invoice, in US dollars.'),
    activeSince: z.string().nullable().describe('When the account was opened, UTC.'),
    billingSource: z.string().nullable().describe('Who bills the account.'),
    capabilities: z.array(z.string()).describe('What the account may use.'),
    objectTransferBytes: z.int().describe('Outbound transfer of object storage in this month, in bytes.'),
    notifications: notices('What the provider wants the account to know.'),
    maintenance: notices('Maintenance that is announced or under way.'),
  }),
  remote: Account,

  path: '/account',
  id: (account) => account.euuid,
  parts: {
    notifications: { path: () => '/account/notifications', paged: true, for: 'status' },
    maintenance: { path: () => '/account/maintenance', paged: true, for: 'status' },
    transfer: { path: () => '/object-storage/transfer', paged: false, for: 'status' },
  },
  key: { enforced: 'item', names: true, of: () => ({}) },

  create: () => ({}),
  fields: {
    endpoint: { local: true },
    tokenSecretRef: { local: true },
    installation: { immutable: true, effect: 'Never' },
    recover: { local: true },
    mode: { local: true },
    defaults: { local: true },
    access: { local: true },
    pollIntervalSeconds: { local: true },
    budget: { local: true },
    contact: { read: contactOf, put: contactBody, errors: contactErrors },
  },
  health: () => ready,
  observe: (account: Account) => ({
    company: account.company ?? null,
    email: account.email ?? null,
    balance: dollars(account.balance),
    balanceUninvoiced: dollars(account.balance_uninvoiced),
    activeSince: account.active_since ?? null,
    billingSource: account.billing_source ?? null,
    capabilities: [...(account.capabilities ?? [])],
    ...(typeof account.transfer?.used === 'number' && { objectTransferBytes: account.transfer.used }),
    ...(account.notifications && { notifications: account.notifications.map(noticeOf) }),
    ...(account.maintenance && { maintenance: account.maintenance.map(noticeOf) }),
  }),

  tells: ({ maintenance = [] }: Account) => maintenance.flatMap(maintenanceOf),

  sweep: { by: 'item' },
  events: [{ entity: 'account', actions: ['account_', 'payment_', 'credit_card_updated'] }],
  // Writing is for contact alone, which says so: a token without it must not read as one that lacks something.
  scopes: { read: ['account:read_only', 'events:read_only'], write: [] },
  defaults: { onDelete: 'Retain', onMissing: 'Stall' },
  accountLevel: true,
  columns: { Endpoint: '.spec.endpoint', Mode: '.spec.mode', User: '.status.user', Balance: '.status.balance' },
});

const dollars = (amount: number | null | undefined): string | null => (typeof amount === 'number' ? amount.toFixed(2) : null);
