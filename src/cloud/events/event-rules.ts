import type { AnyKind, EventRouting } from '../../resource/index.ts';

/** What the name of an action means, as the kinds say. */
export interface EventRules {
  finishesLater(action: string): boolean;
  /** Type of the entity that is new, or gone, by an event of this action; undefined for all others. */
  creates(action: string): string | undefined;
  /** Something below the named one is new. */
  createsBelow(action: string): boolean;
  deletes(action: string): string | undefined;
}

export function eventRules(kinds: readonly Pick<AnyKind, 'events'>[]): EventRules {
  const routings = kinds.flatMap(({ events }) => events);
  const later = new Set(routings.flatMap(({ finishesLater = [] }) => finishesLater));
  const creates = typesBy(routings, ({ creates: actions = [], ofParent }) => (ofParent === true ? [] : actions));
  const below = new Set(routings.flatMap(({ creates: actions = [], ofParent }) => (ofParent === true ? actions : [])));
  const deletes = typesBy(routings, ({ deletes: actions = [] }) => actions);
  return {
    finishesLater: (action) => later.has(action),
    creates: (action) => creates.get(action),
    createsBelow: (action) => below.has(action),
    deletes: (action) => deletes.get(action),
  };
}

const typesBy = (routings: readonly EventRouting[], actions: (routing: EventRouting) => readonly string[]): ReadonlyMap<string, string> =>
  new Map(routings.flatMap((routing) => actions(routing).map((action) => [action, routing.secondary ?? routing.entity] as const)));
