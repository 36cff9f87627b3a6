import { defineCollection } from '../contract/collection.ts';
import type { World } from '../contract/world.ts';

export type TransferStatus = 'pending' | 'accepted' | 'completed' | 'failed' | 'cancelled' | 'stale';

/** Service and entity transfers are one set, seen by both accounts. */
export interface Transfer {
  /** Upper-case uuid. */
  readonly token: string;
  readonly status: TransferStatus;
  readonly created: string;
  readonly updated: string;
  readonly expiry: string;
  readonly entities: { readonly vms: readonly number[] };
  /** Not shown: the accounts. */
  readonly sender: string;
  readonly receiver: string | null;
}

export const transfers = defineCollection<Transfer>({ name: 'transfers', key: (row) => row.token, scope: 'platform' });

/** The sender's account, for what happens there when somebody else accepts. */
export interface TransferOrigin {
  readonly token: string;
  readonly world: World;
}

export const transferOrigins = defineCollection<TransferOrigin>({
  name: 'transfer origins',
  key: (row) => row.token,
  scope: 'platform',
  unlisted: true,
});
