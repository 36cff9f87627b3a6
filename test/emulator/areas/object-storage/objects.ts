import type { Context } from '../../contract/context.ts';
import { integer, nullable, oneOf, required, string } from '../../contract/fields.ts';
import { operation } from '../../contract/operation.ts';
import { notFound, refusal } from '../../contract/refusal.ts';
import type { Bucket, StoredObject } from '../../records/object-storage.ts';
import { signedUrls, storedObjects } from '../../records/object-storage.ts';
import { anyAcl } from './buckets.ts';
import { aclXml, bucketPath, keyOf, objectsOf, ownBucket, scopes } from './common.ts';
import { dataPath } from './data-endpoint.ts';

function ownObject(ctx: Context<unknown>, bucket: Bucket, name: string): StoredObject {
  const row = ctx.store(storedObjects).get(`${keyOf(bucket)}/${name}`);
  if (row === undefined) throw notFound();
  return row;
}

function pageSize(text: string | null): number {
  if (text === null) return 100;
  const size = Number(text);
  if (!Number.isInteger(size) || size < 25 || size > 500) throw refusal(400, 'Must be 25-500', 'page_size');
  return size;
}

interface Listed {
  readonly name: string;
  readonly row: object;
}

/** Names after the prefix up to the first delimiter count once, as a row without the rest. */
function rolledUp(rows: readonly StoredObject[], prefix: string, delimiter: string): readonly Listed[] {
  const found = new Map<string, Listed>();
  for (const row of rows) {
    const end = delimiter === '' ? -1 : row.name.indexOf(delimiter, prefix.length);
    const name = end < 0 ? row.name : row.name.slice(0, end + delimiter.length);
    const folder = { name, etag: null, last_modified: null, owner: null, size: null };
    if (!found.has(name)) found.set(name, { name, row: end < 0 ? (storedObjects.view?.(row) as object) : folder });
  }
  return [...found.values()].toSorted((left, right) => (left.name < right.name ? -1 : 1));
}

function list(ctx: Context<unknown>): object {
  const bucket = ownBucket(ctx);
  const prefix = ctx.query.get('prefix') ?? '';
  const size = pageSize(ctx.query.get('page_size'));
  const matching = objectsOf(ctx, bucket).filter((row) => row.name.startsWith(prefix));
  const marker = ctx.query.get('marker') ?? '';
  const rest = rolledUp(matching, prefix, ctx.query.get('delimiter') ?? '').filter((one) => one.name > marker);
  const page = rest.slice(0, size);
  const truncated = rest.length > size;
  return { data: page.map((one) => one.row), next_marker: truncated ? (page.at(-1)?.name ?? null) : null, is_truncated: truncated };
}

interface UrlBody {
  readonly name: string;
  readonly method: string;
  readonly content_type?: string | null;
  readonly expires_in?: number | null;
}

function sign(ctx: Context<unknown>, body: UrlBody): object {
  const bucket = ownBucket(ctx);
  const method = body.method.toUpperCase();
  const typed = method !== 'GET' && method !== 'DELETE';
  if (typed && typeof body.content_type !== 'string') throw refusal(400, 'content_type is required', 'content_type');
  const signature = ctx.rng.hex(28);
  const expires = Math.floor(ctx.clock.now() / 1000) + (body.expires_in ?? 3600);
  const contentType = typed ? (body.content_type ?? null) : null;
  const signed = { id: signature, method, bucket: keyOf(bucket), name: body.name, contentType, expires: expires * 1000, world: ctx };
  ctx.store(signedUrls).insert(() => signed);
  const address = `${ctx.origin}${dataPath}/${keyOf(bucket)}/${body.name.split('/').map(encodeURIComponent).join('/')}`;
  const exists = ctx.store(storedObjects).get(`${keyOf(bucket)}/${body.name}`) !== undefined;
  return { url: `${address}?Signature=${signature}&Expires=${expires}&AWSAccessKeyID=${ctx.rng.hex(20).toUpperCase()}`, exists };
}

export const objectOperations = [
  operation({ method: 'GET', path: `${bucketPath}/object-list`, scopes: scopes.read, rate: 'object', handler: list }),
  operation({
    method: 'POST',
    path: `${bucketPath}/object-url`,
    scopes: scopes.write,
    rate: 'object',
    body: {
      name: required(string({ min: 1 })),
      method: required(string({ pattern: /^(GET|PUT|POST|DELETE)$/i })),
      content_type: nullable(string()),
      expires_in: nullable(integer({ min: 360, max: 86_400 })),
    },
    handler: (ctx) => sign(ctx, ctx.body),
  }),
  operation({
    method: 'GET',
    path: `${bucketPath}/object-acl`,
    scopes: scopes.read,
    rate: 'object',
    handler: (ctx) => {
      const { acl, owner } = ownObject(ctx, ownBucket(ctx), ctx.query.get('name') ?? '');
      return { acl, acl_xml: aclXml(acl, owner) };
    },
  }),
  operation({
    method: 'PUT',
    path: `${bucketPath}/object-acl`,
    scopes: scopes.write,
    rate: 'object',
    body: { name: required(string()), acl: required(oneOf(anyAcl)) },
    handler: (ctx) => void ctx.store(storedObjects).update(ownObject(ctx, ownBucket(ctx), ctx.body.name), { acl: ctx.body.acl }),
  }),
];
