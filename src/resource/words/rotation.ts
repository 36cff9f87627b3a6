import type { Call } from '../call.ts';

/**
 * How what is told once is renewed: after a time that the spec sets, and when a person asks. Another remote is made beside the one
 * that is there, which goes once those who use what was told of it have had time to take up the new one.
 */
export interface Rotation {
  /** In place of that: the one that is there tells another secret, and the old one is void at once. */
  readonly reset?: (item: string) => Call;
}
