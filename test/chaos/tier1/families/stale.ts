import { sleep, systemClock, type Millis } from '../../../../src/lib/clock.ts';
import { type Family, usualLease } from '../family.ts';
import { gatheringsFor, ownControlPlane } from '../gathering.ts';
import { type Lane, started, type Strike } from '../lane.ts';
import type { Step } from '../recorded-step.ts';

/** How long all are in the past together. With the time in which they come there it is far less than the 40 s that etcd's clients bear. */
const inThePast: Millis = 4_000;

/** A second, in which that server catches up, and another one on it. */
const caughtUp: Millis = 2_000;

const returns = gatheringsFor(15_000, async ({ stale }, fallen) => {
  await sleep(systemClock, inThePast);
  stale.thaw();
  await sleep(systemClock, caughtUp);
  fallen();
});

const home = ({ primary, stage }: Lane): void => primary.kube.lead(stage.cluster.url);

/** An API server that has seen nothing of the operation gets the operator's connections, and catches up some time later. */
const timeTravel = (step: Step, meet: (lane: Lane) => Promise<void>): Strike => ({
  step,
  prelude: async (lane) => {
    await returns(lane).calm();
    ownControlPlane(lane).stale.freeze();
    returns(lane).expect(lane);
  },
  fall: (lane) => {
    lane.primary.kube.lead(ownControlPlane(lane).stale.url);
    return step.call.startsWith('kube');
  },
  aftermath: async (lane) => {
    const met = meet(lane);
    await returns(lane).join(lane, () => home(lane));
    await met;
    return [];
  },
  epilogue: (lane) => {
    returns(lane).forget(lane);
    if (returns(lane).idle) ownControlPlane(lane).stale.thaw();
    home(lane);
  },
});

const family = (name: string, what: string, meet: (lane: Lane) => Promise<void>): Family => ({
  name,
  what,
  at: () => true,
  leaseDuration: usualLease,
  controlPlane: {
    of: 'family',
    options: { staleSecond: true, controllerManager: false },
    spare: (controlPlane, work) => returns({ controlPlane }).spare(work),
  },
  strike: (step) => timeTravel(step, meet),
});

export const staleFamilies: readonly Family[] = [
  family('stale', 'led to an API server that lives in the past', () => Promise.resolve()),
  family('stale-start', 'killed, and started before an API server that lives in the past', async ({ primary }) => {
    await primary.end('SIGKILL');
    await started(primary);
  }),
];
