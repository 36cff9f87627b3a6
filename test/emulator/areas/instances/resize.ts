import { boolean, required, string } from '../../contract/fields.ts';
import { operation } from '../../contract/operation.ts';
import { refusal } from '../../contract/refusal.ts';
import type { World } from '../../contract/world.ts';
import type { VmType } from '../../records/catalogue.ts';
import { vmTypes } from '../../records/catalogue.ts';
import type { Disk } from '../../records/disks.ts';
import { disks } from '../../records/disks.ts';
import type { Instance } from '../../records/instances.ts';
import { instances } from '../../records/instances.ts';
import { requireNoDebt } from '../shared/debt.ts';
import { vmRef } from '../shared/entity-refs.ts';
import { typeProblem } from './create-checks.ts';
import { specsOf } from './new-instance.ts';
import { setStatus, vmJob, vmKey } from './vm-job.ts';

/** A plausible small migration; 22 minutes were seen for a large one. */
const resizeSeconds = 60;
/** Clients expect the instance up again some 20 s after the event, without an event of that boot. */
const bootAgainSeconds = 20;

/** The disk that follows the plan: the only ext disk, beside at most one swap disk. */
function implicitDisk(world: World, vm: Instance): { readonly main: Disk; readonly swap: number } | undefined {
  const own = world.store(disks).by('vm_id', vm.id);
  const mains = own.filter((disk) => disk.filesystem === 'ext3' || disk.filesystem === 'ext4');
  const swaps = own.filter((disk) => disk.filesystem === 'swap');
  const [main] = mains;
  if (main === undefined || mains.length !== 1 || swaps.length > 1 || mains.length + swaps.length !== own.length) return undefined;
  return { main, swap: swaps[0]?.size ?? 0 };
}

function fits(world: World, vm: Instance, type: VmType, auto: boolean): boolean {
  const found = auto ? implicitDisk(world, vm) : undefined;
  if (found !== undefined) return found.main.used + found.swap <= type.disk;
  return (
    world
      .store(disks)
      .by('vm_id', vm.id)
      .reduce((sum, disk) => sum + disk.size, 0) <= type.disk
  );
}

/** All disks must find room on the plan. */
export function requireRoom(world: World, vm: Instance, type: VmType, auto: boolean): void {
  if (!fits(world, vm, type, auto))
    throw refusal(400, 'Linode has allocated more disk than the new service plan allows. Delete or resize disks smaller.');
}

interface Move {
  readonly type: VmType;
  readonly auto: boolean;
  readonly bootAgain: boolean;
}

/** The plan changes, its only disk follows, and it comes up again if it was up. */
export function takePlan(world: World, vm: Instance, { type, auto, bootAgain }: Move): void {
  const found = auto ? implicitDisk(world, vm) : undefined;
  if (found !== undefined) world.store(disks).update(found.main, { size: type.disk - found.swap, updated: world.timestamp() });
  const untouched = vm.alerts.cpu === 90 * vm.specs.vcpus;
  const alerts = untouched ? { ...vm.alerts, cpu: 90 * type.vcpus } : vm.alerts;
  const change = { type: type.id, specs: specsOf(type), alerts, status: 'offline', updated: world.timestamp() } as const;
  world.store(instances).update(vm, change);
  if (!bootAgain) return;
  world.after(bootAgainSeconds, (later) => {
    if (later.store(instances).get(vm.id)?.status === 'offline' && !later.busy(vmKey(vm.id))) setStatus(later, vm.id, 'running');
  });
}

export const resizeOperations = [
  operation({
    method: 'POST',
    path: '/vm/instances/{vmId}/resize',
    scopes: ['vms:read_write'],
    grant: [{ on: 'vm', param: 'vmId', need: 'read_write' }],
    body: { type: required(string()), allow_auto_disk_resize: boolean() },
    handler: (ctx) => {
      const vm = ctx.load(instances, 'vmId');
      const type = ctx.store(vmTypes).get(ctx.body.type);
      if (type === undefined) return ctx.refuseIfAny(typeProblem(type));
      if (type.id === vm.type) throw refusal(400, 'Linode is already running this service plan.');
      const auto = ctx.body.allow_auto_disk_resize ?? true;
      requireRoom(ctx, vm, type, auto);
      requireNoDebt(ctx, 'resizing');
      ctx.requireFree(vmKey(vm.id));
      ctx.emit({ action: 'vm_resize_create', entity: vmRef(vm) });
      const wasRunning = vm.status === 'running';
      vmJob(ctx, vm, {
        action: 'vm_resize',
        seconds: resizeSeconds,
        during: 'resizing',
        onFinish: (later, row) => takePlan(later, row, { type, auto, bootAgain: wasRunning && later.knobs.resizeBootsAgain }),
        onFail: (later, row) => void setStatus(later, row.id, wasRunning ? 'running' : 'offline'),
      });
      return undefined;
    },
  }),
];
