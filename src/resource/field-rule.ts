import type { Body, Call } from './call.ts';
import type { Effect } from './words/effects.ts';
import type { Marks, Taken } from './words/marks.ts';

/** How one spec field is compared with the remote, and what repairs a difference. Exactly one rule per spec field. */
export type FieldRule<W, Remote, Wanted> =
  /** Set at create and never again; the CRD refuses edits. `read` is absent where the service never shows it. */
  | (Common<W, Remote, Wanted> & { readonly immutable: true; readonly read?: Read<W, Remote, Wanted> })
  /** Repaired by one PUT of the item, merged with all other `put` fields that differ. */
  | (Common<W, Remote, Wanted> & {
      readonly read: Read<W, Remote, Wanted>;
      readonly put: (want: NonNullable<W>, all: Wanted, remote: Remote) => Body;
      /** What the body sends along as found is read right before: the item itself. */
      readonly readFirst?: 'item';
      /** A second one would do harm: noted in status before it is sent, and looked for until it surely cannot come about any more. */
      readonly once?: true;
      readonly effect?: Effect;
      readonly only?: 'grows';
    })
  /** Repaired by its own call; `undefined` says that nothing can be done now (the remote is on its way). */
  | (Common<W, Remote, Wanted> & {
      readonly read: Read<W, Remote, Wanted>;
      readonly call: (want: W, remote: Remote, all: Wanted) => Call | undefined;
      /** `item`: the call is made of the item itself as it is right before, and not sent where it is none any more. */
      readonly readFirst?: ReadFirst<Remote> | 'item';
      /** What status remembers once the call was answered, where the account may not show it at once; for {@link Kind.recalls}. */
      readonly notes?: (want: NonNullable<W>, remote: Remote, all: Wanted) => Readonly<Record<string, unknown>>;
      readonly effect?: Effect;
      readonly only?: 'grows';
      readonly needs?: 'parentOffline';
      /** Action of the job that it is done by: when that fails, the same is not asked for again. */
      readonly job?: string;
    })
  /**
   * A value that cannot be read back (a password): applied again when the HMAC remembered in status differs. Where the
   * service shows whether there is any, `read` gives null while there is none, and it is applied whatever is remembered.
   */
  | (Common<W, Remote, Wanted> & {
      readonly applied: true;
      readonly read?: Read<W, Remote, Wanted>;
      readonly call: (want: W, remote: Remote, all: Wanted) => Call | undefined;
      readonly effect?: Effect;
      readonly needs?: 'parentOffline';
    })
  /** A list of things with names, each of which is below the remote for itself: compared, approved and repaired one by one. */
  | (Omit<Common<W, Remote, Wanted>, 'as' | 'unset' | 'effectOf'> & {
      readonly members: Members<W extends readonly (infer Member)[] ? Member : never, Remote, Wanted>;
      readonly effect?: Effect;
    })
  /** Nothing in the cloud shows it: only this operator reads it. */
  | (Common<W, Remote, Wanted> & { readonly local: true; readonly beside?: Beside<W> });

/** Of a field that decides whether a change of another field also changes what lies below the remote, as the disks of an instance. */
interface Beside<W> {
  /** Kind of what lies below. */
  readonly kind: string;
  /**
   * The value with which nothing below changes. It is meant where the spec has none and the object of what is below says how that is;
   * export writes it where something below gets an object of its own.
   */
  readonly says: NonNullable<W>;
  /** The other field, and what changes below with it, in words that begin a sentence. */
  readonly with: string;
  readonly takes: string;
  /** What the other value is, which is taken all the same. */
  readonly otherwise: NonNullable<W>;
  /** What of it follows: a field of what lies below, of the one that this finds among the rows. Export leaves it alone where nothing says that none does. */
  readonly follows: {
    readonly field: string;
    readonly among: (rows: readonly Row[]) => Row | undefined;
    /** Whether one with this status can be that one. */
    readonly may: (status: Row) => boolean;
  };
}

export interface Hidden {
  readonly why: string;
  readonly calls: readonly Call[];
}

