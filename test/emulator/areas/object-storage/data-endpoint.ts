import { createHash } from 'node:crypto';
import { Answer } from '../../contract/answer.ts';
import type { Context } from '../../contract/context.ts';
import type { Method } from '../../contract/operation.ts';
import { operation } from '../../contract/operation.ts';
import type { SignedUrl } from '../../records/object-storage.ts';
import { buckets, objectTransfers, signedUrls, storedObjects } from '../../records/object-storage.ts';

/** Stands for the host of a cluster: below it, `/<cluster>/<bucket>/<name>`. */
export const dataPath = '/object-data';

function failed(status: number, code: string): Answer {
  return new Answer(status, `<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code></Error>`, {
    'content-type': 'application/xml',
  });
}

/** The signature must be of this method, object and content type, and not have expired. */
function accepted(ctx: Context<unknown>, method: Method): SignedUrl | undefined {
  const signed = ctx.store(signedUrls).get(ctx.query.get('Signature') ?? '');
  const named = ['cluster', 'bucket', 'name'].map((part) => ctx.params[part]).join('/');
  if (signed?.method !== method || `${signed.bucket}/${signed.name}` !== named) return undefined;
  const typed = signed.contentType === null || signed.contentType === ctx.headers['content-type'];
  return typed && ctx.clock.now() < signed.expires ? signed : undefined;
}

function download({ world, bucket, name }: SignedUrl): Answer {
  const row = world.store(storedObjects).get(`${bucket}/${name}`);
  if (row === undefined) return failed(404, 'NoSuchKey');
  const transfers = world.store(objectTransfers);
  const known = transfers.get(world.euuid) ?? transfers.insert(() => ({ euuid: world.euuid, used: 0 }));
  transfers.update(known, { used: known.used + row.size });
  return new Answer(200, row.data, { 'content-type': row.contentType, etag: `"${row.etag}"` });
}

function upload({ world, bucket, name, contentType }: SignedUrl, data: Buffer): Answer {
  const holder = world.store(buckets).get(bucket);
  if (holder === undefined) return failed(404, 'NoSuchBucket');
  const etag = createHash('md5').update(data).digest('hex');
  const change = {
    etag,
    size: data.length,
    data,
    contentType: contentType ?? 'binary/octet-stream',
    last_modified: new Date(world.clock.now()).toISOString(),
  };
  const objects = world.store(storedObjects);
  const known = objects.get(`${bucket}/${name}`);
  if (known === undefined) objects.insert(() => ({ ...change, name, bucket, owner: holder.owner, acl: 'private' }));
  else objects.update(known, { ...change, planted: false });
  return new Answer(200, '', { 'content-type': 'text/plain', etag: `"${etag}"`, 'x-amz-request-id': `tx${world.rng.hex(21)}` });
}

function erase({ world, bucket, name }: SignedUrl): Answer {
  const row = world.store(storedObjects).get(`${bucket}/${name}`);
  if (row !== undefined) world.store(storedObjects).remove(row);
  return new Answer(204, '', { 'content-type': 'text/plain' });
}

const serve = (method: Method, act: (signed: SignedUrl, raw: Buffer) => Answer) =>
  operation({
    method,
    path: `${dataPath}/{cluster}/{bucket}/{name*}`,
    outside: true,
    raw: true,
    handler: (ctx) => {
      const signed = accepted(ctx, method);
      return signed === undefined ? failed(403, 'SignatureDoesNotMatch') : act(signed, ctx.raw);
    },
  });

/** What pre-signed URLs lead to. */
export const dataOperations = [serve('GET', download), serve('PUT', upload), serve('DELETE', erase)];
