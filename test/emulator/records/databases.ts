import { defineCollection } from '../contract/collection.ts';

export const databaseEngines = ['mysql', 'postgresql', 'mongodb'] as const;
export type DatabaseEngineName = (typeof databaseEngines)[number];

export interface DatabaseEngine {
  readonly id: string;
  readonly engine: DatabaseEngineName;
  readonly version: string;
}

export const engines = defineCollection<DatabaseEngine>({ name: 'database engines', scope: 'platform' });

export type DatabaseStatus =
  | 'provisioning'
  | 'active'
  | 'suspending'
  | 'suspended'
  | 'resuming'
  | 'restoring'
  | 'failed'
  | 'degraded'
  | 'updating'
  | 'backing_up';

export const commitTypes = ['on', 'local', 'remote_write', 'remote_apply', 'off'] as const;
export type CommitType = (typeof commitTypes)[number];

export interface MaintenanceWindow {
  readonly frequency: 'weekly' | 'monthly';
  readonly duration: number;
  readonly hour_of_day: number;
  readonly day_of_week: number | null;
  readonly week_of_month: number | null;
}

export interface Database {
  readonly id: number;
  readonly label: string;
  readonly type: string;
  readonly engine: DatabaseEngineName;
  readonly version: string;
  readonly region: string;
  readonly status: DatabaseStatus;
  readonly encrypted: boolean;
  readonly allow_list: readonly string[];
  readonly cluster_size: 1 | 3;
  readonly hosts: { readonly primary: string | null; readonly secondary: string | null };
  readonly ssl_connection: boolean;
  readonly port: number;
  readonly created: string;
  readonly updated: string;
  readonly updates: MaintenanceWindow;
  /** Of mysql and postgresql. */
  readonly replication_type?: string;
  /** Of postgresql. */
  readonly replication_commit_type?: CommitType;
  /** Of mongodb. */
  readonly peers?: readonly string[];
  readonly replica_set?: string | null;
  readonly compression_type?: string;
  readonly storage_engine?: string;
  /** Not shown: the root password, when it was last reset and since when the database is active (epoch ms), automatic backups deleted. */
  readonly password: string;
  readonly resetAt: number | null;
  readonly activeFrom: number | null;
  readonly dropped: readonly number[];
}

export const databases = defineCollection<Database>({
  name: 'databases',
  grant: 'database',
  indexes: ['label', 'engine'],
  view: ({ password: _password, resetAt: _reset, activeFrom: _active, dropped: _dropped, ...shown }) => shown,
});

export interface DatabaseBackup {
  readonly id: number;
  readonly type: 'snapshot' | 'auto';
  readonly label: string;
  readonly created: string;
  /** Not shown. */
  readonly database_id: number;
}

export const databaseBackups = defineCollection<DatabaseBackup>({
  name: 'database backups',
  indexes: ['database_id'],
  view: ({ database_id: _database, ...shown }) => shown,
});
