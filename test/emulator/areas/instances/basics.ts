import type { Context } from '../../contract/context.ts';
import { boolean, integer, nullable, object, oneOf, string, tags } from '../../contract/fields.ts';
import { operation } from '../../contract/operation.ts';
import { refusal } from '../../contract/refusal.ts';
import type { Instance } from '../../records/instances.ts';
import { instances } from '../../records/instances.ts';
import { vmRef } from '../shared/entity-refs.ts';
import { dottedLabel } from '../shared/labels.ts';
import { refuseFilters } from '../shared/refused-filters.ts';
import { tagsFor } from '../shared/tag-rights.ts';
import { labelProblem } from './create-checks.ts';
import { startDelete } from './delete.ts';

const days = ['Scheduling', 'Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'] as const;
const windows = ['Scheduling', 'W0', 'W2', 'W4', 'W6', 'W8', 'W10', 'W12', 'W14', 'W16', 'W18', 'W20', 'W22'] as const;

interface UpdateBody {
  readonly label?: string;
  readonly group?: string;
  readonly tags?: readonly string[] | null;
  readonly watchdog_enabled?: boolean;
  readonly alerts?: Partial<Instance['alerts']>;
  readonly backups?: { readonly schedule?: { readonly day?: string | null; readonly window?: string | null } };
}

/** Of the backups only the schedule can be set; parts left out stay. */
function update(ctx: Context<unknown>, vm: Instance, body: UpdateBody): Instance {
  ctx.refuseIfAny(labelProblem(ctx, body.label, vm.id));
  const { schedule } = vm.backups;
  return ctx.store(instances).update(vm, {
    label: body.label ?? vm.label,
    group: body.group ?? vm.group,
    tags: tagsFor(ctx, body.tags, vm.tags),
    watchdog_enabled: body.watchdog_enabled ?? vm.watchdog_enabled,
    alerts: { ...vm.alerts, ...body.alerts },
    backups: { ...vm.backups, schedule: { ...schedule, ...body.backups?.schedule } },
    updated: ctx.timestamp(),
  });
}

const limit = (max = Number.MAX_SAFE_INTEGER) => integer({ min: 0, max });

export const basicOperations = [
  operation({
    method: 'GET',
    path: '/vm/instances',
    scopes: ['vms:read_only'],
    filterable: ['id', 'label', 'region', 'image', 'group', 'tags', 'ipv4'],
    handler: (ctx) => {
      refuseFilters(ctx, ['image']);
      return ctx.page(instances);
    },
  }),
  operation({
    method: 'GET',
    path: '/vm/instances/{vmId}',
    scopes: ['vms:read_only'],
    grant: [{ on: 'vm', param: 'vmId', need: 'read_only' }],
    handler: (ctx) => ctx.show(instances, ctx.load(instances, 'vmId')),
  }),
  operation({
    method: 'PUT',
    path: '/vm/instances/{vmId}',
    scopes: ['vms:read_write'],
    grant: [{ on: 'vm', param: 'vmId', need: 'read_write' }],
    body: {
      label: dottedLabel(3, 64),
      group: string({ min: 1, max: 50 }),
      tags: tags(),
      watchdog_enabled: boolean(),
      alerts: object({ cpu: limit(), io: limit(), network_in: limit(), network_out: limit(), transfer_quota: limit(400) }),
      backups: object({ schedule: object({ day: nullable(oneOf(days)), window: nullable(oneOf(windows)) }) }),
    },
    handler: (ctx) => {
      const after = update(ctx, ctx.load(instances, 'vmId'), ctx.body);
      ctx.emit({ action: 'vm_update', entity: vmRef(after) });
      return ctx.show(instances, after);
    },
  }),
  operation({
    method: 'DELETE',
    path: '/vm/instances/{vmId}',
    scopes: ['vms:read_write'],
    grant: [{ on: 'vm', param: 'vmId', need: 'read_write' }],
    handler: (ctx) => {
      const vm = ctx.load(instances, 'vmId');
      if (vm.status === 'restoring') {
        throw refusal(400, 'Linode is restoring a backup. Please wait for restore to finish before deleting.');
      }
      if (vm.status === 'cloning') throw refusal(400, 'Linode is cloning. Please wait for clone to finish before deleting.');
      startDelete(ctx, vm);
    },
  }),
];
