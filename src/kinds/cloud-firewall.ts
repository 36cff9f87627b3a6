import * as z from 'zod';
import {
  type AnyWant,
  type Body,
  type Call,
  checked,
  defineCollection,
  del,
  failed,
  type Health,
  openEnum,
  optional,
  path,
  post,
  put,
  ready,
  ref,
  type RemoteId,
  selector,
  tagList,
  unknownStatus,
} from '../resource/index.ts';
import { comparable, length, policyField, type Rule, rulesField } from './firewall/rules.ts';

/** Rules come back exactly as they were sent, null and absent parts included (src/cloud/README.md: facts 17). */
const RemoteRules = z.looseObject({
  inbound: z.array(z.unknown()).nullish(),
  outbound: z.array(z.unknown()).nullish(),
  inbound_policy: z.string().nullish(),
  outbound_policy: z.string().nullish(),
});
const Firewall = z.object({
  id: z.number(),
  label: z.string(),
  status: openEnum('enabled', 'disabled', 'deleted'),
  rules: RemoteRules,
  tags: z.array(z.string()).nullish(),
  created: z.string(),
});
const Devices = z.array(z.object({ id: z.number(), entity: z.object({ id: z.number(), type: z.string() }) }));
type Firewall = z.output<typeof Firewall> & { readonly devices?: z.output<typeof Devices> };

const health = {
  enabled: ready,
  disabled: ready,
  deleted: failed('the firewall was deleted outside Kubernetes; its rules apply to no instance'),
  unknown: unknownStatus,
} satisfies Record<Firewall['status'], Health>;

interface WantedRules {
  readonly inbound?: readonly unknown[] | undefined;
  readonly inboundPolicy: string;
  readonly outbound?: readonly unknown[] | undefined;
  readonly outboundPolicy: string;
}
/** Both directions and both policies always: what the service does about a missing one is not documented. */
const wholeRules = (want: WantedRules, now?: Firewall['rules']): Body =>
  ({
    inbound: want.inbound ?? now?.inbound ?? [],
    inbound_policy: want.inboundPolicy,
    outbound: want.outbound ?? now?.outbound ?? [],
    outbound_policy: want.outboundPolicy,
  }) as Body;

const instancePath = (id: RemoteId): string => path`/vm/instances/${id}`;
const isTaken = (id: RemoteId, { taken = [] }: Pick<AnyWant, 'taken'>): boolean => taken.some((one) => one.path === instancePath(id));
/** What it lets through is for who has the machine behind it to say: it stays as it was when that was let go. */
const anothers = ({ taken = [] }: Pick<AnyWant, 'taken'>): string | undefined => {
  const [first] = taken;
  const id = first?.path.slice(first.path.lastIndexOf('/') + 1);
  return (
    first &&
    `instance ${String(id)}, which is behind this firewall, belongs to ${first.by}, and would be open or closed by it as well. Take that instance out of the firewall in the account, once it is behind another one; put your own behind a firewall of their own; or have the owner of the CloudAccount set spec.access[].adopt: Any for this namespace`
  );
};
const ofItsOwn = { part: 'devices', withheld: anothers } as const;

/** Repairs all that differs in the rules at once. A direction that the spec leaves alone is somebody else's, who may have changed it since the last look. */
const byRules = {
  ...ofItsOwn,
  readFirst: { path: ({ id }: Firewall) => path`/networking/firewalls/${id}/rules`, into: 'rules' },
  call: (_: unknown, { id, rules }: Firewall, want: WantedRules): Call =>
    put(path`/networking/firewalls/${id}/rules`, wholeRules(want, rules)),
} as const;

const devicesOf = (vms: readonly RemoteId[] | undefined): Body => (vms === undefined ? {} : { devices: { vms } });

/** Whoever names the instances, one device is added or removed at a time. */
const byDevices = {
  read: (firewall: Firewall, want: AnyWant) => ownIn(firewall, want)?.map(({ entity }) => entity.id),
  call: (ids: readonly RemoteId[] | undefined, firewall: Firewall, want: AnyWant) => moveOne(ids ?? [], firewall, want),
  as: 'set',
  part: 'devices',
  errors: ['devices.vms', 'devices', 'id'],
  refusals: [
    {
      text: /too many active firewalls/i,
      says: 'an instance is behind another enabled firewall already, and may be behind one: take it out of that one, or set enabled: false on either',
    },
  ],
} as const;

