import type { World } from '../../contract/world.ts';
import { backups } from '../../records/backups.ts';
import type { Instance } from '../../records/instances.ts';
import { instances, reservedInstanceLabels } from '../../records/instances.ts';
import { vmRef } from '../shared/entity-refs.ts';
import { removeDisksAndConfigs } from './disk-rows.ts';
import { vmKey } from './vm-job.ts';

/** Recorded once: 13 s. */
const deleteSeconds = 13;

function removeBackups(world: World, vmId: number): void {
  for (const backup of world.store(backups).by('vm_id', vmId)) world.store(backups).remove(backup);
}

/** Disks, configs, backups, addresses and firewall devices go with it, at once. */
function removeAll(world: World, vm: Instance): void {
  removeDisksAndConfigs(world, vm.id);
  removeBackups(world, vm.id);
  world.store(instances).remove(vm);
}

/** The provider's own deletes, of Kubernetes nodes: no event follows. */
export function deleteUnseen(world: World, vm: Instance): void {
  removeAll(world, vm);
  const reservations = world.store(reservedInstanceLabels);
  reservations.remove(reservations.insert((id) => ({ id, label: vm.label, vm_id: vm.id })));
}

/**
 * From the answer on the instance is not found; its label, and its volumes, are free when the job has ended, well or badly.
 */
export function startDelete(world: World, vm: Instance): void {
  const reservation = world.store(reservedInstanceLabels).insert((id) => ({ id, label: vm.label, vm_id: vm.id }));
  const settle = (later: World): void => later.store(reservedInstanceLabels).remove(reservation);
  world.job({
    action: 'vm_delete',
    entity: vmRef(vm),
    seconds: deleteSeconds,
    serialKey: vmKey(vm.id),
    onFinish: settle,
    onFail: settle,
  });
  removeAll(world, vm);
}
