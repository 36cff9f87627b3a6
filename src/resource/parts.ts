import type { z } from 'zod';

/** A further read below the item whose answer becomes a field of the remote: a page's rows, or a record. */
export interface Part<Remote, Schema extends z.ZodType = z.ZodType> {
  readonly path: (item: string, remote: Remote) => string;
  /** What the kind reads of the answer; of a paged part: of all its rows. */
  readonly schema: Schema;
  readonly paged: boolean;
  /**
   * `drift`: compared, so read before an edit; nothing is changed while its answer cannot be read.
   * `status`: only shown, read when there is time; an answer that cannot be read counts as not read.
   */
  readonly for: 'drift' | 'status';
}

export type PartSchemas = Readonly<Record<string, z.ZodType>>;
export type Parts<Remote, Schemas extends PartSchemas> = { readonly [Name in keyof Schemas]: Part<Remote, Schemas[Name]> };
/** The parts that were read. A kind that names none adds nothing to its remote. */
export type PartsRead<Schemas extends PartSchemas> = string extends keyof Schemas
  ? unknown
  : { readonly [Name in keyof Schemas]?: z.output<Schemas[Name]> };
