import { defineCollection } from '../contract/collection.ts';

/** A tag outlives the objects that carried it. */
export interface Tag {
  readonly label: string;
  /** Not shown: it came to be with its first carrier, and nobody made it as such. */
  readonly carried?: true;
}

export const tagRows = defineCollection<Tag>({
  name: 'tags',
  key: (row) => row.label,
  view: ({ carried: _carried, ...shown }) => shown,
});
