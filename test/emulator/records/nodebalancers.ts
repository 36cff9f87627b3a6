import { defineCollection } from '../contract/collection.ts';

/** Data of the account only: no operation of the documents makes one (tags, tickets and transfers speak of them). */
export interface NodeBalancer {
  readonly id: number;
  readonly label: string;
  readonly region: string;
  readonly hostname: string;
  readonly ipv4: string;
  readonly ipv6: string | null;
  readonly created: string;
  readonly updated: string;
  readonly client_conn_throttle: number;
  readonly transfer: { readonly total: number | null; readonly out: number | null; readonly in: number | null };
  readonly tags: readonly string[];
}

/** A port of a NodeBalancer. */
export interface NodeBalancerConfig {
  readonly id: number;
  readonly port: number;
  readonly protocol: 'http' | 'https' | 'tcp';
  readonly algorithm: 'roundrobin' | 'leastconn' | 'source';
  readonly stickiness: 'none' | 'table' | 'http_cookie';
  readonly check: 'none' | 'connection' | 'http' | 'http_body';
  readonly nodebalancer_id: number;
}

/** A back end of a port. */
export interface NodeBalancerNode {
  readonly id: number;
  /** A private address of an instance, and a port: `192.168.210.120:80`. */
  readonly address: string;
  readonly label: string;
  readonly status: 'UP' | 'DOWN' | 'unknown';
  readonly weight: number;
  readonly mode: 'accept' | 'reject' | 'drain' | 'backup';
  readonly config_id: number;
  readonly nodebalancer_id: number;
}

export const nodeBalancers = defineCollection<NodeBalancer>({ name: 'nodebalancers', grant: 'nodebalancer' });
export const nodeBalancerConfigs = defineCollection<NodeBalancerConfig>({ name: 'nodebalancer configs', indexes: ['nodebalancer_id'] });
export const nodeBalancerNodes = defineCollection<NodeBalancerNode>({ name: 'nodebalancer nodes', indexes: ['config_id'] });
