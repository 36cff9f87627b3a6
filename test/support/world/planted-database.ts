import type { World } from './world.ts';

const everything = {
  type: 'g6-dedicated-2',
  region: 'us-east',
  status: 'active',
  encrypted: false,
  allow_list: [],
  ssl_connection: true,
  created: '2022-03-06T10:00:00',
  updated: '2022-03-06T10:30:00',
  updates: { frequency: 'weekly', duration: 3, hour_of_day: 0, day_of_week: 6, week_of_month: null },
  password: 'not told here',
  resetAt: null,
  // No automatic backups before it has been active for a day.
  activeFrom: null,
  dropped: [],
};
const engines = {
  mysql: {
    engine: 'mysql',
    version: '8.0.26',
    cluster_size: 3,
    replication_type: 'semi_synch',
    hosts: { primary: 'lin-4711-1-mysql-primary.servers.vmdb.net', secondary: 'lin-4711-1-mysql-primary-private.servers.vmdb.net' },
    port: 3306,
  },
  mongodb: {
    engine: 'mongodb',
    version: '4.4.10',
    cluster_size: 3,
    hosts: { primary: 'lin-4711-1.servers.vmdb.net', secondary: null },
    peers: ['lin-4711-1.servers.vmdb.net'],
    replica_set: 'RS-4711-0',
    compression_type: 'none',
    storage_engine: 'wiredtiger',
    port: 27_017,
  },
};
export type Engine = keyof typeof engines;

/** A database that has been there for long, as it takes half an hour to make one, and no operation makes one of mongodb. */
export function plantDatabase(
  { emulator }: World,
  engine: Engine,
  { id = 4711, ...more }: { readonly id?: number; readonly [field: string]: unknown } = {},
): number {
  emulator.control.edit({ collection: 'databases', row: { ...everything, ...engines[engine], label: `${engine}-${id}`, ...more, id } });
  return id;
}

/** A spec that adopts it. */
export const adopting = (engine: Engine, id = 4711) => ({
  engine: `${engine}/${engines[engine].version}`,
  type: everything.type,
  region: everything.region,
  adopt: { id },
});
