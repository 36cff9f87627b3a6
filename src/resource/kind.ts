import type { z } from 'zod';
import type { Body, BodyValue, RateClass } from './call.ts';
import type { Deletion, Reset } from './words/deletion.ts';
import type { LabelRule, NaturalKey } from './words/natural-key.ts';
import type { Outputs } from './words/outputs.ts';
import type { EventRouting, Notice } from './events.ts';
import type { AnyRule, AnyWant, Borrowed, FieldRule, Row } from './field-rule.ts';
import type { Health } from './health.ts';
import type { Part, Parts, PartSchemas, PartsRead } from './parts.ts';
import type { IdForm, RemoteId } from './remote-id.ts';
import type { Want } from './schema.ts';

/** How remotes are read where nobody waits for one of them in particular. */
export type Sweep =
  /** Each is read for itself. */
  | { readonly by: 'item' }
  /** The listing of its collection holds whole rows, so it is read instead of the items. */
  | {
      readonly by: 'list';
      /** What is sent along as `X-Filter`, where the collection shows what is none of ours (what others made public). */
      readonly filter?: Body;
      /** A read of one item tells nothing of it: it is looked up in its listing, too. */
      readonly itemFromList?: true;
    };

/** The types of a kind: its schemas, and what follows from them. */
interface Shape {
  readonly spec: z.ZodObject;
  readonly status: z.ZodObject;
  readonly remote: z.ZodObject;
  readonly want: unknown;
  /** What a read of the item gives. */
  readonly item: unknown;
  /** The same with those parts that were read. */
  readonly row: unknown;
  readonly shown: unknown;
  readonly fields: unknown;
  readonly parts: unknown;
  readonly specField: string;
  readonly statusField: string;
  readonly remoteField: string;
}
type RowOf<R extends z.ZodObject, P extends PartSchemas> = z.output<R> & PartsRead<P>;
interface Typed<S extends z.ZodObject, R extends z.ZodObject, T extends z.ZodObject, P extends PartSchemas> {
  readonly spec: S;
  readonly status: T;
  readonly remote: R;
  readonly want: Wanted<S, T>;
  readonly item: z.output<R>;
  readonly row: RowOf<R, P>;
  readonly shown: Partial<z.output<T>>;
  readonly fields: { readonly [F in keyof z.output<S>]-?: FieldRule<Want<z.output<S>[F]>, RowOf<R, P>, Wanted<S, T>> };
  readonly parts: Parts<z.output<R>, P>;
  readonly specField: keyof z.output<S> & string;
  readonly statusField: keyof z.output<T> & string;
  readonly remoteField: keyof z.output<R> & string;
}

interface CelRule {
  readonly rule: string;
  readonly message: string;
  readonly fieldPath?: string;
}

/** What users, admission and the token's owner must know of every kind. */
interface Described<X extends Shape> {
  readonly kind: string;
  readonly summary: string;
  readonly shortName: string;
  /** What the user writes besides what every kind has (accountRef, adopt, lifecycle). Every field needs a description. */
  readonly spec: X['spec'];
  /** CEL over the whole spec, for rules across fields; the message says what to write instead. */
  readonly rules?: readonly CelRule[];
  /** The same over the whole object, where the status has a say. */
  readonly objectRules?: readonly CelRule[];
  /** What the user reads besides what the engine writes for every kind. */
  readonly status: X['status'];
  readonly columns: Readonly<Record<string, `.spec.${string}` | `.status.${string}`>>;
  /** Objects of this kind may be referenced from namespaces that they admit. */
  readonly shareable?: true;
  /** At the level of the account: only in the account's own namespace. */
  readonly accountLevel?: true;
  readonly scopes: { readonly read: readonly string[]; readonly write: readonly string[] };
  /**
   * Routes with a rate window of their own: method, blank, path with `{}` for every id, for example `POST /things/{}/clone`.
   * Whatever is not listed by any kind counts for `list` when it is paged, else for `general`.
   */
  readonly windows?: Readonly<Record<string, RateClass>>;
}

