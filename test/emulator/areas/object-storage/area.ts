import type { Area } from '../../contract/area.ts';
import { operation } from '../../contract/operation.ts';
import { refusal } from '../../contract/refusal.ts';
import type { World } from '../../contract/world.ts';
import { accountSettings } from '../../records/account.ts';
import { buckets, objectClusters, objectKeys, objectTransfers, storedObjects } from '../../records/object-storage.ts';
import { bucketOperations } from './buckets.ts';
import { scopes } from './common.ts';
import { dataOperations } from './data-endpoint.ts';
import { keyOperations } from './keys.ts';
import { objectOperations } from './objects.ts';

const open = { method: 'GET', auth: 'none', acceptedScopes: 'object_storage:read_only' } as const;

/** Everything goes, irretrievably (document 3). */
function cancel(world: World): void {
  const settings = world.store(accountSettings).get(world.euuid);
  if (settings === undefined || settings.object_storage === 'disabled') throw refusal(400, 'Object Storage is not enabled on your account');
  for (const row of world.store(storedObjects).values()) world.store(storedObjects).remove(row);
  for (const row of world.store(buckets).values()) world.store(buckets).remove(row);
  for (const row of world.store(objectKeys).values()) world.store(objectKeys).remove(row);
  world.store(accountSettings).update(settings, { object_storage: 'disabled' });
}

/** The clusters that were recorded. */
const seeded = [
  ['us-east-1', 'us-east'],
  ['eu-central-1', 'eu-central'],
  ['ap-south-1', 'ap-south'],
  ['us-southeast-1', 'us-southeast'],
] as const;

export const objectStorageArea: Area = {
  name: 'object storage',
  operations: [
    operation({ ...open, path: '/object-storage/clusters', filterable: [], handler: (ctx) => ctx.page(objectClusters) }),
    operation({ ...open, path: '/object-storage/clusters/{clusterId}', handler: (ctx) => ctx.load(objectClusters, 'clusterId') }),
    ...bucketOperations,
    ...objectOperations,
    ...keyOperations,
    ...dataOperations,
    operation({
      method: 'GET',
      path: '/object-storage/transfer',
      scopes: scopes.read,
      handler: (ctx) => ({ used: ctx.store(objectTransfers).get(ctx.euuid)?.used ?? 0 }),
    }),
    operation({ method: 'POST', path: '/object-storage/cancel', scopes: scopes.write, handler: (ctx) => cancel(ctx) }),
  ],
  seedPlatform: (world) => {
    for (const [id, region] of seeded) {
      const domain = `${id}.vmobjects.com`;
      const row = { id, region, domain, status: 'available', static_site_domain: `website-${domain}` } as const;
      world.store(objectClusters).insert(() => row);
    }
  },
};
