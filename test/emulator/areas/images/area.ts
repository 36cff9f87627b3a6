import type { Area } from '../../contract/area.ts';
import type { Context } from '../../contract/context.ts';
import { pick } from '../../contract/fields.ts';
import { operation } from '../../contract/operation.ts';
import { refusal } from '../../contract/refusal.ts';
import type { World } from '../../contract/world.ts';
import type { Image } from '../../records/images.ts';
import { images } from '../../records/images.ts';
import { imageRef } from '../shared/entity-refs.ts';
import { captureOperations, imageDescription, imageLabel } from './capture.ts';
import { publicImages } from './seed.ts';
import { uploadOperations } from './upload.ts';

function ownImage(ctx: Context<unknown>): Image {
  const image = ctx.load(images, 'imageId');
  // A public image belongs to the provider; the text is assumed.
  if (image.is_public) throw refusal(403, 'Unauthorized');
  return image;
}

const write = { scopes: ['images:read_write'], grant: [{ on: 'image', param: 'imageId', need: 'read_write' }] } as const;

const basics = [
  operation({
    method: 'GET',
    path: '/images',
    auth: 'optional',
    acceptedScopes: '*',
    rate: 'image_list',
    filterable: ['label', 'deprecated', 'is_public', 'size', 'type', 'vendor', 'status'],
    notOrderable: ['status'],
    handler: (ctx) => ctx.page(images, { emptyPages: 0 }),
  }),
  operation({
    method: 'GET',
    path: '/images/{imageId*}',
    auth: 'optional',
    scopes: ['images:read_only'],
    handler: (ctx) => ctx.show(images, ctx.load(images, 'imageId')),
  }),
  operation({
    ...write,
    method: 'PUT',
    path: '/images/{imageId*}',
    body: { label: imageLabel(), description: imageDescription() },
    handler: (ctx) => {
      const after = ctx.store(images).update(ownImage(ctx), { ...pick(ctx.body, 'label', 'description'), updated: ctx.timestamp() });
      ctx.emit({ action: 'image_update', entity: imageRef(after) });
      return ctx.show(images, after);
    },
  }),
  operation({
    ...write,
    method: 'DELETE',
    path: '/images/{imageId*}',
    handler: (ctx) => {
      const image = ownImage(ctx);
      ctx.store(images).remove(image);
      ctx.emit({ action: 'image_delete', entity: imageRef(image) });
    },
  }),
];

function plant(world: World): void {
  for (const image of publicImages()) world.store(images).insert(() => image);
}

export const imagesArea: Area = {
  name: 'images',
  operations: [...basics, ...captureOperations, ...uploadOperations],
  seedPlatform: plant,
  seedAccount: plant,
};
