import { type Action, type Given, minutes, path as pathOf, post } from '../../resource/index.ts';
import { Backup } from './backups.ts';
import type { Database } from './remote.ts';

const notNow = ({ status }: Database): string | undefined =>
  status === 'active' ? undefined : `it is ${status}: only an active database can do that, so it is done when it is active again`;

const rests = ({ status }: Database): 'done' | 'failed' | undefined =>
  status === 'active' ? 'done' : status === 'failed' ? 'failed' : undefined;

const idOf = ({ backupRef, backupId }: Given): unknown => backupRef ?? backupId;
const backupPath = (path: string, given: Given): string => `${path}${pathOf`/backups/${String(idOf(given))}`}`;
function described(inner: object | undefined): string {
  const { label, created } = Backup.partial().safeParse(inner).data ?? {};
  return label === undefined || created === undefined ? '' : ` (${label}, of ${created})`;
}

/** What can be done to a database once. */
export const actions = {
  ResetDatabaseCredentials: {
    says: 'Gives the database a new password. The Secret of its object has it within two minutes; whoever has the old one is cut off.',
    effect: 'Reboot',
    call: ({ path }) => post(`${path}/credentials/reset`),
    // A notification, seconds before the new password is there: the kind reads it again by itself.
    jobs: ['database_credentials_reset'],
    within: minutes(20),
    against: ({ remote }) => notNow(remote),
    loses: ({ path }) => [`the password of ${path} ends to work: every client that has it is cut off until it has the new one`],
  },
  PatchDatabase: {
    says: 'Brings the operating system and the engine of the database to their newest patches, in place of the next maintenance.',
    effect: 'Reboot',
    call: ({ path }) => post(`${path}/patch`),
    // No event tells of it.
    jobs: [],
    rests,
    within: minutes(120),
    against: ({ remote }) => notNow(remote),
    loses: ({ path, remote }) => (remote.cluster_size === 1 ? [`${path} has one node, and nobody can connect while that is patched`] : []),
  },
  RestoreDatabaseBackup: {
    says: 'Brings the database back to what its backup holds that `backupRef` or `backupId` names.',
    effect: 'Rebuild',
    // Below the database, so that it can be no backup of another one.
    call: ({ path }, given) => post(`${backupPath(path, given)}/restore`),
    inner: backupPath,
    // It tells that it was begun.
    jobs: ['database_backup_restore'],
    rests,
    within: minutes(240),
    against: ({ path, remote, inner }, given) =>
      notNow(remote) ??
      (inner === undefined
        ? `${path} has no backup ${String(idOf(given))}: look in its status.backups which there are, and make another operation`
        : undefined),
    // When the password was reset last nothing tells, so that whoever confirms it must know.
    loses: ({ path, inner }, given) => [
      `all that was written to ${path} since backup ${String(idOf(given))}${described(inner)} is lost`,
      'where the password was reset after that backup was taken, the database fails by it and stays so',
    ],
  },
} satisfies Readonly<Record<string, Action<Database, object>>>;
