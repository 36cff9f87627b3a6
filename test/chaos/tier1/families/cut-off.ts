import { sleep, systemClock, type Millis } from '../../../../src/lib/clock.ts';
import { type Family, shortLease } from '../family.ts';
import type { Passage } from '../crossing.ts';

/** Longer than the lease, so that nothing that the operator believed can still be relied on. */
const duration: Millis = shortLease + 2_000;

/** The network between the operator and one of its servers is gone for longer than the lease. */
const cutOff = (name: string, what: string, server: Passage['server'], way: 'cut' | 'silent'): Family => ({
  name,
  what,
  at: () => true,
  leaseDuration: shortLease,
  strike: (step) => ({
    step,
    fall: ({ primary }) => {
      primary[server].block(way);
      // What passes on the other side is not hurt.
      return step.call.startsWith(server);
    },
    aftermath: async ({ primary }) => {
      await sleep(systemClock, duration);
      primary[server].heal();
      return [];
    },
  }),
});

export const cutOffFamilies: readonly Family[] = [
  cutOff('cloud-refused', 'the API refuses connections for longer than the lease', 'cloud', 'cut'),
  cutOff('cloud-silent', 'the network to the API loses everything for longer than the lease', 'cloud', 'silent'),
  cutOff('kube-refused', 'the API server refuses connections for longer than the lease', 'kube', 'cut'),
  cutOff('kube-silent', 'the network to the API server loses everything for longer than the lease', 'kube', 'silent'),
];
