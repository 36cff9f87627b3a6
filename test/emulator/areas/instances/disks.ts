import type { Context } from '../../contract/context.ts';
import { integer, oneOf, pick, required, string } from '../../contract/fields.ts';
import { operation } from '../../contract/operation.ts';
import type { ErrorItem } from '../../contract/refusal.ts';
import { notFound, refusal } from '../../contract/refusal.ts';
import type { World } from '../../contract/world.ts';
import { configs, slots } from '../../records/configs.ts';
import type { Disk } from '../../records/disks.ts';
import { disks, filesystems } from '../../records/disks.ts';
import type { Instance } from '../../records/instances.ts';
import { instances } from '../../records/instances.ts';
import { diskRef, vmRef } from '../shared/entity-refs.ts';
import type { DeploymentBody } from './deployment.ts';
import { deploymentFields, deploymentOf, deploymentProblems } from './deployment.ts';
import { insertDisk } from './disk-rows.ts';
import { vmJob, vmKey } from './vm-job.ts';

/** Medians of recorded event durations. */
export const diskCreateSeconds = 7;
const diskDeleteSeconds = 10;

export function ownDisk(ctx: Context<unknown>): Disk {
  const disk = ctx.load(disks, 'diskId');
  if (disk.vm_id !== ctx.load(instances, 'vmId').id) throw notFound();
  return disk;
}

export function setDisk(world: World, id: number, change: Partial<Disk>): void {
  const row = world.store(disks).get(id);
  if (row !== undefined) world.store(disks).update(row, { ...change, updated: world.timestamp() });
}

/** MB of the plan that no disk takes. */
export function freeSpace(world: World, vm: Instance): number {
  return (
    vm.specs.disk -
    world
      .store(disks)
      .by('vm_id', vm.id)
      .reduce((sum, disk) => sum + disk.size, 0)
  );
}

/** In the config that runs. */
export function inUse(world: World, vm: Instance, disk: Disk): boolean {
  if (vm.status === 'offline' || vm.bootedConfig === null) return false;
  const config = world.store(configs).get(vm.bootedConfig);
  return config !== undefined && slots.some((slot) => config.devices[slot]?.disk_id === disk.id);
}

interface CreateBody extends DeploymentBody {
  readonly size: number;
  readonly label?: string;
  readonly filesystem?: Disk['filesystem'];
}

function createProblems(ctx: Context<unknown>, vm: Instance, body: CreateBody): readonly ErrorItem[] {
  const fromImage = typeof body.image === 'string';
  const free = freeSpace(ctx, vm);
  const found: ErrorItem[] = [];
  if (!fromImage && body.label === undefined) found.push({ reason: 'label is required', field: 'label' });
  if (fromImage && body.root_pass === undefined) {
    found.push({ reason: 'root_pass is required when deploying a distribution', field: 'root_pass' });
  }
  if (body.size > free) found.push({ reason: `Must be 1-${free}`, field: 'size' });
  return [...found, ...deploymentProblems(ctx, body, body.size)];
}

function create(ctx: Context<unknown>, vm: Instance, body: CreateBody): Disk {
  ctx.requireFree(vmKey(vm.id));
  ctx.refuseIfAny(createProblems(ctx, vm, body));
  const deployment = deploymentOf(ctx, body);
  const contents =
    deployment === undefined ? {} : { used: deployment.image.size, access: { password: deployment.password, keys: deployment.keys } };
  const disk = insertDisk(ctx, {
    label: body.label ?? `${deployment?.image.label} Disk`.slice(0, 48),
    size: body.size,
    filesystem: body.filesystem ?? 'ext4',
    vm_id: vm.id,
    ...contents,
  });
  vmJob(ctx, vm, {
    action: 'disk_create',
    seconds: diskCreateSeconds,
    secondary: diskRef(disk),
    onFinish: (later) => setDisk(later, disk.id, { status: 'ready' }),
    onFail: (later) => later.store(disks).remove(disk),
  });
  return disk;
}

const base = '/vm/instances/{vmId}/disks';
const read = { method: 'GET', scopes: ['vms:read_only'], grant: [{ on: 'vm', param: 'vmId', need: 'read_only' }] } as const;
const write = { scopes: ['vms:read_write'], grant: [{ on: 'vm', param: 'vmId', need: 'read_write' }] } as const;
const label = string({ min: 1, max: 48 });

function startDelete(ctx: Context<unknown>, vm: Instance, disk: Disk): void {
  ctx.requireFree(vmKey(vm.id));
  // The text is assumed.
  if (inUse(ctx, vm, disk)) throw refusal(400, 'This disk is in use by a running Linode.');
  setDisk(ctx, disk.id, { status: 'deleting' });
  vmJob(ctx, vm, {
    action: 'disk_delete',
    seconds: diskDeleteSeconds,
    secondary: diskRef(disk),
    onFinish: (later) => later.store(disks).remove(disk),
    onFail: (later) => setDisk(later, disk.id, { status: 'ready' }),
  });
}

export const diskOperations = [
  operation({
    ...read,
    path: base,
    filterable: ['label', 'size'],
    handler: (ctx) => ctx.page(disks, { from: { vm_id: ctx.load(instances, 'vmId').id } }),
  }),
  operation({
    ...write,
    method: 'POST',
    path: base,
    body: {
      ...deploymentFields,
      size: required(integer({ min: 1, reason: 'Disk size must be at least 1 MB' })),
      label,
      filesystem: oneOf(filesystems),
    },
    handler: (ctx) => ctx.show(disks, create(ctx, ctx.load(instances, 'vmId'), ctx.body)),
  }),
  operation({
    ...read,
    path: `${base}/{diskId}`,
    handler: (ctx) => {
      const disk = ownDisk(ctx);
      if (ctx.clock.now() < Date.parse(`${disk.created}Z`) + ctx.knobs.newDiskUnseenSeconds * 1000) throw notFound();
      return ctx.show(disks, disk);
    },
  }),
  operation({
    ...write,
    method: 'PUT',
    path: `${base}/{diskId}`,
    // `size` and `filesystem` are accepted (document 2); that they change nothing is assumed.
    body: { label, filesystem: oneOf(filesystems), size: integer({ min: 1, reason: 'Disk size must be at least 1 MB' }) },
    handler: (ctx) => {
      const change = { ...pick(ctx.body, 'label'), updated: ctx.timestamp() };
      const after = ctx.store(disks).update(ownDisk(ctx), change);
      ctx.emit({ action: 'disk_update', entity: vmRef(ctx.load(instances, 'vmId')), secondary: diskRef(after) });
      return ctx.show(disks, after);
    },
  }),
  operation({
    ...write,
    method: 'DELETE',
    path: `${base}/{diskId}`,
    handler: (ctx) => startDelete(ctx, ctx.load(instances, 'vmId'), ownDisk(ctx)),
  }),
];
