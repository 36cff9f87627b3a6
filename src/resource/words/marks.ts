/** Stands for what only the installation's key can make, where that is not at hand: a plan is made without it. */
export const unknownOwner = '********';

/** With what this object marks as its own what is below its remote: nobody else can make them (src/engine/README.md: identity). */
export interface Marks {
  /** Of 8 characters, one for each key of the installation that is known; the first is the one to write. */
  readonly keys: readonly string[];
  /** Those of objects that had its remote before, are gone, and were of its namespace, where it was told to take that over: what they marked is its own. */
  readonly former?: readonly string[];
  /** The user of the token may write tags. */
  readonly mayTag: boolean;
  /** Its object only looks, so that a mark which is missing is no difference. */
  readonly looksOnly?: boolean;
  /** What bears a mark of a key that was lost is taken up by its name (src/engine/README.md: recover), and nothing is changed meanwhile. */
  readonly recovers?: boolean;
}

/** A tag that tells whose something is, and the name in it. */
export interface SeenMark {
  readonly tag: string;
  readonly name: string;
}

/** What is below its remote, and that of another object: one that has it, or whose `spec.adopt` names it and may have it. */
export interface Taken {
  readonly path: string;
  /** That object, in words. */
  readonly by: string;
  /** No object is seen that has it: one may come back while the account recovers, of whichever namespace. */
  readonly isOpen?: true;
}

/** Ends in one of these keys. Where none is known, in what may be one. */
export const bearsKey = (text: string, keys: readonly string[]): boolean =>
  keys.some((key) => (key === unknownOwner ? /-([a-z2-7]{8}|[*]{8})$/.test(text) : text.endsWith(`-${key}`)));
