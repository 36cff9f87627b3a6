import { defineCollection } from '../contract/collection.ts';
import type { World } from '../contract/world.ts';

/** Where the data of an announced image may be put; one address per upload, for 24 hours. */
export interface Upload {
  readonly id: string;
  readonly image: string;
  /** The account that announced it: the upload itself comes without a credential. */
  readonly world: World;
}

export const uploads = defineCollection<Upload>({ name: 'image uploads', scope: 'platform', unlisted: true });
