import { defineCollection } from '../contract/collection.ts';

/** Data of the account file only: no operation of the documents makes one. */
export interface NodeBalancer {
  readonly id: number;
  readonly label: string;
  readonly region: string;
}

export const nodeBalancers = defineCollection<NodeBalancer>({ name: 'nodebalancers', grant: 'nodebalancer' });
