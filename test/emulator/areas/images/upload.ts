import { Answer } from '../../contract/answer.ts';
import { required, string } from '../../contract/fields.ts';
import { operation } from '../../contract/operation.ts';
import { notFound, refusal } from '../../contract/refusal.ts';
import type { World } from '../../contract/world.ts';
import { regions } from '../../records/catalogue.ts';
import type { Image } from '../../records/images.ts';
import { images } from '../../records/images.ts';
import type { Upload } from '../../records/uploads.ts';
import { uploads } from '../../records/uploads.ts';
import { imageRef } from '../shared/entity-refs.ts';
import { imageDescription, imageLabel, insertPrivateImage, setImage } from './capture.ts';

/** The data must arrive within a day (document 1, Limits). */
const windowSeconds = 86_400;
const processSeconds = 60;

/** Waits for the data; without it the announced image is removed and its job fails. */
function awaitData(world: World, image: Image, upload: Upload): void {
  world.after(windowSeconds, (later) => {
    later.store(uploads).remove(upload);
    const row = later.store(images).get(image.id);
    if (row?.status === 'pending_upload') later.store(images).remove(row);
  });
}

/** gzip data becomes the image; anything else fails and removes it. */
function receive(world: World, upload: Upload, raw: Buffer): void {
  const image = world.store(images).get(upload.image);
  // It was deleted while the data came.
  if (image?.status !== 'pending_upload') return;
  const gzip = raw[0] === 0x1f && raw[1] === 0x8b;
  const drop = (later: World): void => later.store(images).remove(image);
  world.store(uploads).remove(upload);
  const job = world.job({
    action: 'image_upload',
    entity: imageRef(image),
    seconds: processSeconds,
    onFinish: (later) => setImage(later, image.id, { status: 'available', size: Math.max(1, Math.ceil(raw.length / 2 ** 20)) }),
    onFail: drop,
  });
  if (gzip) return;
  world.after(processSeconds / 2, (later) => {
    job.cancel();
    drop(later);
  });
}

export const uploadOperations = [
  operation({
    method: 'POST',
    path: '/images/upload',
    scopes: ['images:read_write'],
    grant: [{ global: 'add_images' }],
    body: { label: required(imageLabel()), region: required(string()), description: imageDescription() },
    handler: (ctx) => {
      const { label, region, description } = ctx.body;
      if (ctx.store(regions).get(region) === undefined) throw refusal(400, 'region is not valid', 'region');
      const image = insertPrivateImage(ctx, { label, description: description ?? '', size: 0, status: 'pending_upload' });
      const signature = ctx.rng.hex(40);
      const upload = ctx.store(uploads).insert(() => ({ id: signature, image: image.id, world: ctx }));
      awaitData(ctx, image, upload);
      const expires = Math.floor(ctx.clock.now() / 1000) + windowSeconds;
      const address = `${ctx.origin}/image-uploads/${image.id.replace('private/', '')}`;
      return {
        upload_to: `${address}?Signature=${signature}&Expires=${expires}&AWSAccessKeyID=${ctx.rng.hex(20).toUpperCase()}`,
        image: ctx.show(images, image),
      };
    },
  }),
  operation({
    method: 'PUT',
    path: '/image-uploads/{number}',
    outside: true,
    raw: true,
    handler: (ctx) => {
      const upload = ctx.store(uploads).get(ctx.query.get('Signature') ?? '');
      if (upload?.image !== `private/${ctx.params['number'] ?? ''}`) throw refusal(403, 'SignatureDoesNotMatch');
      if (ctx.headers['content-type'] !== 'application/octet-stream') throw refusal(403, 'SignatureDoesNotMatch');
      if (ctx.raw.length > ctx.knobs.imageUploadBytes) throw refusal(400, 'EntityTooLarge');
      if (upload.world.store(images).get(upload.image)?.status !== 'pending_upload') throw notFound();
      const { raw } = ctx;
      upload.world.after(0, (later) => receive(later, upload, raw));
      return new Answer(200, '', { 'content-type': 'text/plain' });
    },
  }),
];
