import type { Leadership } from '../../engine/ports/index.ts';
import type { Objection } from '../http/gate.ts';

/** For writes of the leader alone: a process that was stopped goes on in the middle of one, and another may lead by then. */
export const unlessLeading =
  (leadership: Leadership | undefined): Objection =>
  () =>
    (leadership?.held() ?? true) ? undefined : 'the lease is not held, and another replica may lead by now';
