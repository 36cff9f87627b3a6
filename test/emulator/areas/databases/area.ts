import type { Area } from '../../contract/area.ts';
import type { Context } from '../../contract/context.ts';
import { boolean, oneOf, pick, required, string } from '../../contract/fields.ts';
import type { Operation } from '../../contract/operation.ts';
import { operation } from '../../contract/operation.ts';
import type { Database, DatabaseEngineName, MaintenanceWindow } from '../../records/databases.ts';
import { commitTypes, databaseBackups, databases, engines } from '../../records/databases.ts';
import { refuseFilters } from '../shared/refused-filters.ts';
import { databaseRef } from '../shared/entity-refs.ts';
import { backupOperations } from './backups.ts';
import { credentialOperations, waived } from './credentials.ts';
import type { CreateBody } from './database-rows.ts';
import {
  allowList,
  createProblems,
  databaseLabel,
  insertDatabase,
  requireFreeLabel,
  updatesField,
  windowProblems,
} from './database-rows.ts';
import { activate, follow, setDatabase, updateSeconds } from './life.ts';
import { ownDatabase, requireActive, requireDeletable } from './states.ts';
import { databaseTypes } from './types-list.ts';

/** Refused at the time (knob `refusedFilters`). */
const refused = ['label', 'region', 'status', 'type', 'version'];
const filterable = ['label', 'type', 'engine', 'version', 'region', 'status'];

function create(ctx: Context<unknown>, engine: DatabaseEngineName, body: CreateBody): Database {
  ctx.refuseIfAny(createProblems(ctx, engine, body));
  requireFreeLabel(ctx, body.label);
  const row = insertDatabase(ctx, engine, body);
  follow(ctx, row, {
    action: 'database_create',
    seconds: ctx.knobs.databaseSeconds,
    onEnd: (later, failed) => (failed ? setDatabase(later, row.id, { status: 'failed' }) : activate(later, row.id)),
  });
  return row;
}

interface UpdateBody {
  readonly label?: string;
  readonly allow_list?: readonly string[];
  readonly updates?: Partial<MaintenanceWindow>;
}

/** Answers `updating`; a failed update has an event of its own. */
function update(ctx: Context<unknown>, before: Database, body: UpdateBody): Database {
  requireActive(before);
  requireFreeLabel(ctx, body.label, before.id);
  const updates = { ...before.updates, ...body.updates };
  if (body.updates?.frequency === 'weekly' && body.updates.week_of_month === undefined) updates.week_of_month = null;
  ctx.refuseIfAny(windowProblems(updates));
  const change = { ...pick(body, 'label', 'allow_list'), updates, status: 'updating', updated: ctx.timestamp() } as const;
  const after = ctx.store(databases).update(before, change);
  follow(ctx, after, {
    action: 'database_update',
    seconds: updateSeconds,
    onEnd: (later, failed) => {
      if (failed) later.emit({ action: 'database_update_failed', entity: databaseRef(after) });
      setDatabase(later, after.id, { status: 'active' });
    },
  });
  return after;
}

function remove(ctx: Context<unknown>, row: Database): void {
  requireDeletable(row);
  for (const backup of ctx.store(databaseBackups).by('database_id', row.id)) ctx.store(databaseBackups).remove(backup);
  ctx.store(databases).remove(row);
  ctx.emit({ action: 'database_delete', entity: databaseRef(row) });
}

function creation(engine: DatabaseEngineName): readonly Operation[] {
  if (engine === 'mongodb') return [];
  return [
    operation({
      method: 'POST',
      path: `/databases/${engine}/instances`,
      scopes: ['databases:read_write'],
      grant: [{ global: 'add_databases' }],
      body: {
        label: required(databaseLabel()),
        engine: required(string()),
        region: required(string()),
        type: required(string()),
        allow_list: allowList(),
        cluster_size: oneOf([1, 3]),
        encrypted: boolean(),
        replication_type: string(),
        ssl_connection: boolean(),
        ...(engine === 'postgresql' && { replication_commit_type: oneOf(commitTypes) }),
      },
      handler: (ctx) => ctx.show(databases, create(ctx, engine, ctx.body)),
    }),
  ];
}

