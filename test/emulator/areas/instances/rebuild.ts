import { boolean } from '../../contract/fields.ts';
import { operation } from '../../contract/operation.ts';
import { refusal } from '../../contract/refusal.ts';
import { instances } from '../../records/instances.ts';
import { deploymentFields, deploymentOf, deploymentProblems } from './deployment.ts';
import { layOut, readyDisks, removeDisksAndConfigs } from './disk-rows.ts';
import { queueBoot } from './power.ts';
import { setStatus, vmJob, vmKey } from './vm-job.ts';

/** Plausible: like a create with an image, plus the shutdown. */
const rebuildSeconds = 30;

export const rebuildOperations = [
  operation({
    method: 'POST',
    path: '/vm/instances/{vmId}/rebuild',
    scopes: ['vms:read_write'],
    grant: [{ on: 'vm', param: 'vmId', need: 'read_write' }],
    body: { ...deploymentFields, booted: boolean() },
    handler: (ctx) => {
      const vm = ctx.load(instances, 'vmId');
      if (typeof ctx.body.image !== 'string') throw refusal(400, 'You must specify an image');
      const missing = ctx.body.root_pass === undefined ? [{ reason: 'root_pass is required', field: 'root_pass' }] : [];
      ctx.refuseIfAny([...missing, ...deploymentProblems(ctx, ctx.body, vm.specs.disk - 512)]);
      ctx.requireFree(vmKey(vm.id));
      const deployment = deploymentOf(ctx, ctx.body);
      if (deployment === undefined) throw refusal(400, 'image is not valid', 'image');
      removeDisksAndConfigs(ctx, vm.id);
      const config = layOut(ctx, vm, deployment, { disk: vm.specs.disk, swap: 512, interfaces: [] });
      const change = { image: deployment.image.id, status: 'rebuilding', bootedConfig: null, updated: ctx.timestamp() } as const;
      const after = ctx.store(instances).update(vm, change);
      vmJob(ctx, after, {
        action: 'vm_rebuild',
        seconds: rebuildSeconds,
        onFinish: (later, row) => {
          readyDisks(later, row.id);
          setStatus(later, row.id, 'offline');
        },
        onFail: (later, row) => void setStatus(later, row.id, 'offline'),
      });
      if (ctx.body.booted ?? true) queueBoot(ctx, after, config);
      return ctx.show(instances, ctx.knobs.staleEcho ? { ...after, status: vm.status } : after);
    },
  }),
];
