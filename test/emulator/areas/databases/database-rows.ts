import type { Context } from '../../contract/context.ts';
import type { Field } from '../../contract/fields.ts';
import { array, integer, nullable, object, oneOf, string } from '../../contract/fields.ts';
import type { ErrorItem } from '../../contract/refusal.ts';
import type { World } from '../../contract/world.ts';
import { regions, vmTypes } from '../../records/catalogue.ts';
import type { CommitType, Database, DatabaseEngineName, MaintenanceWindow } from '../../records/databases.ts';
import { databases, engines } from '../../records/databases.ts';
import { isIp, isIpv4Network, isIpv6Network } from '../shared/addresses-of-text.ts';
import { taken } from '../shared/taken.ts';
import { runsDatabases } from './types-list.ts';

export const databaseLabel = (): Field<string> => string({ min: 3, max: 32 });

export const allowList = (): Field<readonly string[]> =>
  array(
    string({
      also: (text) => (isIp(text) || isIpv4Network(text) || isIpv6Network(text) ? undefined : 'Must be a valid IP address or network'),
    }),
  );

export const updatesField = () =>
  object({
    frequency: oneOf(['weekly', 'monthly']),
    day_of_week: integer({ min: 1, max: 7 }),
    duration: integer({ min: 1, max: 3 }),
    hour_of_day: integer({ min: 0, max: 23 }),
    week_of_month: nullable(integer({ min: 1, max: 4 })),
  });

/** `week_of_month` goes with `monthly` only; the texts are generic. */
export function windowProblems(window: Partial<MaintenanceWindow>): readonly ErrorItem[] {
  const week = window.week_of_month ?? null;
  const field = 'updates.week_of_month';
  if (window.frequency === 'monthly' && week === null) return [{ reason: 'week_of_month is required', field }];
  return window.frequency !== 'monthly' && week !== null ? [{ reason: 'week_of_month is not valid', field }] : [];
}

export interface CreateBody {
  readonly label: string;
  readonly engine: string;
  readonly region: string;
  readonly type: string;
  readonly allow_list?: readonly string[];
  readonly cluster_size?: 1 | 3;
  readonly encrypted?: boolean;
  readonly replication_type?: string;
  readonly ssl_connection?: boolean;
  readonly replication_commit_type?: CommitType;
}

const replications: Readonly<Record<1 | 3, readonly string[]>> = { 1: ['none'], 3: ['asynch', 'semi_synch'] };

export function createProblems(world: World, name: DatabaseEngineName, body: CreateBody): readonly ErrorItem[] {
  const found: ErrorItem[] = [];
  const wrong = (field: string): number => found.push({ reason: `${field} is not valid`, field });
  if (world.store(engines).get(body.engine)?.engine !== name) wrong('engine');
  if (world.store(regions).get(body.region)?.capabilities.includes('Managed Databases') !== true) wrong('region');
  const type = world.store(vmTypes).get(body.type);
  if (type === undefined || !runsDatabases(type)) wrong('type');
  const size = body.cluster_size ?? 1;
  if (body.replication_type !== undefined && !replications[size].includes(body.replication_type)) wrong('replication_type');
  return found;
}

export function requireFreeLabel(world: World, label: string | undefined, except?: number): void {
  if (label === undefined) return;
  if (
    world
      .store(databases)
      .by('label', label)
      .some((row) => row.id !== except)
  )
    throw taken(world, 'label');
}

const ports: Readonly<Record<DatabaseEngineName, number>> = { mysql: 3306, postgresql: 5432, mongodb: 27_017 };

export const defaultWindow: MaintenanceWindow = {
  frequency: 'weekly',
  duration: 3,
  hour_of_day: 0,
  day_of_week: null,
  week_of_month: null,
};

/** 16 printable characters. */
export const newPassword = (world: World): string => `${world.rng.hex(13)}-Aa`;

/** With the defaults of a create answer; `ssl_connection` is knob `mysqlSslDefault` (decision b). */
export function insertDatabase(ctx: Context<unknown>, engine: DatabaseEngineName, body: CreateBody): Database {
  const now = ctx.timestamp();
  const size = body.cluster_size ?? 1;
  return ctx.store(databases).insert((id) => ({
    id,
    label: body.label,
    type: body.type,
    engine,
    version: body.engine.slice(engine.length + 1),
    region: body.region,
    status: 'provisioning',
    encrypted: body.encrypted ?? false,
    allow_list: body.allow_list ?? [],
    cluster_size: size,
    hosts: { primary: null, secondary: null },
    ssl_connection: body.ssl_connection ?? ctx.knobs.mysqlSslDefault,
    replication_type: body.replication_type ?? (size === 1 ? 'none' : 'semi_synch'),
    ...(engine === 'postgresql' && { replication_commit_type: body.replication_commit_type ?? 'local' }),
    port: ports[engine],
    created: now,
    updated: now,
    updates: defaultWindow,
    password: newPassword(ctx),
    resetAt: null,
    activeFrom: null,
    dropped: [],
  }));
}

/** An existing mongodb database: no operation makes one any more (document 3). */
export function plantMongodb(world: World, label: string): Database {
  const now = world.timestamp();
  return world.store(databases).insert((id) => ({
    id,
    label,
    type: 'g6-dedicated-2',
    engine: 'mongodb',
    version: '4.4.10',
    region: 'us-east',
    status: 'provisioning',
    encrypted: false,
    allow_list: [],
    cluster_size: 3,
    hosts: { primary: null, secondary: null },
    ssl_connection: true,
    peers: [],
    replica_set: `RS-${id}-0`,
    compression_type: 'none',
    storage_engine: 'wiredtiger',
    port: ports.mongodb,
    created: now,
    updated: now,
    updates: defaultWindow,
    password: newPassword(world),
    resetAt: null,
    activeFrom: null,
    dropped: [],
  }));
}
