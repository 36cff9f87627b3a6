import type { Row } from '../field-rule.ts';

/**
 * What of the account's lists stands against making one: a zone around it. Nobody's, or that of another namespace, it keeps a
 * namespace that may not adopt from making it.
 */
export interface Conflict<Wanted> {
  /** The kind that lists it, and whose objects may have it: this one or another. */
  readonly kind: string;
  /**
   * Of a row there, or of the natural key of one that is being made: what stands against it. Its reader may not know which
   * one that is, so nothing is named that the spec does not say itself. Undefined: nothing.
   */
  readonly says: (want: Wanted, row: Row) => string | undefined;
  /** It does not where the object that is to be made admits that namespace by its own `spec.allowedRefs`: it is that one which would be taken part of. */
  readonly unlessAdmitted?: true;
}
