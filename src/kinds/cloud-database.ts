import * as z from 'zod';
import { defineCollection, minutes, noRegion } from '../resource/index.ts';
import { outputs, parts } from './database/access.ts';
import { actions } from './database/actions.ts';
import { asNetworks, opened, published, whole, written } from './database/allowed.ts';
import { backupsShown, resetOf, resetShown, shown } from './database/backups.ts';
import { Database, health, waitsToGo } from './database/remote.ts';
import { rules, spec } from './database/spec.ts';

const placeOf = (engine: string): string => `/databases/${engine}/instances`;
const places = ['mysql', 'postgresql', 'mongodb'].map(placeOf);
const isMysql = ({ engine }: { readonly engine: string }): boolean => engine.startsWith('mysql/');

const hostsOf = ({ hosts }: Database): { primary: string; secondary?: string } | null => {
  const { primary, secondary } = hosts ?? {};
  if (typeof primary !== 'string') return null;
  return typeof secondary === 'string' ? { primary, secondary } : { primary };
};

export default defineCollection({
  kind: 'CloudDatabase',
  summary: 'A managed database, its maintenance window and who may connect to it. How to connect, password included, is in its Secret.',
  shortName: 'cdb',

  spec,
  rules,
  status: z.object({
    state: z.string().describe('What the service says of the database, for example `active` or `provisioning`.'),
    engine: z.string().describe('Its engine, for example `mysql`.'),
    version: z.string().describe('Version of the engine, for example `8.0.26`.'),
    hosts: z
      .object({
        primary: z.string().describe('Name of the node that takes writes.'),
        secondary: z.string().optional().describe('A second name of it, within the private network of the provider.'),
      })
      .nullable()
      .describe('Where clients connect; absent until the database is active.'),
    port: z.int().nullable().describe('Port at which it listens.'),
    region: z.string().describe('Region of the database.'),
    allowed: z.int().describe('How many addresses and networks may connect.'),
    backups: backupsShown,
    credentialsResetAt: resetShown,
  }),
  remote: Database,
  parts,

  places,
  path: (want) => placeOf(want.engine.slice(0, want.engine.indexOf('/'))),
  key: { enforced: 'unique', names: true, of: (want) => ({ label: want.label ?? want.name }) },
  label: { field: 'label', max: 32 },
  createdAt: 'created',
  recalls: ['credentialsResetAt'],
  lastJobs: { credentialsResetAt: { actions: ['database_credentials_reset'] } },

  // What is left out of sslConnection is true in the documents and false in the service.
  create: (want) => ({
    label: want.label ?? want.name,
    engine: want.engine,
    region: want.region,
    type: want.type,
    cluster_size: want.clusterSize,
    replication_type: want.replicationType,
    encrypted: want.encrypted,
    ssl_connection: want.sslConnection ?? true,
    ...(want.allowList !== undefined || want.allowFrom !== undefined ? whole(want, []) : {}),
  }),
  lacks: (want) => {
    if (!isMysql(want))
      return `spec.engine: the service makes no database of ${want.engine}: name one that is there with spec.adopt, or write a mysql engine`;
    return want.region === undefined ? noRegion : undefined;
  },
  changesApart: minutes(1),
  fields: {
    label: { read: (database) => database.label, put: (label) => ({ label }) },
    engine: {
      read: ({ engine, version }) => `${engine}/${version}`,
      immutable: true,
      catalogue: { path: '/databases/engines' },
    },
    region: { read: (database) => database.region, immutable: true, catalogue: { path: '/regions' } },
    type: { read: (database) => database.type, immutable: true, catalogue: { path: '/databases/types' } },
    clusterSize: { read: (database) => database.cluster_size, immutable: true },
    replicationType: { read: (database) => database.replication_type ?? undefined, immutable: true },
    encrypted: { read: (database) => database.encrypted ?? undefined, immutable: true },
    sslConnection: { read: (database) => database.ssl_connection ?? undefined, immutable: true },
    allowList: {
      read: written,
      put: (_, want, database) => whole(want, database.allow_list),
      as: asNetworks,
      errors: ['allow_list'],
    },
    allowFrom: {
      read: published,
      put: (_, want, database) => whole(want, database.allow_list),
      as: asNetworks,
      withoutGone: true,
    },
    maintenance: {
      read: ({ updates }) => ({
        frequency: updates?.frequency,
        dayOfWeek: updates?.day_of_week,
        hourOfDay: updates?.hour_of_day,
        durationHours: updates?.duration,
        weekOfMonth: updates?.week_of_month,
      }),
      // Whole, because what is left out may be taken for its default.
      put: ({ frequency, dayOfWeek, hourOfDay, durationHours, weekOfMonth }) => ({
        updates: {
          frequency,
          day_of_week: dayOfWeek,
          hour_of_day: hourOfDay,
          duration: durationHours,
          week_of_month: weekOfMonth ?? null,
        },
      }),
      errors: ['updates'],
      inner: {
        frequency: 'frequency',
        day_of_week: 'dayOfWeek',
        hour_of_day: 'hourOfDay',
        duration: 'durationHours',
        week_of_month: 'weekOfMonth',
      },
    },
  },
  health: (database) => health[database.status],
  observe: (database, { recalled }) => ({
    state: database.status,
    engine: database.engine,
    version: database.version,
    hosts: hostsOf(database),
    port: database.port ?? null,
    region: database.region,
    allowed: database.allow_list.length,
    ...(database.backups !== undefined && { backups: shown(database.backups) }),
    credentialsResetAt: resetOf(recalled?.credentialsResetAt),
  }),
  outputs,
  actions,
  notices: opened,
  deletion: { waits: waitsToGo },

  sweep: { by: 'list' },
  events: [
    {
      entity: 'database',
      actions: ['database_'],
      creates: ['database_create'],
      deletes: ['database_delete'],
      finishesLater: ['database_create', 'database_update'],
      // Its event comes before the new password does.
      goesOn: ['database_credentials_reset'],
    },
  ],
  scopes: { read: ['databases:read_write'], write: ['databases:read_write'] },
  defaults: { onDelete: 'Retain', onMissing: 'Stall' },
  columns: { Engine: '.status.engine', State: '.status.state', Host: '.status.hosts.primary' },
});
