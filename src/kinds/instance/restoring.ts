import { wordOrQuoted } from '../../lib/quoted.ts';
import { type Acted, type Action, type Given, minutes, path as pathOf, post, type Wrong } from '../../resource/index.ts';
import type { Deployed } from './deployment.ts';
import { allOf, type Backup, type Instance, type PartsRead } from './remote.ts';

type On = Acted<Instance & PartsRead, Deployed>;

const backupsOf = ({ remote: { snapshots } }: On): readonly Backup[] => (snapshots === undefined ? [] : allOf(snapshots));
const mb = (rows: readonly { readonly size: number }[] | null | undefined): number => (rows ?? []).reduce((sum, { size }) => sum + size, 0);

/** Of a target that has no such backup, or not yet. */
function lacking(target: On, id: unknown): Backup | string {
  const all = backupsOf(target);
  const backup = all.find((one) => one.id === id);
  if (backup?.status === 'successful') return backup;
  if (backup !== undefined) return `backup ${backup.id} is ${backup.status}: it can be restored once it is successful`;
  const those = all.length === 0 ? 'it has none at all' : `those that it has are ${all.map((one) => one.id).join(', ')}`;
  return `${target.name} has no backup ${String(id)}: ${those}`;
}

/** What the service would refuse, and what a plan has no room for. */
function unfit(backup: Backup, on: On, { field, overwrite }: { readonly field: string; readonly overwrite: boolean }): Wrong | undefined {
  const { name, remote } = on;
  const [needed, all, used] = [mb(backup.disks), remote.specs.disk, mb(remote.disks)];
  const what = `the disks of backup ${backup.id} take ${needed} MB`;
  if (backup.region != null && backup.region !== remote.region)
    return {
      field,
      says: `${name} is in region ${remote.region}, and backup ${backup.id} can only be restored in ${backup.region}: name an instance there`,
    };
  if (needed > all)
    return { field, says: `${what}, and the plan ${remote.type ?? ''} of ${name} has ${all} MB: give that a plan with more disk first` };
  if (overwrite || used + needed <= all) return undefined;
  const room = `${what}, and of the ${all} MB of ${name} ${all - used} are free`;
  return { field: 'overwrite', says: `${room}: set overwrite to true to have erased what is there, or make room first` };
}

const shown = (what: string, rows: readonly { readonly id: number; readonly label: string }[]): readonly string[] =>
  rows.length === 0
    ? []
    : [`${what}${rows.length === 1 ? '' : 's'} ${rows.map(({ id, label }) => `${id} (${wordOrQuoted(label)})`).join(', ')}`];

/** What there is to lose, by id and label; empty where there is nothing. */
export const shownParts = ({ disks = [], configs = [] }: PartsRead): string =>
  [...shown('disk', disks), ...shown('configuration', configs)].join(' and ');

function lost({ name, path, remote }: On, backup: string): string {
  const what = shownParts(remote);
  return what === ''
    ? `${name} (${path}) has no disks and configurations now: those of ${backup} are put there, and it is powered off for it`
    : `${what} of ${name} (${path}) are erased, and those of ${backup} take their place`;
}

export const restoring: Action<Instance & PartsRead, Deployed> = {
  says: 'Restores the backup `backupId` of the instance onto itself, or onto the one of `toInstanceRef`: beside what is there where there is room, or with `overwrite` in its place.',
  effect: 'Rebuild',
  parts: ['snapshots', 'disks', 'configs'],
  // Below the instance, so that it can be no backup of another one.
  call: ({ path, remote, onto }, { backupId, overwrite }) =>
    post(`${path}${pathOf`/backups/${String(backupId)}/restore`}`, {
      vm_id: (onto?.remote ?? remote).id,
      overwrite: overwrite === true,
    }),
  jobs: ['backups_restore'],
  within: minutes(240),
  against: (target: On, { backupId, overwrite }: Given) => {
    const backup = lacking(target, backupId);
    if (typeof backup === 'string') return { field: 'backupId', says: backup };
    const field = target.onto === undefined ? 'target' : 'toInstanceRef';
    return unfit(backup, target.onto ?? target, { field, overwrite: overwrite === true });
  },
  loses: (target: On, { backupId, overwrite }: Given) => {
    const on = target.onto ?? target;
    const backup = `backup ${String(backupId)}${target.onto === undefined ? '' : ` of ${target.name}`}`;
    return [
      overwrite === true
        ? lost(on, backup)
        : `${on.name} (${on.path}) is powered off while disks and configurations of ${backup} are added to it`,
    ];
  },
};
