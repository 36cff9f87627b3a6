import * as z from 'zod';
import { checked, defineCollection, matches, optional, ready } from '../resource/index.ts';

/** The answer to a create counts what runs as 0 and 1. */
const runs = z.union([z.boolean(), z.number()]);

/** The fields of `GET /longview/clients/{id}` that this operator reads. */
const Client = z.object({
  id: z.number(),
  label: z.string(),
  api_key: z.string().nullish(),
  install_code: z.string().nullish(),
  apps: z.record(z.string(), runs).nullish(),
  created: z.string(),
});

/** Hexadecimal digits and dashes; whatever else stands in its place is no key, and what was given out before stays. */
const told = (key: string | null | undefined): string | undefined =>
  key !== null && key !== undefined && /^[0-9A-Fa-f-]{8,}$/.test(key) ? key : undefined;

export default defineCollection({
  kind: 'CloudLongviewClient',
  summary: 'A machine that Longview watches: gives out the key and the code with which its agent is installed there.',
  shortName: 'clv',

  spec: z.object({
    label: optional(
      checked(z.string().min(3).max(32), {
        rule: matches('self', '[a-zA-Z0-9_-]*'),
        message: 'label has letters, digits, dashes and underscores only: write for example web-1',
      }),
      'Name in the cloud account, 3 to 32 letters, digits, dashes and underscores, once in the account, for example `web-1`. Absent: derived from the name of this object.',
    ),
  }),
  status: z.object({
    label: z.string().describe('Name in the cloud account.'),
    apps: z
      .array(z.string())
      .describe('What the agent found on the machine, of `apache`, `nginx` and `mysql`. Empty until it is installed there.'),
  }),
  remote: Client,

  path: '/longview/clients',
  key: { enforced: 'unique', names: true, of: (want) => ({ label: want.label ?? want.name }) },
  label: { field: 'label', max: 32 },
  createdAt: 'created',

  create: (want) => ({ label: want.label ?? want.name }),
  fields: { label: { read: (client) => client.label, put: (label) => ({ label }) } },
  health: () => ready,
  observe: (client) => ({
    label: client.label,
    apps: Object.entries(client.apps ?? {}).flatMap(([app, there]) => (there ? [app] : [])),
  }),
  outputs: {
    'api-key': {
      says: 'Key with which the agent reports, on the machine that is watched.',
      secret: true,
      of: (client) => told(client.api_key),
    },
    'install-code': {
      says: 'Code in the address from which the agent is installed.',
      secret: true,
      of: (client) => told(client.install_code),
    },
  },

  sweep: { by: 'list' },
  events: [
    {
      entity: 'longview',
      actions: ['longviewclient_'],
      creates: ['longviewclient_create'],
      deletes: ['longviewclient_delete'],
    },
  ],
  scopes: { read: ['longview:read_only'], write: ['longview:read_write'] },
  // Its data goes with it, and a new one has other keys, so that the agent would have to be set up anew.
  defaults: { onDelete: 'Retain', onMissing: 'Stall' },
  columns: { Label: '.status.label', Apps: '.status.apps' },
});
