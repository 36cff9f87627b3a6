import type { Context } from '../../contract/context.ts';
import { oneOf, required, string } from '../../contract/fields.ts';
import type { Operation } from '../../contract/operation.ts';
import { operation } from '../../contract/operation.ts';
import { notFound, refusal } from '../../contract/refusal.ts';
import type { World } from '../../contract/world.ts';
import type { Database, DatabaseBackup, DatabaseEngineName } from '../../records/databases.ts';
import { databaseBackups, databases } from '../../records/databases.ts';
import { databaseRef } from '../shared/entity-refs.ts';
import { taken } from '../shared/taken.ts';
import { setDatabase } from './life.ts';
import { ownDatabase, requireActive, requireProvisioned } from './states.ts';

/** A snapshot may take several minutes; the status lags behind the list. */
const snapshotSeconds = 180;
const lagSeconds = 15;
const restoreSeconds = 300;
const mostSnapshots = 3;

const day = 86_400_000;
const retainedDays = 7;

/** One at every 00:00 UTC since the database is active, the last seven (document 1, Limits). */
function automaticBackups(world: World, row: Database): readonly DatabaseBackup[] {
  if (row.activeFrom === null) return [];
  const last = Math.floor(world.clock.now() / day);
  const first = Math.max(Math.floor(row.activeFrom / day) + 1, last - retainedDays + 1);
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, index): DatabaseBackup => {
    const number = first + index;
    const created = new Date(number * day).toISOString().slice(0, 19);
    const label = `Scheduled - ${created.slice(5, 7)}/${created.slice(8, 10)}/${created.slice(2, 4)} 00:00 UTC-${row.id}`;
    return { id: 10_000_000 + row.id * 100_000 + number, type: 'auto', label, created, database_id: row.id };
  }).filter((backup) => !row.dropped.includes(backup.id));
}

function backupsOf(world: World, row: Database): readonly DatabaseBackup[] {
  return [...world.store(databaseBackups).by('database_id', row.id), ...automaticBackups(world, row)];
}

function ownBackup(ctx: Context<unknown>, row: Database): DatabaseBackup {
  const backup = backupsOf(ctx, row).find((one) => one.id === ctx.id('backupId'));
  if (backup === undefined) throw notFound();
  return backup;
}

/** Answers `{}`; the snapshot is in the list only when it is done. */
function takeSnapshot(ctx: Context<unknown>, row: Database, label: string): void {
  const known = ctx.store(databaseBackups).by('database_id', row.id);
  if (known.some((backup) => backup.label === label)) throw taken(ctx, 'label');
  // The text is assumed.
  if (known.length >= mostSnapshots) throw refusal(400, `Must be 0-${mostSnapshots} snapshots`);
  setDatabase(ctx, row.id, { status: 'backing_up' });
  const { id: databaseId } = row;
  ctx.after(snapshotSeconds, (later) => {
    if (later.store(databases).get(databaseId) === undefined) return;
    const created = later.timestamp();
    later.store(databaseBackups).insert((id) => ({ id, type: 'snapshot', label, created, database_id: databaseId }));
  });
  ctx.after(snapshotSeconds + lagSeconds, (later) => setDatabase(later, databaseId, { status: 'active' }));
}

/** A backup from before a credentials reset leaves the cluster failed (document 3, Database rules 6). */
function restore(ctx: Context<unknown>, row: Database, backup: DatabaseBackup): void {
  const stale = row.resetAt !== null && Date.parse(`${backup.created}Z`) <= row.resetAt;
  setDatabase(ctx, row.id, { status: 'restoring' });
  ctx.emit({ action: 'database_backup_restore', entity: databaseRef(row) });
  ctx.after(restoreSeconds, (later) => setDatabase(later, row.id, { status: stale ? 'failed' : 'active' }));
}

function drop(ctx: Context<unknown>, row: Database, backup: DatabaseBackup): void {
  const stored = ctx.store(databaseBackups).get(backup.id);
  if (stored !== undefined) ctx.store(databaseBackups).remove(stored);
  else ctx.store(databases).update(row, { dropped: [...row.dropped, backup.id] });
}

interface Shelf {
  readonly base: string;
  /** The database of the path, and what state it must be in. */
  readonly provisioned: (ctx: Context<unknown>) => Database;
  readonly active: (ctx: Context<unknown>) => Database;
}

const read = { scopes: ['databases:read_write'], grant: [{ on: 'database', param: 'instanceId', need: 'read_only' }] } as const;
const write = { scopes: ['databases:read_write'], grant: [{ on: 'database', param: 'instanceId', need: 'read_write' }] } as const;

export function backupOperations(engine: DatabaseEngineName): readonly Operation[] {
  const shelf: Shelf = {
    base: `/databases/${engine}/instances/{instanceId}/backups`,
    provisioned: (ctx) => {
      const row = ownDatabase(ctx, engine);
      requireProvisioned(row);
      return row;
    },
    active: (ctx) => {
      const row = ownDatabase(ctx, engine);
      requireActive(row);
      return row;
    },
  };
  return [...shelfOperations(shelf), ...backupItemOperations(shelf)];
}

const shelfOperations = ({ base, provisioned, active }: Shelf): readonly Operation[] => [
  operation({
    ...read,
    method: 'GET',
    path: base,
    filterable: ['type', 'created'],
    handler: (ctx) => ctx.pageOf(backupsOf(ctx, provisioned(ctx)).map((backup) => ctx.show(databaseBackups, backup) as object)),
  }),
  operation({
    ...write,
    method: 'POST',
    path: base,
    body: { label: required(string({ min: 1, max: 30, pattern: /^[A-Za-z0-9]*$/ })), target: oneOf(['primary', 'secondary']) },
    handler: (ctx) => takeSnapshot(ctx, active(ctx), ctx.body.label),
  }),
];

const backupItemOperations = ({ base, provisioned, active }: Shelf): readonly Operation[] => [
  operation({
    ...read,
    method: 'GET',
    path: `${base}/{backupId}`,
    handler: (ctx) => ctx.show(databaseBackups, ownBackup(ctx, provisioned(ctx))),
  }),
  operation({
    ...write,
    method: 'DELETE',
    path: `${base}/{backupId}`,
    handler: (ctx) => {
      const row = provisioned(ctx);
      drop(ctx, row, ownBackup(ctx, row));
    },
  }),
  operation({
    ...write,
    method: 'POST',
    path: `${base}/{backupId}/restore`,
    handler: (ctx) => {
      const row = active(ctx);
      restore(ctx, row, ownBackup(ctx, row));
    },
  }),
];
