import type { Context } from '../../contract/context.ts';
import { notFound, refusal } from '../../contract/refusal.ts';
import type { World } from '../../contract/world.ts';
import { accountRows, accountSettings } from '../../records/account.ts';
import type { Bucket, StoredObject } from '../../records/object-storage.ts';
import { bucketKey, buckets, storedObjects } from '../../records/object-storage.ts';

export const scopes = { read: ['object_storage:read_only'], write: ['object_storage:read_write'] } as const;

export const bucketPath = '/object-storage/buckets/{clusterId}/{bucket}';

export function ownBucket(ctx: Context<unknown>): Bucket {
  const row = ctx.store(buckets).get(bucketKey(ctx.params['clusterId'] ?? '', ctx.params['bucket'] ?? ''));
  if (row === undefined) throw notFound();
  return row;
}

export const keyOf = (row: Bucket): string => bucketKey(row.cluster, row.label);

export function objectsOf(world: World, row: Bucket): readonly StoredObject[] {
  return world
    .store(storedObjects)
    .by('bucket', keyOf(row))
    .filter(({ planted }) => planted !== true);
}

/** Knob `bucketsHold`. */
export function plant(world: World, row: Bucket): void {
  const { bucketsHold: name } = world.knobs;
  if (name === '') return;
  const content = { size: 0, data: Buffer.alloc(0), etag: 'd41d8cd98f00b204e9800998ecf8427e', contentType: 'binary/octet-stream' };
  const last_modified = new Date(world.clock.now()).toISOString();
  const holder = { bucket: keyOf(row), owner: row.owner };
  world.store(storedObjects).insert(() => ({ ...content, ...holder, name, last_modified, acl: 'private', planted: true }));
}

export function uproot(world: World, row: Bucket): void {
  for (const one of world.store(storedObjects).by('bucket', keyOf(row))) world.store(storedObjects).remove(one);
}

export function shownBucket(world: World, row: Bucket): object {
  const { label, cluster, created, hostname } = row;
  const held = objectsOf(world, row);
  return { label, cluster, created, hostname, size: held.reduce((sum, one) => sum + one.size, 0), objects: held.length };
}

/** A balance below zero is a credit; knob `creditRefusesObjectStorage` reads document 3 to the letter (the text is assumed). The first bucket or key enables the service (assumed). */
export function enableObjectStorage(world: World): void {
  if (world.knobs.creditRefusesObjectStorage && (world.store(accountRows).get(world.euuid)?.balance ?? 0) < 0) {
    throw refusal(400, 'Object Storage is not available while the account has a negative balance.');
  }
  const settings = world.store(accountSettings).get(world.euuid);
  if (settings?.object_storage === 'disabled') world.store(accountSettings).update(settings, { object_storage: 'active' });
}

const allUsers = 'http://acs.amazonaws.com/groups/global/AllUsers';
const authenticated = 'http://acs.amazonaws.com/groups/global/AuthenticatedUsers';

const grants: Readonly<Record<string, readonly (readonly [string, string])[]>> = {
  'public-read': [[allUsers, 'READ']],
  'authenticated-read': [[authenticated, 'READ']],
  'public-read-write': [
    [allUsers, 'READ'],
    [allUsers, 'WRITE'],
  ],
};

/** The S3 AccessControlPolicy of a canned ACL. */
export function aclXml(acl: string, owner: string): string {
  const user = `<ID>${owner}</ID><DisplayName>${owner}</DisplayName>`;
  const xsi = 'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"';
  const granted = (grants[acl] ?? []).map(
    ([uri, right]) => `<Grant><Grantee ${xsi} xsi:type="Group"><URI>${uri}</URI></Grantee><Permission>${right}</Permission></Grant>`,
  );
  const full = `<Grant><Grantee ${xsi} xsi:type="CanonicalUser">${user}</Grantee><Permission>FULL_CONTROL</Permission></Grant>`;
  const list = `<AccessControlList>${[...granted, full].join('')}</AccessControlList>`;
  return `<AccessControlPolicy xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Owner>${user}</Owner>${list}</AccessControlPolicy>`;
}
