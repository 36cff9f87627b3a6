import type { Context } from '../../contract/context.ts';
import { boolean, integer, nullable, required, string, tags } from '../../contract/fields.ts';
import { operation } from '../../contract/operation.ts';
import { notFound } from '../../contract/refusal.ts';
import type { World } from '../../contract/world.ts';
import { accountSettings } from '../../records/account.ts';
import { backups } from '../../records/backups.ts';
import type { VmType } from '../../records/catalogue.ts';
import { vmTypes } from '../../records/catalogue.ts';
import type { Config } from '../../records/configs.ts';
import { configs, noDevices } from '../../records/configs.ts';
import { disks } from '../../records/disks.ts';
import type { Instance } from '../../records/instances.ts';
import { instances } from '../../records/instances.ts';
import { imageRef } from '../shared/entity-refs.ts';
import { dottedLabel } from '../shared/labels.ts';
import { tagsFor } from '../shared/tag-rights.ts';
import type { CreateBody } from './create-checks.ts';
import { createProblems, requireAccountRoom } from './create-checks.ts';
import type { Deployment } from './deployment.ts';
import { deploymentFields, deploymentOf } from './deployment.ts';
import { insertConfig, insertDisk, layOut, readyDisks } from './disk-rows.ts';
import { interfacesField, storedInterfaces } from './interfaces.ts';
import { insertInstance } from './new-instance.ts';
import { queueBoot } from './power.ts';
import { setStatus, vmJob } from './vm-job.ts';

/** Recorded: empty ones about 4 s to 8 s, with an image 15 to 45 s. */
const emptySeconds = 6;
const imageSeconds = 15;

const slot = (id: number | undefined): Config['devices']['sda'] => (id === undefined ? null : { disk_id: id, volume_id: null });

/** The disks and the config of the backup, as they were. */
export function unpackBackup(world: World, vm: Instance, backupId: number): Config | undefined {
  const backup = world.store(backups).get(backupId);
  if (backup === undefined) return undefined;
  const made = backup.disks.map((disk) => insertDisk(world, { ...disk, vm_id: vm.id, used: disk.size }));
  const source = world.store(configs).by('vm_id', backup.vm_id)[0];
  const [first, second] = made;
  const devices = { ...noDevices, sda: slot(first?.id), sdb: slot(second?.id) };
  const label = backup.configs[0] ?? 'Restored Config';
  return insertConfig(world, { label, vm_id: vm.id, devices, ...(source === undefined ? {} : { kernel: source.kernel }) });
}

function furnish(ctx: Context<unknown>, vm: Instance, body: CreateBody, deployment: Deployment | undefined): Config | undefined {
  if (typeof body.backup_id === 'number') return unpackBackup(ctx, vm, body.backup_id);
  if (deployment === undefined) return undefined;
  const layout = { disk: vm.specs.disk, swap: body.swap_size ?? 512, interfaces: storedInterfaces(body.interfaces) };
  return layOut(ctx, vm, deployment, layout);
}

function loadType(world: World, id: string): VmType {
  const type = world.store(vmTypes).get(id);
  if (type === undefined) throw notFound();
  return type;
}

/** The account setting makes every new instance backed up. */
function accountBacksUp(world: World): boolean {
  return world.store(accountSettings).get(world.euuid)?.backups_enabled === true;
}

interface Options {
  readonly tags?: readonly string[] | null;
  readonly group?: string;
  readonly backups_enabled?: boolean;
  readonly private_ip?: boolean;
  readonly booted?: boolean;
}

function create(ctx: Context<unknown>, body: CreateBody & Options): Instance {
  ctx.refuseIfAny(createProblems(ctx, body));
  requireAccountRoom(ctx);
  const wantedTags = tagsFor(ctx, body.tags);
  const deployment = deploymentOf(ctx, body);
  const vm = insertInstance(ctx, {
    label: body.label,
    group: body.group,
    region: body.region,
    type: loadType(ctx, body.type),
    image: body.image ?? null,
    tags: wantedTags,
    backupsEnabled: body.backups_enabled === true || accountBacksUp(ctx),
    privateIp: body.private_ip,
  });
  const config = furnish(ctx, vm, body, deployment);
  vmJob(ctx, vm, {
    action: 'vm_create',
    seconds: config === undefined ? emptySeconds : imageSeconds,
    secondary: deployment === undefined ? null : imageRef(deployment.image),
    onFinish: (later, row) => {
      readyDisks(later, row.id);
      setStatus(later, row.id, 'offline');
    },
    onFail: (later, row) => {
      for (const disk of later.store(disks).by('vm_id', row.id)) later.store(disks).remove(disk);
      setStatus(later, row.id, 'offline');
    },
  });
  if (config !== undefined && (body.booted ?? true)) queueBoot(ctx, vm, config);
  return vm;
}

export const createOperations = [
  operation({
    method: 'POST',
    path: '/vm/instances',
    scopes: ['vms:read_write'],
    grant: [{ global: 'add_vms' }],
    rate: 'vm_create',
    body: {
      ...deploymentFields,
      region: required(string()),
      type: required(string()),
      label: dottedLabel(3, 64),
      group: string({ min: 1, max: 50 }),
      tags: tags(),
      backup_id: nullable(integer()),
      backups_enabled: boolean(),
      booted: boolean(),
      private_ip: boolean(),
      swap_size: integer({ min: 0 }),
      interfaces: interfacesField(),
    },
    handler: (ctx) => ctx.show(instances, create(ctx, ctx.body)),
  }),
];
