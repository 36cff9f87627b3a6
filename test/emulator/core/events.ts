import type { EventHidden, EventRow, NewEvent } from '../contract/event.ts';
import type { World } from '../contract/world.ts';
import { events } from '../records/events.ts';
import type { EventEffect, Faults } from './faults.ts';

const feedKinds: readonly EventEffect['kind'][] = ['lost', 'doubled', 'late', 'skewed', 'other-entity'];

interface Distortion {
  readonly hidden?: EventHidden;
  readonly createdOffset?: number;
  readonly entityType?: string;
}

function distortion(effect: EventEffect | undefined, now: number): Distortion {
  switch (effect?.kind) {
    case 'lost':
      return { hidden: { visibleFrom: Infinity } };
    case 'late':
      return { hidden: { visibleFrom: now + effect.seconds * 1000 } };
    case 'doubled':
      return { hidden: { doubled: true } };
    case 'skewed':
      return { createdOffset: effect.seconds };
    case 'other-entity':
      return { entityType: effect.type };
    case 'job-fails':
    case 'job-hangs':
    case undefined:
      return {};
  }
}

const ended = { percent_complete: 100, time_remaining: 0, duration: 0 };
const unended = { percent_complete: null, time_remaining: null, duration: null };

/** Writes event records as the service does, with the faults of the feed. */
export class EventFeed {
  readonly #faults: Faults;

  constructor(faults: Faults) {
    this.#faults = faults;
  }

  emit(world: World, event: NewEvent): EventRow {
    const status = event.status ?? 'notification';
    const { entity = null, secondary = null, message = '', username = world.actor?.username ?? null } = event;
    const effect = this.#faults.forEvent({ action: event.action, entityId: entity?.id }, feedKinds);
    const { hidden, createdOffset = 0, entityType } = distortion(effect, world.clock.monotonic());
    return world.store(events).insert((id) => ({
      id,
      created: world.timestamp(createdOffset),
      action: event.action,
      status,
      entity: entity === null || entityType === undefined ? entity : { ...entity, type: entityType },
      secondary_entity: secondary,
      ...(status === 'finished' || status === 'failed' ? ended : unended),
      rate: null,
      username,
      message,
      ...(hidden === undefined ? {} : { hidden }),
    }));
  }
}
