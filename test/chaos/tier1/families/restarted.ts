import { sleep, systemClock, type Millis } from '../../../../src/lib/clock.ts';
import { ControlPlane } from '../../../controlplane/control-plane.ts';
import { type Family, usualLease } from '../family.ts';
import { type Lane, started } from '../lane.ts';
import { subjects } from '../subject.ts';

/** Of a lane that has a control plane of its own. */
export function ownControlPlane({ controlPlane }: Lane): ControlPlane {
  if (controlPlane instanceof ControlPlane) return controlPlane;
  throw new Error('this fault needs a control plane of the lane alone');
}

/** Away for so long; longer than etcd's compaction takes where it is hurried. */
const away: Millis = 1_000;

/** The API server's process is killed in the middle of an operation and starts again. */
export const restarted: Family = {
  name: 'apiserver',
  what: 'kube-apiserver killed and started again',
  at: () => true,
  leaseDuration: usualLease,
  ownControlPlane: {},
  refusesAtStart: true,
  strike: (step) => ({
    step,
    fall: (lane) => {
      void ownControlPlane(lane).killApiServer();
      return false;
    },
    aftermath: async (lane) => {
      const controlPlane = ownControlPlane(lane);
      await controlPlane.restartApiServer(away);
      return [];
    },
  }),
};

/** Between two compactions of etcd that the flag below asks for, and some more. */
const compacted: Millis = 5_000;
/** A watch that found a server which does not serve yet waits before it asks again. */
const patience: Millis = 60_000;

/** Until the API server has read every kind back; before, it asks watches to come again. */
async function serves({ stage }: Lane): Promise<void> {
  for (const { kind } of subjects)
    while ((await stage.cluster.request('GET', `${stage.path(kind)}?resourceVersion=0`)).status !== 200) await sleep(systemClock, 100);
}

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
  ownControlPlane: { etcdCompactionInterval: '2s' },
  refusesAtStart: true,
  strike: (step) => ({
    step,
    // Watches that have failed a few times list by themselves, and nobody can tell them 410.
    prelude: async (lane) => {
      await lane.primary.end('SIGTERM');
      await started(lane.primary);
      await lane.silence();
    },
    fall: ({ primary }) => {
      primary.kube.block('silent');
      return step.call.startsWith('kube');
    },
    aftermath: async (lane) => {
      const { kube, program } = lane.primary;
      const before = kube.expired;
      await sleep(systemClock, compacted);
      await ownControlPlane(lane).restartApiServer();
      await serves(lane);
      kube.heal();
      const end = systemClock.monotonic() + patience;
      while (kube.expired === before && systemClock.monotonic() < end) await sleep(systemClock, 100);
      if (kube.expired > before) return [];
      return [`no watch was told 410, so the case proves nothing:\n${(await program.lines()).slice(-30).join('\n')}`];
    },
  }),
};
