import type { Context } from '../../contract/context.ts';
import { array, nullable, object, oneOf, pick, required, string } from '../../contract/fields.ts';
import { operation } from '../../contract/operation.ts';
import type { BucketGrant, ObjectKey } from '../../records/object-storage.ts';
import { bucketKey, buckets, objectKeys } from '../../records/object-storage.ts';
import { enableObjectStorage, scopes } from './common.ts';

const base = '/object-storage/keys';
const label = string({ min: 3, max: 50 });

const access = nullable(
  array(
    object({
      cluster: required(string()),
      bucket_name: required(string()),
      permissions: required(oneOf(['read_write', 'read_only'])),
    }),
  ),
);

/** Clients look for this text in refusals of keys. */
function checkBuckets(ctx: Context<unknown>, granted: readonly BucketGrant[]): void {
  const missing = granted.flatMap(({ cluster, bucket_name: name }, index) =>
    ctx.store(buckets).get(bucketKey(cluster, name)) === undefined ? [index] : [],
  );
  ctx.refuseIfAny(missing.map((index) => ({ reason: 'Bucket not found', field: `bucket_access[${index}].bucket_name` })));
}

/** Without a list the key is unlimited; an empty list opens nothing (document 3, rule 5). */
function create(
  ctx: Context<unknown>,
  body: { readonly label?: string; readonly bucket_access?: readonly BucketGrant[] | null },
): ObjectKey {
  const granted = body.bucket_access ?? null;
  checkBuckets(ctx, granted ?? []);
  enableObjectStorage(ctx);
  return ctx.store(objectKeys).insert((id) => ({
    id,
    label: body.label ?? '',
    access_key: ctx.rng.hex(20).toUpperCase(),
    secret_key: ctx.rng.hex(40),
    limited: granted !== null,
    bucket_access: granted,
  }));
}

const write = { scopes: scopes.write, rate: 'object_write' } as const;

export const keyOperations = [
  operation({ method: 'GET', path: base, scopes: scopes.read, filterable: [], handler: (ctx) => ctx.page(objectKeys) }),
  operation({
    ...write,
    method: 'POST',
    path: base,
    body: { label, bucket_access: access },
    handler: (ctx) => create(ctx, ctx.body),
  }),
  operation({
    method: 'GET',
    path: `${base}/{keyId}`,
    scopes: scopes.read,
    acceptedScopes: 'object_storage:read_write',
    handler: (ctx) => ctx.show(objectKeys, ctx.load(objectKeys, 'keyId')),
  }),
  operation({
    ...write,
    method: 'PUT',
    path: `${base}/{keyId}`,
    body: { label },
    handler: (ctx) => ctx.show(objectKeys, ctx.store(objectKeys).update(ctx.load(objectKeys, 'keyId'), pick(ctx.body, 'label'))),
  }),
  operation({
    ...write,
    method: 'DELETE',
    path: `${base}/{keyId}`,
    handler: (ctx) => ctx.store(objectKeys).remove(ctx.load(objectKeys, 'keyId')),
  }),
];
