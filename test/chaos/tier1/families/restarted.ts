import { plural } from '../../../../src/generate/names.ts';
import { sleep, systemClock, type Millis } from '../../../../src/lib/clock.ts';
import type { ControlPlane } from '../../../controlplane/control-plane.ts';
import { type Family, usualLease } from '../family.ts';
import { gatheringsFor } from '../gathering.ts';
import { started } from '../lane.ts';
import { subjects } from '../subject.ts';

/** A server that is away every twenty seconds is another fault: an operator does not find its watches open for minutes. */
const recovery: Millis = 45_000;
/** Away for so long. */
const away: Millis = 1_000;

const restarts = gatheringsFor(recovery, async (controlPlane, fallen) => {
  await controlPlane.killApiServer();
  fallen();
  await sleep(systemClock, away);
  await controlPlane.startApiServer();
});

/** The API server's process is killed in the middle of an operation and starts again. */
export const restarted: Family = {
  name: 'apiserver',
  what: 'kube-apiserver killed and started again',
  at: () => true,
  // Whoever has come to its step stands still until the others have come to theirs.
  leaseDuration: 10 * usualLease,
  controlPlane: {
    of: 'family',
    options: {},
    spare: (controlPlane, work) => restarts({ controlPlane }).spare(work),
    expecting: (lane, work) => restarts(lane).expecting(lane, work),
  },
  refusesAtStart: true,
  strike: (step) => ({
    step,
    prelude: (lane) => Promise.resolve(restarts(lane).expect(lane)),
    fall: ({ primary }) => {
      primary.program.signal('SIGSTOP');
      // What was under way, or its answer, goes down with the server.
      return step.call.startsWith('kube');
    },
    aftermath: async (lane) => {
      const { program } = lane.primary;
      await restarts(lane).join(lane, () => program.signal('SIGCONT'));
      return [];
    },
    epilogue: (lane) => restarts(lane).forget(lane),
  }),
};

/** Between two compactions of etcd that the flag below asks for, and some more. */
const compacted: Millis = 5_000;
/** A watch that found a server which does not serve yet waits before it asks again. */
const patience: Millis = 60_000;

/** Until the API server has read every kind back; before, it asks watches to come again. */
async function serves(controlPlane: ControlPlane): Promise<void> {
  for (const { kind } of subjects) {
    const path = `/apis/cloudhosting.dev/v1alpha1/${plural(kind)}?resourceVersion=0&limit=1`;
    while ((await controlPlane.request('GET', path)).status !== 200) await sleep(systemClock, 100);
  }
}

const expiries = gatheringsFor(recovery, async (controlPlane, fallen) => {
  await sleep(systemClock, compacted);
  await controlPlane.restartApiServer();
  await serves(controlPlane);
  fallen();
});

/**
 * The network to the API server is away while etcd forgets the past and the API server starts anew: every watch is told
 * 410 when it comes back, and must list.
 */
export const expired: Family = {
  name: 'expired',
  what: 'etcd compacted and kube-apiserver started again behind a cut network, so that every watch gets 410',
  at: () => true,
  // The process must live on with its watches, however long the API server takes to start: a new one would list.
  leaseDuration: 20 * usualLease,
  controlPlane: {
    of: 'family',
    options: { etcdCompactionInterval: '2s' },
    spare: (controlPlane, work) => expiries({ controlPlane }).spare(work),
    expecting: (lane, work) => expiries(lane).expecting(lane, work),
  },
  refusesAtStart: true,
  strike: (step) => ({
    step,
    // Watches that have failed a few times list by themselves, and nobody can tell them 410.
    prelude: async (lane) => {
      await lane.primary.end('SIGTERM');
      await started(lane.primary);
      await lane.silence();
      expiries(lane).expect(lane);
    },
    fall: ({ primary }) => {
      primary.kube.block('silent');
      return step.call.startsWith('kube');
    },
    aftermath: async (lane) => {
      const { kube, program } = lane.primary;
      const before = kube.expired;
      await expiries(lane).join(lane, () => kube.heal());
      const end = systemClock.monotonic() + patience;
      while (kube.expired === before && systemClock.monotonic() < end) await sleep(systemClock, 100);
      if (kube.expired > before) return [];
      return [`no watch was told 410, so the case proves nothing:\n${(await program.lines()).slice(-30).join('\n')}`];
    },
    epilogue: (lane) => expiries(lane).forget(lane),
  }),
};
