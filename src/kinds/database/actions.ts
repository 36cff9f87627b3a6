import { wordOrQuoted } from '../../lib/quoted.ts';
import { type Action, type Given, minutes, path as pathOf, post } from '../../resource/index.ts';
import { Backup } from './backups.ts';
import type { Database } from './remote.ts';

const notNow = ({ status }: Database): string | undefined =>
  status === 'active' ? undefined : `is ${status}, and only an active database can do that`;

const rests = ({ status }: Database): 'done' | 'failed' | undefined =>
  status === 'active' ? 'done' : status === 'failed' ? 'failed' : undefined;

/** Cut to minutes, because the event of a reset comes before the new password does. */
const minuteOf = (time: string): string => time.slice(0, 'YYYY-MM-DDThh:mm'.length);

/** As far as events tell; `never`: it was not. */
interface Wished {
  readonly recalled?: { readonly credentialsResetAt?: string | null | undefined } | undefined;
}
/** The service does not say so, and the database would be of no use any more: it has another password than its backup. */
function isOutlived(inner: object | undefined, { recalled }: Wished): boolean | undefined {
  const { created } = Backup.partial().safeParse(inner).data ?? {};
  const { credentialsResetAt: at } = recalled ?? {};
  if (at === 'never') return false;
  return typeof at !== 'string' || created === undefined ? undefined : minuteOf(created) <= minuteOf(at);
}

const idOf = ({ backupRef, backupId }: Given): unknown => backupRef ?? backupId;
const backupPath = (path: string, given: Given): string => `${path}${pathOf`/backups/${String(idOf(given))}`}`;
function described(inner: object | undefined): string {
  const { label, created } = Backup.partial().safeParse(inner).data ?? {};
  return label === undefined || created === undefined ? '' : ` (${wordOrQuoted(label)}, of ${created})`;
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
    against: ({ path, remote, inner, want }, given) => {
      const field = given['backupRef'] === undefined ? 'backupId' : 'backupRef';
      if (inner === undefined)
        return (
          notNow(remote) ?? {
            field,
            says: `${path} has no backup ${String(idOf(given))}: look in its status.backups which there are, and make another operation`,
          }
        );
      if (isOutlived(inner, want) !== true) return notNow(remote);
      return {
        field,
        says: `backup ${String(idOf(given))}${described(inner)} was taken before the password of the database was reset (status.credentialsResetAt): restored, the database would fail and stay so. Make another operation, with a backup that is newer`,
      };
    },
    loses: ({ path, inner, want }, given) => [
      `all that was written to ${path} since backup ${String(idOf(given))}${described(inner)} is lost`,
      // Events tell of it for some months only, so that whoever confirms it must know.
      ...(isOutlived(inner, want) === undefined
        ? ['where the password was reset after that backup was taken, the database fails by it and stays so']
        : []),
    ],
  },
} satisfies Readonly<Record<string, Action<Database, Wished>>>;
