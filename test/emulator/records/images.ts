import { defineCollection } from '../contract/collection.ts';

export interface Image {
  readonly id: string;
  readonly label: string;
  readonly description: string | null;
  readonly created: string;
  readonly updated: string | null;
  readonly created_by: string | null;
  readonly deprecated: boolean;
  readonly is_public: boolean;
  readonly size: number;
  readonly type: 'manual' | 'automatic';
  readonly expiry: string | null;
  readonly eol: string | null;
  readonly vendor: string | null;
  readonly status: 'creating' | 'pending_upload' | 'available';
}

/** The public images are in every account's collection, and in the one that anonymous callers see. */
export const images = defineCollection<Image>({ name: 'images', firstId: 20_000_000 });
