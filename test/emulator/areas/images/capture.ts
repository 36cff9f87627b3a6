import type { Context } from '../../contract/context.ts';
import { integer, nullable, required, string } from '../../contract/fields.ts';
import { operation } from '../../contract/operation.ts';
import { refusal } from '../../contract/refusal.ts';
import type { World } from '../../contract/world.ts';
import type { Disk } from '../../records/disks.ts';
import { disks } from '../../records/disks.ts';
import type { Image } from '../../records/images.ts';
import { images } from '../../records/images.ts';
import { instances } from '../../records/instances.ts';
import { vmJob, vmKey } from '../instances/vm-job.ts';
import { imageRef } from '../shared/entity-refs.ts';

/** Median of recorded event durations. */
const captureSeconds = 83;

/** At most 50 of letters, digits, space and `,.?-_'`. */
export const imageLabel = () => string({ max: 50, pattern: /^[a-zA-Z0-9 ,.?_'-]*$/ });
export const imageDescription = () => nullable(string({ min: 1, max: 65_000 }));

export function insertPrivateImage(world: World, wanted: Pick<Image, 'label' | 'description' | 'size' | 'status'>): Image {
  const now = world.timestamp();
  const made = world.store(images).insert((id) => ({
    ...wanted,
    id: `private/${id}`,
    created: now,
    updated: now,
    created_by: world.actor?.username ?? null,
    deprecated: false,
    is_public: false,
    type: 'manual',
    expiry: null,
    eol: null,
    vendor: null,
  }));
  // The collection itself asks for no grant: images of the provider are everybody's.
  world.actor?.grants?.objects.set(`image:${made.id}`, 'read_write');
  return made;
}

export function setImage(world: World, id: string, change: Partial<Image>): void {
  const row = world.store(images).get(id);
  if (row !== undefined) world.store(images).update(row, { ...change, updated: world.timestamp() });
}

/** A disk whose instance the caller may read; the text is the generic form. */
function namedDisk(ctx: Context<unknown>, id: number): Disk {
  const disk = ctx.store(disks).get(id);
  if (disk === undefined || !ctx.may('vm', disk.vm_id, 'read_only')) throw refusal(400, 'disk_id is not valid', 'disk_id');
  return disk;
}

/** Runs as a job of the instance; when it fails the image is removed. */
function capture(ctx: Context<unknown>, body: { disk_id: number; label?: string; description?: string | null }): Image {
  const disk = namedDisk(ctx, body.disk_id);
  const vm = ctx.store(instances).get(disk.vm_id);
  if (vm === undefined) throw refusal(400, 'disk_id is not valid', 'disk_id');
  ctx.requireFree(vmKey(vm.id));
  if (disk.status !== 'ready') throw refusal(400, 'disk_id is not valid', 'disk_id');
  const wanted = { label: body.label ?? disk.label, description: body.description ?? '', size: disk.size, status: 'creating' } as const;
  const image = insertPrivateImage(ctx, wanted);
  vmJob(ctx, vm, {
    action: 'disk_imagize',
    seconds: captureSeconds,
    secondary: imageRef(image),
    elsewhere: {
      onFinish: (later) => setImage(later, image.id, { status: 'available', size: disk.used }),
      onFail: (later) => later.store(images).remove(image),
    },
  });
  return image;
}

export const captureOperations = [
  operation({
    method: 'POST',
    path: '/images',
    scopes: ['images:read_write', 'vms:read_only'],
    grant: [{ global: 'add_images' }],
    body: { disk_id: required(integer()), label: imageLabel(), description: imageDescription() },
    handler: (ctx) => ctx.show(images, capture(ctx, ctx.body)),
  }),
];