export default defineCollection({
  kind: 'CloudFirewall',
  summary: 'A stateful firewall and the instances behind it.',
  shortName: 'cfw',

  spec: z.object({
    label: optional(
      checked(
        z.string().min(3).max(32),
        {
          rule: "self.matches('^[a-zA-Z0-9][a-zA-Z0-9._-]*[a-zA-Z0-9]$')",
          message:
            'label begins and ends with a letter or digit, with dashes, underscores and periods between: write for example web-servers',
        },
        {
          rule: "!self.contains('--') && !self.contains('__') && !self.contains('..')",
          message: 'label must not have two dashes, underscores or periods in a row: write one',
        },
      ),
      'Name in the cloud account, 3 to 32 characters, for example `web-servers`; unique in the account. Absent: derived from the name of this object.',
    ),
    enabled: optional(
      z.boolean(),
      'False opens every port of the instances behind it. An instance has one enabled firewall at most. Absent: left alone, true at creation.',
    ),
    inbound: rulesField(
      'Rules for incoming traffic; the first that matches decides. At most 25 together with outbound. Absent: left alone, none at creation; `[]`: none.',
    ),
    inboundPolicy: policyField('What happens to incoming traffic that no rule matches, for example `DROP`.'),
    outbound: rulesField(
      'Rules for outgoing traffic; the first that matches decides. At most 25 together with inbound. Absent: left alone, none at creation; `[]`: none.',
    ),
    outboundPolicy: policyField('What happens to outgoing traffic that no rule matches, for example `ACCEPT`.'),
    tags: tagList(),
    instanceRefs: optional(
      z.array(ref('CloudInstance')).max(500),
      'Instances behind the firewall, for example `[{name: web}]`. They are added and removed one by one. Absent: left alone; `[]`: none.',
    ),
    instanceSelector: optional(
      selector('CloudInstance'),
      'Instances behind the firewall by their labels, in place of instanceRefs, for example `{matchLabels: {tier: web}}`. One that no longer has them all is taken out. Absent: left alone.',
    ),
  }),
  rules: [
    {
      rule: `${length('inbound')} + ${length('outbound')} <= 25`,
      message: 'inbound and outbound have at most 25 rules together: join some',
    },
    {
      rule: '!(has(self.instanceRefs) && has(self.instanceSelector))',
      message: 'instanceRefs and instanceSelector both say which instances are behind the firewall: set one of them',
    },
  ],
  status: z.object({
    state: z.string().describe('`enabled` or `disabled`.'),
    instances: z.int().describe('Number of instances behind the firewall.'),
    rules: z.int().describe('Number of rules, inbound and outbound.'),
  }),
  remote: Firewall,

  path: '/networking/firewalls',
  parts: { devices: { path: (item) => `${item}/devices`, paged: true, schema: Devices, for: 'drift' } },
  key: { enforced: 'unique', names: true, of: (want) => ({ label: want.label ?? want.name }) },
  label: { field: 'label', max: 32, refused: /[^a-zA-Z0-9._-]/g },
  tags: 'tags',
  createdAt: 'created',

  create: (want) => ({
    label: want.label ?? want.name,
    rules: wholeRules(want),
    tags: want.tags,
    ...devicesOf(want.instanceRefs ?? want.instanceSelector),
  }),
  fields: {
    label: { read: (firewall) => firewall.label, put: (label) => ({ label }) },
    enabled: {
      read: (firewall) => (firewall.status === 'unknown' ? undefined : firewall.status === 'enabled'),
      put: (enabled) => ({ status: enabled ? 'enabled' : 'disabled' }),
      errors: ['status'],
      ...ofItsOwn,
    },
    inbound: { read: ({ rules }) => (rules.inbound ?? []) as Rule[], ...byRules, as: comparable, errors: ['rules.inbound', 'inbound'] },
    inboundPolicy: { read: ({ rules }) => rules.inbound_policy, ...byRules, errors: ['rules.inbound_policy', 'inbound_policy'] },
    outbound: { read: ({ rules }) => (rules.outbound ?? []) as Rule[], ...byRules, as: comparable, errors: ['rules.outbound', 'outbound'] },
    outboundPolicy: { read: ({ rules }) => rules.outbound_policy, ...byRules, errors: ['rules.outbound_policy', 'outbound_policy'] },
    tags: { read: (firewall) => firewall.tags ?? [], put: (tags) => ({ tags }), as: 'set' },
    instanceRefs: byDevices,
    instanceSelector: byDevices,
  },
  changesAlso: (firewall) => instancesOf(firewall)?.map(({ entity }) => instancePath(entity.id)),
  deletion: {
    part: 'devices',
    keeps: (_, { taken = [] }) =>
      taken[0] && `${taken[0].path} is behind it, belongs to ${taken[0].by}, and would be open to everybody without it`,
  },
  health: (firewall) => health[firewall.status],
  observe: (firewall) => {
    const { inbound, outbound } = firewall.rules;
    const instances = instancesOf(firewall)?.length;
    return {
      state: firewall.status,
      rules: (inbound?.length ?? 0) + (outbound?.length ?? 0),
      ...(instances !== undefined && { instances }),
    };
  },

  sweep: { by: 'list' },
  events: [{ entity: 'firewall', actions: ['firewall_'], creates: ['firewall_create'], deletes: ['firewall_delete'] }],
  scopes: { read: ['firewall:read_only'], write: ['firewall:read_write'] },
  defaults: { onDelete: 'Delete', onMissing: 'Recreate' },
  shareable: true,
  columns: { State: '.status.state', Rules: '.status.rules', Instances: '.status.instances' },
});

const instancesOf = ({ devices }: Firewall): z.output<typeof Devices> | undefined => devices?.filter(({ entity }) => entity.type === 'vm');

/** Without those that another namespace has: they are neither added nor taken out. */
const ownIn = (firewall: Firewall, want: AnyWant) => instancesOf(firewall)?.filter(({ entity }) => !isTaken(entity.id, want));

/** One device per reconcile; a missing one first, so that no instance is left open longer than need be. */
function moveOne(want: readonly RemoteId[], firewall: Firewall, all: AnyWant): Call | undefined {
  const have = ownIn(firewall, all) ?? [];
  const missing = want.find((id) => !have.some(({ entity }) => entity.id === id));
  if (missing !== undefined) return post(path`/networking/firewalls/${firewall.id}/devices`, { id: missing, type: 'vm' });
  const extra = have.find(({ entity }) => !want.includes(entity.id));
  return extra && del(path`/networking/firewalls/${firewall.id}/devices/${extra.id}`);
}
