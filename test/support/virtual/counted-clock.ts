import type { Clock, Timer } from '../../../src/lib/clock.ts';

/** A clock that knows how many of its timers still wait: each would keep a process alive. */
export function countedClock(clock: Clock): Clock & { readonly waiting: () => number } {
  const pending = new Set<object>();
  return {
    now: () => clock.now(),
    monotonic: () => clock.monotonic(),
    after: (delay, then): Timer => {
      const one = {};
      pending.add(one);
      const timer = clock.after(delay, () => {
        pending.delete(one);
        then();
      });
      return {
        cancel: () => {
          pending.delete(one);
          timer.cancel();
        },
      };
    },
    waiting: () => pending.size,
  };
}
