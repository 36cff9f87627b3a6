import type { Context } from '../../contract/context.ts';
import type { ErrorItem } from '../../contract/refusal.ts';
import { refusal } from '../../contract/refusal.ts';
import type { World } from '../../contract/world.ts';
import type { Backup } from '../../records/backups.ts';
import { backups } from '../../records/backups.ts';
import type { VmType } from '../../records/catalogue.ts';
import { regions, vmTypes } from '../../records/catalogue.ts';
import { instances, reservedInstanceLabels } from '../../records/instances.ts';
import { requireQuota } from '../shared/quota.ts';
import type { DeploymentBody } from './deployment.ts';
import { deploymentProblems } from './deployment.ts';
import type { SentInterface } from './interfaces.ts';
import { interfaceProblems } from './interfaces.ts';

export interface CreateBody extends DeploymentBody {
  readonly region: string;
  readonly type: string;
  readonly label?: string;
  readonly backup_id?: number | null;
  readonly swap_size?: number;
  readonly interfaces?: readonly SentInterface[] | null;
}

export function labelProblem(world: World, label: string | undefined, except?: number): readonly ErrorItem[] {
  if (label === undefined) return [];
  const used = world
    .store(instances)
    .by('label', label)
    .some((row) => row.id !== except);
  const reserved = world.knobs.deletedLabelFree === 'after-the-job' && world.store(reservedInstanceLabels).by('label', label).length > 0;
  return used || reserved ? [{ reason: 'Label must be unique among your linodes', field: 'label' }] : [];
}

/** What the backup's disks take, in MB. */
export const backupSize = (backup: Backup): number => backup.disks.reduce((sum, disk) => sum + disk.size, 0);

/** Texts of backup refusals are not established: generic forms. */
function* backupProblems(ctx: Context<unknown>, body: CreateBody, type: VmType | undefined): Iterable<ErrorItem> {
  if (typeof body.backup_id !== 'number') return;
  const backup = ctx.store(backups).get(body.backup_id);
  if (backup === undefined || !ctx.may('vm', backup.vm_id, 'read_write')) {
    yield { reason: 'backup_id is not valid', field: 'backup_id' };
    return;
  }
  if (backup.status !== 'successful') yield { reason: 'Unable to restore pending backups.' };
  if (backup.region !== body.region) yield { reason: 'region is not valid', field: 'region' };
  if (typeof body.image === 'string') yield { reason: 'image is not valid', field: 'image' };
  if (type !== undefined && backupSize(backup) > type.disk) yield { reason: 'type is not valid', field: 'type' };
}

export function typeProblem(type: VmType | undefined): readonly ErrorItem[] {
  return type === undefined ? [{ reason: 'A valid plan type by that ID was not found', field: 'type' }] : [];
}

/** Every problem of a create that the shape cannot say. */
export function createProblems(ctx: Context<unknown>, body: CreateBody): readonly ErrorItem[] {
  const type = ctx.store(vmTypes).get(body.type);
  const region = ctx.store(regions).get(body.region);
  const needsPassword = typeof body.image === 'string' && body.root_pass === undefined;
  const room = type === undefined ? Infinity : type.disk - (body.swap_size ?? 512);
  return [
    ...(region === undefined ? [{ reason: 'region is not valid', field: 'region' }] : []),
    ...typeProblem(type),
    ...labelProblem(ctx, body.label),
    ...(needsPassword ? [{ reason: 'root_pass is required', field: 'root_pass' }] : []),
    ...deploymentProblems(ctx, body, room),
    ...backupProblems(ctx, body, type),
    ...interfaceProblems(ctx, body.region, body.interfaces ?? []),
  ];
}

/** The account's quota, or the knob `instanceLimit`. */
export function requireAccountRoom(world: World): void {
  requireQuota(world, instances);
  const { instanceLimit } = world.knobs;
  if (instanceLimit > 0 && world.store(instances).size >= instanceLimit) {
    throw refusal(400, 'Account Limit reached. Please open a support ticket.');
  }
}
