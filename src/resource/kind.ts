import type { z } from 'zod';
import type { Body, BodyValue, Call, RateClass } from './call.ts';
import type { AnyRule, AnyWant, Borrowed, FieldRule, Row } from './field-rule.ts';
import type { Health } from './health.ts';
import type { RemoteId, Want } from './schema.ts';

/** A further read below the item whose answer becomes a field of the remote: a page's rows, or a record. */
export interface Part<Remote> {
  readonly path: (item: string, remote: Remote) => string;
  readonly paged: boolean;
  /** `drift`: compared, so read before an edit. `status`: only shown, read when there is time. */
  readonly for: 'drift' | 'status';
}

/** How remotes of this kind are found by list, and how often: one listing per account, or one per parent that we own (design 5.6). */
export type Sweep =
  | { readonly by: 'collection' }
  | { readonly by: 'parent'; readonly field: string; readonly bound: number }
  | { readonly by: 'item' };

/** Which events concern this kind (realities 6): the entity that they name, and for sub-resources the parent's. */
export interface EventRouting {
  /** `account`: events that name none. They lead to what is always there, and to a listing of the kind's own collection. */
  readonly entity: string;
  /** Type of the second entity, where that is the one meant and the first is its parent. */
  readonly secondary?: string;
  /** Prefixes or whole names of actions, for example `volume_`. */
  readonly actions: readonly string[];
  /** The named entity is our parent: read the rows below it, not one id. */
  readonly ofParent?: true;
}

/**
 * Natural key: finds a remote whose id was lost.
 * `unique`: the service refuses a second one. `item`: a create of one's own existing one is answered with it, so look first.
 * `counted`: nothing refuses a second one, so the ids that match already are noted before the first attempt (design 4.3).
 */
export interface NaturalKey<Wanted> {
  readonly enforced: 'unique' | 'item' | 'counted';
  /** The key names the thing: a second one would be one too many, so a match that is not ours stops the create. Else matches are only counted. */
  readonly names: boolean;
  /** Fields of the remote that a match must equal. */
  readonly of: (want: Wanted) => Readonly<Record<string, unknown>>;
  /** Brings the fields of a row into the form that `of` gives. */
  readonly row?: (row: Readonly<Record<string, unknown>>, want: Wanted) => Readonly<Record<string, unknown>>;
}

/** A label that the operator derives and that carries the owner key (design 4.2). */
export interface LabelRule {
  readonly field: string;
  readonly max: number;
  /** Characters that the service refuses, replaced by a dash; default everything but letters, digits and dashes. */
  readonly refused?: RegExp;
}

/** Something about another remote, which is named like in events (see {@link EventRouting}). */
export interface Tiding {
  readonly about: { readonly entity: string; readonly id: RemoteId };
  /** Reason of the Event, one word. */
  readonly reason: string;
  readonly warning: boolean;
  readonly message: string;
}

/** In words for the user: what passes by itself, or what a person must do first. */
export type DeleteWait = string | { readonly personMust: string };

/**
 * Everything this operator knows about one kind of cloud resource: data and pure functions.
 * The CRD, RBAC, reference, printer columns, Argo CD health and the conformance suite are derived from this value.
 */
export interface Kind<S extends z.ZodObject, R extends z.ZodObject, T extends z.ZodObject> {
  readonly kind: string;
  /** `collection`: made and unmade. `singleton`: always there, only changed. `connection`: a singleton that is also the way to the account. */
  readonly mode: 'collection' | 'singleton' | 'connection';
  readonly summary: string;
  readonly shortName: string;
  /** What the user writes besides what every kind has (accountRef, adopt, lifecycle). Every field needs a description. */
  readonly spec: S;
  /** CEL over the whole spec, for rules across fields; the message says what to write instead. */
  readonly rules?: readonly { readonly rule: string; readonly message: string; readonly fieldPath?: string }[];
  /** What the user reads besides what the engine writes for every kind. */
  readonly status: T;
  /** What the cloud answers: only the fields that this file uses; unknown ones are ignored. */
  readonly remote: R;

  /** Collection path: POST here creates, GET here lists. */
  readonly path: string | ((want: Wanted<S>) => string);
  /** Where POST creates, when that is not the collection (a clone, an import). */
  readonly createPath?: (want: Wanted<S>) => string;
  /**
   * Status fields of a reference's target that functions of this kind need, by their name in `want.borrowed`.
   * Absent there for `external` references and until the target has published them.
   */
  readonly borrows?: Readonly<Record<string, { readonly ref: keyof z.output<S> & string; readonly status: string }>>;
  /** Path of one remote. Default: collection, slash, `id`. */
  readonly item?: (remote: z.output<R>, collection: string) => string;
  /** The id that references resolve to. Default: the remote's `id`. */
  readonly id?: (remote: z.output<R>) => RemoteId;
  readonly parts?: Readonly<Record<string, Part<z.output<R>>>>;
  readonly key: NaturalKey<Wanted<S>>;
  readonly label?: LabelRule;
  /** Spec field that holds the tags, where the kind has tags. */
  readonly tags?: keyof z.output<S> & string;
  /** Field of the row that tells when it was made, where the service shows it. */
  readonly created?: keyof z.output<R> & string;

