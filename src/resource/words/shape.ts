import type * as z from 'zod';
import type { RateClass } from '../call.ts';
import type { EventRouting, LastJob, Notice } from '../events.ts';
import type { AnyRule, AnyWant, Awaited, Borrowed, FieldRule, Row } from '../field-rule.ts';
import type { Health } from '../health.ts';
import type { Part, Parts, PartSchemas, PartsRead } from '../parts.ts';
import type { IdForm, RemoteId } from '../remote-id.ts';
import type { Want } from '../schema.ts';
import type { Action } from './actions.ts';
import type { Marks, SeenMark, Taken } from './marks.ts';
import type { Outputs } from './outputs.ts';
import type { ParentPower } from './parent-power.ts';

/** The types of a kind: its schemas, and what follows from them. */
export interface Shape {
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
export interface Typed<S extends z.ZodObject, R extends z.ZodObject, T extends z.ZodObject, P extends PartSchemas> {
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

/** What a token needs. */
interface Scopes {
  readonly read: readonly string[];
  readonly write: readonly string[];
  /** Restricted users may do nothing with it, whatever the scopes: they are told so before the first call. */
  readonly unrestricted?: true;
  /** What the account must have bought from the provider before any call is answered, by its name. */
  readonly product?: string;
}

/** What users, admission and the token's owner must know of every kind. */
export interface Described<X extends Shape> {
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
  /** Objects of this kind may be referenced from namespaces that they admit. A text warns of what these may do with it. */
  readonly shareable?: true | string;
  /** At the level of the account: only in the account's own namespace. */
  readonly accountLevel?: true;
  readonly scopes: Scopes;
  /**
   * Routes with a rate window of their own: method, blank, path with `{}` for every id, for example `POST /things/{}/clone`.
   * Whatever is not listed by any kind counts for `list` when it is paged, else for `general`.
   */
  readonly windows?: Readonly<Record<string, RateClass>>;
}

/** What is compared with a remote and shown of it. */
export interface Managed<X extends Shape> extends Described<X> {
  /** What the cloud answers: only the fields that this file uses; unknown ones are ignored. */
  readonly remote: X['remote'];
  readonly parts?: X['parts'];
  /**
   * Status fields of a reference's target that functions of this kind need, by their name in `want.borrowed`. Of a list of
   * references: of the only one in it. Absent there for `external` references and until the target has published them.
   */
  readonly borrows?: Readonly<Record<string, { readonly ref: X['specField']; readonly status: string }>>;
  /**
   * Status fields of the object itself that its functions need, by the same name in `want.recalled`: what the account does not
   * show, or not at once. Absent there until status has them, and for a remote that is another than status speaks of.
   */
  readonly recalls?: readonly X['statusField'][];
  /** Of Secrets and ConfigMaps one object may name so many bytes together. Default: 256 KiB. */
  readonly mostNamed?: number;
  /** Things below its remote, or the remote itself, bear tags that tell whose they are: `want.marks` holds the keys for those. Answers all of these tags. */
  readonly marked?: (remote: X['row']) => readonly SeenMark[];
  /**
   * Status fields, recalled, that say when the last of these jobs that finished began, or what is complete at birth was, by the clock of the service, as far as
   * events tell; `never`: none since it was made; absent: not known. The actions are among those that `events` routes here.
   */
  readonly lastJobs?: Readonly<Partial<Record<X['statusField'], LastJob>>>;
  /**
   * Status fields, recalled, that hold the id of what the last of these jobs that finished was about besides the remote (the
   * configuration of a boot), as far as events tell; absent: not known.
   */
  readonly lastNamed?: Readonly<Partial<Record<X['statusField'], readonly string[]>>>;
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
  readonly outputs?: Outputs<X['row'], X['want']>;
  /**
   * Paths of what a change of it changes as well, besides what is its own (machines behind a firewall). Those that an object of another
   * namespace has are in `want.taken`, and the kind's rules leave them as they are, or let go of them. Undefined where that was not read.
   */
  readonly changesAlso?: (remote: X['row']) => readonly string[] | undefined;
  /** What the remote says of other remotes: an Event on the object of each, once. */
  readonly notices?: (remote: X['row']) => readonly Notice[];
  readonly events: readonly EventRouting[];
  /** What is above runs with it, and some calls need that it does not. */
  readonly parentPower?: ParentPower;
  /** What may be done to it once, by name. */
  readonly actions?: Readonly<Record<string, Action<X['row'], X['want']>>>;
}

/** Where remotes of a kind are: in one place of the account, in one of several, or below the remote that a reference names. */
export type Place<X extends Shape> =
  | { readonly parent?: undefined; readonly places?: undefined; readonly path: string }
  | {
      readonly parent?: undefined;
      /** All that there are; `path` picks the one of a wish, by fields that are fixed at birth. */
      readonly places: readonly string[];
      readonly path: (want: X['want']) => string;
    }
  | {
      readonly places?: undefined;
      /** `ref`: the spec field. `calls`: the most that one listing below a parent takes. */
      readonly parent: { readonly ref: X['specField']; readonly calls: number };
      readonly path: (want: X['want']) => string;
    };

/**
 * The resolved spec, plus the derived label: unique in the account and stable for the life of the object. A kind whose spec has a
 * `name` has no derived one.
 */
export type Wanted<S extends z.ZodObject, T extends z.ZodObject = z.ZodObject> = Want<z.output<S>> & {
  readonly name: string;
  readonly borrowed?: Borrowed;
  readonly recalled?: Partial<z.output<T>>;
  readonly awaited?: Awaited;
  readonly marks?: Marks;
  readonly taken?: readonly Taken[];
  /** Actions of the jobs that run on the remote, as far as events tell. */
  readonly jobs?: readonly string[];
  /** A job is over after which the service goes on with the remote by itself (`goesOn` of its events), so lately that it may not be done yet. */
  readonly goesOn?: true;
  /** Parts that list something of which an object has one, whatever was read of them last. */
  readonly peopled?: readonly string[];
  /** By the fields of `lastJobs`: whether one of the `changes` came after it. Absent: events do not tell. */
  readonly overtaken?: Readonly<Record<string, boolean>>;
};

/** A kind with its type parameters erased, as everything but its own file sees it. */
export interface Erased extends Shape {
  readonly want: AnyWant;
  readonly item: Row;
  readonly row: Row;
  readonly shown: Row;
  readonly fields: Readonly<Record<string, AnyRule>>;
  readonly parts: Readonly<Record<string, Part<Row>>>;
}
