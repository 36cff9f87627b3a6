import type { RemoteId } from './remote-id.ts';

/** Which events concern this kind: the entity that they name, and for sub-resources the parent's. */
export interface EventRouting {
  /** `account`: events that name none. They lead to what is always there, and to a listing of the kind's own collection. */
  readonly entity: string;
  /** Type of the second entity, where that is the one meant and the first is its parent. */
  readonly secondary?: string;
  /** Prefixes or whole names of actions, for example `volume_`. The lists below take whole names only. */
  readonly actions: readonly string[];
  /** The named entity is our parent, or has some of ours: read the rows below it, or the list where they are not below it, not one id. */
  readonly ofParent?: true;
  /** Actions that say that the named one is new, or one below it (`ofParent`), and who made it. */
  readonly creates?: readonly string[];
  /** Actions that say that the named one is gone. */
  readonly deletes?: readonly string[];
  /** Actions whose events are a notification first and become a job that ends later. */
  readonly finishesLater?: readonly string[];
  /** Actions after whose events, or the end of whose jobs, the service goes on with the remote by itself, and tells no event of it. */
  readonly goesOn?: readonly string[];
}

/** Something about another remote, which is named like in events (see {@link EventRouting}). */
export interface Notice {
  readonly about: { readonly entity: string; readonly id: RemoteId };
  /** Reason of the Event, one word. */
  readonly reason: string;
  readonly warning: boolean;
  readonly message: string;
}

/** Of which jobs a kind shows when the last one began. */
export interface LastJob {
  readonly actions: readonly string[];
  /** Jobs of the parent, which name nothing else, that do once more what the last of `actions` did; not where one of `unless` came between. */
  readonly again?: { readonly by: readonly string[]; readonly unless: readonly string[] };
  /** Events that change what it shows: times are told to the second, their order beyond that ({@link Wanted.overtaken}). */
  readonly changes?: readonly string[];
}
/** All actions that it is told by. */
export const actionsOf = ({ actions, again, changes = [] }: LastJob): readonly string[] => [
  ...actions,
  ...(again?.by ?? []),
  ...(again?.unless ?? []),
  ...changes,
];
