import type { Reason } from '../../engine/model/outcome.ts';

/** Why one object of the chain is as it is. */
export interface Cause {
  /** `CloudVolume shop/data`. */
  readonly object: string;
  readonly reason: Reason | 'NotFound' | 'NotSeen' | 'NotLookedAt' | 'NotHeld';
  readonly message: string;
  readonly since?: string;
  /** What to do, where this is the root. */
  readonly todo: string;
  readonly commands: readonly string[];
}
