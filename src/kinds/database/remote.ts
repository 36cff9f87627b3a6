import * as z from 'zod';
import {
  type DeleteWait,
  failed,
  type Health,
  minutes,
  openEnum,
  progressing,
  ready,
  seconds,
  unknownStatus,
} from '../../resource/index.ts';

/** The fields of `GET /databases/{engine}/instances/{id}` that this operator reads; of mongodb some are missing. */
export const Database = z.object({
  id: z.number(),
  label: z.string(),
  engine: z.string(),
  version: z.string(),
  region: z.string(),
  type: z.string(),
  status: openEnum(
    'provisioning',
    'active',
    'suspending',
    'suspended',
    'resuming',
    'restoring',
    'failed',
    'degraded',
    'updating',
    'backing_up',
  ),
  encrypted: z.boolean().nullish(),
  cluster_size: z.number(),
  replication_type: z.string().nullish(),
  ssl_connection: z.boolean().nullish(),
  allow_list: z.array(z.string()),
  hosts: z.object({ primary: z.string().nullish(), secondary: z.string().nullish() }).nullish(),
  port: z.number().nullish(),
  updates: z
    .object({
      frequency: z.string().nullish(),
      day_of_week: z.number().nullish(),
      hour_of_day: z.number().nullish(),
      duration: z.number().nullish(),
      week_of_month: z.number().nullish(),
    })
    .nullish(),
  created: z.string(),
});
export type Database = z.output<typeof Database>;

/** Everything is refused of a database that is not active. */
export const health = {
  active: ready,
  provisioning: progressing('the database is being made; that takes 15 to 30 minutes', minutes(2)),
  updating: progressing('the database is being updated', seconds(30)),
  backing_up: progressing('a backup of the database is being taken', seconds(30)),
  restoring: progressing('a backup is being restored into the database', seconds(30)),
  resuming: progressing('the database is being resumed', seconds(60)),
  degraded: progressing('the database is degraded: not all of its nodes run; the provider repairs it', seconds(60)),
  suspending: progressing('the database is being suspended', seconds(60)),
  suspended: failed('the database is suspended: nobody can connect. Look into the account for why, or open a support ticket'),
  failed: failed('the database has failed, by the word of the provider: open a support ticket that names its id'),
  unknown: unknownStatus,
} satisfies Record<Database['status'], Health>;

const deletable: ReadonlySet<Database['status']> = new Set(['active', 'failed', 'degraded', 'unknown']);

/** What the service deletes is active, failed or degraded. */
export function waitsToGo({ status }: Database): DeleteWait | undefined {
  if (deletable.has(status)) return undefined;
  if (status !== 'suspended') return `the database is ${status}; the service deletes it once it is active`;
  const personMust =
    'the database is suspended, and the service deletes none that is: open a support ticket, or set spec.lifecycle.onDelete: Retain to let it stay';
  return { personMust };
}
