/**
 * Natural key: finds a remote whose id was lost.
 * `unique`: the service refuses a second one. `item`: a create of one's own existing one is answered with it, so look first.
 * `counted`: nothing refuses a second one, so the ids that match already are noted before the first attempt.
 */
export interface NaturalKey<Wanted> {
  readonly enforced: 'unique' | 'item' | 'counted';
  /** The key names the thing: a second one would be one too many, so a match that is not ours stops the create. Else matches are only counted. */
  readonly names: boolean;
  /** Fields of the remote that a match must equal. */
  readonly of: (want: Wanted) => Readonly<Record<string, unknown>>;
  /** Brings the fields of a row into the form that `of` gives. */
  readonly row?: (row: Readonly<Record<string, unknown>>, want: Wanted) => Readonly<Record<string, unknown>>;
  /** One key lies within the other, whose owner has a say in it: a zone in a zone. `of` then reads nothing but the spec. */
  readonly within?: (inner: Readonly<Record<string, unknown>>, outer: Readonly<Record<string, unknown>>) => boolean;
}

/** A label that the operator derives and that carries the owner key. */
export interface LabelRule {
  readonly field: string;
  readonly max: number;
  /** Characters that the service refuses, replaced by a dash; default everything but letters, digits and dashes. */
  readonly refused?: RegExp;
}
