import { type Family, usualLease } from '../family.ts';
import { started } from '../lane.ts';

/** kill -9: whatever was on its way is lost, and the container starts again in its pod. */
export const killed: Family = {
  name: 'kill',
  what: 'killed with -9',
  at: () => true,
  leaseDuration: usualLease,
  strike: (step) => ({
    step,
    fall: ({ primary }) => {
      primary.strike('SIGKILL');
      return true;
    },
    aftermath: async ({ primary }) => {
      await primary.program.ended;
      await started(primary);
      return [];
    },
  }),
};
