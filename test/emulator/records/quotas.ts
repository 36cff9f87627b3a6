import { defineCollection } from '../contract/collection.ts';

/** How many objects of a collection an account may hold. */
export interface Quota {
  /** Name of the collection. */
  readonly id: string;
  readonly most: number;
}

export const quotas = defineCollection<Quota>({ name: 'quotas', unlisted: true });