/** What is compared with a remote and shown of it. */
interface Managed<X extends Shape> extends Described<X> {
  /** What the cloud answers: only the fields that this file uses; unknown ones are ignored. */
  readonly remote: X['remote'];
  readonly parts?: X['parts'];
  /**
   * Status fields of a reference's target that functions of this kind need, by their name in `want.borrowed`.
   * Absent there for `external` references and until the target has published them.
   */
  readonly borrows?: Readonly<Record<string, { readonly ref: X['specField']; readonly status: string }>>;
  /**
   * Status fields of the object itself that its functions need, by the same name in `want.recalled`: what the account does not
   * show, or not at once. Absent there until status has them, and for a remote that is another than status speaks of.
   */
  readonly recalls?: readonly X['statusField'][];
  /** Path of one remote. Default: collection, slash, `id`; of what is always there its own path. */
  readonly item?: (remote: X['item'], collection: string) => string;
  /** The id that references resolve to. Default: the remote's `id`. */
  readonly id?: (remote: X['item']) => RemoteId;
  /** How the service writes these ids, where they are no numbers. */
  readonly ids?: IdForm;
  readonly fields: X['fields'];
  readonly health: (remote: X['row'], want: X['want']) => Health;
  /** Status of this kind. A field that is not known (a part not read yet) is left out and keeps its last value. */
  readonly observe: (remote: X['row'], want: X['want']) => X['shown'];
  /** What `spec.outputs` may name; all of it goes into the Secret `spec.secretName` where some of it is secret. */
  readonly outputs?: Outputs<X['row']>;
  /** What the remote says of other remotes: an Event on the object of each, once. */
  readonly notices?: (remote: X['row']) => readonly Notice[];
  readonly events: readonly EventRouting[];
}

/** Where remotes of a kind are: in one place of the account, or below the remote that a reference names. */
type Place<X extends Shape> =
  | { readonly parent?: undefined; readonly path: string }
  | {
      /** `ref`: the spec field. `calls`: the most that one listing below a parent takes. */
      readonly parent: { readonly ref: X['specField']; readonly calls: number };
      readonly path: (want: X['want']) => string;
    };

/** Made and unmade: POST to the path creates, GET lists. */
type CollectionOf<X extends Shape> = Managed<X> &
  Place<X> & {
    readonly key: NaturalKey<X['want']>;
    readonly label?: LabelRule;
    /** Spec field that holds the tags, where the kind has tags. */
    readonly tags?: X['specField'];
    /** Field of the row that tells when it was made, where the service shows it. */
    readonly createdAt?: X['remoteField'];
    /** Field of the row that names the user who made it, where the service shows it. */
    readonly createdBy?: X['remoteField'];
    /** A second one of it would do harm: of unknown outcome it is looked for and never sent again by itself. */
    readonly attempts?: 1;
    readonly create: (want: X['want']) => Body;
    /** What a create needs and admission cannot ask for, because the account may give it: what is missing, and where to write it. */
    readonly lacks?: (want: X['want']) => string | undefined;
    /** Where POST creates, when that is not the collection (a clone, an import). */
    readonly createPath?: (want: X['want']) => string;
    readonly sweep: Sweep;
    readonly deletion?: Deletion<X['row']>;
    readonly defaults: { readonly onDelete: 'Delete' | 'Retain'; readonly onMissing: 'Recreate' | 'Stall' };
    /** The remote above one of these takes it along when it goes, whoever deletes it. */
    readonly goesWithParent?: true;
    /** Deletions of this kind do not count for the brake. */
    readonly brakeExempt?: true;
  };
/** What only a collection has, said to be absent, so that it can be asked for without asking for the mode first. */
type NeverMade = { readonly [Field in Exclude<keyof CollectionOf<Erased>, keyof Managed<Erased> | keyof Place<Erased>>]?: undefined };

