import type { Area } from '../../contract/area.ts';
import { reaction } from '../../contract/area.ts';
import { operation } from '../../contract/operation.ts';
import { addresses, ipv6Ranges } from '../../records/addresses.ts';
import { firewallDevices, firewalls } from '../../records/firewalls.ts';
import { instances } from '../../records/instances.ts';
import { volumes } from '../../records/volumes.ts';
import { addressOperations } from './addresses.ts';
import { backupOperations } from './backups.ts';
import { basicOperations } from './basics.ts';
import { cloneOperations } from './clone.ts';
import { configOperations } from './configs.ts';
import { createOperations } from './create.ts';
import { diskActionOperations } from './disk-actions.ts';
import { diskOperations } from './disks.ts';
import { endSharing } from '../networking/share.ts';
import { migrateOperations } from './migrate.ts';
import { powerOperations } from './power.ts';
import { rebuildOperations } from './rebuild.ts';
import { rescueOperations } from './rescue.ts';
import { resizeOperations } from './resize.ts';

const read = { method: 'GET', scopes: ['vms:read_only'], grant: [{ on: 'vm', param: 'vmId', need: 'read_only' }] } as const;

const neighbours = [
  operation({
    ...read,
    path: '/vm/instances/{vmId}/volumes',
    filterable: ['label', 'tags'],
    handler: (ctx) => ctx.page(volumes, { from: { vm_id: ctx.load(instances, 'vmId').id } }),
  }),
  operation({
    ...read,
    path: '/vm/instances/{vmId}/firewalls',
    filterable: ['id', 'label', 'created', 'updated', 'tags'],
    handler: (ctx) => {
      const devices = ctx.store(firewallDevices).by('vm_id', ctx.load(instances, 'vmId').id);
      const assigned = new Set(devices.map((device) => device.firewall_id));
      return ctx.page(firewalls, { where: (row) => assigned.has(row.id) });
    },
  }),
];

export const instancesArea: Area = {
  name: 'instances',
  operations: [
    ...basicOperations,
    ...createOperations,
    ...powerOperations,
    ...resizeOperations,
    ...migrateOperations,
    ...rescueOperations,
    ...rebuildOperations,
    ...cloneOperations,
    ...backupOperations,
    ...configOperations,
    ...diskOperations,
    ...diskActionOperations,
    ...addressOperations,
    ...neighbours,
  ],
  reactions: [
    reaction('remove', instances, (world, vm) => {
      for (const row of world.store(addresses).by('vm_id', vm.id)) world.store(addresses).remove(row);
      for (const row of world.store(ipv6Ranges).by('vm_id', vm.id)) world.store(ipv6Ranges).remove(row);
      endSharing(world, vm);
    }),
  ],
};
