import * as z from 'zod';
import {
  checked,
  defineCollection,
  failed,
  growing,
  type Health,
  matches,
  minutes,
  noRegion,
  optional,
  progressing,
  ready,
  seconds,
  slug,
  tagList,
} from '../resource/index.ts';
import { actions } from './kubernetes-cluster/actions.ts';
import { foundPools, hiddenPools } from './kubernetes-cluster/found.ts';
import { waits } from './kubernetes-cluster/deletion.ts';
import { ambiguity, lackingNodes, memberCall, memberEffect, otherPools, poolsShown, readMembers } from './kubernetes-cluster/members.ts';
import { answers, Cluster, Dashboard, Endpoints, fileIn, Kubeconfig, plain, tooMany } from './kubernetes-cluster/row.ts';
import { markOf, noMarks, Pool, poolBody, poolFields, seenMarks } from './kubernetes-cluster/pool.ts';

export default defineCollection({
  kind: 'CloudKubernetesCluster',
  summary: 'A managed Kubernetes cluster with its first node pools.',
  shortName: 'ck8s',

  spec: z.object({
    label: optional(
      checked(z.string().min(1).max(32), {
        rule: "self.matches('^[ -\\ud7ff\\ue000-\\ufffd]*$') && self.trim() != ''",
        message: 'label has no characters of four bytes, such as emoji, and is not blank: write for example prod',
      }),
      'Name in the cloud account, 1 to 32 characters, for example `prod`. Absent: derived from the name of this object.',
    ),
    region: optional(slug(), 'Region, for example `eu-central`. Cannot be changed. Absent: the default region of the account.'),
    k8sVersion: checked(z.string().max(10), {
      rule: matches('self', '[0-9][.][0-9][0-9]'),
      message: 'k8sVersion is a minor version, and the service chooses the patch: write for example "1.25", in quotes',
    }).describe(
      'Minor version of Kubernetes, for example `"1.25"`; the next one only, and never back. Nodes keep theirs until they are recycled. As the control plane is restarted, a change asks first (Reboot).',
    ),
    highAvailability: optional(
      z.boolean(),
      'True: several control planes, at a price, and for good. On a cluster that is there all nodes are made anew and lose what is on their disks, so it asks first (Rebuild). Absent: left alone, false at creation.',
    ),
    tags: tagList(),
    nodePools: z
      .array(
        z
          .object({
            name: checked(z.string().min(1).max(30), {
              rule: matches('self', '[a-z]([a-z0-9-]*[a-z0-9])?'),
              message: 'name has lower-case letters, digits and dashes, and begins with a letter: write for example base',
            }).describe('Name of the pool in this object, for example `base`.'),
            ...poolFields,
          })
          .meta({
            'x-kubernetes-validations': [
              { rule: 'self.type == oldSelf.type', message: 'type of a pool is fixed: add a pool of another name, and take this one out' },
              {
                rule: 'has(self.disks) == has(oldSelf.disks) && (!has(self.disks) || self.disks == oldSelf.disks)',
                message: 'disks of a pool are fixed: add a pool of another name, and take this one out',
              },
            ],
          }),
      )
      .min(1)
      .max(20)
      .meta({ 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['name'] })
      .describe(
        'Node pools that are made and changed with the cluster, 1 to 20, for example `[{name: base, type: g6-standard-2, count: 3}]`. Fewer nodes or a pool less asks first (Rebuild). A pool of another name is another pool: it is made at once, without asking, and where one that is named no more waits for approval, both run and are paid for until then. Other pools of the cluster, those of CloudNodePool objects and those made by hand, are never touched. To move one into an object of its own: make a CloudNodePool with `adopt: {id: ...}` and the id in status.nodePools, then take it out here; it stays, and its mark is taken off. A token of a restricted user, which cannot mark them, admits one.',
      ),
  }),
  rules: [noMarks],
  status: z.object({
    label: z.string().describe('Name in the cloud account.'),
    region: z.string().describe('Region of the cluster.'),
    k8sVersion: z.string().describe('Minor version of the control plane.'),
    highAvailability: z.boolean().describe('Whether it has several control planes.'),
    endpoints: z.array(z.string()).describe('Addresses of its API server. Empty until that answers.'),
    dashboardURL: z.string().optional().describe('Address of its dashboard; absent until there is one.'),
    nodePools: z
      .array(
        z.object({
          name: z.string().describe('Name in the spec.'),
          id: z.int().describe('Id in the cloud account.'),
          count: z.int().describe('Number of nodes that it shall have.'),
          ready: z.int().describe('Number of nodes that are ready.'),
        }),
      )
      .describe('The pools of this object.'),
    otherPools: z.array(z.int()).describe('Ids of pools of the cluster that are not of this object, and are never touched by it.'),
    nodes: z.int().describe('Number of nodes that the pools of this object shall have.'),
    nodesReady: z.int().describe('How many of these are ready.'),
  }),
  remote: Cluster,

  path: '/lke/clusters',
  parts: {
    pools: { path: (at) => `${at}/pools`, paged: true, schema: z.array(Pool), for: 'drift', rereadWhileProgressing: true },
    endpoints: {
      path: (at) => `${at}/api-endpoints`,
      paged: true,
      schema: Endpoints,
      for: 'status',
      notYet: [503],
      rereadWhileProgressing: true,
    },
    dashboard: { path: (at) => `${at}/dashboard`, paged: false, schema: Dashboard, for: 'status', notYet: [503] },
    kubeconfig: {
      path: (at) => `${at}/kubeconfig`,
      paged: false,
      schema: Kubeconfig,
      for: 'status',
      notYet: [503],
      secret: { every: minutes(360) },
      rereadWhileProgressing: true,
      scopes: ['lke:read_write'],
    },
  },
  marked: ({ pools = [] }) => pools.flatMap(seenMarks),
  recalls: ['nodePools', 'endpoints'],
  key: {
    enforced: 'counted',
    names: true,
    of: (want) => ({ label: plain(want.label ?? want.name) }),
    row: ({ label }) => ({ label: plain(label) }),
  },
  label: { field: 'label', max: 32 },
  tags: 'tags',
  createdAt: 'created',

  create: ({ label, name, region, k8sVersion, highAvailability, tags, nodePools, marks }) => ({
    label: label ?? name,
    region,
    k8s_version: k8sVersion,
    ...(highAvailability !== undefined && { control_plane: { high_availability: highAvailability } }),
    tags,
    node_pools: nodePools.map((pool) =>
      poolBody(pool, marks?.mayTag === true ? marks.keys.slice(0, 1).map((key) => markOf(pool.name, key)) : []),
    ),
  }),
  lacks: ({ region, nodePools, marks }) => (region === undefined ? noRegion : tooMany(nodePools.length, marks?.mayTag)),
  fields: {
    label: { read: (cluster) => String(plain(cluster.label)), put: (label) => ({ label }), as: plain },
    region: { read: (cluster) => cluster.region, immutable: true, catalogue: { path: '/regions' } },
    k8sVersion: {
      read: (cluster) => cluster.k8s_version,
      put: (version) => ({ k8s_version: version }),
      effect: 'Reboot',
      only: 'grows',
      catalogue: { path: '/lke/versions' },
      errors: ['k8s_version'],
      refusals: [
        {
          field: 'k8s_version',
          says: 'the service upgrades to the next minor version only, and never back: write the one after what status.k8sVersion shows, then the next',
        },
      ],
    },
    highAvailability: {
      read: (cluster) => cluster.control_plane.high_availability,
      put: (highAvailability) => ({ control_plane: { high_availability: highAvailability } }),
      effect: 'Rebuild',
      only: 'grows',
      errors: ['control_plane', 'high_availability'],
    },
    tags: { read: (cluster) => cluster.tags ?? [], put: (tags) => ({ tags }), as: 'set' },
    nodePools: {
      members: { read: readMembers, found: foundPools, hidden: hiddenPools, call: memberCall, effectOf: memberEffect },
      effect: 'Rebuild',
      part: 'pools',
      errors: ['node_pools', 'type', 'count', 'autoscaler', 'disks'],
    },
  },
  health: (cluster, want): Health => {
    const { pools, endpoints, kubeconfig } = cluster;
    const problem = tooMany(want.nodePools.length, want.marks?.mayTag) ?? ambiguity(want, cluster);
    if (problem !== undefined) return failed(problem);
    const isUp = kubeconfig !== null && answers(endpoints, want.recalled?.endpoints);
    if (!isUp)
      return progressing('the API server of the cluster does not answer yet; that takes two to five minutes after the create', seconds(15));
    const lacking = lackingNodes(want, pools);
    return lacking === undefined ? ready : growing(lacking, seconds(15));
  },
  observe: (cluster, want) => {
    const { pools, endpoints, dashboard } = cluster;
    const own = pools && poolsShown(want, pools);
    return {
      label: String(plain(cluster.label)),
      region: cluster.region,
      k8sVersion: cluster.k8s_version,
      highAvailability: cluster.control_plane.high_availability,
      ...(endpoints !== undefined && { endpoints: (endpoints ?? []).map(({ endpoint }) => endpoint) }),
      ...(dashboard && { dashboardURL: dashboard.url }),
      ...(pools &&
        own && {
          nodePools: own,
          otherPools: otherPools(want, pools).map(({ id }) => id),
          nodes: own.reduce((sum, { count }) => sum + count, 0),
          nodesReady: own.reduce((sum, pool) => sum + pool.ready, 0),
        }),
    };
  },
  outputs: {
    kubeconfig: {
      says: 'File with which kubectl reaches the cluster, with the rights of its administrator.',
      secret: true,
      part: 'kubeconfig',
      of: ({ kubeconfig }) => fileIn(kubeconfig),
    },
    endpoint: { says: 'Address of its API server.', of: ({ endpoints }) => endpoints?.[0]?.endpoint },
    'dashboard-url': { says: 'Address of its dashboard.', of: ({ dashboard }) => dashboard?.url },
  },
  actions,
  deletion: {
    part: 'pools',
    waits,
  },

  sweep: { by: 'list' },
  // Of clusters this release of the service tells no event, but of nodes that could not be made; later ones do.
  events: [{ entity: 'lkecluster', actions: ['lke_'], creates: ['lke_cluster_create'], deletes: ['lke_cluster_delete'] }],
  scopes: { read: ['lke:read_only'], write: ['lke:read_write'] },
  // Nodes and load balancers go with it, volumes stay.
  defaults: { onDelete: 'Retain', onMissing: 'Stall' },
  columns: {
    Version: '.status.k8sVersion',
    Nodes: '.status.nodes',
    NodesReady: '.status.nodesReady',
    HA: '.status.highAvailability',
  },
});
