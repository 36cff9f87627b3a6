import type { Sensitive } from '../call.ts';

/**
 * Bytes that a remote waits for after its create. They are streamed from where the spec says to the address that only the answer
 * to the create told, beside reconciles, by one process at a time; nothing of them is kept.
 */
export interface Transfer<Remote, Wanted> {
  /** Spec field that asks for it; fixed at birth. */
  readonly field: string;
  /** It has none of them yet, and takes them. */
  readonly awaits: (remote: Remote) => boolean;
  /** Where they are; undefined: somebody else sends them. */
  readonly from: (want: Wanted) => string | Sensitive | undefined;
  /** Name of the output, told once, that holds the address to which they are PUT. Whoever has it may send anything there. */
  readonly to: string;
  readonly contentType: string;
  readonly maxBytes: number;
  /** What they are, and the first of them by which that is told. */
  readonly format: { readonly name: string; readonly begins: readonly number[] };
  /** A remote to which nobody knows the address any more is of no use: another one is made in its place so many times. */
  readonly attempts: number;
}
