import * as z from 'zod';
import { defineConnection, optional, put, ready, secretKey, slug } from '../resource/index.ts';
import { accessField } from './account/access.ts';
import { contactBody, contactErrors, contactField, contactNames, contactOf } from './account/contact.ts';
import { held } from './account/held.ts';
import { managedOf, managedParts, managedStatus } from './account/managed.ts';
import { Announcements, maintenanceOf, noticeOf, notices } from './account/notices.ts';
import { Settings, settingsBody, settingsField, settingsOf, shownSettings } from './account/settings.ts';

/** The fields of the account that this operator reads. */
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

const Transfer = z.object({ used: z.number() });

const mayBeNamed =
  '!has(self.status) || !has(self.status.installationInUse) || (has(self.status.installation) && self.spec.installation == self.status.installation)';

export default defineConnection({
  kind: 'CloudAccount',
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
      'Name of this installation in marks on cloud resources, for example `prod-eu`; keep it in Git, because a cluster that is rebuilt needs the old one. Can be set once: to `status.installation`, or to any name while no object of the account has anything in it. Absent: the uid of namespace kube-system.',
    ),
    recover: optional(
      z.boolean(),
      'True while a cluster is rebuilt from Git: what bears the tag of this installation, the name of an object and all values that its spec sets is taken over without adopt, where that fits one of each only. Nothing is made or replaced meanwhile, but for objects with annotation `recreate`. Absent: false.',
    ),
    mode: optional(
      z.enum(['Manage', 'ReadOnly']),
      '`ReadOnly` changes nothing in the account and reports what it would change. Absent: Manage.',
    ),
    defaults: optional(
      z.object({
        tags: optional(
          z.array(z.string().min(3).max(50)).max(64),
          'Tags that everything with tags gets when it is made, beside those of its object. What is imported or copied by a call that takes no tags gets them only if its object has tags, too. Absent: none.',
        ),
        region: optional(slug(), 'Region of objects that name none, for example `eu-central`. Absent: none.'),
        onDelete: optional(
          z.enum(['Delete', 'Retain']),
          'What becomes of cloud resources when their objects are deleted. `Retain` also keeps those of a mass deletion that may go before it is held. Absent: the default of each kind.',
        ),
      }),
      'Defaults for the objects of this account. Absent: none.',
    ),
    access: accessField(),
    pollIntervalSeconds: optional(
      z.int().min(2).max(3600),
      'Seconds between two looks at the events while nothing is awaited, 2 to 3600. Absent: 10.',
    ),
    budget: optional(
      z.object({
        sharePercent: optional(
          z.int().min(1).max(100),
          "Percent of the token's rate limits that the objects of this account may use; the rest is for others. Several CloudAccounts of one user may together use as much as the largest of their shares. Events are read whatever the share. Absent: 80.",
        ),
      }),
      'How much of the rate limits may be used. Absent: 80 percent.',
    ),
    contact: contactField(),
    settings: settingsField(),
  }),
  objectRules: [
    {
      rule: `has(oldSelf.spec.installation) ? has(self.spec.installation) && self.spec.installation == oldSelf.spec.installation : !has(self.spec.installation) || ${mayBeNamed}`,
      message:
        'installation is part of every mark that is signed already: it can be set once, to status.installation, or to any name while status.installationInUse is absent, and never be changed',
      fieldPath: '.spec.installation',
    },
  ],
  status: z.object({
    installation: z
      .string()
      .describe(
        'Name of this installation in marks on cloud resources. Note it in `spec.installation`: a cluster that is rebuilt needs it.',
      ),
    installationInUse: z
      .boolean()
      .describe('Set while an object of the account has something in it, or may have: then no other name can be given.'),
    user: z.string().describe('User whose token this is.'),
    restricted: z.boolean().describe('True when that user has grants only for some things.'),
    scopes: z.array(z.string()).describe('What the token may do; `*` is everything.'),
    servedBy: z
      .string()
      .describe(
        'The release that serves this account, as namespace and name of its lease. Others leave the account and its objects alone.',
      ),
    shareUsedUp: z
      .object({
        sharePercent: z.int().describe('The share that is meant.'),
        classes: z.array(z.string()).describe('Classes of calls that wait for it.'),
        since: z.string().describe('When that began.'),
      })
      .describe('Set while calls of this account wait for its own share of the rate limits; until three minutes after.'),
    held,
    released: z
      .array(
        z.object({
          of: z.string().describe('Namespace or kind that was held, or both as kind/namespace.'),
          value: z.string().describe('Value of annotation cloudhosting.dev/release.'),
          by: z.string().optional().describe('Field manager that wrote the annotation.'),
          at: z.string().describe('When the operator accepted it.'),
        }),
      )
      .describe('What a person has let go, while some of it is still under way; whatever becomes of the annotation.'),
    deletedLately: z
      .array(
        z.object({
          namespace: z.string().describe('Namespace of the objects.'),
          count: z.int().describe('How many cloud resources were deleted.'),
          replaced: z.int().optional().describe('How many of these were replaced, so that their objects are still there; absent: none.'),
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
    settings: shownSettings,
    objectTransferBytes: z.int().describe('Outbound transfer of object storage in this month, in bytes.'),
    notifications: notices('What the provider wants the account to know.'),
    maintenance: notices('Maintenance that is announced or under way.'),
    ...managedStatus,
  }),
  remote: Account,

  path: '/account',
  id: (account) => account.euuid,
  parts: {
    notifications: { path: () => '/account/notifications', paged: true, schema: Announcements, for: 'status' },
    maintenance: { path: () => '/account/maintenance', paged: true, schema: Announcements, for: 'status' },
    settings: { path: () => '/account/settings', paged: false, schema: Settings, for: 'drift' },
    transfer: { path: () => '/object-storage/transfer', paged: false, schema: Transfer, for: 'status' },
    ...managedParts,
  },

  fields: {
    endpoint: { local: true },
    tokenSecretRef: { local: true },
    installation: { local: true },
    recover: { local: true },
    mode: { local: true },
    defaults: { local: true },
    access: { local: true },
    pollIntervalSeconds: { local: true },
    budget: { local: true },
    contact: { read: contactOf, put: contactBody, errors: contactErrors, inner: contactNames },
    settings: {
      read: ({ settings }) => settings && settingsOf(settings),
      call: (settings) => (settings === undefined ? undefined : put('/account/settings', settingsBody(settings))),
      part: 'settings',
      errors: ['network_helper', 'backups_enabled'],
    },
  },
  health: () => ready,
  observe: (account) => ({
    company: account.company ?? null,
    email: account.email ?? null,
    balance: dollars(account.balance),
    balanceUninvoiced: dollars(account.balance_uninvoiced),
    activeSince: account.active_since ?? null,
    billingSource: account.billing_source ?? null,
    capabilities: [...(account.capabilities ?? [])],
    ...(account.settings && { settings: settingsOf(account.settings) }),
    ...(account.transfer && { objectTransferBytes: account.transfer.used }),
    ...(account.notifications && { notifications: account.notifications.map(noticeOf) }),
    ...(account.maintenance && { maintenance: account.maintenance.map(noticeOf) }),
    ...managedOf(account),
  }),

  notices: ({ maintenance = [] }) => maintenance.flatMap(maintenanceOf),

  events: [{ entity: 'account', actions: ['account_', 'payment_', 'credit_card_updated'] }],
  // Writing is for contact alone, which says so: a token without it must not read as one that lacks something.
  scopes: { read: ['account:read_only', 'events:read_only'], write: [] },
  accountLevel: true,
  columns: { Endpoint: '.spec.endpoint', Mode: '.spec.mode', User: '.status.user', Balance: '.status.balance' },
});

const dollars = (amount: number | null | undefined): string | null => (typeof amount === 'number' ? amount.toFixed(2) : null);
