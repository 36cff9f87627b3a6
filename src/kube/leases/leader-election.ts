import type { Leadership } from '../../engine/ports/index.ts';
import { LeaseLock, type LeaseLockOptions } from './lease-lock.ts';

type Timing = Pick<LeaseLockOptions, 'duration' | 'renewDeadline' | 'retry'>;
export type LeaderElectionOptions = Omit<LeaseLockOptions, keyof Timing | 'farewell' | 'forGood' | 'owner' | 'unless' | 'onHeldBy'> &
  /** Default 15, 10 and 2 s. The `identity` is unique per process, for example the pod's name and a random part. */
  Partial<Timing>;

/** Which process of a release works. Who lost the lease once does not take it again: it is about to end, and must not lead meanwhile. */
export class LeaderElection extends LeaseLock implements Leadership {
  constructor({ duration = 15_000, renewDeadline = 10_000, retry = 2_000, ...options }: LeaderElectionOptions) {
    super({ ...options, duration, renewDeadline, retry, farewell: retry, forGood: true });
  }
}
