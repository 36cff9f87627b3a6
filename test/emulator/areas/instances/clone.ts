import type { Context } from '../../contract/context.ts';
import { array, boolean, integer, nullable, string } from '../../contract/fields.ts';
import { operation } from '../../contract/operation.ts';
import { refusal } from '../../contract/refusal.ts';
import type { VmType } from '../../records/catalogue.ts';
import { regions, vmTypes } from '../../records/catalogue.ts';
import type { Config, Devices } from '../../records/configs.ts';
import { configs, slots } from '../../records/configs.ts';
import type { Disk } from '../../records/disks.ts';
import { disks } from '../../records/disks.ts';
import type { Instance } from '../../records/instances.ts';
import { instances } from '../../records/instances.ts';
import { vmRef } from '../shared/entity-refs.ts';
import { dottedLabel } from '../shared/labels.ts';
import { namedInstance } from '../shared/named-instance.ts';
import { labelProblem, requireAccountRoom, typeProblem } from './create-checks.ts';
import { insertConfig, insertDisk, readyDisks } from './disk-rows.ts';
import { freeSpace } from './disks.ts';
import { interfaceProblems } from './interfaces.ts';
import { insertInstance } from './new-instance.ts';
import { setStatus, vmJob, vmKey } from './vm-job.ts';

/** Median of recorded event durations. */
const cloneSeconds = 82;

interface CloneBody {
  readonly region?: string;
  readonly type?: string;
  readonly vm_id?: number | null;
  readonly label?: string;
  readonly group?: string;
  readonly backups_enabled?: boolean;
  readonly private_ip?: boolean;
  readonly disks?: readonly number[] | null;
  readonly configs?: readonly number[] | null;
}

/** A new instance of the same make, unless an existing one is named. */
function targetOf(ctx: Context<unknown>, source: Instance, body: CloneBody): Instance {
  if (typeof body.vm_id === 'number') return namedInstance(ctx, body.vm_id);
  const type: VmType | undefined = ctx.store(vmTypes).get(body.type ?? source.type);
  const region = body.region ?? source.region;
  const problems = [...typeProblem(type), ...labelProblem(ctx, body.label)];
  if (ctx.store(regions).get(region) === undefined) problems.push({ reason: 'region is not valid', field: 'region' });
  ctx.refuseIfAny(problems);
  if (type === undefined) throw refusal(400, 'type is not valid', 'type');
  requireAccountRoom(ctx);
  return insertInstance(ctx, {
    label: body.label,
    group: body.group ?? source.group,
    region,
    type,
    image: source.image,
    tags: [],
    backupsEnabled: body.backups_enabled,
    privateIp: body.private_ip,
    status: 'offline',
  });
}

/** All rows, unless some are named. */
function chosen<Row extends { readonly id: number }>(field: string, rows: readonly Row[], ids: readonly number[] | null | undefined) {
  if (ids === undefined || ids === null) return rows;
  if (ids.some((id) => rows.every((row) => row.id !== id))) throw refusal(400, `${field} is not valid`, field);
  return rows.filter((row) => ids.includes(row.id));
}

function copyConfig(ctx: Context<unknown>, config: Config, target: Instance, copies: ReadonlyMap<number, Disk>): void {
  const devices = slots.map((slot) => {
    const copy = copies.get(config.devices[slot]?.disk_id ?? 0);
    return [slot, copy === undefined ? null : { disk_id: copy.id, volume_id: null }];
  });
  insertConfig(ctx, { ...config, vm_id: target.id, devices: Object.fromEntries(devices) as Devices });
}

function requireRoom(ctx: Context<unknown>, source: Instance, body: CloneBody, size: number): void {
  const onto = typeof body.vm_id === 'number' ? namedInstance(ctx, body.vm_id) : undefined;
  const room = onto === undefined ? ctx.store(vmTypes).get(body.type ?? source.type)?.disk : freeSpace(ctx, onto);
  if (size > (room ?? Infinity)) throw refusal(400, `Not enough free space on ${onto?.label ?? body.label ?? source.label}.`);
}

/** A clone with a VLAN does not start towards a data center without them (document 2:121). */
function requireVlans(ctx: Context<unknown>, source: Instance, body: CloneBody, kept: readonly Config[]): void {
  const onto = typeof body.vm_id === 'number' ? namedInstance(ctx, body.vm_id) : undefined;
  const region = onto?.region ?? body.region ?? source.region;
  if (ctx.store(regions).get(region) === undefined) return;
  ctx.refuseIfAny(kept.flatMap((config) => interfaceProblems(ctx, region, config.interfaces)));
}

function clone(ctx: Context<unknown>, source: Instance, body: CloneBody): Instance {
  ctx.requireFree(vmKey(source.id));
  const copied = chosen('disks', ctx.store(disks).by('vm_id', source.id), body.disks);
  const kept = chosen('configs', ctx.store(configs).by('vm_id', source.id), body.configs);
  const size = copied.reduce((sum, disk) => sum + disk.size, 0);
  requireRoom(ctx, source, body, size);
  requireVlans(ctx, source, body, kept);
  const target = targetOf(ctx, source, body);
  const copies = new Map(copied.map((disk) => [disk.id, insertDisk(ctx, { ...disk, vm_id: target.id, status: 'not ready' })]));
  for (const config of kept) copyConfig(ctx, config, target, copies);
  const back = source.status;
  vmJob(ctx, source, {
    action: 'vm_clone',
    seconds: cloneSeconds,
    secondary: vmRef(target),
    during: 'cloning',
    onFinish: (later, row) => void setStatus(later, row.id, back),
    elsewhere: { onFinish: (later) => readyDisks(later, target.id) },
    onFail: (later, row) => void setStatus(later, row.id, back),
  });
  return target;
}

export const cloneOperations = [
  operation({
    method: 'POST',
    path: '/vm/instances/{vmId}/clone',
    scopes: ['vms:read_write'],
    grant: [{ global: 'add_vms' }, { on: 'vm', param: 'vmId', need: 'read_only' }],
    rate: 'vm_create',
    body: {
      region: string(),
      type: string(),
      vm_id: nullable(integer()),
      label: dottedLabel(3, 64),
      group: string({ min: 1, max: 50 }),
      backups_enabled: boolean(),
      private_ip: boolean(),
      disks: nullable(array(integer())),
      configs: nullable(array(integer())),
    },
    handler: (ctx) => ctx.show(instances, clone(ctx, ctx.load(instances, 'vmId'), ctx.body)),
  }),
];
