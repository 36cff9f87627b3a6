import type { Context } from '../../contract/context.ts';
import { boolean, string } from '../../contract/fields.ts';
import { operation } from '../../contract/operation.ts';
import { refusal } from '../../contract/refusal.ts';
import type { World } from '../../contract/world.ts';
import { notifications } from '../../records/account.ts';
import { addresses, ipv6Ranges } from '../../records/addresses.ts';
import { regions, vmTypes } from '../../records/catalogue.ts';
import type { Instance } from '../../records/instances.ts';
import { instances } from '../../records/instances.ts';
import { volumes } from '../../records/volumes.ts';
import { allocateFirstAddresses, allocateIpv4 } from '../shared/address-allocation.ts';
import { vmRef } from '../shared/entity-refs.ts';
import { requireRoom, takePlan } from './resize.ts';
import { setStatus, vmJob, vmKey } from './vm-job.ts';

/** Plausible durations; none is recorded. */
const hostSeconds = 120;
const regionSeconds = 300;
const upgradeSeconds = 60;

/** Addresses belong to a region, so the instance gets others there (assumed). */
function moveTo(world: World, vm: Instance, region: string): void {
  const own = world.store(addresses).by('vm_id', vm.id);
  for (const row of own) world.store(addresses).remove(row);
  for (const row of world.store(ipv6Ranges).by('vm_id', vm.id)) world.store(ipv6Ranges).remove(row);
  world.store(instances).update(vm, { region, updated: world.timestamp() });
  allocateFirstAddresses(world, vm.id, region);
  if (own.some((row) => row.type === 'ipv4' && !row.public)) allocateIpv4(world, vm.id, region, 'private');
}

/** The texts are assumed. */
function toRegion(ctx: Context<unknown>, vm: Instance, region: string): void {
  if (region === vm.region || ctx.store(regions).get(region) === undefined) throw refusal(400, 'region is not valid', 'region');
  if (ctx.store(volumes).count('vm_id', vm.id) > 0) throw refusal(400, 'Volumes must be detached before a migration to another region.');
  ctx.requireFree(vmKey(vm.id));
  ctx.emit({ action: 'vm_migrate_datacenter_create', entity: vmRef(vm) });
  const before = vm.status;
  vmJob(ctx, vm, {
    action: 'vm_migrate_datacenter',
    seconds: regionSeconds,
    during: 'migrating',
    onFinish: (later, row) => {
      moveTo(later, row, region);
      setStatus(later, row.id, before);
    },
    onFail: (later, row) => void setStatus(later, row.id, before),
  });
}

/** Begins what a notification announces; without one there is nothing to begin (text assumed). */
function toHost(ctx: Context<unknown>, vm: Instance): void {
  const pending = [...ctx.store(notifications).values()].find(
    ({ type, entity }) => type.startsWith('migration_') && entity?.type === 'vm' && entity.id === vm.id,
  );
  if (pending === undefined) throw refusal(400, 'There is no pending migration for this Linode.');
  ctx.requireFree(vmKey(vm.id));
  const before = vm.status;
  vmJob(ctx, vm, {
    action: 'vm_migrate',
    seconds: hostSeconds,
    during: 'migrating',
    onFinish: (later, row) => {
      const announced = later.store(notifications).get(pending.id);
      if (announced !== undefined) later.store(notifications).remove(announced);
      setStatus(later, row.id, before);
    },
    onFail: (later, row) => void setStatus(later, row.id, before),
  });
}

/** To the plan that succeeds its own; the text is assumed. */
function upgrade(ctx: Context<unknown>, vm: Instance, auto: boolean): void {
  const type = ctx.store(vmTypes).get(ctx.store(vmTypes).get(vm.type)?.successor ?? '');
  if (type === undefined) throw refusal(400, 'There is no upgrade available for this Linode.');
  requireRoom(ctx, vm, type, auto);
  ctx.requireFree(vmKey(vm.id));
  ctx.emit({ action: 'vm_mutate_create', entity: vmRef(vm) });
  const wasRunning = vm.status === 'running';
  vmJob(ctx, vm, {
    action: 'vm_mutate',
    seconds: upgradeSeconds,
    during: 'migrating',
    onFinish: (later, row) => takePlan(later, row, { type, auto, bootAgain: wasRunning }),
    onFail: (later, row) => void setStatus(later, row.id, wasRunning ? 'running' : 'offline'),
  });
}

const write = { method: 'POST', scopes: ['vms:read_write'], grant: [{ on: 'vm', param: 'vmId', need: 'read_write' }] } as const;

export const migrateOperations = [
  operation({
    ...write,
    path: '/vm/instances/{vmId}/migrate',
    // `upgrade` asks for newer hardware, of which nothing shows.
    body: { region: string(), upgrade: boolean() },
    handler: (ctx) => {
      const vm = ctx.load(instances, 'vmId');
      if (ctx.body.region === undefined) toHost(ctx, vm);
      else toRegion(ctx, vm, ctx.body.region);
    },
  }),
  operation({
    ...write,
    path: '/vm/instances/{vmId}/mutate',
    body: { allow_auto_disk_resize: boolean() },
    handler: (ctx) => upgrade(ctx, ctx.load(instances, 'vmId'), ctx.body.allow_auto_disk_resize ?? true),
  }),
];
