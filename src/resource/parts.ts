import type * as z from 'zod';
import type { FileType } from './call.ts';
import type { Duration } from './duration.ts';
import type { Row } from './field-rule.ts';

/** A further read below the item whose answer becomes a field of the remote: a page's rows, or a record. */
export interface Part<Remote, Schema extends z.ZodType = z.ZodType> {
  readonly path: (item: string, remote: Remote) => string;
  /** What the kind reads of the answer; of a paged part: of all its rows. */
  readonly schema: Schema;
  readonly paged: boolean;
  /** It is a file of this type: its `{digest}` is all that is read of it. */
  readonly file?: FileType;
  /** Read for objects alone that set a field which is compared with it. */
  readonly ifWanted?: true;
  /**
   * `drift`: compared, so read before an edit; nothing is changed while its answer cannot be read.
   * `status`: only shown, read when there is time; an answer that cannot be read counts as not read.
   * `before`: read right before the item is deleted, something is done to it once, or a change is asked for that it may not fit,
   * and at no other time ({@link Deletion.part}, {@link Action.parts}, {@link Fits.part}).
   */
  readonly for: 'drift' | 'status' | 'before';
  /**
   * It is there only while this holds; else it is not read, and what was read of it before does not count. `row`: the remote as
   * the service has it, with what other parts showed, as they sent it.
   */
  readonly when?: (remote: Remote, row: Row) => boolean;
  /** Answers of the API itself that say that it is not there yet: it reads as null, and neither the item nor the account is in trouble. */
  readonly notYet?: readonly NotYet[];
  /**
   * Its answer is kept nowhere: only `outputs` that name it see it, right after it was read. It is read when it never was, when
   * an output that is asked for lacks it, when an event or a person says that something changed, and after so long. Of the
   * row it is null while it is not there yet, and absent else.
   */
  readonly secret?: { readonly every: Duration };
  /**
   * Actions of events, or how they begin, whose end tells that it is another by now: of a part that is only shown, which is read
   * anew, and of one for `before`, of which what was read no longer counts.
   */
  readonly toldBy?: readonly string[];
  /** Read again with each look at an item that is under way. */
  readonly rereadWhileProgressing?: true;
  /** Scopes that it takes, where those of the item are not enough. Without them only what needs the part is refused. */
  readonly scopes?: readonly string[];
}
type NotYet = 404 | 503;

export type PartSchemas = Readonly<Record<string, z.ZodType>>;
export type Parts<Remote, Schemas extends PartSchemas> = { readonly [Name in keyof Schemas]: Part<Remote, Schemas[Name]> };
/** The parts that were read. A kind that names none adds nothing to its remote. */
export type PartsRead<Schemas extends PartSchemas> = string extends keyof Schemas
  ? unknown
  : { readonly [Name in keyof Schemas]?: z.output<Schemas[Name]> };