const scopes = ['databases:read_only'];

function reads(engine: DatabaseEngineName, base: string): readonly Operation[] {
  return [
    operation({
      method: 'GET',
      path: base,
      scopes,
      filterable,
      handler: (ctx) => {
        refuseFilters(ctx, refused);
        return ctx.page(databases, { from: { engine } });
      },
    }),
    operation({
      method: 'GET',
      path: `${base}/{instanceId}`,
      scopes,
      grant: [{ on: 'database', param: 'instanceId', need: 'read_only' }],
      handler: (ctx) => ctx.show(databases, ownDatabase(ctx, engine)),
    }),
  ];
}

function changes(engine: DatabaseEngineName, base: string): readonly Operation[] {
  return [
    operation({
      method: 'PUT',
      path: `${base}/{instanceId}`,
      scopes: ['databases:read_write'],
      grant: [{ on: 'database', param: 'instanceId', need: 'read_write' }],
      body: { label: databaseLabel(), allow_list: allowList(), updates: updatesField() },
      handler: (ctx) => {
        const after = update(ctx, ownDatabase(ctx, engine), ctx.body);
        return ctx.show(databases, ctx.knobs.staleEcho ? { ...after, status: 'active' } : after);
      },
    }),
    operation({
      ...waived,
      method: 'DELETE',
      path: `${base}/{instanceId}`,
      scopes: ['databases:read_write'],
      handler: (ctx) => remove(ctx, ownDatabase(ctx, engine)),
    }),
  ];
}

function engineOperations(engine: DatabaseEngineName): readonly Operation[] {
  const base = `/databases/${engine}/instances`;
  const own = [...reads(engine, base), ...creation(engine), ...changes(engine, base)];
  return [...own, ...backupOperations(engine), ...credentialOperations(engine)];
}

/** The list of every engine has the address of the detail, and no engine's own fields. */
function summary({ id, label, type, engine, version, region, ...row }: Database): object {
  const { status, encrypted, allow_list, cluster_size, hosts, port, created, updated, updates } = row;
  const common = {
    id,
    label,
    type,
    engine,
    version,
    region,
    status,
    encrypted,
    allow_list,
    cluster_size,
    hosts,
    port,
    created,
    updated,
    updates,
  };
  return { ...common, instance_uri: `/v4/databases/${engine}/instances/${id}` };
}

const open = { method: 'GET', auth: 'none' } as const;

const seeded = [
  'mysql/5.7.30',
  'mysql/8.0.26',
  'postgresql/10.14',
  'postgresql/11.11',
  'postgresql/12.6',
  'postgresql/13.2',
  'mongodb/4.4.10',
];

export const databasesArea: Area = {
  name: 'databases',
  operations: [
    operation({ ...open, path: '/databases/engines', filterable: ['engine', 'version'], handler: (ctx) => ctx.page(engines) }),
    operation({ ...open, path: '/databases/engines/{engineId*}', handler: (ctx) => ctx.load(engines, 'engineId') }),
    ...databaseTypes,
    operation({
      method: 'GET',
      path: '/databases/instances',
      scopes: ['databases:read_only'],
      filterable,
      handler: (ctx) => {
        refuseFilters(ctx, refused);
        return ctx.page(databases, { view: summary });
      },
    }),
    ...engineOperations('mysql'),
    ...engineOperations('postgresql'),
    ...engineOperations('mongodb'),
  ],
  seedPlatform: (world) => {
    for (const id of seeded) {
      const [engine = '', version = ''] = id.split('/');
      world.store(engines).insert(() => ({ id, engine: engine as DatabaseEngineName, version }));
    }
  },
};
