import * as z from 'zod';

/** The fields of `GET /databases/{engine}/instances/{id}/backups/{id}` that this operator reads. */
export const Backup = z.object({ id: z.number(), type: z.string(), label: z.string(), created: z.string() });
export type Backup = z.output<typeof Backup>;

/** Of a week of automatic ones, and three snapshots: all there can be, newest first. */
const mostShown = 16;
export const shown = (backups: readonly Backup[]) =>
  backups
    .toSorted((a, b) => (a.created < b.created ? 1 : -1))
    .slice(0, mostShown)
    .map(({ id, type, label, created }) => ({ id, type, label, created: `${created}Z` }));

export const backupsShown = z
  .array(
    z.object({
      id: z.int().describe('Id of the backup, which `backupId` of a CloudOperation with RestoreDatabaseBackup takes.'),
      type: z.string().describe('`auto` for one that the service takes each day and keeps for a week, or `snapshot`.'),
      label: z.string().describe('Name among the backups of the database.'),
      created: z.iso.datetime().describe('When it was taken.'),
    }),
  )
  .max(mostShown)
  .describe('Its backups, newest first.');

/** By events, which leave the zone out; what status has of them has one. */
const utc = (time: string): string => time.replace(/Z?$/, 'Z');
export const resetShown = z.iso
  .datetime()
  .nullable()
  .describe(
    'When its password was reset last, as far as events tell. No backup from before is restored, as the database would fail by it. Absent: it was not, or that is not known.',
  );

export const resetOf = (at: string | null | undefined): string | null => (typeof at !== 'string' || at === 'never' ? null : utc(at));
