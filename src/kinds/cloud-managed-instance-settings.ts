import * as z from 'zod';
import {
  checked,
  defineSingleton,
  ipv4Pattern,
  ipv6Pattern,
  matches,
  optional,
  path,
  put,
  ready,
  ref,
  type RemoteId,
} from '../resource/index.ts';

const item = (instance: RemoteId): string => path`/managed/vm-settings/${instance}`;
/** Of `GET /managed/vm-settings/{id}`; what is not set is null. */
const Settings = z.object({
  id: z.number(),
  ssh: z.object({ access: z.boolean(), user: z.string().nullish(), ip: z.string(), port: z.number().nullish() }),
});

/** Of an instance for which nothing was ever set. */
const untouched = { access: true, user: null, ip: 'any', port: null } as const;

export default defineSingleton({
  kind: 'CloudManagedInstanceSettings',
  summary: "How the staff of the provider's Managed service may log in to one instance.",
  shortName: 'cmis',

  spec: z.object({
    instanceRef: ref('CloudInstance').describe('Instance that is meant, for example `{name: web}`. Cannot be changed.'),
    ssh: z
      .object({
        access: optional(z.boolean(), 'Whether the staff may log in by SSH. Absent: left alone.'),
        user: optional(
          z.string().max(32),
          'User as whom they log in, at most 32 characters, for example `support`. Absent: left alone; empty: root.',
        ),
        ip: optional(
          checked(z.string().min(2).max(45), {
            rule: `self == 'any' || ${matches('self', ipv4Pattern)} || ${matches('self', ipv6Pattern)}`,
            message: 'ip is any, or one address of the instance without prefix length: write for example 203.0.113.7',
          }),
          'Address of the instance to which they connect, or `any`. Where that address is taken away the service sets everything back, which is put right as drift. Absent: left alone.',
        ),
        port: optional(z.int().min(1).max(65_535), 'Port on which SSH answers, 1 to 65535, for example `22`. Absent: left alone.'),
      })
      .describe('Access by SSH, for example `{access: true, user: support, port: 22}`.'),
  }),
  status: z.object({
    access: z.boolean().describe('Whether the staff may log in by SSH.'),
    user: z.string().describe('User as whom they log in; empty: root.'),
    ip: z.string().describe('Address to which they connect, or `any`.'),
    port: z.int().nullable().describe('Port; null: the usual one.'),
  }),
  remote: Settings,

  parent: { ref: 'instanceRef', calls: 1 },
  path: (want) => item(want.instanceRef),
  item: ({ id }) => item(id),
  // It shows those of instances without an object, too: a page has 500.
  sweep: { by: 'list', in: '/managed/vm-settings' },
  fields: {
    instanceRef: { immutable: true },
    ssh: {
      read: ({ ssh }) => ({ access: ssh.access, user: ssh.user ?? '', ip: ssh.ip, port: ssh.port ?? null }),
      // Whether the service keeps what is left out is not known.
      put: (ssh, _, { ssh: have }) => ({
        ssh: {
          access: ssh.access ?? have.access,
          user: (ssh.user ?? have.user ?? '') || null,
          ip: ssh.ip ?? have.ip,
          port: ssh.port ?? have.port ?? null,
        },
      }),
    },
  },
  health: () => ready,
  observe: ({ ssh }) => ({ access: ssh.access, user: ssh.user ?? '', ip: ssh.ip, port: ssh.port ?? null }),
  deletion: {
    call: (_, item) => put(item, { ssh: untouched }),
    ended: ({ ssh }) => ssh.access && (ssh.user ?? '') === '' && ssh.ip === 'any' && (ssh.port ?? null) === null,
  },

  events: [],
  scopes: { read: ['account:read_only'], write: ['account:read_write'], unrestricted: true, product: 'Managed' },
  accountLevel: true,
  defaults: { onDelete: 'Retain', onMissing: 'Stall' },
  columns: { Instance: '.spec.instanceRef.name', Access: '.status.access', User: '.status.user' },
});
