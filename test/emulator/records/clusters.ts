import { defineCollection } from '../contract/collection.ts';
import type { World } from '../contract/world.ts';

export interface Cluster {
  readonly id: number;
  readonly label: string;
  readonly region: string;
  readonly k8s_version: string;
  readonly control_plane: { readonly high_availability: boolean };
  readonly tags: readonly string[];
  readonly status: 'ready' | 'not_ready';
  readonly created: string;
  readonly updated: string;
  /** Not shown: the name of its API server, the serial of its admin token, and from when (epoch ms) both answer. */
  readonly host: string;
  readonly token: string;
  readonly endpointsFrom: number;
  readonly kubeconfigFrom: number;
}

/** Characters outside of ASCII come back as escapes of their code points (document 3). */
function escaped(label: string): string {
  return label.replaceAll(/[\u0080-\uffff]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

export const clusters = defineCollection<Cluster>({
  name: 'clusters',
  grant: 'lkecluster',
  indexes: ['label'],
  view: ({ host: _host, token: _token, endpointsFrom: _endpoints, kubeconfigFrom: _kubeconfig, ...shown }) => ({
    ...shown,
    label: escaped(shown.label),
  }),
});

/** Where a cluster's API server is: it is asked without a credential of the account. */
export interface ClusterServer {
  readonly host: string;
  readonly cluster: number;
  readonly world: World;
}

export const clusterServers = defineCollection<ClusterServer>({
  name: 'cluster servers',
  scope: 'platform',
  key: (row) => row.host,
  unlisted: true,
});

export interface Pool {
  readonly id: number;
  readonly type: string;
  readonly count: number;
  readonly autoscaler: { readonly enabled: boolean; readonly min: number; readonly max: number };
  readonly disks: readonly { readonly size: number; readonly type: 'raw' | 'ext4' }[];
  readonly tags: readonly string[];
  /** Not shown. */
  readonly cluster_id: number;
}

export const pools = defineCollection<Pool>({ name: 'pools', indexes: ['cluster_id'] });

export interface KubernetesNode {
  /** `<pool>-<hex>`. */
  readonly id: string;
  readonly instance_id: number | null;
  readonly status: 'ready' | 'not_ready';
  /** Not shown. */
  readonly pool_id: number;
  readonly cluster_id: number;
}

export const nodes = defineCollection<KubernetesNode>({
  name: 'nodes',
  indexes: ['pool_id', 'cluster_id', 'instance_id'],
  view: ({ pool_id: _pool, cluster_id: _cluster, ...shown }) => shown,
});

export interface KubernetesVersion {
  readonly id: string;
}

/** Newest first. */
export const kubernetesVersions = defineCollection<KubernetesVersion>({ name: 'kubernetes versions', scope: 'platform' });