/** What is below a remote and this object's own, beside what others have there. */
interface Members<Member, Remote, Wanted> {
  /** Its own by name, in the words of the spec; undefined: not known now, or not to be told. Nothing else is ever changed. What others took (`all.taken`) is none of them. */
  readonly read: (remote: Remote, all: Wanted) => Readonly<Record<string, Row>> | undefined;
  /** Members that name what is there and is nobody's, for a spec that takes it over; undefined: not known. */
  readonly found?: (remote: Remote) => readonly Row[] | undefined;
  /** Why that cannot name some, and what a person would send to put it right. */
  readonly hidden?: (remote: Remote) => Hidden | undefined;
  /** Makes, changes or (none is wanted) removes one; undefined: not now. A second one that is made is one too many, so each is made as what is sent once. */
  readonly call: (name: string, want: Member | undefined, remote: Remote, all: Wanted) => Call | undefined;
  /** `have` undefined: there is none yet. */
  readonly effectOf: (want: Member | undefined, have: Row | undefined) => Effect;
}

interface Common<W, Remote = Row, Wanted = AnyWant> {
  /** `set`: order and duplicates do not count. A function maps both sides to what is compared. Default: what the user set must be there. */
  readonly as?: 'set' | ((value: unknown) => unknown);
  /** What an absent spec field means: leave the remote alone (default), or clear it. */
  readonly unset?: 'clear';
  /** Fields of the API's errors that mean this spec field. Default: its name in snake_case. */
  readonly errors?: readonly string[];
  /** A refusal that names no field, but reads like this, means this spec field. */
  readonly says?: RegExp;
  /** What the API calls the parts of this field, and what the spec does: `transfer_quota` is `transferQuotaPercent`. */
  readonly inner?: Readonly<Record<string, string>>;
  /** Refusals whose own words help nobody. Each is for a person to mend, whatever the service calls it. */
  readonly refusals?: readonly Refusal[];
  /** Name of the part (see {@link Kind.parts}) that must have been read before this field can be compared. */
  readonly part?: string;
  /** Why a value is never sent that admission could not see: what is in a file, whose the thing is that it is for. */
  readonly wrong?: (want: NonNullable<W>, all: Wanted) => string | undefined;
  /** Why nothing of it is changed for now, taken away included: a change would be one of what is another's by now (`want.taken`). */
  readonly withheld?: (all: Pick<AnyWant, 'taken'>) => string | undefined;
  /** Where the service lists what it offers, by `id`. A value that is not there is refused before anything is asked or sent. */
  readonly catalogue?: Catalogue<NonNullable<W>, Remote, Wanted>;
  /** What the thing lies in may have no room for the value: nobody is asked to approve what the service refuses then. */
  readonly room?: Room<NonNullable<W>, Remote, Wanted>;
  /** Where some values do less than `effect`, which is the most that any does. `have`: as `read` gives it. */
  readonly effectOf?: (want: NonNullable<W>, have: unknown) => Effect;
  /** This difference is what the create left (a nonce in a label): mended without an approval, under every policy, and no drift. */
  readonly leftByCreate?: (have: unknown, want: W) => boolean;
  readonly phantom?: W;
  /** Paths of other remotes that a change of it would change: what has an object of its own is for that one to say. */
  readonly others?: (want: NonNullable<W>, remote: Remote, all: Wanted) => readonly string[];
  /** A list of objects: those that name something which is not there yet are left out, and `want.awaited` says that some are: the rule tells what it takes away meanwhile. */
  readonly inPart?: true;
  /**
   * A list of what others publish, which lets them in. Whose object is gone (not found, or deleted) is out of it like who was taken out
   * of the spec, once the remote was as wanted and a minute has passed; `want.awaited` is for those that are not ready yet.
   */
  readonly withoutGone?: true;
}
/** Known by the field of the API that it names, by its text, or by both. */
export interface Refusal {
  readonly field?: string;
  readonly text?: RegExp;
  /** What it means, and what to do. */
  readonly says: string;
  /** `Busy`: what it lacks comes about by others, and it is asked for again. `QuotaExceeded`: only the provider can lift it. Absent: it is rejected. */
  readonly as?: 'Busy' | 'QuotaExceeded';
  /** Of `Busy`: the reference at whose target others bring it about. Once nothing is under way there, a person must. */
  readonly whileAt?: string;
  /** It may be for want of what completes the remote (`completesParent` of other kinds): while objects have that made, nobody need do anything here. */
  readonly untilComplete?: true;
}
/** `holds`: which values the catalogue would list; default all. */
interface Catalogue<W, Remote, Wanted> {
  readonly path: string;
  readonly holds?: (want: W) => boolean;
  readonly fits?: Fits<Remote, Wanted>;
}
/** Of a value that may be too small for what the thing has: nobody is asked to approve what the service refuses then. `row`: of the catalogue. */
export interface Fits<Remote = Row, Wanted = AnyWant> {
  /** Name of the part, for `before`, that tells what it has: read once before the change is asked for or sent, and anew before it is refused. */
  readonly part: string;
  /** Whether that is worth a read. */
  readonly mayNot: (row: Row, remote: Remote) => boolean;
  /** What surely does not fit, and what to do. `remote`: with the part. */
  readonly against: (row: Row, remote: Remote, all: Wanted) => string | undefined;
}
/** Of a value that may be too large for what the remote lies in. */
export interface Room<W = unknown, Remote = Row, Wanted = AnyWant> {
  /** Names of the parts, for `before`, that tell it: read like that of {@link Fits}. */
  readonly parts: readonly string[];
  /** Whether it is worth those reads. */
  readonly mayLack: (want: W, remote: Remote) => boolean;
  /** Why there surely is none, and what to do. `remote`: with the parts. */
  readonly against: (want: W, remote: Remote, all: Wanted) => string | undefined;
}
/** `undefined`: not known now (a part that was not read yet, a state in between): no verdict on the field. `null`: not set. */
type Read<W, Remote, Wanted> = (remote: Remote, want: Wanted) => Widen<W> | null | undefined;
/** A remote may report members of an enum that we do not know yet. */
type Widen<W> = W extends string
  ? string
  : W extends readonly (infer U)[]
    ? readonly Widen<U>[]
    : W extends object
      ? { readonly [K in keyof W]?: unknown } | Readonly<Record<string, unknown>>
      : W;

