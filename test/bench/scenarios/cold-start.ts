import { sleep, systemClock } from '../../../src/lib/clock.ts';
import type { Bench } from '../bench.ts';
import { editVolumes, newTags, secondsToCall, volumesOf } from '../edits.ts';
import { p99 } from '../figure.ts';
import { edit } from '../inhabitants.ts';
import type { Member } from '../population.ts';
import { processFigures } from '../process-figures.ts';

/** A process that used less than this part of a core for `quiet` does nothing but wait. */
const busy = 0.1;
const quiet = 3000;
const look = 250;

interface Settled {
  /** When it was last seen to be busy, milliseconds since the epoch. */
  readonly at: number;
  /** Milliseconds of processor time until then. */
  readonly processor: number;
}

/** Follows a new process until it has nothing more to do. */
async function settle(pid: number): Promise<Settled> {
  let [before, last] = [0, { at: systemClock.now(), processor: 0 }];
  while (systemClock.now() < last.at + quiet) {
    await sleep(systemClock, look);
    const { processor } = await processFigures(pid);
    if (processor - before > busy * look || before === 0) last = { at: systemClock.now(), processor };
    before = processor;
  }
  return last;
}

/** Until the operator has asked the account for something. */
async function firstCall({ stage }: Bench, from: number): Promise<void> {
  while ((await stage.evidence.calls(from)).length === 0) await sleep(systemClock, 50);
}

async function lastStatusOf({ stage }: Bench, members: readonly Member[], from: number): Promise<number> {
  const names = new Set(members.map(({ name }) => name));
  const writes = (await stage.evidence.writes(from)).filter(({ name, subresource }) => names.has(name) && subresource === 'status');
  return Math.max(...writes.map(({ at }) => at));
}

/** The operator comes back and finds everything as it left it, but for a few objects that were edited meanwhile. */
export async function coldStart(bench: Bench): Promise<void> {
  const { stage, report, objects } = bench;
  await bench.operator.program.stop(30_000);
  const volumes = volumesOf(bench);
  const waiting = volumes.slice(0, Math.min(50, Math.floor(volumes.length / 2)));
  for (const volume of waiting) await edit(stage.cluster, volume, { tags: newTags() });
  const begun = systemClock.now();
  bench.operator = await stage.startOperator();
  const settled = settle(bench.operator.program.pid);
  await firstCall(bench, begun);
  const heard = systemClock.now();
  const edited = await editVolumes(bench, volumes.slice(waiting.length, waiting.length + 50), { every: 100 });
  const delays = await secondsToCall(bench, edited);
  const { at, processor } = await settled;
  const written = await lastStatusOf(bench, waiting, begun);
  const calls = await stage.evidence.calls(begun, at);
  report({
    name: 'cold start',
    value: (Math.max(at, written) - begun) / 1000,
    unit: 's',
    limit: 15,
    formula: `start of the process to the end of its work, and of the last status of ${waiting.length} objects that were edited meanwhile`,
  });
  report({ name: 'cold start, first call', value: (heard - begun) / 1000, unit: 's', formula: 'start of the process to its first call' });
  report({ name: 'cold start, calls', value: calls.length, unit: 'calls', formula: 'ledger; pages of collections and the calls of edits' });
  report({ name: 'cold start, processor', value: processor, unit: 'ms', formula: '/proc/pid/stat until nothing more was done' });
  report({
    name: 'cold start, processor per object',
    value: processor / objects,
    unit: 'ms',
    formula: 'the same by the number of objects',
  });
  report({
    name: 'edit to call during a cold start, p99',
    value: p99(delays),
    unit: 's',
    limit: 1,
    formula: `answer to the edit to the call, ${delays.length} edits from the first call on`,
  });
}
