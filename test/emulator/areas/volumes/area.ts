import type { Area } from '../../contract/area.ts';
import { reaction } from '../../contract/area.ts';
import { integer, pick, required, tags } from '../../contract/fields.ts';
import { operation } from '../../contract/operation.ts';
import { refusal } from '../../contract/refusal.ts';
import { instances, reservedInstanceLabels } from '../../records/instances.ts';
import type { World } from '../../contract/world.ts';
import type { Volume } from '../../records/volumes.ts';
import { volumes } from '../../records/volumes.ts';
import { volumeRef } from '../shared/entity-refs.ts';
import { volumeLabel } from '../shared/labels.ts';
import { tagsFor } from '../shared/tag-rights.ts';
import { attachmentOperations, release } from './attachment.ts';
import { createOperations, devicePath, requireFreeLabel } from './create.ts';

const busyText = 'This volume is busy; please try again when the volume is active.';

/** Seconds that a resize takes (assumed). */
const resizeSeconds = 12;

/** Recorded twice, both times of an instance that was off. */
const mayGoAttached = (world: World, { vm_id, moving }: Volume): boolean =>
  world.knobs.attachedVolumeDelete === 'taken' && moving === null && world.store(instances).get(vm_id ?? 0)?.status === 'offline';

const basics = [
  operation({
    method: 'GET',
    path: '/volumes',
    scopes: ['volumes:read_only'],
    filterable: ['label', 'tags'],
    handler: (ctx) => ctx.page(volumes),
  }),
  operation({
    method: 'GET',
    path: '/volumes/{volumeId}',
    scopes: ['volumes:read_only'],
    grant: [{ on: 'volume', param: 'volumeId', need: 'read_only' }],
    handler: (ctx) => ctx.show(volumes, ctx.load(volumes, 'volumeId')),
  }),
  operation({
    method: 'PUT',
    path: '/volumes/{volumeId}',
    scopes: ['volumes:read_write'],
    grant: [{ on: 'volume', param: 'volumeId', need: 'read_write' }],
    body: { label: volumeLabel(), tags: tags() },
    handler: (ctx) => {
      const volume = ctx.load(volumes, 'volumeId');
      const wanted = tagsFor(ctx, ctx.body.tags, volume.tags);
      const label = ctx.body.label ?? volume.label;
      if (label !== volume.label) requireFreeLabel(ctx, label, volume.id);
      const change = { ...pick(ctx.body, 'label'), tags: wanted, filesystem_path: devicePath(label), updated: ctx.timestamp() };
      const after = ctx.store(volumes).update(volume, change);
      ctx.emit({ action: 'volume_update', entity: volumeRef(after) });
      return ctx.show(volumes, after);
    },
  }),
  operation({
    method: 'DELETE',
    path: '/volumes/{volumeId}',
    scopes: ['volumes:read_write'],
    grant: [{ on: 'volume', param: 'volumeId', need: 'read_write' }],
    handler: (ctx) => {
      const volume = ctx.load(volumes, 'volumeId');
      if (volume.status === 'resizing' || volume.status === 'migrating') throw refusal(400, busyText);
      const attached = volume.vm_id !== null || volume.moving !== null;
      if (attached && !mayGoAttached(ctx, volume)) throw refusal(400, 'This volume must be detached before it can be deleted.');
      if (attached) release(ctx, volume);
      ctx.store(volumes).remove(volume);
      ctx.emit({ action: 'volume_delete', entity: volumeRef(volume) });
    },
  }),
  operation({
    method: 'POST',
    path: '/volumes/{volumeId}/resize',
    scopes: ['volumes:read_write'],
    grant: [{ on: 'volume', param: 'volumeId', need: 'read_write' }],
    body: { size: required(integer()) },
    handler: (ctx) => {
      const volume = ctx.load(volumes, 'volumeId');
      const { size } = ctx.body;
      if (size > 10240) throw refusal(400, 'Storage volumes cannot be resized larger than 10240 gigabytes');
      if (size <= volume.size) throw refusal(400, 'Storage volumes can only be resized up');
      if (volume.status !== 'active') throw refusal(400, busyText);
      const after = ctx.store(volumes).update(volume, { size, status: 'resizing', updated: ctx.timestamp() });
      ctx.emit({ action: 'volume_resize', entity: volumeRef(after) });
      ctx.after(resizeSeconds, (later) => {
        const row = later.store(volumes).get(volume.id);
        if (row?.status === 'resizing') later.store(volumes).update(row, { status: 'active', updated: later.timestamp() });
      });
      return ctx.show(volumes, after);
    },
  }),
];

export const volumesArea: Area = {
  name: 'volumes',
  operations: [...basics, ...createOperations, ...attachmentOperations],
  reactions: [
    reaction('update', instances, (world, vm, before) => {
      if (vm.label === before.label) return;
      for (const volume of world.store(volumes).by('vm_id', vm.id)) world.store(volumes).update(volume, { vm_label: vm.label });
    }),
    reaction('remove', reservedInstanceLabels, (world, gone) => {
      for (const volume of world.store(volumes).by('vm_id', gone.vm_id)) release(world, volume);
    }),
  ],
};