/**
 * The call replaces more than the fields that differ, so that what the spec leaves alone is sent along: it is read right
 * before, and takes the place of this field of the remote.
 */
interface ReadFirst<Remote> {
  readonly path: (remote: Remote) => string;
  readonly into: keyof Remote & string;
}

/**
 * Fields of which elements have no value yet, or may not be named. Whoever makes one list of several fields must add to it
 * and take nothing away meanwhile.
 */
export type Awaited = readonly string[];

/** What {@link Kind.borrows} brought. */
export type Borrowed = Readonly<Record<string, string | undefined>>;

/** A remote whose type parameters are erased: what the engine sees. */
export type Row = Readonly<Record<string, unknown>>;
export type AnyWant = Row & {
  readonly name: string;
  readonly borrowed?: Borrowed;
  readonly recalled?: Row;
  readonly awaited?: Awaited;
  readonly marks?: Marks;
  readonly taken?: readonly Taken[];
  readonly jobs?: readonly string[];
  readonly goesOn?: true;
  readonly peopled?: readonly string[];
};

/** A field rule as the engine sees it. */
export interface AnyRule {
  readonly read?: (remote: Row, want: AnyWant) => unknown;
  readonly as?: 'set' | ((value: unknown) => unknown);
  readonly unset?: 'clear';
  readonly errors?: readonly string[];
  readonly says?: RegExp;
  readonly inner?: Readonly<Record<string, string>>;
  readonly refusals?: readonly Refusal[];
  readonly part?: string;
  readonly catalogue?: Catalogue<unknown, Row, AnyWant>;
  readonly wrong?: (want: unknown, all: AnyWant) => string | undefined;
  readonly withheld?: (all: Pick<AnyWant, 'taken'>) => string | undefined;
  readonly immutable?: true;
  readonly applied?: true;
  readonly local?: true;
  readonly beside?: Beside<unknown>;
  readonly put?: (want: unknown, all: AnyWant, remote: Row) => Body;
  readonly call?: (want: unknown, remote: Row, all: AnyWant) => Call | undefined;
  readonly members?: Members<unknown, Row, AnyWant>;
  readonly readFirst?: 'item' | { readonly path: (remote: Row) => string; readonly into: string };
  readonly notes?: (want: unknown, remote: Row, all: AnyWant) => Row;
  readonly others?: (want: unknown, remote: Row, all: AnyWant) => readonly string[];
  readonly once?: true;
  readonly effect?: Effect;
  readonly room?: Room;
  readonly effectOf?: (want: unknown, have: unknown) => Effect;
  /** The call is refused, or fails, while what is above runs with the remote ({@link ParentPower}): a Reboot, unless that is off already. */
  readonly needs?: 'parentOffline';
  readonly job?: string;
  readonly leftByCreate?: (have: unknown, want: unknown) => boolean;
  readonly inPart?: true;
  readonly withoutGone?: true;
  readonly only?: 'grows';
}
