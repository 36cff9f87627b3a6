import * as z from 'zod';
import type { Body, BodyValue } from './call.ts';
import type { Duration } from './duration.ts';
import type { PartSchemas } from './parts.ts';
import { ready } from './health.ts';
import type { Operates } from './words/actions.ts';
import type { Appearing } from './words/appearing.ts';
import type { Conflict } from './words/conflict.ts';
import type { Deletion, Leaving, Reset } from './words/deletion.ts';
import type { AskedField, Issuing } from './words/issued.ts';
import type { LabelRule, NaturalKey } from './words/natural-key.ts';
import type { Erased, Managed, Place, Shape, Typed } from './words/shape.ts';
import type { Rotation } from './words/rotation.ts';
import type { Sweep, SweepOfAll } from './words/sweep.ts';
import type { Transfer } from './words/transfer.ts';

/** Made and unmade: POST to the path creates, GET lists. */
type CollectionOf<X extends Shape> = Managed<X> &
  Place<X> & {
    readonly key: NaturalKey<X['want']>;
    readonly label?: LabelRule;
    /** Spec field that holds the tags, where the kind has tags. */
    readonly tags?: X['specField'];
    /** Spec fields with which it is made at a path that takes no tags, so that what came of it lacks ours; actions of the event of such a birth. */
    readonly withoutTags?: Readonly<Partial<Record<X['specField'], readonly string[]>>>;
    /** With this spec field its create begins this job, which no state of the row shows: before events told of it nothing else is begun. */
    readonly bornWith?: { readonly field: X['specField']; readonly job: string };
    /** Field of the row that tells when it was made, where the service shows it. */
    readonly createdAt?: X['remoteField'];
    /** Field of the row that names the user who made it, where the service shows it. */
    readonly createdBy?: X['remoteField'];
    /** It belongs to something else of the account, which made it and takes it along: nobody misses an object for it. */
    readonly isPart?: (remote: X['item']) => boolean;
    /** Of those of which this is the same the first in the list is such a part, too: something else was made with it. */
    readonly firstIsPart?: (remote: X['item']) => string | undefined;
    /**
     * Paths of what it leads to now, of that which the service gives to whoever is next once it came free: a reference to it is good only while
     * all of those are of objects of its namespace. Undefined where the row does not tell.
     */
    readonly leadsTo?: (remote: X['item']) => readonly string[] | undefined;
    /**
     * It is nowhere that its object has seen it. With that an object's claim on what `leadsTo` shows at another namespace's ends, because it
     * came free and was given to that one.
     */
    readonly strays?: (remote: X['item'], object: Pick<Leaving, 'recalled'>) => boolean;
    /**
     * Paths of what has it in use now, and may have written to it (the machine of a volume): while an object of another namespace has one of
     * those, no reference names it, or it could be read by another way. None: it is free.
     */
    readonly usedBy?: (remote: X['item']) => readonly string[];
    /** A second one of it would do harm: of unknown outcome it is looked for and never sent again by itself. */
    readonly attempts?: 1;
    /** One that exists already is taken over as adopted, because there is nothing in it that anybody could lose; of the account level alone. */
    readonly takesOver?: true;
    readonly create: (want: X['want']) => Body;
    /** What a create needs and admission cannot ask for, because the account may give it: what is missing, and where to write it. */
    readonly lacks?: (want: X['want']) => string | undefined;
    /** It would take from everybody: why only a namespace that may adopt anything gets it made. */
    readonly reserved?: (want: X['want']) => string | undefined;
    /** What the account has that stands against making it, besides one of its key. */
    readonly conflictsWith?: Conflict<X['want']>;
    /** Where POST creates, when that is not the collection (a clone, an import). */
    readonly createPath?: (want: X['want']) => string;
    /** The row in an answer to the create that is no row itself; what is none is given back as it is, and is refused as one. */
    readonly born?: (answer: Readonly<Record<string, unknown>>, want: X['want']) => Readonly<Record<string, unknown>>;
    /** What it is made of is brought after its create. */
    readonly transfer?: Transfer<X['row'], X['want']>;
    /** It is not in the answer to its create, but in the list once it is done; below a parent alone. */
    readonly appears?: Appearing;
    /** Of what is listed right before a create: why there is no room for one more. */
    readonly noRoom?: (rows: readonly X['item'][]) => string | undefined;
    readonly sweep: Sweep;
    readonly deletion?: Deletion<X['row']>;
    /** What it tells once can be renewed: another one is made, and this one goes later. Its label is sent with a nonce. */
    readonly rotation?: Rotation;
    /** The service wants so much time between two changes of one remote. */
    readonly changesApart?: Duration;
    readonly defaults: { readonly onDelete: 'Delete' | 'Retain'; readonly onMissing: 'Recreate' | 'Stall' };
    /** The remote above one of these takes it along when it goes, whoever deletes it. */
    readonly goesWithParent?: true;
    /** What is above may be refused something for want of one of these (a boot), and is asked for that again when it has one. */
    readonly completesParent?: true;
    /** Deletions of this kind do not count for the brake. */
    readonly brakeExempt?: true;
  };
/** What only a collection has, said to be absent, so that it can be asked for without asking for the mode first. */
type NeverMade = { readonly [Field in Exclude<keyof CollectionOf<Erased>, keyof Managed<Erased> | keyof Place<Erased>>]?: undefined };

