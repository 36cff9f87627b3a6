import * as z from 'zod';
import { accountId, checked, defineCollection, isOneLine, openEnum, optional, path, ready } from '../resource/index.ts';

/** A row of `GET /tags`. */
const Tag = z.object({ label: z.string() });
/** Of `GET /tags/{label}` which kind each that carries it is of. */
const Members = z.array(z.object({ type: openEnum('vm', 'volume', 'domain', 'nodebalancer') }));

export default defineCollection({
  kind: 'CloudTag',
  summary: 'A tag as such. Who carries it stands in the `tags` of each resource.',
  shortName: 'ctag',

  spec: z.object({
    label: checked(
      z.string().min(3).max(50),
      { rule: "!self.startsWith('co-')", message: 'tags that begin with co- belong to the operator: choose another name' },
      // It is one segment of its path, and nobody knows how the service takes a slash there.
      { rule: "!self.contains('/')", message: 'label must not have a slash: write for example prod-web' },
      { rule: isOneLine('self'), message: 'label must not have control characters: write for example prod-web' },
    ).describe('The tag, 3 to 50 characters, for example `prod`. One that exists already is taken over. Cannot be changed.'),
    initialMembers: optional(
      z.object({
        instanceIds: optional(z.array(accountId()).max(64), 'Ids of instances. Absent: none.'),
        volumeIds: optional(z.array(accountId()).max(64), 'Ids of volumes. Absent: none.'),
        domainIds: optional(z.array(accountId()).max(64), 'Ids of domains. Absent: none.'),
        nodeBalancerIds: optional(z.array(accountId()).max(64), 'Ids of load balancers. Absent: none.'),
      }),
      'Who gets the tag when it is made, once, for example `{nodeBalancerIds: [4711]}`; nobody does where the tag exists already. For what has no object: what has one gets its tags there. Cannot be changed. Absent: nobody.',
    ),
  }),
  status: z.object({
    members: z
      .object({
        instances: z.int().describe('Instances.'),
        volumes: z.int().describe('Volumes.'),
        domains: z.int().describe('Domains.'),
        nodeBalancers: z.int().describe('NodeBalancers.'),
      })
      .describe('How many carry it.'),
    carriers: z.int().describe('How many carry it, all kinds together.'),
  }),
  remote: Tag,

  path: '/tags',
  item: ({ label }) => path`/tags/${label}`,
  id: ({ label }) => label,
  ids: { pattern: '^[^/]{3,50}$', says: 'an id is the tag itself: write for example prod', text: true },
  parts: { members: { path: (item) => item, paged: true, schema: Members, for: 'status' } },
  // The service refuses a second one, but answers to nobody who made the first.
  key: { enforced: 'counted', names: true, of: ({ label }) => ({ label }) },
  takesOver: true,

  create: ({ label, initialMembers: to }) => ({
    label,
    ...(to?.instanceIds && { vms: to.instanceIds }),
    ...(to?.volumeIds && { volumes: to.volumeIds }),
    ...(to?.domainIds && { domains: to.domainIds }),
    ...(to?.nodeBalancerIds && { nodebalancers: to.nodeBalancerIds }),
  }),
  fields: {
    label: { read: (tag) => tag.label, immutable: true },
    initialMembers: {
      immutable: true,
      errors: ['vms', 'volumes', 'domains', 'nodebalancers'],
      inner: { vms: 'instanceIds', volumes: 'volumeIds', domains: 'domainIds', nodebalancers: 'nodeBalancerIds' },
    },
  },
  health: () => ready,
  observe: ({ members }) => {
    if (members === undefined) return {};
    const count = (kind: string): number => members.filter(({ type }) => type === kind).length;
    const counted = {
      instances: count('vm'),
      volumes: count('volume'),
      domains: count('domain'),
      nodeBalancers: count('nodebalancer'),
    };
    return { members: counted, carriers: members.length };
  },

  // `GET /tags/{label}` is a page of those that carry it, and shows nothing of the tag.
  sweep: { by: 'list', itemFromList: true },
  events: [{ entity: 'tag', actions: ['tag_'], creates: ['tag_create'], deletes: ['tag_delete'] }],
  scopes: { read: ['account:read_only'], write: ['account:read_write'], unrestricted: true },
  accountLevel: true,
  // DELETE takes it off everything in the account, also off what no object stands for.
  defaults: { onDelete: 'Retain', onMissing: 'Recreate' },
  columns: { Label: '.spec.label', Members: '.status.carriers' },
});
