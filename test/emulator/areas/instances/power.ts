import type { Context } from '../../contract/context.ts';
import { integer, nullable } from '../../contract/fields.ts';
import { operation } from '../../contract/operation.ts';
import { refusal } from '../../contract/refusal.ts';
import type { World } from '../../contract/world.ts';
import type { Config } from '../../records/configs.ts';
import { configs } from '../../records/configs.ts';
import type { Instance } from '../../records/instances.ts';
import { instances } from '../../records/instances.ts';
import { configRef } from '../shared/entity-refs.ts';
import { setStatus, vmJob, vmKey } from './vm-job.ts';

/** Medians of recorded event durations. */
const bootSeconds = 20;
const shutdownSeconds = 19;

/** The one asked for, the only one, or the one booted last; never booted or that one gone: an error without known text. */
function bootConfig(ctx: Context<unknown>, vm: Instance, asked: number | null | undefined): Config {
  const known = ctx.store(configs).by('vm_id', vm.id);
  if (typeof asked === 'number') {
    const named = known.find((config) => config.id === asked);
    if (named === undefined) throw refusal(400, 'config_id is not valid', 'config_id');
    return named;
  }
  const chosen = known.length === 1 ? known[0] : known.find((config) => config.id === vm.bootedConfig);
  if (chosen === undefined) throw refusal(400, 'config_id is required', 'config_id');
  return chosen;
}

/** Queues a boot; it starts when the jobs before it have ended. */
export function queueBoot(world: World, vm: Instance, config: Config): void {
  vmJob(world, vm, {
    action: 'vm_boot',
    seconds: bootSeconds,
    secondary: configRef(config),
    during: 'booting',
    onFinish: (later, row) => void later.store(instances).update(row, { status: 'running', bootedConfig: config.id }),
    onFail: (later, row) => void setStatus(later, row.id, 'offline'),
  });
}

const spec = {
  method: 'POST',
  scopes: ['vms:read_write'],
  grant: [{ on: 'vm', param: 'vmId', need: 'read_write' }],
} as const;

export const powerOperations = [
  operation({
    ...spec,
    path: '/vm/instances/{vmId}/boot',
    body: { config_id: nullable(integer()) },
    handler: (ctx) => {
      const vm = ctx.load(instances, 'vmId');
      ctx.requireFree(vmKey(vm.id));
      queueBoot(ctx, vm, bootConfig(ctx, vm, ctx.body.config_id));
    },
  }),
  operation({
    ...spec,
    path: '/vm/instances/{vmId}/reboot',
    body: { config_id: nullable(integer()) },
    handler: (ctx) => {
      const vm = ctx.load(instances, 'vmId');
      ctx.requireFree(vmKey(vm.id));
      const config = bootConfig(ctx, vm, ctx.body.config_id);
      vmJob(ctx, vm, {
        action: 'vm_reboot',
        seconds: bootSeconds + shutdownSeconds,
        secondary: configRef(config),
        during: 'rebooting',
        onFinish: (later, row) => void later.store(instances).update(row, { status: 'running', bootedConfig: config.id }),
        onFail: (later, row) => void setStatus(later, row.id, 'offline'),
      });
    },
  }),
  operation({
    ...spec,
    path: '/vm/instances/{vmId}/shutdown',
    handler: (ctx) => {
      const vm = ctx.load(instances, 'vmId');
      ctx.requireFree(vmKey(vm.id));
      vmJob(ctx, vm, {
        action: 'vm_shutdown',
        seconds: shutdownSeconds,
        during: 'shutting_down',
        onFinish: (later, row) => void setStatus(later, row.id, 'offline'),
        onFail: (later, row) => void setStatus(later, row.id, 'running'),
      });
    },
  }),
];
