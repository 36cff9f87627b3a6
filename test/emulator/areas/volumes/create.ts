import type { Context } from '../../contract/context.ts';
import { integer, nullable, required, string, tags } from '../../contract/fields.ts';
import { operation } from '../../contract/operation.ts';
import { refusal } from '../../contract/refusal.ts';
import type { World } from '../../contract/world.ts';
import { regions } from '../../records/catalogue.ts';
import type { Volume } from '../../records/volumes.ts';
import { volumes } from '../../records/volumes.ts';
import { volumeRef } from '../shared/entity-refs.ts';
import { volumeLabel } from '../shared/labels.ts';
import { tagsFor } from '../shared/tag-rights.ts';
import { requireQuota } from '../shared/quota.ts';
import { attach, planAttachment } from './attachment.ts';

/** Recorded: 2 to 18 s from creating to active. */
const createSeconds = 8;

export const devicePath = (label: string): string => `/dev/disk/by-id/scsi-0Vm_Volume_${label}`;

export function requireFreeLabel(world: World, label: string, except?: number): void {
  if (!world.knobs.volumeLabelsUnique) return;
  if (
    world
      .store(volumes)
      .by('label', label)
      .some((row) => row.id !== except)
  )
    throw refusal(400, 'Label must be unique', 'label');
}

type NewVolume = Pick<Volume, 'label' | 'size' | 'region' | 'tags'>;

function insert(world: World, wanted: NewVolume): Volume {
  const now = world.timestamp();
  return world.store(volumes).insert((id) => ({
    id,
    status: 'creating',
    label: wanted.label,
    size: wanted.size,
    region: wanted.region,
    vm_id: null,
    vm_label: null,
    filesystem_path: devicePath(wanted.label),
    hardware_type: 'nvme',
    tags: wanted.tags,
    created: now,
    updated: now,
    moving: null,
  }));
}

function settle(world: World, id: number, status: Volume['status']): void {
  const row = world.store(volumes).get(id);
  if (row !== undefined) world.store(volumes).update(row, { status, updated: world.timestamp() });
}

function startJob(world: World, volume: Volume): void {
  world.job({
    action: 'volume_create',
    entity: volumeRef(volume),
    seconds: createSeconds,
    onFinish: (later) => settle(later, volume.id, 'active'),
    onFail: (later) => settle(later, volume.id, 'contact_support'),
  });
}

function requireRegion(world: World, region: string): void {
  if (world.store(regions).get(region)?.capabilities.includes('Block Storage') !== true) {
    throw refusal(400, 'region is not valid', 'region');
  }
}

interface CreateBody {
  readonly region?: string;
  readonly vm_id?: number | null;
  readonly config_id?: number | null;
}

/** `config_id` only with `vm_id`; one of region and instance must be there, and they must agree. */
function placement(ctx: Context<unknown>, body: CreateBody): { region: string; attachment?: ReturnType<typeof planAttachment> } {
  const { region, vm_id: vmId, config_id: configId } = body;
  if (region !== undefined) requireRegion(ctx, region);
  if (typeof vmId !== 'number') {
    if (region === undefined) throw refusal(400, 'Must provide a region or a Linode ID');
    if (typeof configId === 'number') throw refusal(400, 'config_id is not valid', 'config_id');
    return { region };
  }
  const attachment = planAttachment(ctx, { vm_id: vmId, config_id: configId ?? null });
  if (region !== undefined && region !== attachment.vm.region) throw refusal(400, 'region is not valid', 'region');
  return { region: attachment.vm.region, attachment };
}

export const createOperations = [
  operation({
    method: 'POST',
    path: '/volumes',
    scopes: ['volumes:read_write'],
    grant: [{ global: 'add_volumes' }],
    rate: 'volume_create',
    body: {
      label: required(volumeLabel()),
      size: integer({ min: 10, max: 10240 }),
      region: string(),
      vm_id: nullable(integer()),
      config_id: nullable(integer()),
      tags: tags(),
    },
    handler: (ctx) => {
      const { label, size } = ctx.body;
      const { region, attachment } = placement(ctx, ctx.body);
      requireFreeLabel(ctx, label);
      const wanted = { label, size: size ?? 20, region, tags: tagsFor(ctx, ctx.body.tags) };
      requireQuota(ctx, volumes);
      const volume = insert(ctx, wanted);
      startJob(ctx, volume);
      return ctx.show(volumes, attachment === undefined ? volume : attach(ctx, volume, attachment));
    },
  }),
  operation({
    method: 'POST',
    path: '/volumes/{volumeId}/clone',
    scopes: ['volumes:read_write'],
    grant: [{ global: 'add_volumes' }, { on: 'volume', param: 'volumeId', need: 'read_only' }],
    body: { label: required(volumeLabel()) },
    handler: (ctx) => {
      const source = ctx.load(volumes, 'volumeId');
      if (source.status !== 'active') throw refusal(400, 'This volume is busy; please try again when the volume is active.');
      requireFreeLabel(ctx, ctx.body.label);
      requireQuota(ctx, volumes);
      const copy = insert(ctx, { label: ctx.body.label, size: source.size, region: source.region, tags: [] });
      ctx.emit({ action: 'volume_clone', entity: volumeRef(source) });
      // A clone has no event of its own completion.
      ctx.after(createSeconds, (later) => settle(later, copy.id, 'active'));
      return ctx.show(volumes, copy);
    },
  }),
];
