import { actionsOf, type AnyKind, type EventRouting } from '../../resource/index.ts';

/** What the name of an action means, as the kinds say. */
export interface EventRules {
  finishesLater(action: string): boolean;
  /** Type of the entity that is new, or gone, by an event of this action; undefined for all others. */
  creates(action: string): string | undefined;
  deletes(action: string): string | undefined;
  /** Type of the entity below which something is new. */
  createsBelow(action: string): string | undefined;
  /** A kind shows when the last job of this action was, or the service goes on after it. */
  isRemembered(action: string): boolean;
  /** A kind has this done once, and how the job ends is told. */
  isFollowed(action: string): boolean;
}

export function eventRules(kinds: readonly Pick<AnyKind, 'events' | 'lastJobs' | 'lastNamed' | 'actions'>[]): EventRules {
  const routings = kinds.flatMap(({ events }) => events);
  const below = routings.filter(({ ofParent }) => ofParent === true);
  const named = routings.filter(({ ofParent }) => ofParent !== true);
  const later = new Set(routings.flatMap(({ finishesLater = [] }) => finishesLater));
  const remembered = new Set([
    ...kinds.flatMap(({ lastJobs = {} }) => Object.values(lastJobs).flatMap((job) => (job === undefined ? [] : actionsOf(job)))),
    ...kinds.flatMap(({ lastNamed = {} }) => Object.values(lastNamed).flat()),
    ...routings.flatMap(({ goesOn = [] }) => goesOn),
  ]);
  const followed = new Set(kinds.flatMap(({ actions = {} }) => Object.values(actions).flatMap(({ jobs }) => jobs)));
  const creates = typesBy(named, ({ creates: actions = [] }) => actions);
  const createsBelow = typesBy(below, ({ creates: actions = [] }) => actions);
  const deletes = typesBy(routings, ({ deletes: actions = [] }) => actions);
  return {
    finishesLater: (action) => later.has(action),
    creates: (action) => creates.get(action),
    deletes: (action) => deletes.get(action),
    createsBelow: (action) => createsBelow.get(action),
    isRemembered: (action) => remembered.has(action),
    isFollowed: (action) => followed.has(action),
  };
}

const typesBy = (routings: readonly EventRouting[], actions: (routing: EventRouting) => readonly string[]): ReadonlyMap<string, string> =>
  new Map(routings.flatMap((routing) => actions(routing).map((action) => [action, routing.secondary ?? routing.entity] as const)));
