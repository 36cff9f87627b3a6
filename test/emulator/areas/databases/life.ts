import type { World } from '../../contract/world.ts';
import type { Database } from '../../records/databases.ts';
import { databases } from '../../records/databases.ts';
import { events } from '../../records/events.ts';
import { databaseRef } from '../shared/entity-refs.ts';

/** The median of recorded event durations. */
export const updateSeconds = 70;

const domain = 'servers.vmdb.net';

export function setDatabase(world: World, id: number, change: Partial<Database>): void {
  const row = world.store(databases).get(id);
  if (row !== undefined) world.store(databases).update(row, { ...change, updated: world.timestamp() });
}

/** What a database does for a while. */
interface Work {
  readonly action: string;
  readonly seconds: number;
  readonly onEnd: (later: World, failed: boolean) => void;
}

/** Database events start as `notification` and turn `finished` in place. */
export function follow(world: World, row: Database, { action, seconds, onEnd }: Work): void {
  const event = world.emit({ action, entity: databaseRef(row) });
  world.after(seconds, (later) => {
    const failed = later.knobs.jobFailureRate > 0 && later.rng.next() < later.knobs.jobFailureRate;
    const ended = later.store(events).get(event.id);
    const end = { percent_complete: 100, time_remaining: action === 'database_update' ? null : 0, duration: seconds };
    if (ended !== undefined) later.store(events).update(ended, { status: failed ? 'failed' : 'finished', ...end });
    onEnd(later, failed);
  });
}

function hostsOf(row: Database): Pick<Database, 'hosts' | 'peers'> {
  const base = `lin-${row.id}-${row.id + 400}`;
  if (row.engine === 'mongodb') {
    const peers = Array.from({ length: row.cluster_size }, (_, index) => `lin-${row.id}-${row.id + 400 + index}.${domain}`);
    return { peers, hosts: { primary: peers[0] ?? null, secondary: null } };
  }
  const names = { primary: `${base}-${row.engine}-primary.${domain}`, secondary: `${base}-${row.engine}-primary-private.${domain}` };
  return { hosts: names };
}

/** On becoming active the service fills hosts and the maintenance day. */
export function activate(world: World, id: number): void {
  const row = world.store(databases).get(id);
  if (row === undefined) return;
  const updates = { ...row.updates, day_of_week: row.updates.day_of_week ?? 6 };
  setDatabase(world, id, { ...hostsOf(row), status: 'active', updates, activeFrom: world.clock.now() });
}
