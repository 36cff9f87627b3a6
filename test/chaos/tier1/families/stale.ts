import { sleep, systemClock, type Millis } from '../../../../src/lib/clock.ts';
import { type Family, usualLease } from '../family.ts';
import { type Lane, started, type Strike } from '../lane.ts';
import type { Step } from '../recorded-step.ts';
import { ownControlPlane } from './restarted.ts';

/** Less than etcd's clients bear. */
const inThePast: Millis = 6_000;

/** An API server that has seen nothing of the operation gets the operator's connections, and catches up some time later. */
const timeTravel = (step: Step, meet: (lane: Lane) => Promise<void>): Strike => ({
  step,
  prelude: (lane) => Promise.resolve(ownControlPlane(lane).stale.freeze()),
  fall: (lane) => {
    lane.primary.kube.lead(ownControlPlane(lane).stale.url);
    return step.call.startsWith('kube');
  },
  aftermath: async (lane) => {
    const met = meet(lane);
    await sleep(systemClock, inThePast);
    ownControlPlane(lane).stale.thaw();
    await met;
    return [];
  },
  epilogue: (lane) => {
    ownControlPlane(lane).stale.thaw();
    lane.primary.kube.lead(lane.stage.cluster.url);
  },
});

const family = (name: string, what: string, meet: (lane: Lane) => Promise<void>): Family => ({
  name,
  what,
  at: () => true,
  leaseDuration: usualLease,
  controlPlane: { of: 'lane', options: { staleSecond: true, controllerManager: false } },
  strike: (step) => timeTravel(step, meet),
});

export const staleFamilies: readonly Family[] = [
  family('stale', 'led to an API server that lives in the past', () => Promise.resolve()),
  family('stale-start', 'killed, and started before an API server that lives in the past', async ({ primary }) => {
    await primary.end('SIGKILL');
    await started(primary);
  }),
];
