import type { Context } from '../../contract/context.ts';
import { integer, required } from '../../contract/fields.ts';
import { operation } from '../../contract/operation.ts';
import { refusal } from '../../contract/refusal.ts';
import type { Disk } from '../../records/disks.ts';
import { disks } from '../../records/disks.ts';
import type { Instance } from '../../records/instances.ts';
import { instances } from '../../records/instances.ts';
import { diskRef } from '../shared/entity-refs.ts';
import { rootPassword } from '../shared/passwords.ts';
import { insertDisk } from './disk-rows.ts';
import { freeSpace, inUse, ownDisk, setDisk } from './disks.ts';
import { vmJob, vmKey } from './vm-job.ts';

/** Plausible durations; none is recorded. */
const cloneSeconds = 15;
const passwordSeconds = 8;
const resizeSeconds = 20;

const base = '/vm/instances/{vmId}/disks/{diskId}';
const write = { method: 'POST', scopes: ['vms:read_write'], grant: [{ on: 'vm', param: 'vmId', need: 'read_write' }] } as const;

/** Growing needs space, shrinking must leave room for the files; both texts are assumed. */
function resize(ctx: Context<unknown>, vm: Instance, disk: Disk, size: number): void {
  ctx.requireFree(vmKey(vm.id));
  const most = disk.size + freeSpace(ctx, vm);
  if (size < disk.used || size > most) throw refusal(400, `Must be ${disk.used}-${most}`, 'size');
  const job = vmJob(ctx, vm, {
    action: 'disk_resize',
    seconds: resizeSeconds,
    secondary: diskRef(disk),
    onFinish: (later) => setDisk(later, disk.id, { size }),
  });
  // Accepted, but it fails in the end while the disk is in use (document 2).
  if (inUse(ctx, vm, disk)) ctx.after(resizeSeconds / 2, () => job.cancel());
}

export const diskActionOperations = [
  operation({
    ...write,
    path: `${base}/clone`,
    handler: (ctx) => {
      const vm = ctx.load(instances, 'vmId');
      const source = ownDisk(ctx);
      ctx.requireFree(vmKey(vm.id));
      if (source.size > freeSpace(ctx, vm)) throw refusal(400, `Not enough free space on ${vm.label}.`);
      const label = `Copy of ${source.label}`.slice(0, 48);
      const copy = insertDisk(ctx, { ...source, label, status: 'ready' });
      vmJob(ctx, vm, { action: 'disk_duplicate', seconds: cloneSeconds, secondary: diskRef(source) });
      return ctx.show(disks, copy);
    },
  }),
  operation({
    ...write,
    path: `${base}/password`,
    body: { password: required(rootPassword()) },
    handler: (ctx) => {
      const vm = ctx.load(instances, 'vmId');
      const disk = ownDisk(ctx);
      ctx.requireFree(vmKey(vm.id));
      const access = { password: ctx.body.password, keys: disk.access.keys };
      vmJob(ctx, vm, {
        action: 'password_reset',
        seconds: passwordSeconds,
        onFinish: (later) => setDisk(later, disk.id, { access }),
      });
    },
  }),
  operation({
    ...write,
    path: `${base}/resize`,
    body: { size: required(integer({ min: 1 })) },
    handler: (ctx) => resize(ctx, ctx.load(instances, 'vmId'), ownDisk(ctx), ctx.body.size),
  }),
];
