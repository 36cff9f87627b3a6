import type { Context } from '../../contract/context.ts';
import type { Field } from '../../contract/fields.ts';
import { boolean, nullable, oneOf, required, string } from '../../contract/fields.ts';
import { operation } from '../../contract/operation.ts';
import { refusal } from '../../contract/refusal.ts';
import type { Acl, Bucket } from '../../records/object-storage.ts';
import { bucketKey, buckets, objectClusters } from '../../records/object-storage.ts';
import { taken } from '../shared/taken.ts';
import { aclXml, bucketPath, enableObjectStorage, objectsOf, ownBucket, plant, scopes, shownBucket, uproot } from './common.ts';

const canned = ['private', 'public-read', 'authenticated-read', 'public-read-write'] as const;
export const anyAcl = [...canned, 'custom'] as const;

/** As the service names buckets; no IP address. */
const label = (): Field<string> =>
  string({
    min: 3,
    max: 63,
    pattern: /^(?!.*(\.\.|\.-|-\.))(?!\d+\.\d+\.\d+\.\d+$)[a-z0-9][a-z0-9.-]*[a-z0-9]$/,
  });

interface CreateBody {
  readonly label: string;
  readonly cluster: string;
  readonly acl?: Acl;
  readonly cors_enabled?: boolean;
}

/** A label is reserved in the cluster that holds it, over all accounts. One's own answers 200 as if new (document 3, rule 1). */
function create(ctx: Context<unknown>, body: CreateBody): Bucket {
  const cluster = ctx.store(objectClusters).get(body.cluster);
  if (cluster === undefined) throw refusal(400, 'cluster is not valid', 'cluster');
  const key = bucketKey(cluster.id, body.label);
  const own = ctx.store(buckets).get(key);
  if (own !== undefined) return own;
  if (ctx.everywhere(buckets).some((collection) => collection.get(key) !== undefined)) throw taken(ctx, 'label');
  enableObjectStorage(ctx);
  const made = ctx.store(buckets).insert(() => ({
    label: body.label,
    cluster: cluster.id,
    created: ctx.timestamp(),
    hostname: `${body.label}.${cluster.domain}`,
    acl: body.acl ?? 'private',
    cors: body.cors_enabled ?? true,
    certificate: null,
    owner: ctx.rng.uuid(),
  }));
  plant(ctx, made);
  return made;
}

function setAccess(ctx: Context<unknown>, body: { readonly acl?: Acl | null; readonly cors_enabled?: boolean | null }): void {
  const bucket = ownBucket(ctx);
  ctx.store(buckets).update(bucket, { acl: body.acl ?? bucket.acl, cors: body.cors_enabled ?? bucket.cors });
}

const access = { scopes: scopes.write, path: `${bucketPath}/access`, rate: 'object' } as const;
const accessBody = { acl: nullable(oneOf(anyAcl)), cors_enabled: nullable(boolean()) };

const pem = /^-----BEGIN [A-Z ]+-----\s[\s\S]+-----END [A-Z ]+-----\s*$/;

const certificates = [
  operation({
    method: 'GET',
    path: `${bucketPath}/ssl`,
    scopes: scopes.read,
    handler: (ctx) => ({ ssl: ownBucket(ctx).certificate !== null }),
  }),
  operation({
    method: 'POST',
    path: `${bucketPath}/ssl`,
    scopes: scopes.write,
    // Line breaks come as line feeds or as backslash and n.
    body: { certificate: required(string({ min: 1 })), private_key: required(string({ min: 1 })) },
    handler: (ctx) => {
      const { body } = ctx;
      const bad = (['certificate', 'private_key'] as const).filter((name) => !pem.test(body[name].replaceAll('\\n', '\n')));
      ctx.refuseIfAny(bad.map((name) => ({ reason: `${name} is not valid`, field: name })));
      ctx.store(buckets).update(ownBucket(ctx), { certificate: body.certificate });
      return { ssl: true };
    },
  }),
  operation({
    method: 'DELETE',
    path: `${bucketPath}/ssl`,
    scopes: scopes.write,
    handler: (ctx) => void ctx.store(buckets).update(ownBucket(ctx), { certificate: null }),
  }),
];

export const bucketOperations = [
  operation({
    method: 'GET',
    path: '/object-storage/buckets',
    scopes: scopes.read,
    filterable: [],
    handler: (ctx) => ctx.page(buckets, { view: (row) => shownBucket(ctx, row) }),
  }),
  operation({
    method: 'POST',
    path: '/object-storage/buckets',
    scopes: scopes.write,
    rate: 'object_write',
    body: { label: required(label()), cluster: required(string()), acl: oneOf(canned), cors_enabled: boolean() },
    handler: (ctx) => shownBucket(ctx, create(ctx, ctx.body)),
  }),
  operation({
    method: 'GET',
    path: '/object-storage/buckets/{clusterId}',
    scopes: scopes.read,
    filterable: [],
    handler: (ctx) => {
      const cluster = ctx.load(objectClusters, 'clusterId').id;
      return ctx.page(buckets, { from: { cluster }, view: (row) => shownBucket(ctx, row) });
    },
  }),
  operation({ method: 'GET', path: bucketPath, scopes: scopes.read, handler: (ctx) => shownBucket(ctx, ownBucket(ctx)) }),
  operation({
    method: 'DELETE',
    path: bucketPath,
    scopes: scopes.write,
    handler: (ctx) => {
      const bucket = ownBucket(ctx);
      // Neither code nor text is recorded.
      if (objectsOf(ctx, bucket).length > 0) throw refusal(400, 'Bucket is not empty.');
      uproot(ctx, bucket);
      ctx.store(buckets).remove(bucket);
    },
  }),
  operation({
    method: 'GET',
    path: `${bucketPath}/access`,
    scopes: scopes.read,
    handler: (ctx) => {
      const { acl, owner, cors } = ownBucket(ctx);
      return { acl, acl_xml: aclXml(acl, owner), cors_enabled: cors, cors_xml: null };
    },
  }),
  operation({ ...access, method: 'POST', body: accessBody, handler: (ctx) => setAccess(ctx, ctx.body) }),
  operation({ ...access, method: 'PUT', body: accessBody, handler: (ctx) => setAccess(ctx, ctx.body) }),
  ...certificates,
];
