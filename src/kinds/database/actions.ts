import { type Action, minutes, path as pathOf, post } from '../../resource/index.ts';
import type { Database } from './remote.ts';

const notNow = ({ status }: Database): string | undefined =>
  status === 'active' ? undefined : `it is ${status}: only an active database can do that, so it is done when it is active again`;

const rests = ({ status }: Database): 'done' | 'failed' | undefined =>
  status === 'active' ? 'done' : status === 'failed' ? 'failed' : undefined;

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
    says: 'Brings the database back to what its backup `backupId` holds.',
    effect: 'Rebuild',
    // Below the database, so that it can be no backup of another one.
    call: ({ path }, { backupId }) => post(`${path}${pathOf`/backups/${String(backupId)}/restore`}`),
    // It tells that it was begun.
    jobs: ['database_backup_restore'],
    rests,
    within: minutes(240),
    against: ({ remote }) => notNow(remote),
    // When the password was reset last nothing tells, so that whoever confirms it must know.
    loses: ({ path }, { backupId }) => [
      `all that was written to ${path} since backup ${String(backupId)} is lost`,
      'where the password was reset after that backup was taken, the database fails by it and stays so',
    ],
  },
} satisfies Readonly<Record<string, Action<Database, object>>>;
