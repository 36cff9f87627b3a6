import { required } from '../../contract/fields.ts';
import { operation } from '../../contract/operation.ts';
import { refusal } from '../../contract/refusal.ts';
import { disks } from '../../records/disks.ts';
import { instances } from '../../records/instances.ts';
import { rootPassword } from '../shared/passwords.ts';
import { deviceProblems, devicesField } from './config-devices.ts';
import { setDisk } from './disks.ts';
import { setStatus, vmJob, vmKey } from './vm-job.ts';

/** Plausible durations; none is recorded. */
const rescueSeconds = 30;
const passwordSeconds = 8;

const write = { method: 'POST', scopes: ['vms:read_write'], grant: [{ on: 'vm', param: 'vmId', need: 'read_write' }] } as const;

/** What helps when an instance does not come up any more. */
export const rescueOperations = [
  operation({
    ...write,
    path: '/vm/instances/{vmId}/rescue',
    body: { devices: devicesField() },
    handler: (ctx) => {
      const vm = ctx.load(instances, 'vmId');
      const devices = ctx.body.devices ?? {};
      // The last slot holds the rescue system itself.
      const reserved = devices.sdh === undefined ? [] : [{ reason: 'sdh is not valid', field: 'devices.sdh' }];
      ctx.refuseIfAny([...reserved, ...deviceProblems(ctx, vm, devices)]);
      ctx.requireFree(vmKey(vm.id));
      const isUp = vm.status === 'running';
      // No event is named after it: that it is one of a boot is assumed.
      vmJob(ctx, vm, {
        action: isUp ? 'vm_reboot' : 'vm_boot',
        seconds: rescueSeconds,
        during: isUp ? 'rebooting' : 'booting',
        onFinish: (later, row) => void later.store(instances).update(row, { status: 'running', bootedConfig: null }),
        onFail: (later, row) => void setStatus(later, row.id, 'offline'),
      });
    },
  }),
  operation({
    ...write,
    path: '/vm/instances/{vmId}/password',
    body: { root_pass: required(rootPassword()) },
    handler: (ctx) => {
      const vm = ctx.load(instances, 'vmId');
      const { root_pass: password } = ctx.body;
      ctx.requireFree(vmKey(vm.id));
      // The text is assumed.
      if (vm.status !== 'offline') throw refusal(400, 'Linode must be powered off to reset its root password.');
      vmJob(ctx, vm, {
        action: 'password_reset',
        seconds: passwordSeconds,
        onFinish: (later) => {
          for (const disk of later.store(disks).by('vm_id', vm.id))
            if (disk.filesystem !== 'swap') setDisk(later, disk.id, { access: { ...disk.access, password } });
        },
      });
    },
  }),
];
