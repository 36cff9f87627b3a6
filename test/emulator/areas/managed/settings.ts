import { reaction } from '../../contract/area.ts';
import type { Context } from '../../contract/context.ts';
import { boolean, integer, nullable, object, string } from '../../contract/fields.ts';
import { refusal } from '../../contract/refusal.ts';
import type { World } from '../../contract/world.ts';
import type { Address } from '../../records/addresses.ts';
import { addresses } from '../../records/addresses.ts';
import type { Instance } from '../../records/instances.ts';
import { instances } from '../../records/instances.ts';
import type { ManagedSsh } from '../../records/managed.ts';
import { managedSettings } from '../../records/managed.ts';
import { managedOperation, read, write } from './managed.ts';

const base = '/managed/vm-settings';

/** Of an instance for which nothing was set. */
const defaults: ManagedSsh = { access: true, user: null, ip: 'any', port: null };

function settingsOf(world: World, vm: Instance): object {
  const { id, label, group } = vm;
  return { id, label, group, ssh: world.store(managedSettings).get(id)?.ssh ?? defaults };
}

function update(ctx: Context<unknown>, sent: Partial<ManagedSsh>): object {
  const vm = ctx.load(instances, 'vmId');
  const known = ctx.store(managedSettings).get(vm.id) ?? { id: vm.id, ssh: defaults };
  const ssh = { ...known.ssh, ...sent };
  const own = ctx.store(addresses).by('vm_id', vm.id);
  if (ssh.ip !== 'any' && !own.some((row) => row.address === ssh.ip)) throw refusal(400, 'ip is not valid', 'ssh.ip');
  const store = ctx.store(managedSettings);
  if (store.get(vm.id) === undefined) store.insert(() => ({ ...known, ssh }));
  else store.update(known, { ssh });
  return settingsOf(ctx, vm);
}

export const settingsOperations = [
  managedOperation({
    ...read,
    path: base,
    filterable: [],
    handler: (ctx) => ctx.page(instances, { view: (vm) => settingsOf(ctx, vm) }),
  }),
  managedOperation({ ...read, path: `${base}/{vmId}`, handler: (ctx) => settingsOf(ctx, ctx.load(instances, 'vmId')) }),
  managedOperation({
    ...write,
    method: 'PUT',
    path: `${base}/{vmId}`,
    body: {
      ssh: object({
        access: boolean(),
        user: nullable(string({ max: 32 })),
        ip: string(),
        port: nullable(integer({ min: 1, max: 65_535 })),
      }),
    },
    handler: (ctx) => update(ctx, ctx.body.ssh ?? {}),
  }),
];

function forget(world: World, vmId: number): void {
  const row = world.store(managedSettings).get(vmId);
  if (row !== undefined) world.store(managedSettings).remove(row);
}

/** Removing the address that is set as `ssh.ip` resets the SSH settings (document 2, Managed instance settings). */
function lose(world: World, { address, vm_id: vmId }: Address): void {
  if (world.store(managedSettings).get(vmId)?.ssh.ip === address) forget(world, vmId);
}

export const settingsReactions = [
  reaction('remove', addresses, lose),
  reaction('update', addresses, (world, row, before) => {
    if (row.vm_id !== before.vm_id) lose(world, before);
  }),
  reaction('remove', instances, (world, vm) => forget(world, vm.id)),
];