  readonly create: (want: Wanted<S>) => Body;
  readonly createRate?: RateClass;
  readonly fields: { readonly [F in keyof z.output<S>]-?: FieldRule<Want<z.output<S>[F]>, z.output<R>, Wanted<S>> };
  readonly health: (remote: z.output<R>, want: Wanted<S>) => Health;
  /** Status of this kind. A field that is not known (a part not read yet) is left out and keeps its last value. */
  readonly observe: (remote: z.output<R>) => Partial<z.output<T>>;
  /** A call that must precede DELETE, or undefined once none is needed. */
  readonly release?: (remote: z.output<R>) => Call | undefined;
  /** Why a DELETE must wait now; undefined when it may go. */
  readonly deleteWaits?: (remote: z.output<R>) => DeleteWait | undefined;
  /** Texts for the keys of the output Secret; present exactly when the kind has one. */
  readonly outputs?: Readonly<Record<string, string>>;
  readonly publishes?: (remote: z.output<R>) => Readonly<Record<string, string>>;

  /** What the remote says of other remotes: an Event on the object of each, once. */
  readonly tells?: (remote: z.output<R>) => readonly Tiding[];

  readonly sweep: Sweep;
  readonly events: readonly EventRouting[];
  readonly scopes: { readonly read: readonly string[]; readonly write: readonly string[] };
  readonly defaults: { readonly onDelete: 'Delete' | 'Retain'; readonly onMissing: 'Recreate' | 'Stall' };
  /** Objects of this kind may be referenced from namespaces that they admit. */
  readonly shareable?: true;
  /** At the level of the account: only in the account's own namespace. */
  readonly accountLevel?: true;
  /** Deletions of this kind do not count for the brake (design 4.6). */
  readonly brakeExempt?: true;
  readonly columns: Readonly<Record<string, `.spec.${string}` | `.status.${string}`>>;
}

/** The resolved spec, plus the derived label: unique in the account and stable for the life of the object. */
export type Wanted<S extends z.ZodObject> = Want<z.output<S>> & { readonly name: string; readonly borrowed?: Borrowed };
/** Identity function: it only infers and checks the types of a definition. */
export const defineKind = <S extends z.ZodObject, R extends z.ZodObject, T extends z.ZodObject>(kind: Kind<S, R, T>): Kind<S, R, T> => kind;

/** A {@link Kind} with its type parameters erased; `registry` in the engine is the one place that makes them. */
export interface AnyKind extends Omit<
  Kind<z.ZodObject, z.ZodObject, z.ZodObject>,
  | 'path'
  | 'createPath'
  | 'borrows'
  | 'item'
  | 'id'
  | 'parts'
  | 'key'
  | 'create'
  | 'fields'
  | 'health'
  | 'observe'
  | 'release'
  | 'deleteWaits'
  | 'publishes'
  | 'tells'
  | 'tags'
  | 'created'
> {
  readonly path: string | ((want: AnyWant) => string);
  readonly createPath?: (want: AnyWant) => string;
  readonly borrows?: Readonly<Record<string, { readonly ref: string; readonly status: string }>>;
  readonly item?: (remote: Row, collection: string) => string;
  readonly id?: (remote: Row) => RemoteId;
  readonly parts?: Readonly<Record<string, Part<Row>>>;
  readonly key: NaturalKey<AnyWant>;
  readonly tags?: string;
  readonly created?: string;
  readonly create: (want: AnyWant) => Body;
  readonly fields: Readonly<Record<string, AnyRule>>;
  readonly health: (remote: Row, want: AnyWant) => Health;
  readonly observe: (remote: Row) => Row;
  readonly release?: (remote: Row) => Call | undefined;
  readonly deleteWaits?: (remote: Row) => DeleteWait | undefined;
  readonly tells?: (remote: Row) => readonly Tiding[];
  readonly publishes?: (remote: Row) => Readonly<Record<string, string>>;
}
export type { BodyValue };

/** The one type erasure: a definition as the engine reads it. */
export const erase = (kind: unknown): AnyKind => kind as AnyKind;
