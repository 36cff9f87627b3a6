import type { World } from '../../contract/world.ts';
import type { VmType } from '../../records/catalogue.ts';
import type { Instance } from '../../records/instances.ts';
import { instances } from '../../records/instances.ts';
import { allocateFirstAddresses, allocateIpv4 } from '../shared/address-allocation.ts';
import { vmRef } from '../shared/entity-refs.ts';
import { chooseSchedule } from './backup-schedule.ts';

export const specsOf = (type: VmType): Instance['specs'] => ({
  disk: type.disk,
  memory: type.memory,
  vcpus: type.vcpus,
  gpus: type.gpus,
  transfer: type.transfer,
});

export interface NewInstance {
  readonly label: string | undefined;
  readonly group?: string | undefined;
  readonly region: string;
  readonly type: VmType;
  readonly image: string | null;
  readonly tags: readonly string[];
  readonly backupsEnabled?: boolean | undefined;
  readonly privateIp?: boolean | undefined;
  readonly status?: Instance['status'];
}

/** With the defaults of a create answer and its addresses. */
export function insertInstance(world: World, wanted: NewInstance): Instance {
  const now = world.timestamp();
  const { region, type } = wanted;
  const row = world.store(instances).insert((id) => ({
    id,
    label: wanted.label ?? `vm${id}`,
    group: wanted.group ?? '',
    region,
    type: type.id,
    image: wanted.image,
    status: wanted.status ?? 'provisioning',
    hypervisor: 'kvm',
    host_uuid: world.rng.hex(40),
    specs: specsOf(type),
    alerts: { cpu: 90 * type.vcpus, io: 10_000, network_in: 10, network_out: 10, transfer_quota: 80 },
    backups: { enabled: wanted.backupsEnabled ?? false, available: false, schedule: { day: null, window: null }, last_successful: null },
    tags: wanted.tags,
    ipv4: [],
    ipv6: null,
    watchdog_enabled: true,
    created: now,
    updated: now,
    bootedConfig: null,
  }));
  allocateFirstAddresses(world, row.id, region);
  if (wanted.privateIp === true) allocateIpv4(world, row.id, region, 'private');
  if (wanted.backupsEnabled === true) {
    world.emit({ action: 'backups_enable', entity: vmRef(row) });
    chooseSchedule(world, row.id);
  }
  return world.store(instances).get(row.id) ?? row;
}
