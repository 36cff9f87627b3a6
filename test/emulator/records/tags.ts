import { defineCollection } from '../contract/collection.ts';

/** A tag outlives the objects that carried it. */
export interface Tag {
  readonly label: string;
}

export const tagRows = defineCollection<Tag>({ name: 'tags', key: (row) => row.label });
