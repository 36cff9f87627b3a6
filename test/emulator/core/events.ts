import type { EventRow, NewEvent } from '../contract/event.ts';
import type { World } from '../contract/world.ts';
import { events } from '../records/events.ts';

/** Writes an event record as the service does (realities 6.1 and 6.4). */
export function emitEvent(world: World, event: NewEvent): EventRow {
  const status = event.status ?? 'notification';
  const ended = status === 'finished' || status === 'failed';
  return world.store(events).insert((id) => ({
    id,
    created: world.timestamp(),
    action: event.action,
    status,
    entity: event.entity ?? null,
    secondary_entity: event.secondary ?? null,
    percent_complete: ended ? 100 : null,
    time_remaining: ended ? 0 : null,
    rate: null,
    duration: ended ? 0 : null,
    username: event.username === undefined ? (world.actor?.username ?? null) : event.username,
    message: event.message ?? '',
  }));
}
