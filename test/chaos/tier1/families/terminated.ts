import { type Family, usualLease } from '../family.ts';
import { started } from '../lane.ts';

/** SIGTERM: the calls in flight finish, the exit code says that all is well, and the next start goes on. */
export const terminated: Family = {
  name: 'term',
  what: 'asked to end with SIGTERM',
  at: () => true,
  leaseDuration: usualLease,
  strike: (step) => ({
    step,
    fall: ({ primary }) => {
      primary.strike('SIGTERM');
      return false;
    },
    aftermath: async ({ primary }) => {
      const code = await primary.program.ended;
      await started(primary);
      return code === 0 ? [] : [`SIGTERM ended it with ${code} instead of 0`];
    },
  }),
};
