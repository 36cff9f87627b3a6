import { sleep, systemClock, type Millis } from '../../../../src/lib/clock.ts';
import { type Family, shortLease } from '../family.ts';
import { started, type Lane } from '../lane.ts';

/** After it goes on, time enough for whatever it would still do wrongly. */
const afterwards: Millis = 1_500;

/** Patches of metadata carry preconditions, and the answer of a create may be written by whoever has it. */
const isGuarded = (call: string): boolean => /^kube PATCH \/apis\/cloudhosting\.dev\/(?!.*\/status$)/.test(call);

/**
 * SIGSTOP for longer than the lease: another replica takes over and finishes; then the old one goes on as if no time had
 * passed. It may notice that it lost the lease and end, and nothing else.
 */
async function takenOver(lane: Lane): Promise<readonly string[]> {
  const old = lane.primary;
  lane.promote(await lane.openReplica());
  try {
    await started(lane.primary);
    old.abandon();
    // What it had sent before it was stopped is no fault of its own.
    lane.strays.splice(0);
    old.program.signal('SIGCONT');
    await sleep(systemClock, afterwards);
  } finally {
    await old.close();
  }
  return lane.strays.filter((call) => !isGuarded(call)).map((call) => `the old replica wrote after it had lost the lease: ${call}`);
}

export const frozen: Family = {
  name: 'freeze',
  what: 'stopped for longer than the lease while another replica takes over',
  at: () => true,
  leaseDuration: shortLease,
  strike: (step) => ({
    step,
    fall: ({ primary }) => {
      primary.program.signal('SIGSTOP');
      return false;
    },
    aftermath: takenOver,
  }),
};
