import type { Body } from '../call.ts';

/**
 * Natural key: finds a remote whose id was lost.
 * `unique`: the service refuses a second one. `item`: a create of one's own existing one is answered with it, so look first.
 * `counted`: nothing refuses a second one, so the ids that match already are noted before the first attempt.
 */
export interface NaturalKey<Wanted> {
  readonly enforced: 'unique' | 'item' | 'counted';
  /** The key names the thing: a second one would be one too many, so a match that is not ours stops the create. Else matches are only counted. */
  readonly names: boolean;
  /** Fields of the remote that a match must equal; where its own kind is in its `conflictsWith`, it reads nothing but the spec. */
  readonly of: (want: Wanted) => Readonly<Record<string, unknown>>;
  /** Capital letters make no other name, and the service may not know that: a `unique` one is looked for, too, before it is made. */
  readonly anyLetters?: true;
  /** Brings the fields of a row into the form that `of` gives. */
  readonly row?: (row: Readonly<Record<string, unknown>>, want: Wanted) => Readonly<Record<string, unknown>>;
  /** Paths of what equals the key and came with something else: there before any create, however late a list shows it. */
  readonly cameBefore?: (want: Wanted) => readonly string[];
}

/** A label that the operator derives and that carries the owner key. */
export interface LabelRule {
  readonly field: string;
  readonly max: number;
  /** Characters that the service refuses, replaced by a dash; default everything but letters, digits and dashes. */
  readonly refused?: RegExp;
  /** The service takes letters and digits alone: what it refuses is left out, and nothing stands before the owner key. */
  readonly plain?: true;
  /**
   * The label that is sent ends in something that no other has, new for each attempt, so that what an attempt made is known from
   * its label alone. It is taken off once the remote is the object's ({@link labelWithoutNonce}).
   */
  readonly nonce?: true;
}

const nonceLength = 8;

export const newNonce = (random: () => number): string =>
  Array.from({ length: nonceLength }, () => 'abcdefghijklmnopqrstuvwxyz234567'.charAt(Math.floor(random() * 32))).join('');

/** The label that an attempt sends: cut so far that the nonce has room. */
export const withNonce = ({ max }: LabelRule, label: string, nonce: string): string => `${label.slice(0, max - nonceLength - 1)}-${nonce}`;

/** The nonce of a label that was sent. */
export const nonceOf = (label: string): string => label.slice(-nonceLength);

export const hasNonce = (rule: LabelRule, label: string, wanted: string): boolean =>
  label === withNonce(rule, wanted, nonceOf(label)) && /^[a-z2-7]+$/.test(nonceOf(label));

/** The same without that, where it is whole: what is cut may be another's as well. */
export const nonceOff = (rule: LabelRule, label: string): string | undefined => {
  const whole = label.slice(0, -nonceLength - 1);
  return rule.nonce === true && hasNonce(rule, label, whole) ? whole : undefined;
};

interface Labelled {
  readonly label: string;
}
type Named = { readonly name: string; readonly label?: string | undefined };

/** The rule of a label that is sent with a nonce: what the spec says or, where it says nothing, the derived one once the nonce is off. */
export const labelWithoutNonce = (rule: LabelRule) =>
  ({
    unset: 'clear',
    read: ({ label }: Labelled, { label: wanted, name }: Named) => (wanted !== undefined || hasNonce(rule, label, name) ? label : null),
    put: (_: string, { label, name }: Named): Body => ({ label: label ?? name }),
    // Where the spec has none, only a derived label with its nonce is read at all.
    leftByCreate: (have: unknown, wanted: string | undefined): boolean =>
      typeof have === 'string' && (wanted === undefined || hasNonce(rule, have, wanted)),
  }) as const;
