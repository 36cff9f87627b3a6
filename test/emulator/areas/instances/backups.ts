import type { Context } from '../../contract/context.ts';
import { boolean, integer, required, string } from '../../contract/fields.ts';
import { operation } from '../../contract/operation.ts';
import { notFound, refusal } from '../../contract/refusal.ts';
import type { World } from '../../contract/world.ts';
import type { Backup } from '../../records/backups.ts';
import { backups } from '../../records/backups.ts';
import { configs } from '../../records/configs.ts';
import { disks } from '../../records/disks.ts';
import type { Instance } from '../../records/instances.ts';
import { instances } from '../../records/instances.ts';
import { vmRef } from '../shared/entity-refs.ts';
import { namedInstance } from '../shared/named-instance.ts';
import { backupSize } from './create-checks.ts';
import { unpackBackup } from './create.ts';
import { chooseSchedule, scheduling } from './backup-schedule.ts';
import { readyDisks, removeDisksAndConfigs } from './disk-rows.ts';
import { setStatus, vmJob, vmKey } from './vm-job.ts';

/** Medians of recorded event durations. */
const snapshotSeconds = 49;
const restoreSeconds = 25;

function ownBackup(ctx: Context<unknown>, vm: Instance): Backup {
  const backup = ctx.load(backups, 'backupId');
  if (backup.vm_id !== vm.id) throw notFound();
  return backup;
}

function setBackup(world: World, id: number, change: Partial<Backup>): void {
  const row = world.store(backups).get(id);
  if (row !== undefined) world.store(backups).update(row, { ...change, updated: world.timestamp() });
}

/** Done: it replaces the former snapshot. */
function complete(world: World, vm: Instance, backup: Backup): void {
  for (const former of world.store(backups).by('vm_id', vm.id)) {
    if (former.type === 'snapshot' && former.id !== backup.id) world.store(backups).remove(former);
  }
  const own = world.store(disks).by('vm_id', vm.id);
  setBackup(world, backup.id, {
    status: 'successful',
    available: true,
    finished: world.timestamp(),
    configs: world
      .store(configs)
      .by('vm_id', vm.id)
      .map((config) => config.label),
    disks: own.map(({ size, filesystem, label }) => ({ size, filesystem, label })),
  });
  const settings = { ...vm.backups, available: true, last_successful: world.timestamp() };
  world.store(instances).update(vm, { backups: settings });
}

function takeSnapshot(ctx: Context<unknown>, vm: Instance, label: string): Backup {
  const now = ctx.timestamp();
  const backup = ctx.store(backups).insert((id) => ({
    id,
    type: 'snapshot',
    status: 'pending',
    available: true,
    created: now,
    updated: now,
    finished: null,
    label,
    region: vm.region,
    configs: [],
    disks: [],
    vm_id: vm.id,
  }));
  vmJob(ctx, vm, {
    action: 'vm_snapshot',
    seconds: snapshotSeconds,
    onStart: (later) => void later.after(snapshotSeconds / 2, (world) => setBackup(world, backup.id, { status: 'needsPostProcessing' })),
    onFinish: (later, row) => complete(later, row, backup),
    onFail: (later) => setBackup(later, backup.id, { status: 'failed' }),
  });
  return backup;
}

function restore(ctx: Context<unknown>, backup: Backup, target: Instance, overwrite: boolean): void {
  if (backup.status !== 'successful') throw refusal(400, 'Unable to restore pending backups.');
  if (target.region !== backup.region) throw refusal(400, 'vm_id is not valid', 'vm_id');
  const taken = overwrite
    ? 0
    : ctx
        .store(disks)
        .by('vm_id', target.id)
        .reduce((sum, disk) => sum + disk.size, 0);
  if (taken + backupSize(backup) > target.specs.disk) throw refusal(400, `Not enough free space on ${target.label}.`);
  ctx.requireFree(vmKey(target.id));
  vmJob(ctx, target, {
    action: 'backups_restore',
    seconds: restoreSeconds,
    during: 'restoring',
    onFinish: (later, row) => {
      if (overwrite) removeDisksAndConfigs(later, row.id);
      unpackBackup(later, row, backup.id);
      readyDisks(later, row.id);
      setStatus(later, row.id, 'offline');
    },
    onFail: (later, row) => void setStatus(later, row.id, 'offline'),
  });
}

const view = (backup: Backup | undefined): unknown => (backup === undefined ? null : backups.view?.(backup));

const read = { method: 'GET', scopes: ['vms:read_only'], grant: [{ on: 'vm', param: 'vmId', need: 'read_only' }] } as const;
const write = { method: 'POST', scopes: ['vms:read_write'], grant: [{ on: 'vm', param: 'vmId', need: 'read_write' }] } as const;

function switchBackups(ctx: Context<unknown>, vm: Instance, enabled: boolean): void {
  if (!enabled) for (const backup of ctx.store(backups).by('vm_id', vm.id)) ctx.store(backups).remove(backup);
  const settings = enabled
    ? { ...vm.backups, enabled, schedule: scheduling(vm.backups.schedule) }
    : { ...vm.backups, enabled, available: false, last_successful: null };
  const after = ctx.store(instances).update(vm, { backups: settings, updated: ctx.timestamp() });
  if (enabled) chooseSchedule(ctx, vm.id);
  ctx.emit({ action: enabled ? 'backups_enable' : 'backups_cancel', entity: vmRef(after) });
}

const base = '/vm/instances/{vmId}/backups';

export const backupOperations = [
  operation({
    ...read,
    path: base,
    handler: (ctx) => {
      const own = ctx.store(backups).by('vm_id', ctx.load(instances, 'vmId').id);
      const snapshots = own.filter((backup) => backup.type === 'snapshot');
      const current = snapshots.findLast((backup) => backup.status === 'successful');
      const running = snapshots.findLast((backup) => ['pending', 'running', 'needsPostProcessing'].includes(backup.status));
      const automatic = own.filter((backup) => backup.type === 'auto').map(view);
      return { automatic, snapshot: { current: view(current), in_progress: view(running) } };
    },
  }),
  operation({
    ...write,
    path: base,
    body: { label: required(string({ min: 1, max: 255 })) },
    handler: (ctx) => {
      const vm = ctx.load(instances, 'vmId');
      // The text is assumed.
      if (!vm.backups.enabled) throw refusal(400, 'Backups are not enabled on this Linode.');
      ctx.requireFree(vmKey(vm.id));
      return ctx.show(backups, takeSnapshot(ctx, vm, ctx.body.label));
    },
  }),
  operation({ ...write, path: `${base}/enable`, handler: (ctx) => switchBackups(ctx, ctx.load(instances, 'vmId'), true) }),
  operation({ ...write, path: `${base}/cancel`, handler: (ctx) => switchBackups(ctx, ctx.load(instances, 'vmId'), false) }),
  operation({ ...read, path: `${base}/{backupId}`, handler: (ctx) => ctx.show(backups, ownBackup(ctx, ctx.load(instances, 'vmId'))) }),
  operation({
    ...write,
    path: `${base}/{backupId}/restore`,
    body: { vm_id: required(integer()), overwrite: boolean() },
    handler: (ctx) => {
      const backup = ownBackup(ctx, ctx.load(instances, 'vmId'));
      restore(ctx, backup, namedInstance(ctx, ctx.body.vm_id), ctx.body.overwrite ?? false);
    },
  }),
];