/** Always there: read and changed, never made or unmade. */
type SingletonOf<X extends Shape> = Managed<X> &
  Place<X> &
  Omit<NeverMade, 'deletion' | 'defaults'> & {
    /** Where its object can take back what it asked for. Absent: all stays as it is, and `onDelete` is Retain. */
    readonly deletion?: Reset<X['row']>;
    readonly defaults: { readonly onDelete: 'Delete' | 'Retain'; readonly onMissing: 'Stall' };
  };
/** A singleton that is also the way to the account. */
type ConnectionOf<X extends Shape> = Managed<X> & NeverMade & { readonly parent?: undefined; readonly path: string };

type As<M extends string, K> = K & { readonly mode: M };

/** The resolved spec, plus the derived label: unique in the account and stable for the life of the object. */
export type Wanted<S extends z.ZodObject, T extends z.ZodObject = z.ZodObject> = Want<z.output<S>> & {
  readonly name: string;
  readonly borrowed?: Borrowed;
  readonly recalled?: Partial<z.output<T>>;
};

/** Each infers and checks the types of a definition, and names its mode. */
export const defineCollection = <S extends z.ZodObject, R extends z.ZodObject, T extends z.ZodObject, P extends PartSchemas>(
  kind: CollectionOf<Typed<S, R, T, P>>,
): As<'collection', CollectionOf<Typed<S, R, T, P>>> => ({ ...kind, mode: 'collection' });
export const defineSingleton = <S extends z.ZodObject, R extends z.ZodObject, T extends z.ZodObject, P extends PartSchemas>(
  kind: SingletonOf<Typed<S, R, T, P>>,
): As<'singleton', SingletonOf<Typed<S, R, T, P>>> => ({ ...kind, mode: 'singleton' });
export const defineConnection = <S extends z.ZodObject, R extends z.ZodObject, T extends z.ZodObject, P extends PartSchemas>(
  kind: ConnectionOf<Typed<S, R, T, P>>,
): As<'connection', ConnectionOf<Typed<S, R, T, P>>> => ({ ...kind, mode: 'connection' });

/** A kind with its type parameters erased, as everything but its own file sees it. */
interface Erased extends Shape {
  readonly want: AnyWant;
  readonly item: Row;
  readonly row: Row;
  readonly shown: Row;
  readonly fields: Readonly<Record<string, AnyRule>>;
  readonly parts: Readonly<Record<string, Part<Row>>>;
}
export type AnyCollection = As<'collection', CollectionOf<Erased>>;
export type AnySingleton = As<'singleton', SingletonOf<Erased>>;
export type AnyConnection = As<'connection', ConnectionOf<Erased>>;
/**
 * Everything that this operator knows about one kind of cloud resource: data and pure functions. CRD, RBAC, reference,
 * printer columns, Argo CD health and the conformance suite are derived from it.
 */
export type AnyKind = AnyCollection | AnySingleton | AnyConnection;
export type Mode = AnyKind['mode'];
export type { BodyValue };

/** The one type erasure: a definition as the engine reads it. */
export const erase = (kind: unknown): AnyKind => kind as AnyKind;

/** Asks a table that has an answer for every mode. */
export function byMode<Result>(kind: AnyKind, table: { readonly [K in AnyKind as K['mode']]: (kind: K) => Result }): Result {
  switch (kind.mode) {
    case 'collection':
      return table.collection(kind);
    case 'singleton':
      return table.singleton(kind);
    case 'connection':
      return table.connection(kind);
  }
}

export const asConnection = (kind: AnyKind): AnyConnection | undefined =>
  byMode<AnyConnection | undefined>(kind, { collection: () => undefined, singleton: () => undefined, connection: (one) => one });
/** Undefined for what is always there: it is neither made nor found nor deleted. */
export const asCollection = (kind: AnyKind): AnyCollection | undefined =>
  byMode<AnyCollection | undefined>(kind, { collection: (one) => one, singleton: () => undefined, connection: () => undefined });
