import type { CollectionDefinition } from '../../contract/collection.ts';
import type { World } from '../../contract/world.ts';
import type { Address } from '../../records/addresses.ts';
import { addresses } from '../../records/addresses.ts';
import type { Backup } from '../../records/backups.ts';
import { backups } from '../../records/backups.ts';
import type { Config } from '../../records/configs.ts';
import { configs } from '../../records/configs.ts';
import type { Disk } from '../../records/disks.ts';
import { disks } from '../../records/disks.ts';
import type { Instance } from '../../records/instances.ts';
import { instances } from '../../records/instances.ts';

/** An instance with all that belongs to it, between two accounts. */
export interface Parcel {
  readonly vm: Instance;
  readonly disks: readonly Disk[];
  readonly configs: readonly Config[];
  readonly backups: readonly Backup[];
  readonly addresses: readonly Address[];
}

function takeRows<Row extends { readonly vm_id: number }>(
  world: World,
  definition: CollectionDefinition<Row>,
  vmId: number,
): readonly Row[] {
  const rows = [...world.store(definition).values()].filter((row) => row.vm_id === vmId);
  for (const row of rows) world.store(definition).remove(row);
  return rows;
}

/** Takes the instance out of its account. */
export function takeOut(world: World, vm: Instance): Parcel {
  const parcel = {
    vm,
    disks: takeRows(world, disks, vm.id),
    configs: takeRows(world, configs, vm.id),
    backups: takeRows(world, backups, vm.id),
    addresses: takeRows(world, addresses, vm.id),
  };
  world.store(instances).remove(vm);
  return parcel;
}

/** The same ids and addresses in the other account; a label that is taken there gets the id (assumed). */
export function putIn(world: World, parcel: Parcel): void {
  const { vm } = parcel;
  const taken = world.store(instances).count('label', vm.label) > 0;
  world.store(instances).insert(() => ({ ...vm, label: taken ? `${vm.label.slice(0, 50)}-${vm.id}` : vm.label, tags: [] }));
  for (const row of parcel.addresses) world.store(addresses).insert(() => row);
  for (const row of parcel.disks) world.store(disks).insert(() => row);
  for (const row of parcel.configs) world.store(configs).insert(() => row);
  for (const row of parcel.backups) world.store(backups).insert(() => row);
}
