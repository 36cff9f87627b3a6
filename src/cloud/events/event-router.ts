import type { Owner } from '../../engine/ports/index.ts';
import { type AnyKind, asCollection, type EventRouting, isListed, type Part, placesOf, type Row } from '../../resource/index.ts';
import type { EventRecord } from './event-record.ts';
import { decodedPath } from '../http/entity-url.ts';

/** Who owns what, as fan-out needs it. Paths are decoded, so that there is one spelling of each. */
export interface OwnedIndex {
  /** The path as its owner spells it. */
  owned(decoded: string): { readonly path: string; readonly owners: readonly Owner[] } | undefined;
  /** Owned collections below this item. */
  below(decodedParent: string): readonly string[];
  paths(collection: string): Iterable<string>;
}

/** What an event makes worth a look. */
export interface Targets {
  readonly items: ReadonlySet<string>;
  readonly collections: ReadonlySet<string>;
}

/** Of one kind. */
interface Found {
  readonly items?: readonly string[];
  readonly collections?: readonly string[];
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
  /** Kinds below something, of which a part counts until an event. */
  readonly #readers: readonly AnyKind[];
  readonly #index: OwnedIndex;

  constructor(kinds: readonly AnyKind[], index: OwnedIndex) {
    this.#index = index;
    this.#readers = kinds.filter(
      ({ parent, parts = {} }) => parent !== undefined && Object.values(parts).some((part) => part.for === 'before'),
    );
    for (const kind of kinds) {
      for (const routing of kind.events) this.#routes.set(routing.entity, [...(this.#routes.get(routing.entity) ?? []), { kind, routing }]);
    }
  }

  targets(event: EventRecord): Targets {
    const routes = this.#routes.get(event.entity?.type ?? accountItself) ?? [];
    const found = routes.filter(({ routing }) => concerns(routing, event)).map((route) => this.#targetsOf(route, event));
    return {
      items: new Set(found.flatMap(({ items = [] }) => items)),
      collections: new Set(found.flatMap(({ collections = [] }) => collections)),
    };
  }

  /** What the event names, as its owner spells it, whether or not its kind looks at such events. */
  named({ entity }: EventRecord): string | undefined {
    return entity?.path === undefined ? undefined : this.#index.owned(entity.path)?.path;
  }

  /** What lies below what the event names, of kinds that read something which it says is another by now. */
  told(event: EventRecord): readonly string[] {
    if (event.entity?.path === undefined) return [];
    const kinds = this.#readers.filter(({ parts }) => isToldBy(Object.values(parts ?? {}), event.action));
    return kinds.flatMap((kind) => this.#collections(kind, event).flatMap((collection) => [...this.#index.paths(collection)]));
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

  #targetsOf(route: Route, event: EventRecord): Found {
    const { kind, routing } = route;
    if (isOfList(route, event)) return { collections: placesOf(kind).filter((collection) => this.#holds(collection, kind)) };
    if (routing.ofParent === true) return this.#below(kind, event);
    if (asCollection(kind) === undefined) return { items: this.#owned(placesOf(kind), kind) };
    return this.#named(route, event);
  }

  #named({ kind, routing }: Route, event: EventRecord): Found {
    const named = routing.secondary === undefined ? event.entity : event.secondary;
    if (named === undefined || (routing.secondary !== undefined && named.type !== routing.secondary)) return this.#below(kind, event);
    // For events whose entity has no URL.
    const listed = routing.secondary === undefined ? placesOf(kind) : this.#collections(kind, event);
    const byId = listed.map((collection) => decodedPath(`${collection}/${named.id}`));
    return { items: this.#owned(named.path === undefined ? byId : [named.path, ...byId], kind) };
  }

  /** Those of these paths at which an object of this kind is, as its owner spells them. */
  #owned(candidates: readonly string[], kind: AnyKind): readonly string[] {
    return candidates.flatMap((candidate) => {
      const found = this.#index.owned(candidate);
      return found && hasKind(found.owners, kind) ? [found.path] : [];
    });
  }

  /** Rows below the named entity: one listing, or each item where nothing lists them. */
  #below(kind: AnyKind, event: EventRecord): Found {
    const collections = this.#collections(kind, event);
    return isListed(kind) ? { collections } : { items: collections.flatMap((collection) => [...this.#index.paths(collection)]) };
  }

  #collections(kind: AnyKind, event: EventRecord): readonly string[] {
    const parent = event.entity?.path;
    if (parent === undefined) return [];
    return this.#index.below(parent).filter((collection) => this.#holds(collection, kind));
  }

  #holds(collection: string, kind: AnyKind): boolean {
    for (const path of this.#index.paths(collection)) {
      if (hasKind(this.#index.owned(decodedPath(path))?.owners ?? [], kind)) return true;
    }
    return false;
  }
}

/** The event may be about any row of the list: it names nothing, or something that has rows of it and that the list is not below. */
const isOfList = ({ kind, routing }: Route, { entity }: EventRecord): boolean =>
  asCollection(kind) !== undefined && (routing.ofParent === true ? kind.parent === undefined : entity === undefined);
const concerns = ({ actions }: EventRouting, event: EventRecord): boolean => actions.some((action) => event.action.startsWith(action));
const hasKind = (owners: readonly Owner[], kind: AnyKind): boolean => owners.some((owner) => owner.kind.kind === kind.kind);
const isToldBy = (parts: readonly Pick<Part<Row>, 'for' | 'toldBy'>[], action: string): boolean =>
  parts.some(({ for: use, toldBy = [] }) => use === 'before' && toldBy.some((begins) => action.startsWith(begins)));
