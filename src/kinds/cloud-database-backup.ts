import * as z from 'zod';
import { wordOrQuoted } from '../lib/quoted.ts';
import {
  checked,
  defineCollection,
  engineAndId,
  failed,
  matches,
  minutes,
  optional,
  path,
  placedRef,
  ready,
  type RemoteId,
} from '../resource/index.ts';
import { Backup } from './database/backups.ts';
import { Database } from './database/remote.ts';

const listOf = ({ databaseRef }: { readonly databaseRef: RemoteId }): string => {
  const [engine = '', id = ''] = String(databaseRef).split('/');
  return path`/databases/${engine}/instances/${id}/backups`;
};

/** The most that the service keeps of one database, besides those that it makes by itself. */
const mostSnapshots = 3;
const isSnapshot = ({ type }: Backup): boolean => type !== 'auto';
const automatic = 'the service makes and deletes this backup by itself, once a day';

function noRoom(backups: readonly Backup[]): string | undefined {
  const stored = backups.filter(isSnapshot).map(({ label, id }) => `${wordOrQuoted(label)} (id ${id})`);
  if (stored.length < mostSnapshots) return undefined;
  return `the database has ${stored.length} snapshots, and the service keeps no more than ${mostSnapshots}: ${stored.join(', ')}. Delete one of them: in the account, or with its CloudDatabaseBackup under spec.lifecycle.onDelete: Delete`;
}

const fixed = 'Only at creation, cannot be changed.';

export default defineCollection({
  kind: 'CloudDatabaseBackup',
  summary:
    'A snapshot of a CloudDatabase, taken once. It is restored by a CloudOperation with RestoreDatabaseBackup. The daily backups that the service takes by itself have no objects.',
  shortName: 'cdbb',

  spec: z.object({
    databaseRef: placedRef('CloudDatabase', engineAndId, 'engine').describe(
      'Database of which the snapshot is taken, for example `{name: shop}`; it waits until that is active and no other backup of it is under way. Cannot be changed.',
    ),
    label: optional(
      checked(z.string().min(1).max(30), {
        rule: matches('self', '[a-zA-Z0-9]+'),
        message: 'label is letters and digits, without dashes or blanks: write for example beforeupgrade',
      }),
      `Name among the backups of the database, 1 to 30 letters and digits, for example \`beforeupgrade\`. ${fixed} Absent: derived from the name of this object.`,
    ),
    target: optional(
      z.enum(['primary', 'secondary']),
      `Node of which it is taken: \`primary\`, or \`secondary\` for a replica of a database with three nodes. ${fixed} Absent: \`primary\`.`,
    ),
  }),
  status: z.object({
    label: z.string().describe('Name among the backups of the database.'),
    created: z.iso.datetime().describe('When the service took it.'),
  }),
  remote: Backup,

  parent: { ref: 'databaseRef', calls: 1 },
  path: listOf,
  key: { enforced: 'unique', names: true, of: (want) => ({ label: want.label ?? want.name }) },
  label: { field: 'label', max: 30, plain: true },
  createdAt: 'created',
  isPart: (backup) => !isSnapshot(backup),

  create: (want) => ({ label: want.label ?? want.name, target: want.target }),
  appears: {
    within: minutes(240),
    says: 'the service takes the snapshot and lists it once it is done; that takes minutes, and longer the more is in the database',
    shownBy: 'state',
    waits: (parent) => {
      const state = Database.safeParse(parent).data?.status;
      if (state === 'active') return undefined;
      return `a snapshot is taken of a database that is active and has no other backup under way, and this one is ${state ?? 'in a state that cannot be read'}; it is taken as soon as it can be`;
    },
  },
  noRoom,
  fields: {
    databaseRef: { immutable: true },
    label: { read: (backup) => backup.label, immutable: true },
    target: { immutable: true },
  },
  health: (backup) =>
    isSnapshot(backup) ? ready : failed(`${automatic}, so that no object can stand for it: take spec.adopt away, or delete this object`),
  observe: (backup) => ({ label: backup.label, created: `${backup.created}Z` }),
  deletion: {
    waits: (backup) =>
      isSnapshot(backup) ? undefined : { personMust: `${automatic}. Set spec.lifecycle.onDelete: Retain, and this object goes without it` },
  },

  sweep: { by: 'list' },
  // Nothing tells that one was taken or deleted.
  events: [],
  // The service wants the right to write for reads, too, and answers 401 to less.
  scopes: { read: ['databases:read_write'], write: ['databases:read_write'] },
  // What is in it cannot be had again.
  defaults: { onDelete: 'Retain', onMissing: 'Stall' },
  goesWithParent: true,
  columns: { Database: '.spec.databaseRef.name', Label: '.status.label', Created: '.status.created' },
});
