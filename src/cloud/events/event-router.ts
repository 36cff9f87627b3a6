import type { Owner } from '../../engine/ports/index.ts';
import { type AnyKind, asCollection, type EventRouting, isListed, placesOf } from '../../resource/index.ts';
import type { EventRecord } from './event-record.ts';
import { plain } from './event-record.ts';

/** Who owns what, as fan-out needs it. Paths are plain. */
export interface OwnedIndex {
  /** The path as its owner spells it. */
  owned(plainPath: string): { readonly path: string; readonly owners: readonly Owner[] } | undefined;
  /** Owned collections below this item. */
  below(plainParent: string): readonly string[];
  paths(collection: string): Iterable<string>;
}

/** What an event makes worth a look. */
export interface Targets {
  readonly items: ReadonlySet<string>;
  readonly collections: ReadonlySet<string>;
}

/** Events of the account as a whole and of the user's profile name no entity (README: facts 11). */
const accountItself = 'account';

interface Route {
  readonly kind: AnyKind;
  readonly routing: EventRouting;
}

/** Fan-out by the kinds' routing. An event only says where to look. */
export class EventRouter {
  readonly #routes = new Map<string, Route[]>();
  readonly #index: OwnedIndex;

  constructor(kinds: readonly AnyKind[], index: OwnedIndex) {
    this.#index = index;
    for (const kind of kinds) {
      for (const routing of kind.events) this.#routes.set(routing.entity, [...(this.#routes.get(routing.entity) ?? []), { kind, routing }]);
    }
  }

  targets(event: EventRecord): Targets {
    const items = new Set<string>();
    const collections = new Set<string>();
    for (const route of this.#routes.get(event.entity?.type ?? accountItself) ?? []) {
      if (!concerns(route.routing, event)) continue;
      if (isOfList(route, event)) this.#listed(route.kind, collections);
      else if (route.routing.ofParent === true) this.#below(route.kind, event, items, collections);
      else this.#named(route, event, items, collections);
    }
    return { items, collections };
  }

  /** Whether the service goes on with what this event is about, and tells no event of it. */
  goesOn(event: EventRecord): boolean {
    const routes = this.#routes.get(event.entity?.type ?? accountItself) ?? [];
    return routes.some(({ routing }) => routing.goesOn?.includes(event.action) === true);
  }

  /** What an event that names no entity is about, as far as can be said: the singletons and collections of the kinds that route it. */
  unnamed(event: EventRecord): readonly string[] {
    if (event.entity !== undefined) return [];
    const routes = (this.#routes.get(accountItself) ?? []).filter(({ routing }) => concerns(routing, event));
    return [...new Set(routes.flatMap(({ kind }) => placesOf(kind)))];
  }

  #named({ kind, routing }: Route, event: EventRecord, items: Set<string>, collections: Set<string>): void {
    if (asCollection(kind) === undefined) {
      for (const path of placesOf(kind)) this.#add(path, kind, items);
      return;
    }
    const named = routing.secondary === undefined ? event.entity : event.secondary;
    if (named === undefined || (routing.secondary !== undefined && named.type !== routing.secondary)) {
      this.#below(kind, event, items, collections);
      return;
    }
    // For events whose entity has no URL.
    const listed = routing.secondary === undefined ? placesOf(kind) : this.#collections(kind, event);
    const candidates = [named.path, ...listed.map((collection) => plain(`${collection}/${named.id}`))];
    for (const candidate of candidates) if (candidate !== undefined) this.#add(candidate, kind, items);
  }

  #listed(kind: AnyKind, collections: Set<string>): void {
    for (const collection of placesOf(kind)) if (this.#holds(collection, kind)) collections.add(collection);
  }

  #add(candidate: string, kind: AnyKind, items: Set<string>): void {
    const found = this.#index.owned(candidate);
    if (found && hasKind(found.owners, kind)) items.add(found.path);
  }

  /** Rows below the named entity: one listing, or each item where nothing lists them. */
  #below(kind: AnyKind, event: EventRecord, items: Set<string>, collections: Set<string>): void {
    for (const collection of this.#collections(kind, event)) {
      if (!isListed(kind)) for (const path of this.#index.paths(collection)) items.add(path);
      else collections.add(collection);
    }
  }

  #collections(kind: AnyKind, event: EventRecord): readonly string[] {
    const parent = event.entity?.path;
    if (parent === undefined) return [];
    return this.#index.below(parent).filter((collection) => this.#holds(collection, kind));
  }

  #holds(collection: string, kind: AnyKind): boolean {
    for (const path of this.#index.paths(collection)) {
      if (hasKind(this.#index.owned(plain(path))?.owners ?? [], kind)) return true;
    }
    return false;
  }
}

/** It names none of the rows that it may be about: nothing, or what has them without being above their list. */
const isOfList = ({ kind, routing }: Route, { entity }: EventRecord): boolean =>
  asCollection(kind) !== undefined && (routing.ofParent === true ? kind.parent === undefined : entity === undefined);
const concerns = ({ actions }: EventRouting, event: EventRecord): boolean => actions.some((action) => event.action.startsWith(action));
const hasKind = (owners: readonly Owner[], kind: AnyKind): boolean => owners.some((owner) => owner.kind.kind === kind.kind);
