import type { CollectionDefinition } from '../../contract/collection.ts';
import { refusal } from '../../contract/refusal.ts';
import type { World } from '../../contract/world.ts';
import { quotas } from '../../records/quotas.ts';

/** Refuses one more than the account's quota, a row that its file gives; without one there is no end. */
export function requireQuota<Row extends object>(world: World, collection: CollectionDefinition<Row>): void {
  const most = world.store(quotas).get(collection.name)?.most ?? Infinity;
  if (world.store(collection).size >= most) throw refusal(400, 'Account Limit reached. Please open a support ticket.');
}