/** In words. */
interface ComesLater<Wanted> {
  /** What is waited for. */
  readonly what: (want: Wanted) => string;
  /** How a person brings it. */
  readonly bring: string;
}
/** Always there: read and changed, never made or unmade. */
type SingletonOf<X extends Shape> = Managed<X> &
  Place<X> &
  Omit<NeverMade, 'deletion' | 'defaults' | 'sweep'> & {
    /** Where a list shows all that the account has of these. It needs `item`. Absent: each is read for itself. */
    readonly sweep?: SweepOfAll;
    /** A read may find nothing yet, because others bring what it is about. */
    readonly comesLater?: ComesLater<X['want']>;
    /** Where its object can take back what it asked for. Absent: all stays as it is, and `onDelete` is Retain. */
    readonly deletion?: Reset<X['row']>;
    readonly defaults: { readonly onDelete: 'Delete' | 'Retain'; readonly onMissing: 'Stall' };
  };
/** A singleton that is also the way to the account. */
type ConnectionOf<X extends Shape> = Managed<X> &
  NeverMade & { readonly parent?: undefined; readonly places?: undefined; readonly path: string };

/** What there is to compare with a remote, and where that is; absent where there is none. */
type OfRemotes = 'fields' | 'parts' | 'item' | 'id' | 'ids' | 'health' | 'notices' | 'events';
/** Without a remote: an answer of the account that is good for a while, given out, and asked for anew in time. */
type IssuedOf<X extends Shape> = Omit<Managed<X>, OfRemotes> &
  NeverMade & {
    readonly fields: { readonly [Field in X['specField']]: AskedField };
    readonly issue: Issuing<X['want']>;
  };
/** What happens once to the remote of another object: a person asks for it, it is done, and how it ended is told. */
type OperationOf<X extends Shape> = Omit<Managed<X>, OfRemotes | 'remote' | 'observe' | 'outputs' | 'borrows' | 'recalls' | 'actions'> &
  NeverMade & {
    readonly fields: { readonly [Field in X['specField']]: AskedField };
    /** The actions by name; what each does is said by the kind to which it is done. */
    readonly operates: Operates<X['specField']>;
  };
const withoutRemote = { health: () => ready, events: [] } as const;
const unseen = { remote: z.object({}), observe: () => ({}) } as const;

type As<M extends string, K> = K & { readonly mode: M };

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
export const defineIssued = <S extends z.ZodObject, R extends z.ZodObject, T extends z.ZodObject>(
  kind: IssuedOf<Typed<S, R, T, PartSchemas>>,
): As<'issued', IssuedOf<Typed<S, R, T, PartSchemas>>> => ({ ...withoutRemote, ...kind, mode: 'issued' });
export const defineOperation = <S extends z.ZodObject, T extends z.ZodObject>(
  kind: OperationOf<Typed<S, z.ZodObject, T, PartSchemas>>,
): As<'operation', OperationOf<Typed<S, z.ZodObject, T, PartSchemas>>> => ({ ...withoutRemote, ...unseen, ...kind, mode: 'operation' });

export type AnyCollection = As<'collection', CollectionOf<Erased>>;
export type AnySingleton = As<'singleton', SingletonOf<Erased>>;
export type AnyConnection = As<'connection', ConnectionOf<Erased>>;
interface Nowhere {
  readonly parent?: undefined;
  readonly places?: undefined;
  readonly path?: undefined;
}
export type AnyIssued = As<'issued', Managed<Erased> & NeverMade & Pick<IssuedOf<Erased>, 'issue'> & Nowhere>;
export type AnyOperation = As<'operation', Managed<Erased> & NeverMade & Pick<OperationOf<Erased>, 'operates'> & Nowhere>;
/**
 * Everything that this operator knows about one kind of cloud resource: data and pure functions. CRD, RBAC, reference,
 * printer columns, Argo CD health and the conformance suite are derived from it.
 */
export type AnyKind = AnyCollection | AnySingleton | AnyConnection | AnyIssued | AnyOperation;
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
    case 'issued':
      return table.issued(kind);
    case 'operation':
      return table.operation(kind);
  }
}

/** A mode of which one is, or is not. */
const no = (): undefined => undefined;
const none = { collection: no, singleton: no, connection: no, issued: no, operation: no } as const;
export const asConnection = (kind: AnyKind): AnyConnection | undefined =>
  byMode<AnyConnection | undefined>(kind, { ...none, connection: (one) => one });
/** Undefined for what is always there: it is neither made nor found nor deleted. */
export const asCollection = (kind: AnyKind): AnyCollection | undefined =>
  byMode<AnyCollection | undefined>(kind, { ...none, collection: (one) => one });
export const asSingleton = (kind: AnyKind): AnySingleton | undefined =>
  byMode<AnySingleton | undefined>(kind, { ...none, singleton: (one) => one });
export const asIssued = (kind: AnyKind): AnyIssued | undefined => byMode<AnyIssued | undefined>(kind, { ...none, issued: (one) => one });
export const asOperation = (kind: AnyKind): AnyOperation | undefined =>
  byMode<AnyOperation | undefined>(kind, { ...none, operation: (one) => one });
/** Its objects have a remote each, to be found by its path in status. */
export const hasRemote = (kind: AnyKind): boolean =>
  byMode(kind, { collection: () => true, singleton: () => true, connection: () => false, issued: () => false, operation: () => false });
