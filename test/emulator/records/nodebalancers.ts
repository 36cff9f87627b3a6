import { defineCollection } from '../contract/collection.ts';

/** Data of the account only: no operation of the documents makes one (tags and transfers refer to them). */
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

export const nodeBalancers = defineCollection<NodeBalancer>({ name: 'nodebalancers', grant: 'nodebalancer' });
